"""Alerts to webhooks."""
