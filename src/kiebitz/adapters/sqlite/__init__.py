"""The embedded backend: plain sqlite3, one file per concern."""
