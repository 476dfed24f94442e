"""Fetching by HTTP with libcurl."""
