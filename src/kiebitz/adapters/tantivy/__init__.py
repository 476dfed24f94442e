"""Adapters on Tantivy, the search engine."""
