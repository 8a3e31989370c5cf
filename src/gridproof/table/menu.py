"""What there is to play: games, their packs, and levels with what has been reached on them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from gridproof.core.pack import Pack
from gridproof.core.position import Level
from gridproof.core.registry import games
from gridproof.core.shelf import pack_names
from gridproof.play.library import Library


@dataclass(frozen=True, slots=True)
class GameEntry:
    """A game that comes with levels."""

    name: str
    title: str
    meaning: str
    packs: tuple[str, ...]
    """As `gridproof.core.shelf.levels_at` takes them, the one to begin with first."""


@dataclass(frozen=True, slots=True)
class LevelEntry:
    """A level of several."""

    place: int
    """From 0."""
    title: str
    difficulty: str
    """As the level's text says, or ""."""
    done: bool
    """Whether it has been won, now or at any time that is kept."""
    best: Mapping[str, int]
    """The least of each measure that it has been won with, where that is kept."""
    current: bool = False

    def words(self) -> str:
        """The title, how it stands, and the best counts."""
        state = "current" if self.current else "done" if self.done else "to do"
        best = (
            f" ({', '.join(f'{name} {self.best[name]}' for name in sorted(self.best))})" if self.best else ""
        )
        return f"{self.title}, {state}{best}" if self.title else f"{state}{best}"


def games_to_play() -> tuple[GameEntry, ...]:
    """All games that come with levels."""
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
    """Levels with what has been reached on them.

    Parameters
    ----------
    library : Library, optional
        Where best counts are kept.
    completed : places of levels
        Those that have been won in a session.
    current : int, optional
        The place of the one that is played.

    Raises
    ------
    GridproofError
        When what is kept cannot be read.
    """
    listed = tuple(levels)
    kept = library.best_counts(listed) if library else [{} for _ in listed]
    return tuple(
        LevelEntry(
            place,
            level.title,
            level.keys.get("Difficulty", ""),
            bool(best) or place in completed,
            best,
            place == current,
        )
        for place, (level, best) in enumerate(zip(listed, kept, strict=True))
    )
