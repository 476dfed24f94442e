-- What the page that lists a document says of it.

alter table document add column issue text;  -- JSON array, or null
