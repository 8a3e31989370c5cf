"""What is kept beyond the process: sessions, best counts, high scores, finished traces."""

from gridproof.store.store import Best, SavedSession, Store, default_url

__all__ = ["Best", "SavedSession", "Store", "default_url"]
