"""Level editor of Robots."""

from __future__ import annotations

import re
import string
from collections.abc import Iterable, Mapping

from gridproof.core.editor import Draft, Editor, Field, Place, Tool, level_header, own_cell
from gridproof.core.errors import GridproofError, Problem
from gridproof.core.look import Board, Cell
from gridproof.core.text.lines import header_text
from gridproof.core.text.phrases import short_repr
from gridproof.games.robots.board import ROTATIONS, Kind, Tile
from gridproof.games.robots.dialogue import DIRECTIONS
from gridproof.games.robots.look import colours_of, robot_piece, tile_pile
from gridproof.games.robots.requests import Rule
from gridproof.games.robots.rules import Level
from gridproof.games.robots.text import tile_of_token, token

NAMES = string.ascii_lowercase.replace("v", "")
"""Letters of robots (R33)."""
RULE_WORDS = ("steps in all directions", "walks and turns")
"""Rules A and B in words (R10, R11)."""
FLOOR = "floor"
_BELTS = (Tile(Kind.CONVEYOR, rotation=rotation) for rotation in ROTATIONS)
_TILES = (Tile(), Tile(Kind.HINT), Tile(Kind.BROKEN), *_BELTS)
GROUND = {tile_pile(tile, {})[-1].name: tile for tile in _TILES}
"""Tiles by the names of their tools, FLOOR first."""


def _tile(symbol: str) -> Tile:
    tile = tile_of_token(symbol)
    if tile is None:
        raise GridproofError(f"{short_repr(symbol)} stands for nothing on a board")
    return tile


def _names(draft: Draft) -> list[str]:
    """Return the robots with a place or a home."""
    tiles = map(_tile, {symbol for row in draft.cells for symbol in row})
    return sorted({name for tile in tiles for name in (tile.occupier, tile.target) if name})


def draft(level: Level) -> Draft:
    """Return the draft of a level."""
    cells = tuple(tuple(map(token, row)) for row in level.tiles)
    values: dict[str, str] = {}
    for robot in level.robots:
        values |= {f"rule of {robot.name}": robot.rule.name, f"rotation of {robot.name}": str(robot.rotation)}
    return Draft(cells, values, level_header(level))


def text(draft: Draft) -> str:
    """Return the text of a draft (R33)."""
    width, height = draft.size
    about = draft.about
    head = f"robots {width}x{height}\n" + header_text(about.title, about.author, {})
    head += "".join(f"; {line}\n" for line in header_text("", "", about.keys).splitlines())
    for name in _names(draft):
        rule, rotation = (EDITOR.value(draft, f"{what} of {name}") for what in ("rule", "rotation"))
        head += f"{name}: rule={rule} rotation={rotation}\n"
    return head + "board:\n" + "".join(" ".join(row) + "\n" for row in draft.cells)


def tools(draft: Draft) -> tuple[Tool, ...]:
    """Return the tools: tiles, then each robot with its home, and those of one more robot."""
    used = _names(draft)
    names = [*used, *[name for name in NAMES if name not in used][:1]]
    found = [Tool(name, tile_pile(tile, {})) for name, tile in GROUND.items()]
    colours = colours_of(tuple(names))
    for name, colour in colours.items():
        found += [
            Tool(f"robot {name}", (*tile_pile(Tile(), {}), robot_piece(name, 0, colour, _rule(draft, name)))),
            Tool(f"home of {name}", tile_pile(Tile(Kind.HOME, target=name), colours)),
        ]
    return tuple(found)


def paint(draft: Draft, place: Place, tool: str, part: str) -> Draft:
    """Put a tile, a home or a robot on a cell, from where it was before; a robot that stands there turns right."""
    here = _tile(draft.at(place))
    if tool == FLOOR:
        return draft.with_symbol(place, token(Tile()))
    if tool in GROUND:
        return draft.with_symbol(place, token(GROUND[tool]._replace(occupier=here.occupier)))
    name = tool[-1]
    if tool.startswith("home"):
        draft = _remove_robot(draft, "target", name)
        return draft.with_symbol(place, token(Tile(Kind.HOME, target=name, occupier=here.occupier)))
    if here.occupier == name:
        turned = (_rotation(draft, name) + 90) % 360
        return draft.with_field(f"rotation of {name}", str(turned))
    draft = _remove_robot(draft, "occupier", name)
    return draft.with_symbol(place, token(_tile(draft.at(place))._replace(occupier=name)))


