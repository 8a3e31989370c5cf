"""The first board of an address as HTML, as the page draws it when its modules are there.

The page has it in its own answer, so that a slow line shows it after one round trip.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator
from html import escape
from typing import Any, NamedTuple

from gridproof.analysis.json_data import Data
from gridproof.core.errors import GridproofError
from gridproof.core.position import Position
from gridproof.server.api.start_screen import current_start, position_data
from gridproof.server.context import ServerContext
from gridproof.server.page_addresses import SESSION

CELL, MARGIN, RESERVE, MOST_MARKS = 100, 14, 100, 120
USUAL_CELL, LARGE_CELL, SMALL = "min(88px, 10dvh)", "min(128px, 13dvh)", 5
"""Sizes of `board.js`."""
MOST_CELLS = 400
"""Cells of a board that the page shows first; larger ones make the page itself late."""
PATIENCE = 0.5
"""Seconds that the page waits for an action of the session, and for its board."""


class FirstBoard(NamedTuple):
    """The first content of a screen."""

    html: str
    style: str
    """The size of the board for the style sheet."""


async def first_board(address: str, context: ServerContext) -> FirstBoard | None:
    """Return the first board of an address without its first slash; None where there is none, or none can be drawn soon."""
    try:
        if not address:
            level = (await current_start(context))["featured"]
            return level and FirstBoard(_featured_html(level), _style(level))
        match = SESSION.fullmatch(address)
        return await _session_board(match[1], context) if match else None
    except (GridproofError, TimeoutError):  # the page finds out and says why
        return None
    except Exception:  # of a game that cannot be drawn: the page opens all the same
        logging.getLogger(__name__).exception("could not draw the first board of %r", address)
        return None


async def _session_board(name: str, context: ServerContext) -> FirstBoard | None:
    access = await context.registry.access(name)
    async with asyncio.timeout(PATIENCE):
        async with access.live.lock:
            position = access.live.session.position
        return await asyncio.to_thread(_position_board, position)


def _position_board(position: Position[Any]) -> FirstBoard | None:
    if sum(map(len, position.level.game.look.board(position))) > MOST_CELLS:
        return None
    data = position_data(position)
    html = f'<div class="play"><div class="stage">{_svg(data)}</div><section class="verdict"></section><aside class="sidebar"></aside></div>'
    return FirstBoard(html, _style(data))


def _featured_html(level: Data) -> str:
    """Return what the start screen shows of its level."""
    return (
        '<div class="featured"><div class="brand-line"><h1>Grid puzzles with proof</h1>'
        '<p class="muted">A proof beside the board tells you whether you can still win.</p></div>'
        f'<div class="board-side"><div class="stage">{_svg(level)}</div>'
        f'<p class="proved"><span class="mark" aria-hidden="true">✓ </span>{escape(level["verdict"])}</p></div>'
        f'<section class="about"><p class="small muted">{escape(level["headline"])}</p>'
        f'<h2 class="name">{escape(level["title"])}</h2><p class="goal">{escape(level["goal"])}</p></section></div>'
    )


# -- the board, as `board.js` draws it


def _style(data: Data) -> str:
    _, _, width, height = _box(data)
    cell = LARGE_CELL if max(data["board"]["width"], data["board"]["height"]) <= SMALL else USUAL_CELL
    return f".stage{{--rows:{height / CELL:g};--cell:{cell}}}.board{{--ratio:{width / height:.6g};--across:{width / CELL:g};--down:{height / CELL:g}}}"


def _svg(data: Data) -> str:
    board, pieces = data["board"], data["pieces"]
    piles = [(pile, x, y) for y, row in enumerate(board["cells"]) for x, pile in enumerate(row)]
    ground = [_use(pile[0], x, y) for pile, x, y in piles if pile]
    things = [_use(number, x, y) for pile, x, y in piles for number in pile[1:]]
    beside = [_use(number, x, board["height"]) for x, number in enumerate(board["beside"])]
    marks = data["marks"] if len(data["marks"]) <= MOST_MARKS else []
    definitions = [f'<g id="first-{number}">{piece["svg"]}</g>' for number, piece in enumerate(pieces)]
    return (
        f'<svg class="board" aria-hidden="true" viewBox="{" ".join(f"{value:g}" for value in _box(data))}">'
        f'<defs>{"".join(definitions)}</defs>{"".join(ground)}<g class="numbers">{"".join(_numbers(board))}</g>'
        f'{"".join(things)}<g class="coordinates">{"".join(_coordinates(board))}</g><g class="marks">{"".join(_mark(data, *mark) for mark in marks)}</g>{"".join(beside)}</svg>'
    )


def _use(number: int, x: float, y: float) -> str:
    return f'<use href="#first-{number}" x="{x * CELL:g}" y="{y * CELL:g}"/>'


def _mark(data: Data, number: int, x: int, y: int) -> str:
    left, above = _room(data["board"])
    place = x * CELL - (left if x < 0 else 0), y * CELL - (above if y < 0 else 0)
    kind = ' class="outside"' if _is_outside(data["board"], x, y) else ""
    return f'<g transform="translate({place[0]:g} {place[1]:g})"><use{kind} href="#first-{number}"/></g>'


def _is_outside(board: Data, x: int, y: int) -> bool:
    return not (0 <= x < board["width"] and 0 <= y < board["height"])


def _box(data: Data) -> tuple[float, float, float, float]:
    """Return the left and upper edge, the width and the height of what is shown."""
    board = data["board"]
    side = RESERVE if any(_is_outside(board, x, y) for _, x, y in data["marks"]) else MARGIN
    below = RESERVE if board["beside"] else side
    left, above = _room(board)
    width = board["width"] * CELL + 2 * side + left
    return -side - left, -side - above, width, board["height"] * CELL + side + below + above


def _font_size(board: Data) -> float:
    return float(18 + 2.4 * max(board["width"], board["height"]))


def _room(board: Data) -> tuple[float, float]:
    """Return the room for the numbers of rows and columns."""
    numbers, size = board.get("numbers", {"rows": (), "columns": ()}), _font_size(board)
    longest = max((len(str(value)) for value in numbers["rows"]), default=0)
    return (size * (0.4 + 0.6 * longest) if longest else 0), (size * 1.2 if numbers["columns"] else 0)


def _numbers(board: Data) -> list[str]:
    numbers, size = board.get("numbers", {"rows": (), "columns": ()}), _font_size(board)
    return [
        *(
            _number("row", value, -size * 0.5, (y + 0.5) * CELL, size)
            for y, value in enumerate(numbers["rows"])
        ),
        *(
            _number("column", value, (x + 0.5) * CELL, -size * 0.7, size)
            for x, value in enumerate(numbers["columns"])
        ),
    ]


def _coordinates(board: Data) -> Iterator[str]:
    """Yield the numbers of rows and columns in the margin of a larger board that has none of its own."""
    width, height = board["width"], board["height"]
    if "numbers" in board or max(width, height) <= SMALL:
        return
    for y in range(height):
        yield f'<text class="row" x="{-MARGIN / 2:g}" y="{(y + 0.5) * CELL:g}">{y + 1}</text>'
    for x in range(width):
        yield f'<text class="column" x="{(x + 0.5) * CELL:g}" y="{-MARGIN / 2:g}">{x + 1}</text>'


def _number(kind: str, value: Any, x: float, y: float, size: float) -> str:
    return f'<text class="{kind}" x="{x:g}" y="{y:g}" font-size="{size:g}">{escape(str(value))}</text>'
