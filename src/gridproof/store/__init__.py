"""Store of sessions, best counts, high scores and finished traces in a database."""

from gridproof.store.database import StoreError
from gridproof.store.group_commit import GroupedStore
from gridproof.store.level_digest import digest
from gridproof.store.store import Best, SavedSession, Store, default_url

__all__ = ["Best", "GroupedStore", "SavedSession", "Store", "StoreError", "default_url", "digest"]
