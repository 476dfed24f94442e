"""Pages that a script draws, through Chromium, which asks our own client for everything (ADR 7)."""
