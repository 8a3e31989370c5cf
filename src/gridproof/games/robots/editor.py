"""How levels of Robots are made by hand."""

from __future__ import annotations

import re
import string
from collections.abc import Iterable

from gridproof.core.editor import Draft, Editor, Field, Place, Tool, about_of, own_cell
from gridproof.core.errors import GridproofError, Problem
from gridproof.core.lines import about_text
from gridproof.core.look import Board, Cell
from gridproof.core.sketch import about_in, sketched
from gridproof.core.wording import shown
from gridproof.games.robots.board import ROTATIONS, Kind, Tile
from gridproof.games.robots.level import Level
from gridproof.games.robots.look import COLOURS, robot_piece, tile_pile
from gridproof.games.robots.requests import Rule
from gridproof.games.robots.text import tile_of_token, token

NAMES = string.ascii_lowercase.replace("v", "")
"""Of robots (R33)."""
FLOOR = "floor"
_BELTS = (Tile(Kind.CONVEYOR, rotation=rotation) for rotation in ROTATIONS)
_TILES = (Tile(), Tile(Kind.HINT), Tile(Kind.BROKEN), *_BELTS)
GROUND = {tile_pile(tile, {})[-1].name: tile for tile in _TILES}
"""Tools for what lies on a cell, FLOOR first."""


def _tile(symbol: str) -> Tile:
    tile = tile_of_token(symbol)
    if tile is None:
        raise GridproofError(f"{shown(symbol)} stands for nothing on a board")
    return tile


def _names(draft: Draft) -> list[str]:
    """The robots that stand or live somewhere."""
    tiles = [_tile(symbol) for symbol in {symbol for row in draft.cells for symbol in row}]
    return sorted({name for tile in tiles for name in (tile.occupier, tile.target) if name})


def _colour(names: list[str], name: str) -> str:
    return COLOURS[names.index(name) % len(COLOURS)]


def draft(level: Level) -> Draft:
    """That of a level."""
    cells = tuple(tuple(map(token, row)) for row in level.tiles)
    values: dict[str, str] = {}
    for robot in level.robots:
        values |= {f"rule of {robot.name}": robot.rule.name, f"rotation of {robot.name}": str(robot.rotation)}
    return Draft(cells, values, about_of(level))


def text(draft: Draft) -> str:
    """The first line, the robots and the board (R33)."""
    width, height = draft.size
    about = draft.about
    head = f"robots {width}x{height}\n" + about_text(about.title, about.author, {})
    head += "".join(f"; {line}\n" for line in about_text("", "", about.keys).splitlines())
    for name in _names(draft):
        rule, rotation = (EDITOR.value(draft, f"{what} of {name}") for what in ("rule", "rotation"))
        head += f"{name}: rule={rule} rotation={rotation}\n"
    return head + "board:\n" + "".join(" ".join(row) + "\n" for row in draft.cells)


def tools(draft: Draft) -> tuple[Tool, ...]:
    """What lies on cells, then each robot with its home, and those of one more robot."""
    used = _names(draft)
    names = [*used, *[name for name in NAMES if name not in used][:1]]
    found = [Tool(name, tile_pile(tile, {})) for name, tile in GROUND.items()]
    for name in names:
        colours = {name: _colour(names, name)}
        found += [
            Tool(f"robot {name}", (*tile_pile(Tile(), {}), robot_piece(name, 0, colours[name]))),
            Tool(f"home of {name}", tile_pile(Tile(Kind.HOME, target=name), colours)),
        ]
    return tuple(found)


def paint(draft: Draft, place: Place, tool: str, part: str) -> Draft:
    """Something on a cell. A robot or a home leaves the cell where it was; a robot that stands there turns to its right."""
    here = _tile(draft.at(place))
    if tool == FLOOR:
        return draft.put(place, token(Tile()))
    if tool in GROUND:
        return draft.put(place, token(GROUND[tool]._replace(occupier=here.occupier)))
    name = tool[-1]
    if tool.startswith("home"):
        draft = _without(draft, "target", name)
        return draft.put(place, token(Tile(Kind.HOME, target=name, occupier=here.occupier)))
    if here.occupier == name:
        turned = (_rotation(draft, name) + 90) % 360
        return draft.named(f"rotation of {name}", str(turned))
    draft = _without(draft, "occupier", name)
    return draft.put(place, token(_tile(draft.at(place))._replace(occupier=name)))


def _without(draft: Draft, what: str, name: str) -> Draft:
    """A draft in which a robot stands, or lives, nowhere."""
    for place in draft.places(lambda symbol: getattr(_tile(symbol), what) == name):
        tile = _tile(draft.at(place))
        rest = Tile(occupier=tile.occupier) if what == "target" else tile._replace(occupier="")
        draft = draft.put(place, token(rest))
    return draft


def board(draft: Draft) -> Board:
    """Each cell its tile, and the robot on it."""
    names = _names(draft)
    colours = {name: _colour(names, name) for name in names}
    turns = {name: _rotation(draft, name) for name in names}

    def pile(symbol: str) -> Cell:
        tile = _tile(symbol)
        name = tile.occupier
        return tile_pile(tile, colours) + ((robot_piece(name, turns[name], colours[name]),) if name else ())

    drawn = {symbol: pile(symbol) for symbol in {symbol for row in draft.cells for symbol in row}}
    return tuple(tuple(drawn[symbol] for symbol in row) for row in draft.cells)


def _rotation(draft: Draft, name: str) -> int:
    """Where a robot heads; as a level's text never has it, 0."""
    value = EDITOR.value(draft, f"rotation of {name}")
    return int(value) if value in map(str, ROTATIONS) else 0


def fields(draft: Draft) -> tuple[Field, ...]:
    """Each robot's rule and rotation; the second of new ones has rule B, since R8a asks for both."""
    rules, rotations = tuple(Rule.__members__), tuple(map(str, ROTATIONS))
    found = []
    for number, name in enumerate(_names(draft)):
        found.append(Field(f"rule of {name}", rules[number % 2], rules))
        found.append(Field(f"rotation of {name}", rotations[0], rotations))
    return tuple(found)


def concerned(draft: Draft, problem: Problem) -> Iterable[Place]:
    """The cells of a robot: where it stands, and its home."""
    robot = problem.where
    if isinstance(robot, str):
        return draft.places(lambda symbol: robot in (_tile(symbol).occupier, _tile(symbol).target))
    return own_cell(draft, problem)


def sketch(text: str, line: int) -> Draft | None:
    """The board of a text that is no level, with what it says of robots."""
    found = sketched(text, str.split, tile_of_token, ".", line)
    if found is None:
        return None
    rows, around = found
    told = re.findall(
        rf"^\s*([{NAMES}]):.*?\b(rule|rotation)=(\w{{1,9}})(?:.*?\b(rotation)=(\w{{1,9}}))?",
        around,
        re.MULTILINE,
    )
    values: dict[str, str] = {}
    for name, first, value, second, other in told:
        values |= {f"{first} of {name}": value} | ({f"{second} of {name}": other} if second else {})
    return Draft(rows, values, about_in(around))


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
    concerned=concerned,
    sketch=sketch,
)
