-- How politely, how far, and what the operator has corrected.

alter table source add column delay real;  -- null: the setting's
alter table source add column max_per_run integer not null default 0;
alter table source add column budget integer not null default 10000;
alter table source add column rules text not null default '[]';  -- JSON array of [action, kind, value]
