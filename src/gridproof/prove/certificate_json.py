"""Lines of JSON, as certificates have them."""

from __future__ import annotations

import gzip
import json
import zlib
from typing import Any

from gridproof.core.text.phrases import short_repr


def parse_value(data: bytes) -> Any:
    """Return the value of a line; ValueError if it is no JSON, or an object has a key twice."""
    line = data.decode().strip(" \t\n\r")
    value, end = _DECODER.raw_decode(line)
    if end < len(line):
        raise json.JSONDecodeError("more follows", line, end)
    return value


def parse_text(data: bytes) -> str:
    """Return the text of a line that was parsed before, alone or at the head of a list; else ""."""
    try:
        value = _DECODER.raw_decode(data.decode(), 1)[0] if data.startswith(b'["') else parse_value(data)
    except (ValueError, RecursionError):
        return ""
    text = value[0] if isinstance(value, list) and value else value
    return text if isinstance(text, str) else ""


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Return an object, or refuse one with a key that occurs twice."""
    found: dict[str, Any] = {}
    for key, value in pairs:
        if key in found:
            raise ValueError(f"the key {short_repr(key)} is there twice")
        found[key] = value
    return found


_DECODER = json.JSONDecoder(object_pairs_hook=_object)


def describe_damage(error: Exception, line: int) -> str:
    """Return what an error says about a file, where it is in this line."""
    if line <= 1 and isinstance(error, UnicodeDecodeError | json.JSONDecodeError | gzip.BadGzipFile):
        packed = isinstance(error, gzip.BadGzipFile)
        return f"not a certificate: {'it is not compressed by gzip' if packed else 'the first line must be JSON'}"
    if "integer string conversion" in str(error):
        return "damaged: a number that is too long"
    return f"damaged: {next((words for kind, words in _DAMAGES if isinstance(error, kind)), error)}"


_DAMAGES = (
    (UnicodeDecodeError, "not a text"),
    (json.JSONDecodeError, "not JSON"),
    (RecursionError, "nested too deeply"),
    (EOFError, "the compressed file ends too early"),
    ((gzip.BadGzipFile, zlib.error), "it cannot be decompressed"),
)
"""Errors and what they mean to people; the messages of codecs mean nothing to them."""
