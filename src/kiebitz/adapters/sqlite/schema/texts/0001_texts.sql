-- A deleted text stays as a row without a text: the feed must say so, and an old copy must not bring it back.
create table text (
    number       integer primary key,  -- order of arrival
    id           text    not null unique,
    sequence     integer not null unique,
    deleted      integer not null default 0,
    url          text    not null,
    source       text    not null,
    kind         text    not null,
    state        text    not null,
    reason       text    not null,
    content_type text    not null,
    sha256       text    not null,
    crawled_at   text    not null,
    title        text    not null,
    language     text    not null,
    pages        integer not null,
    scanned      integer not null,
    published    text,
    signature    blob    not null,
    cluster      text    not null,
    content      blob    not null      -- last, so that the facts are read without it
) strict;

-- Ends in deleted, although its condition fixes it: without it SQLite looks up the row to count it.
create index text_state on text (state, id, deleted) where deleted = 0;

create table band (
    band   blob    not null,
    number integer not null,
    primary key (band, number)
) strict, without rowid;
