"""Menu: games, packs and levels with the player's results."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from gridproof.core.difficulty import KEY, difficulty_word
from gridproof.core.position import Level
from gridproof.core.registry import games
from gridproof.core.text.level_lookup import levels_at, pack_names
from gridproof.core.text.pack import Pack
from gridproof.table.game_store import GameStore


@dataclass(frozen=True, slots=True)
class GameEntry:
    """A game with built-in levels."""

    name: str
    title: str
    meaning: str
    invitation: str
    """A sentence that makes people want to play it."""
    packs: tuple[str, ...]
    """References for `gridproof.core.text.level_lookup.levels_at`, the first pack first."""


@dataclass(frozen=True, slots=True)
class LevelEntry:
    """A level with the player's results."""

    place: int
    """Number from 0."""
    title: str
    difficulty: str
    """Number from the level's text, or ""."""
    done: bool
    """True if it was won, now or in a saved game."""
    best: Mapping[str, int]
    """Saved best counts by measure."""
    current: bool = False
    difficulty_word: str = ""
    """The difficulty in one of five words, or ""."""

    def words(self) -> str:
        """Describe the level: its title, state and best counts."""
        state = "current" if self.current else "done" if self.done else "to do"
        best = (
            f" ({', '.join(f'{name} {self.best[name]}' for name in sorted(self.best))})" if self.best else ""
        )
        return f"{self.title}, {state}{best}" if self.title else f"{state}{best}"


@dataclass(frozen=True, slots=True)
class ListedLevel:
    """A level in a list of levels of several packs."""

    levels: Pack
    """The level's pack."""
    entry: LevelEntry
    reference: str
    """The pack's reference."""
    game: str
    """Title of the game."""

    def matches(self, text: str) -> bool:
        """Return whether each word of a text is in the titles of the level, its pack or its game, or in the reference."""
        titles = self.entry.title, self.levels.title, self.game, f"{self.reference}/{self.entry.place + 1}"
        searched = " ".join(titles).lower()
        return all(word in searched for word in text.lower().split())


def games_to_play() -> tuple[GameEntry, ...]:
    """Return all games with built-in levels, in the order in which most people know them."""
    found = []
    for game in sorted(games(), key=lambda game: (game.look.order, game.name)):
        names = sorted(pack_names(game), key=lambda name: name != game.first_pack)
        if names:
            packs = tuple(f"{game.name}/{name}" for name in names)
            found.append(
                GameEntry(game.name, game.title, game.meaning, game.look.invitation or game.meaning, packs)
            )
    return tuple(found)


def all_levels(store: GameStore | None = None) -> tuple[ListedLevel, ...]:
    """Return the levels of all built-in packs with the player's results.

    Raises
    ------
    GridproofError
        If the store or a pack cannot be read.
    """
    return tuple(
        ListedLevel(levels, entry, reference, game.title)
        for game in games_to_play()
        for reference in game.packs
        for levels in [levels_at(reference)]
        for entry in entries(levels, store)
    )


def entries(
    levels: Pack | Iterable[Level],
    store: GameStore | None = None,
    completed: Collection[int] = (),
    current: int | None = None,
) -> tuple[LevelEntry, ...]:
    """Return levels with the player's results.

    Parameters
    ----------
    store : GameStore, optional
        Store with the best counts.
    completed : places of levels
        Levels won in a session.
    current : int, optional
        Place of the current level.

    Raises
    ------
    GridproofError
        If the store cannot be read.
    """
    listed = tuple(levels)
    best_counts = store.best_counts(listed) if store else [{} for _ in listed]
    won = store.won(listed) if store else [False for _ in listed]
    return tuple(
        LevelEntry(
            place,
            level.title,
            level.keys.get(KEY, ""),
            has_won or place in completed,
            best,
            place == current,
            difficulty_word(level),
        )
        for place, (level, best, has_won) in enumerate(zip(listed, best_counts, won, strict=True))
    )
