"""Keys of a level and their meanings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from gridproof.core.position import Level

VI_KEYS = {"h": "left", "j": "down", "k": "up", "l": "right"}
WASD = {"w": "up", "a": "left", "s": "down", "d": "right"}


def keys_on(level: Level, actor: str | None = None) -> Mapping[str, str]:
    """Map each key to the text of an action: the look's keys, and letters for arrows if they are free.

    An actor that is not on the level has no keys.
    """
    if actor is not None and actor not in level.game.actors(level):
        return {}
    look = level.game.look
    keys = look.keys if actor is None or look.keys_of is None else look.keys_of(level, actor)
    letters = {letter: keys[arrow] for letter, arrow in {**VI_KEYS, **WASD}.items() if arrow in keys}
    return {**letters, **keys}


def meanings(level: Level, texts: Iterable[str]) -> Mapping[str, str]:
    """Describe actions of a level in words, even impossible ones; other texts are left out."""
    wanted = set(texts)
    words = level.game.look.words
    return {text: words(action) for action in level.all_actions() if (text := str(action)) in wanted}
