"""Kentino configurator: which GPU server a job really needs, and what it will do."""

__version__ = "0.1.0"
