create table search (
    id         text    primary key,
    name       text    not null unique,
    query      text    not null,
    filters    text    not null,  -- JSON
    channels   text    not null,  -- JSON
    schedule   text    not null,
    enabled    integer not null,
    created_at text    not null
) strict, without rowid;

-- The feeds. Never updated: a number given is given for ever. bundled: it waits no more.
create table match (
    sequence  integer primary key autoincrement,
    search    text    not null references search (id),
    paper     text    not null,
    version   text    not null,
    url       text    not null,
    title     text    not null,
    found_at  text    not null,
    excerpt   text    not null,
    source    text    not null,
    kind      text    not null,
    published text,
    bundled   integer not null default 0,
    unique (search, paper, version)
) strict;
create index match_feed on match (search, sequence);
create index match_waiting on match (search, sequence) where bundled = 0;

-- Its matches: those of its search from first to last. state: 0 pending, 1 sent, 2 failed.
-- next_at: from then on it may be claimed; for a claimed one that is when its claim lapses.
create table delivery (
    number     integer primary key autoincrement,
    id         text    not null unique,
    search     text    not null references search (id),
    channel    text    not null,
    first      integer not null,
    last       integer not null,
    matches    integer not null,
    created_at text    not null,
    state      integer not null default 0,
    tries      integer not null default 0,
    next_at    text    not null,
    error      text    not null default '',
    token      text    not null default ''
) strict;
create index delivery_pending on delivery (next_at, number) where state = 0;
create index delivery_search on delivery (search, number);
create unique index delivery_token on delivery (token) where token <> '';

create table progress (
    id       integer primary key check (id = 0),
    position integer not null
) strict;
insert into progress (id, position) values (0, 0);
