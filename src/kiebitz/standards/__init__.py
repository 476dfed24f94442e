"""Pure functions for what the world has fixed: URLs, addresses, robots, charsets, HTTP headers."""
