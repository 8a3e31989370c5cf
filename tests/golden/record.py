"""Recorded playthroughs, node counts and generated levels of every built-in game: files a person can read in a diff.

    python -m tests.golden.record            (re)writes tests/golden/<game>/*.txt
    python -m tests.golden.record --check    says which files differ

The levels come from the games' own packs. Each recording takes the level whose text, mixed with the
recording's number, gives the smallest digest: a pack that grows changes few recordings.
"""

from __future__ import annotations

import argparse
import hashlib
import itertools
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from gridproof.core.errors import GridproofError
from gridproof.core.extension import module_of
from gridproof.core.game import Game
from gridproof.core.generate import generate
from gridproof.core.position import Level, Outcome, Position
from gridproof.core.registry import TEMPLATE, game_names
from gridproof.core.registry import game as game_named
from gridproof.core.rng import Rng
from gridproof.core.text import files
from gridproof.core.text.level_lookup import builtin_pack, pack_names
from gridproof.core.trace import Step

FOLDER = Path("tests/golden")
PLAYTHROUGHS = 10
COUNTED_LEVELS = 5
STEPS = 20
"""Actions of a playthrough that is not a certificate."""
DEPTH = 10
"""The greatest depth of node counts."""
EXPANDED = 1000
"""Positions of a level that are expanded for its node counts: whole layers, as long as they fit."""
WISHES: Mapping[str, Sequence[Mapping[str, Any]]] = {
    "robots": (
        {"width": 3, "height": 3, "robots": 2, "conveyors": 0},
        {"width": 5, "height": 4, "robots": 3, "conveyors": 6, "hints": 2, "broken": 2},
    ),
    "shiftit": (
        {"width": 2, "height": 1},
        {"width": 2, "height": 2, "colours": 4, "locks": 1},
        {"width": 2, "height": 2, "colours": 4, "difficulty": 20},
        {"width": 3, "height": 2},
        {"width": 7, "height": 6, "colours": 7, "locks": 5, "moves": 2},
        {"width": 1, "height": 3},
    ),
    "sokoban": (
        {"width": 7, "height": 6, "boxes": 1},
        {"width": 8, "height": 7, "boxes": 2},
        {"width": 7, "height": 6, "boxes": 1, "difficulty": 10},
        {"width": 7, "height": 6, "boxes": 2, "difficulty": 40},
        {"width": 8, "height": 7, "boxes": 1, "bombs": 1},
    ),
    "twenty48": ({}, {"width": 2, "height": 3, "target": 32, "spawn": "classic", "moves": 4}),
}
"""What levels are generated with, beside the seed: small ones of each kind."""
_SHOWN_OUTCOMES = 8
_COUNTED_OUTCOMES = 100_000


class Named(NamedTuple):
    """A level and where it is to be found."""

    name: str
    """"sokoban/first-steps/3"."""
    level: Level


def built_in_games() -> tuple[str, ...]:
    """The names of the games that come with gridproof, the template too."""
    return (TEMPLATE, *(name for name in game_names() if game_named(name).package.startswith("gridproof.")))


def recordings(game: Game) -> Mapping[str, str]:
    """The golden files of a game: file name -> text.

    Raises
    ------
    GridproofError
        When the game has no pack.
    """
    levels = _levels(game)
    if not levels:
        raise GridproofError(f"{game.name} has no pack to record playthroughs of")
    chosen = _choose(levels, PLAYTHROUGHS)
    texts = {f"playthrough-{n:02}.txt": playthrough(named, n) for n, named in enumerate(chosen, 1)}
    texts["nodes.txt"] = "\n".join(node_counts(named) for named in _choose(levels, COUNTED_LEVELS))
    if module_of(game, "generator"):
        wishes = WISHES.get(game.name, ({},))
        texts["generated.txt"] = "\n".join(generated(game, n, wish) for n, wish in enumerate(wishes, 1))
    return texts


def _levels(game: Game) -> list[Named]:
    return [
        Named(f"{game.name}/{pack}/{number}", level)
        for pack in pack_names(game)
        for number, level in enumerate(builtin_pack(game, pack), 1)
    ]


def _choose(levels: Sequence[Named], count: int) -> list[Named]:
    """So many of the levels, each once before any comes twice."""
    chosen: list[Named] = []
    for number in range(count):
        often = min(chosen.count(named) for named in levels)
        fresh = [named for named in levels if chosen.count(named) == often]
        chosen.append(min(fresh, key=lambda named: _digest(number, named.level)))
    return chosen


def _digest(number: int, level: Level) -> str:
    return hashlib.sha256(f"{number}\n{level.text()}".encode()).hexdigest()


# -- playthroughs


def playthrough(named: Named, number: int) -> str:
    """A game from its level to its end or so many steps: every position, and what was done.

    Recordings with an even number follow the level's certificate, where it has one.
    """
    level = named.level
    lines = [f"level {named.name}", f"recording {number}", "", *_indented(level.text()), ""]
    certificate = level.certificate if number % 2 == 0 else None
    position = certificate.start if certificate else level.start(seed=number)
    steps: Iterator[Step | Rng] = iter(certificate.steps) if certificate else _random_steps(number)
    count = 0
    while True:
        lines += [f"-- position {count}: {position.status}", *_indented(position.text())]
        actions = position.all_actions()
        lines.append(f"actions: {', '.join(map(str, actions)) or 'none'}")
        step = next(steps, None)
        if step is None or not actions:
            return "\n".join(lines) + "\n"
        action, outcome = _resolve(position, step, actions)
        lines += _step_lines(position, action, outcome)
        position = outcome.position
        count += 1


