"""What is kept beyond the process: sessions, best counts, high scores, finished traces."""

from gridproof.store.content import digest
from gridproof.store.database import StoreError
from gridproof.store.grouped import GroupedStore
from gridproof.store.store import Best, SavedSession, Store, default_url

__all__ = ["Best", "GroupedStore", "SavedSession", "Store", "StoreError", "default_url", "digest"]
