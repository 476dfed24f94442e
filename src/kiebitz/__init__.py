"""Kiebitz watches public websites, collects what is new, reads it, and makes it searchable."""

__version__ = "0.1.0"
