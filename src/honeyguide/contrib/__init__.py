"""Honeyguide inside other crawlers: they fetch, it says what is next and learns from what came."""
