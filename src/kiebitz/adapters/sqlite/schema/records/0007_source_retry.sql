-- When the last run of a source, which could not end, tries again.

alter table source add column retry_at text;
