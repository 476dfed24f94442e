-- state: 0 waiting, 1 leased, 2 done, 3 dead.
-- due_at: from then on an open job may be taken; for a leased one that is when its lease lapses.
-- Done jobs stay as a name without a payload, because a queue takes a key only once.
create table job (
    id         integer primary key,  -- order of arrival
    queue      text    not null,
    key        text    not null,
    payload    text    not null,
    not_before real    not null,
    state      integer not null default 0,
    due_at     real    not null,
    tries      integer not null default 0,
    token      text    not null default '',
    error      text    not null default '',
    ended_at   real    not null default 0,
    unique (queue, key)
) strict;

-- Each ends in state, although its condition fixes it: without it SQLite looks up the row to count it.
create index job_open on job (queue, due_at, id, state) where state <= 1;
create index job_leased on job (queue, due_at, id, state) where state = 1;
create index job_dead on job (queue, ended_at, id, state) where state = 3;
create unique index job_token on job (token) where state = 1;
