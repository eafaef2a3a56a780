"""A page on this machine that follows a crawl and steers it; figures for Prometheus, and a log for programs."""

from __future__ import annotations

from honeyguide.dashboard.following import Following
from honeyguide.dashboard.journal import Journal
from honeyguide.dashboard.note import Note, leave_note, read_note
from honeyguide.dashboard.server import Server
from honeyguide.dashboard.session import Session

__all__ = ["Following", "Journal", "Note", "Server", "Session", "leave_note", "read_note"]
