"""Digest of a level's content, the key of its scores."""

from __future__ import annotations

import dataclasses
import functools
import hashlib
from collections.abc import Mapping
from typing import Any

from gridproof.core.position import Level, cache_on_level


def text_digest(text: str) -> str:
    """Return a hash of a text, 64 hexadecimal digits."""
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()


@cache_on_level
def digest(level: Level) -> str:
    """Return a hash of a level without title, author, keys and certificate, 64 hexadecimal digits."""
    return _digest(level)


@functools.lru_cache(maxsize=4096)
def _digest(level: Level) -> str:
    """Return the digest, once for all equal levels."""
    names = [item.name for item in dataclasses.fields(level) if not item.compare]
    values = {name: getattr(level, name) for name in names}
    nothing: dict[str, Any] = {
        name: {} if isinstance(value, Mapping) else type(value)()
        for name, value in values.items()
        if isinstance(value, (str, tuple, Mapping))
    }
    bare = dataclasses.replace(level, **nothing, certificate=None)
    return text_digest(f"{level.game.name}\n{bare.text()}")
