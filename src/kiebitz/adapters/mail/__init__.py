"""Alerts by mail."""
