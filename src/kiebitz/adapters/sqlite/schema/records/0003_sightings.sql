-- What was seen of a source: each page with its verdicts, the whole, and how it changed. Contents are packed JSON.

create table page_sight (
    source  text not null,
    page    text not null,
    run     text not null,
    at      text not null,
    content blob not null,
    primary key (source, page)
) strict;

create table sight (
    source      text not null primary key,
    run         text not null,
    at          text not null,
    fingerprint text not null,
    content     blob not null
) strict;

create table change (
    id      integer primary key autoincrement,
    source  text not null,
    run     text not null,
    at      text not null,
    since   text,
    "before" text not null,
    "after"  text not null,
    content blob not null,
    unique (source, run)
) strict;

create index change_by_source on change (source, id);
