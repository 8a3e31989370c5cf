"""Menu: games, packs and levels with the player's results."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from gridproof.core.position import Level
from gridproof.core.registry import games
from gridproof.core.text.level_lookup import pack_names
from gridproof.core.text.pack import Pack
from gridproof.table.library import Library


@dataclass(frozen=True, slots=True)
class GameEntry:
    """A game with built-in levels."""

    name: str
    title: str
    meaning: str
    packs: tuple[str, ...]
    """References for `gridproof.core.text.level_lookup.levels_at`, the first pack first."""


@dataclass(frozen=True, slots=True)
class LevelEntry:
    """A level with the player's results."""

    place: int
    """Number from 0."""
    title: str
    difficulty: str
    """From the level's text, or ""."""
    done: bool
    """True if it was won, now or in a saved game."""
    best: Mapping[str, int]
    """Saved best counts by measure."""
    current: bool = False

    def words(self) -> str:
        """Describe the level: its title, state and best counts."""
        state = "current" if self.current else "done" if self.done else "to do"
        best = (
            f" ({', '.join(f'{name} {self.best[name]}' for name in sorted(self.best))})" if self.best else ""
        )
        return f"{self.title}, {state}{best}" if self.title else f"{state}{best}"


def games_to_play() -> tuple[GameEntry, ...]:
    """Return all games with built-in levels."""
    found = []
    for game in games():
        names = sorted(pack_names(game), key=lambda name: name != game.first_pack)
        if names:
            packs = tuple(f"{game.name}/{name}" for name in names)
            found.append(GameEntry(game.name, game.title, game.meaning, packs))
    return tuple(found)


def entries(
    levels: Pack | Iterable[Level],
    library: Library | None = None,
    completed: Collection[int] = (),
    current: int | None = None,
) -> tuple[LevelEntry, ...]:
    """Return levels with the player's results.

    Parameters
    ----------
    library : Library, optional
        Library with the best counts.
    completed : places of levels
        Levels won in a session.
    current : int, optional
        Place of the current level.

    Raises
    ------
    GridproofError
        If the library cannot be read.
    """
    listed = tuple(levels)
    best_counts = library.best_counts(listed) if library else [{} for _ in listed]
    return tuple(
        LevelEntry(
            place,
            level.title,
            level.keys.get("Difficulty", ""),
            bool(best) or place in completed,
            best,
            place == current,
        )
        for place, (level, best) in enumerate(zip(listed, best_counts, strict=True))
    )
