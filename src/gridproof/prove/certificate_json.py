"""Lines of JSON, as certificates have them."""

from __future__ import annotations

import json
from typing import Any

from gridproof.core.text.phrases import short_repr


def parse_value(line: str) -> Any:
    """Return the value of a line; ValueError if it is no JSON, or an object has a key twice."""
    line = line.strip(" \t\n\r")
    value, end = _DECODER.raw_decode(line)
    if end < len(line):
        raise json.JSONDecodeError("more follows", line, end)
    return value


def parse_text(line: str) -> Any:
    """Return the text at the head of a list, for a line that was parsed before; else as `parse_value`."""
    return _DECODER.raw_decode(line, 1)[0] if line.startswith('["') else parse_value(line)


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object, or refuse one with a key that occurs twice."""
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise ValueError(f"the key {short_repr(key)} is there twice")
        found[key] = value
    return found


_DECODER = json.JSONDecoder(object_pairs_hook=_object)
