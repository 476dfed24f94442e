-- Requests that had a content and now answer 404 or 410; counted in "failed" too.

alter table run add column gone integer not null default 0;