def _remove_robot(draft: Draft, what: str, name: str) -> Draft:
    """Remove a robot ("occupier") or its home ("target") from a draft."""
    for place in draft.places(lambda symbol: getattr(_tile(symbol), what) == name):
        tile = _tile(draft.at(place))
        rest = Tile(occupier=tile.occupier) if what == "target" else tile._replace(occupier="")
        draft = draft.with_symbol(place, token(rest))
    return draft


def board(draft: Draft) -> Board:
    """Return the draft's board: on each cell its tile, and the robot on it."""
    colours = colours_of(tuple(_names(draft)))
    robots = {
        name: robot_piece(name, _rotation(draft, name), colour, _rule(draft, name))
        for name, colour in colours.items()
    }

    def pile(symbol: str) -> Cell:
        tile = _tile(symbol)
        return (*tile_pile(tile, colours), *([robots[tile.occupier]] if tile.occupier else []))

    piles = {symbol: pile(symbol) for row in draft.cells for symbol in row}
    return tuple(tuple(map(piles.__getitem__, row)) for row in draft.cells)


def _rotation(draft: Draft, name: str) -> int:
    """Return a robot's rotation; 0 for one that no text could have."""
    value = EDITOR.value(draft, f"rotation of {name}")
    return int(value) if value in map(str, ROTATIONS) else 0


def _rule(draft: Draft, name: str) -> Rule:
    """Return a robot's rule; A for one that no text could have."""
    return Rule.__members__.get(EDITOR.value(draft, f"rule of {name}"), Rule.A)


def fields(draft: Draft) -> tuple[Field, ...]:
    """Return the fields of rules and rotations; every second robot has rule B by default, as R8a asks for both."""
    rules, rotations = tuple(Rule.__members__), tuple(map(str, ROTATIONS))
    found = []
    for number, name in enumerate(_names(draft)):
        found.append(
            Field(f"rule of {name}", rules[number % 2], rules, label=f"how {name} moves", words=RULE_WORDS)
        )
        found.append(
            Field(
                f"rotation of {name}", rotations[0], rotations, label=f"where {name} faces", words=DIRECTIONS
            )
        )
    return tuple(found)


def problem_cells(draft: Draft, problem: Problem) -> Iterable[Place]:
    """Return the cells that a problem concerns: of a robot its place and its home."""
    robot = problem.where
    if isinstance(robot, str):
        return draft.places(lambda symbol: robot in (_tile(symbol).occupier, _tile(symbol).target))
    return own_cell(draft, problem)


def found_fields(around: str) -> Mapping[str, str]:
    """Return the robots' rules and rotations in the lines around a board."""
    lines = re.findall(
        rf"^\s*([{NAMES}]):.*?\b(rule|rotation)=(\w{{1,9}})(?:.*?\b(rotation)=(\w{{1,9}}))?",
        around,
        re.MULTILINE,
    )
    values: dict[str, str] = {}
    for name, first, value, second, other in lines:
        values |= {f"{first} of {name}": value} | ({f"{second} of {name}": other} if second else {})
    return values


EDITOR = Editor(
    first=Draft(
        (("a", ".", ".", ".", "A"), (".", ".", "#", ".", "."), ("b", ".", ".", ".", "B")),
        {"rule of a": "A", "rule of b": "B"},
    ),
    blank=".",
    draft=draft,
    text=text,
    tools=tools,
    paint=paint,
    board=board,
    fields=fields,
    problem_cells=problem_cells,
    symbols=str.split,
    is_symbol=tile_of_token,
    found_fields=found_fields,
)
