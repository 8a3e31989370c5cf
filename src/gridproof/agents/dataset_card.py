"""Cards of data sets: what a folder holds, how it was made, its licence, statistics, versions and digest."""

from __future__ import annotations

import hashlib
import importlib.metadata
import platform
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from gridproof.core.text import files
from gridproof.envs.game_batch import Array

CARD = "README.md"
_PACKAGES = ("gridproof", "gymnasium", "numpy", "pyarrow", "minari")
MEANINGS = {
    "episode": "number of the game, from 0",
    "level": "number of the level in the file of levels, from 0",
    "seed": "seed of a session that is the same game (a text in Parquet, since it has 64 bits)",
    "step": "number of the action, from 0",
    "action": "number of the action",
    "reward": "1 for a win, -1 for a loss",
    "terminated": "the game has ended with this action",
    "truncated": "the game was stopped after this action",
    "observation": "the board before the action, or of the position; a list of numbers in Parquet",
    "action_mask": "1 for each executable action",
    "distance": "proved fewest actions to a win, with luck if there is chance; -1 for a dead position",
    "value": "exact probability of a win for the best player; without chance 1, or 0 for a dead position",
    "best": "1 for each action of the best player",
}


class Card(NamedTuple):
    """Content of a card."""

    title: str
    summary: str
    """Description of the data in sentences."""
    command: str
    """Command that makes them again."""
    columns: Mapping[str, str]
    """Meanings of the columns."""
    facts: Mapping[str, str]
    """Statistics by name."""
    note: str = ""
    """Ways to read the data."""
    actions: Sequence[str] = ()
    """Texts of the actions, if the columns have their numbers."""


def statistics_of(columns: Mapping[str, Array], wins: int | None = None) -> dict[str, str]:
    """Return the statistics of the rows of a data set as texts; `wins` are those of its games."""
    found = {"rows": f"{len(columns['level']):,}", "levels": f"{len(np.unique(columns['level'])):,}"}
    if "episode" in columns:
        lengths = np.bincount(columns["episode"])
        spread = f"{lengths.min():,} to {lengths.max():,}, {lengths.mean():,.1f} on average"
        found |= {"games": f"{len(lengths):,}", "won": f"{wins:,}", "actions of a game": spread}
    else:
        dead = columns["value"] == 0
        found["dead positions"] = f"{int(dead.sum()):,} ({dead.mean():.1%})"
    if "distance" in columns:
        found["largest distance"] = f"{columns['distance'].max():,}"
    return found


def digest_of_folder(folder: Path) -> str:
    """Return a SHA-256 over the names and the SHA-256 of all files of a folder but its card."""
    found = sorted(path for path in folder.rglob("*") if path.is_file() and path != folder / CARD)
    lines = "".join(
        f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.relative_to(folder).as_posix()}\n"
        for path in found
    )
    return hashlib.sha256(lines.encode()).hexdigest()


def write_card(folder: Path, card: Card) -> str:
    """Write the card of a folder whose other files are complete; return the digest."""
    digest = digest_of_folder(folder)
    facts = "\n".join(f"| {name} | {fact} |" for name, fact in card.facts.items())
    columns = "\n".join(f"| `{name}` | {meaning} |" for name, meaning in card.columns.items())
    numbers = ", ".join(f"{number} `{text}`" for number, text in enumerate(card.actions))
    actions = f"Actions by number: {numbers}.\n\n" if numbers else ""
    text = f"""# {card.title}

{card.summary}

## How it was made

```text
{card.command}
```

The same command makes the same bytes with the same versions: {_versions()}. Levels from elsewhere keep the licence of their authors; everything else is under the MIT licence, as gridproof.

## What is in it

{card.note}

| column | |
| --- | --- |
{columns}

{actions}| statistics | |
| --- | --- |
{facts}

SHA-256 of the output of `sha256sum` for all files but this one, in the order of their names: `{digest}`.
"""
    files.write(folder / CARD, text)
    return digest


def _versions() -> str:
    found = [f"Python {platform.python_version()}"]
    for name in _PACKAGES:
        try:
            found.append(f"{name} {importlib.metadata.version(name)}")
        except importlib.metadata.PackageNotFoundError:
            continue
    return ", ".join(found)