def _random_steps(number: int) -> Iterator[Step | Rng]:
    return (Rng(number, stream) for stream in range(1, STEPS + 1))


def _resolve(position: Position[Any], step: Step | Rng, actions: Sequence[Any]) -> tuple[Any, Outcome[Any]]:
    """What a step of a certificate says, or what a generator draws."""
    if isinstance(step, Rng):
        action = step.choice(actions)
        return action, position.step(action, step)
    return step.action, position.outcome(step.action, step.label)


def _step_lines(position: Position[Any], action: Any, outcome: Outcome[Any]) -> list[str]:
    listed = list(itertools.islice(position.outcomes(action), _COUNTED_OUTCOMES))
    count = f"{len(listed)}" + (" or more" if len(listed) == _COUNTED_OUTCOMES else "")
    lines = [f"action: {action}", f"outcomes: {count}"]
    if 1 < len(listed) <= _SHOWN_OUTCOMES:
        lines += [f"    {item.probability} {item.label}" for item in listed]
    if len(listed) > 1:
        lines.append(f"drawn: {outcome.label} with probability {outcome.probability}")
    lines += [f"event: {event!r}" for event in outcome.events]
    return [*lines, f"reward: {outcome.reward}", ""]


def _indented(text: str) -> list[str]:
    return [f"    {line}".rstrip() for line in text.split("\n")[:-1]]


# -- node counts


def node_counts(named: Named) -> str:
    """How many paths of players' actions and outcomes there are, and what they reach, by depth.

    Starts that are drawn are drawn with seed 0.
    """
    lines = [f"level {named.name}", *_indented(named.level.text())]
    lines.append(f"{'depth':>5} {'paths':>20} {'positions':>10} {'new':>10} {'won':>10} {'lost':>10}")
    seen: set[Position[Any]] = set()
    for depth, layer in enumerate(_layers(named.level.start(seed=0))):
        fresh = layer.keys() - seen
        statuses = Counter(position.status.name for position in layer)
        lines.append(
            f"{depth:>5} {layer.total():>20} {len(layer):>10} {len(fresh):>10}"
            f" {statuses['WON']:>10} {statuses['LOST']:>10}"
        )
        seen |= fresh
    return "\n".join(lines) + "\n"


def _layers(start: Position[Any]) -> Iterator[Counter[Position[Any]]]:
    """The positions at each depth, with the number of paths that end there."""
    layer = Counter({start: 1})
    budget = EXPANDED
    for _ in range(DEPTH + 1):
        if layer:
            yield layer
        budget -= len(layer)
        if budget < 0:
            return
        following: Counter[Position[Any]] = Counter()
        for position, paths in layer.items():
            for action in position.actions():
                for outcome in position.outcomes(action):
                    following[outcome.position] += paths
        layer = following


# -- generated levels


def generated(game: Game, seed: int, wish: Mapping[str, Any]) -> str:
    """A level as it is generated from a seed, and how its certificate wins it."""
    level = generate(game.name, seed, **wish)
    lines = [f"seed {seed}", *(f"{name}={value}" for name, value in wish.items())]
    steps = level.certificate.steps if level.certificate else ()
    done = ", ".join(f"{step.action} {step.label}".rstrip() for step in steps)
    return "\n".join([*lines, "", *_indented(level.text()), "", f"certificate: {done}"]) + "\n"


# -- the command


def differences(folder: Path, texts: Mapping[str, str]) -> list[Path]:
    """The files of a folder that are not as these texts have them; also files of no text."""
    differing = [folder / name for name, text in texts.items() if not _holds(folder / name, text)]
    return differing + sorted(path for path in folder.glob("*.txt") if path.name not in texts)


def _holds(path: Path, text: str) -> bool:
    return path.is_file() and path.read_text(encoding="utf-8") == text


def _record(folder: Path, texts: Mapping[str, str]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for path in folder.glob("*.txt"):
        if path.name not in texts:
            path.unlink()
    for name, text in texts.items():
        files.write(folder / name, text)


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the recordings, or compare them; 0 when all is well."""
    parser = argparse.ArgumentParser(prog="python -m tests.golden.record", description=__doc__)
    parser.add_argument("games", nargs="*", help="names of games (all built-in ones)")
    parser.add_argument("--folder", type=Path, default=FOLDER)
    parser.add_argument("--check", action="store_true", help="compare, write nothing")
    options = parser.parse_args(arguments)
    wrong = []
    for name in options.games or built_in_games():
        texts = recordings(game_named(name))
        folder = options.folder / name
        if options.check:
            wrong += differences(folder, texts)
        else:
            _record(folder, texts)
    sys.stdout.writelines(f"{path} differs\n" for path in wrong)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
