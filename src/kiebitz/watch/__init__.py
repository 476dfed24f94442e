"""How a source is doing: which issues are held, which are missing, how often it publishes."""
