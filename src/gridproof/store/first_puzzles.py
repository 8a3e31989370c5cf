"""The first puzzle of each series, which comes with the package: nobody waits for it on a new server."""

from __future__ import annotations

import functools
import json
from collections.abc import Mapping
from pathlib import Path

FILE = Path(__file__).with_suffix(".json")
"""Id -> certificate, as `python docs/puzzles.py` writes it."""


@functools.cache
def first_puzzles() -> Mapping[str, str]:
    """Return the certificates of the puzzles as JSON, each by its id."""
    certificates: dict[str, object] = json.loads(FILE.read_text("utf-8"))
    return {puzzle_id: json.dumps(certificate) for puzzle_id, certificate in certificates.items()}
