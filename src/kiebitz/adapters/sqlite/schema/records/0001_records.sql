-- Moments are ISO 8601 text in UTC with microseconds: text order is time order.

create table source (
    id            text    not null primary key,
    name          text    not null unique,
    entry_urls    text    not null,  -- JSON array
    labels        text    not null,  -- JSON object
    focus         text    not null,
    schedule      text    not null,
    enabled       integer not null,
    created_at    text,
    last_crawled  text,
    last_change   text,
    last_error    text    not null,
    last_error_at text
) strict;

-- Apart from the run, because a plan may hold a hundred thousand seeds and a run is rewritten every second.
create table plan (
    key  text not null primary key,
    body text not null  -- JSON
) strict;

create table run (
    id          text not null primary key,
    plan_key    text not null references plan (key),
    state       text not null,
    created_at  text not null,
    updated_at  text not null,
    finished_at text,
    counts      text not null,  -- JSON
    seconds     real not null default 0,
    cpu_seconds real not null default 0,
    source      text not null
) strict;

create index run_by_plan on run (plan_key, state, id);
create index run_by_state on run (state, id);

create table document (
    id            text    not null primary key,
    url           text    not null,
    parent_url    text    not null,
    link_text     text    not null,
    source        text    not null,
    valid         integer not null,
    first_seen    text    not null,
    visited_on    text    not null,
    downloaded_on text    not null,
    tries         integer not null,
    status        integer not null,
    content_type  text    not null,
    bytes         integer not null,
    sha256        text    not null,
    versions      text    not null  -- JSON array of objects, oldest first
) strict;

create index document_by_source on document (source, id);
create index document_by_content on document (sha256, id);

-- autoincrement: an id is never used again, even when its row was the newest and is gone.
create table event (
    id      integer primary key autoincrement,
    kind    text not null,
    at      text not null,
    run     text not null,
    subject text not null,
    data    text not null  -- JSON object or null
) strict;

create index event_by_run on event (run, id);

-- The fence is the row's id: autoincrement grows over all names, hence over each, and outlives a release.
create table lease (
    token  integer primary key autoincrement,
    name   text not null unique,
    holder text not null,
    until  real not null,
    info   text not null
) strict;
