"""Immutable values."""

from __future__ import annotations

from collections.abc import ItemsView, Iterator, KeysView, Mapping, ValuesView
from dataclasses import fields
from typing import Any, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class ImmutableFields:
    """A dataclass whose fields alone are pickled and copied, without its cached values."""

    def __getstate__(self) -> dict[str, Any]:
        known: Any = self
        return {item.name: getattr(self, item.name) for item in fields(known)}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Restore the fields; a call of Python for each value, so that other threads have a turn in a long list of them."""
        vars(self).update(state)


class FrozenDict(Mapping[K, V]):
    """An immutable copy of a mapping; equal to any equal mapping. It can be hashed, pickled and copied."""

    __slots__ = ("_items",)

    def __init__(self, mapping: Mapping[K, V] | None = None) -> None:
        self._items = dict(mapping or {})

    def __getitem__(self, key: K) -> V:
        return self._items[key]

    def __iter__(self) -> Iterator[K]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    # those of Mapping do the same by one call of Python for each key

    def __contains__(self, key: object) -> bool:
        return key in self._items

    def get(self, key: K, default: Any = None) -> Any:
        return self._items.get(key, default)

    def keys(self) -> KeysView[K]:
        return self._items.keys()

    def values(self) -> ValuesView[V]:
        return self._items.values()

    def items(self) -> ItemsView[K, V]:
        return self._items.items()

    def __hash__(self) -> int:
        return hash(frozenset(self._items.items()))

    def __repr__(self) -> str:
        return repr(self._items)
