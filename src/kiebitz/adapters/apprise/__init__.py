"""Alerts to what Apprise knows: chats, phones, push services."""
