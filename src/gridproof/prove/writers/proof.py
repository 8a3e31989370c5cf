"""Proof: the content of a certificate before it is written."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple


class Proof(NamedTuple):
    """Content of a certificate."""

    kind: str
    facts: Mapping[str, Any]
    """The kind's own values of the first line, as JSON data."""
    size: int
    """The number of lines after the first."""
    lines: Iterable[Any]
    """Their values, as JSON data."""
