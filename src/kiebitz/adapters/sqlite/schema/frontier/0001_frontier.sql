-- The frontier: one file, one writer thread. Names are numbers inside, because rows are many.

create table fence (epoch integer not null);
insert into fence values (1);

-- Counters are absolute; "waiting" is pending and deferred together, leased ones included.
create table run (
  id integer primary key,               -- grows: a later run is newer
  name text not null unique,
  active integer not null default 0,
  max_pages integer not null default 0,
  max_per_host integer not null default 0,
  seq integer not null default 0,       -- the order in which requests were added
  waiting integer not null default 0,
  deferred integer not null default 0,
  leased integer not null default 0,
  done integer not null default 0,
  unchanged integer not null default 0,
  failed integer not null default 0,
  skipped integer not null default 0,
  documents integer not null default 0,
  bytes integer not null default 0
);

-- A lease is (counter, nonce, until, keys): until = 0 means free. The keys are the leased requests, so that a lapse
-- costs nothing: their rows never stopped being pending.
create table host (
  id integer primary key,
  name text not null unique,
  ready_at real not null default 0,
  failures integer not null default 0,
  address text not null default '',
  counter integer not null default 0,
  nonce integer not null default 0,
  until real not null default 0,
  holder text not null default '',
  run integer not null default 0,
  keys blob not null default x''
);
create index host_leased on host (until) where until > 0;

-- due_at may be too early, never too late: leasing looks at the host and corrects it.
create table work (
  run integer not null,
  host integer not null,
  waiting integer not null default 0,
  deferred integer not null default 0,
  fetched integer not null default 0,
  due_at real not null default 0,
  primary key (run, host)
) without rowid;
create index work_due on work (run, due_at) where waiting > 0;

create table request (
  host integer not null,
  key integer not null,
  url text not null,
  body blob,
  run integer not null,
  state integer not null,
  reason text not null default '',
  status integer not null default 0,
  depth integer not null,
  hops integer not null default 0,      -- redirects that led here
  seq integer not null,
  tries integer not null default 0,
  next_at real not null default 0,
  visited_at real not null default 0,
  parent text not null default '',
  text text not null default '',
  etag text not null default '',
  modified text not null default '',
  digest blob not null default x'',
  size integer not null default 0,
  content_type text not null default '',
  primary key (host, key)
) without rowid;
create index request_waiting on request (host, run, depth, seq) where state in (0, 4);

create table robots (
  host integer not null,
  origin text not null,
  fetched_at real not null,
  status integer not null,
  text text not null,
  primary key (host, origin)
) without rowid;

create table capture (
  host integer not null,
  key integer not null,
  at real not null,
  bundle text not null,
  "offset" integer not null,
  length integer not null,
  primary key (host, key, at)
) without rowid;

create table mark (
  bundle text primary key,
  length integer not null
) without rowid;
