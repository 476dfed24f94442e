-- How runs went: at most a few hundred rows each, thinned out as a run becomes longer.

create table run_sample (
    run     text    not null references run (id),
    seconds real    not null,
    fetched integer not null,
    hosts   integer not null,
    queue   integer not null,
    primary key (run, seconds)
) strict, without rowid;
