"""Keys of a level and their meanings."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from gridproof.core.errors import GridproofError, IllegalAction
from gridproof.core.look import ON_BOARD, OWN
from gridproof.core.position import NATURE, Level, Position

VI_KEYS = {"h": "left", "j": "down", "k": "up", "l": "right"}
WASD = {"w": "up", "a": "left", "s": "down", "d": "right"}


def keys_on(level: Level, actor: str | None = None) -> Mapping[str, str]:
    """Map each key to the text of an action: the look's keys, and letters for arrows if they are free.

    An actor that is not on the level has no keys.
    """
    if actor is not None and actor not in level.game.actors(level):
        return {}
    look = level.game.look
    if actor is not None and look.keys_of is not None:
        keys = look.keys_of(level, actor)
    else:
        keys = look.keys if look.keys_on is None else look.keys_on(level)
    letters = {letter: keys[arrow] for letter, arrow in {**VI_KEYS, **WASD}.items() if arrow in keys}
    return {**letters, **keys}


def meanings(level: Level, texts: Iterable[str]) -> Mapping[str, str]:
    """Describe actions of a level in words, even impossible ones; other texts are left out."""
    wanted = set(texts)
    describe = level.game.look.describe
    return {
        text: describe(level, action) for action in level.all_actions() if (text := str(action)) in wanted
    }


def directions(position: Position[Any], actor: str | None = None) -> Mapping[str, str]:
    """Map directions of the board to the texts of actions that lead there, or that turn the actor there.

    Empty where the game's keys mean directions of the board already. Without an actor they are of the first one.
    """
    level = position.level
    seen, actors = level.game.look.seen, [name for name in level.game.actors(level) if name != NATURE]
    name = actor or actors[0]
    if seen is None or name not in actors:
        return {}
    found: dict[str, str] = {}
    for action in level.all_actions():
        if level.owner(action) == name and (way := seen(position, action).way):
            found.setdefault(way, str(action))
    return found


def keys_at(position: Position[Any], actor: str | None = None) -> Mapping[str, str]:
    """Map each key to the text of an action as `keys_on`, but arrows to directions of the board."""
    keys = keys_on(position.level, actor)
    ways = directions(position, actor)
    arrows = {**VI_KEYS, **WASD, **{way: way for way in ways}}
    turned = {key: ways[way] for key, way in arrows.items() if way in ways and _is_arrow(keys, key, way)}
    return {**keys, **turned}


def _is_arrow(keys: Mapping[str, str], key: str, way: str) -> bool:
    """Return whether a key stands for an arrow: it is one, or means the same."""
    return key == way or (way in keys and keys.get(key) == keys[way])


def explain_refusal(position: Position[Any], text: str, frame: str = ON_BOARD) -> str:
    """Return why an action is refused in a position, in a sentence in directions of a frame.

    "" where no reason is known, and for arrows: a player sees the obstacle.
    """
    look, level = position.level.game.look, position.level
    action = next((one for one in level.all_actions() if str(one) == text), None)
    if action is None:
        return ""
    try:
        position.action(text)
    except IllegalAction as error:
        if look.dialogue is not None:
            asked = look.dialogue(position, action, None)
            question = asked.own if frame == OWN else asked.question
            return f"{asked.asker}: {question} No: {error.reason}."
        keys = keys_on(level)
        if error.reason == IllegalAction(text).reason or text in {
            keys.get(arrow) for arrow in VI_KEYS.values()
        }:
            return ""
        words = look.describe(level, action)
        return f"{words[:1].upper()}{words[1:]}: {error.reason}."
    except GridproofError:
        return ""
    return ""
