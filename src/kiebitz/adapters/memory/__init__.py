"""Adapters that keep everything in memory: for tests, yours too."""
