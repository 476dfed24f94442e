-- When to look at a source next, as the last run forecast it, and what that is learned from.

alter table source add column next_look text;
alter table source add column next_why text not null default '';
alter table source add column looks text not null default '[]';  -- JSON array of moments, oldest first
