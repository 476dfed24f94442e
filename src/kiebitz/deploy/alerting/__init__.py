"""Alerts: saved searches are matched with what is newly indexed, and their owners are told."""
