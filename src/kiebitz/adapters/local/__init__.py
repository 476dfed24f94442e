"""Adapters for what this machine offers: a folder, its clock, its resolver."""
