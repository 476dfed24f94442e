"""Implementations of the ports, one folder per technology; the file name is the port name."""
