"""A small web that does not exist: deterministic, with known truth and bad manners."""
