"""Tables of `invariants.md`, for all levels of the packs that can be explored: `make tables` writes them."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import gridproof as gp
from gridproof.core.position import NATURE
from gridproof.core.text.files import write
from gridproof.core.text.level_lookup import pack_names
from gridproof.core.text.phrases import format_count
from gridproof.prove.game_formulas import formulas_of

PAGE = Path(__file__).parent / "invariants.md"
MOST = 1_000_000
"""Levels with more positions are left out."""
TABLES = re.compile(r"(?<=<!-- made by `make tables` -->\n).*(?=<!-- end -->)", re.DOTALL)


def explore_all(level: gp.Level, actors: str | None = None) -> gp.StateSpace | None:
    """All positions of a level; None if there are too many."""
    space = gp.explore(level, actors, gp.Limit(states=MOST))
    return space if space.complete else None


def describe_invariants(space: gp.StateSpace) -> str:
    """The invariants that hold, and those that do not, by clause, without vacuously true ones."""
    verdicts = {
        clause: gp.check(space, text) for clause, text in formulas_of(space.level.game).invariants.items()
    }
    holding = {clause: found.holds for clause, found in verdicts.items() if not found.vacuous}
    return ", ".join(clause if holds else f"**not {clause}**" for clause, holds in holding.items())


def count_winnable(space: gp.StateSpace) -> str:
    """The number of positions from which a win is possible."""
    always = gp.check(space, "AG EF won")
    if always.holds:
        return "always"
    winnable = gp.check(space, "EF won").satisfying
    assert always.trace is not None
    assert winnable is not None
    if not winnable:
        return "never"
    after = format_count(len(always.trace.steps), "actions")
    return f"in {winnable:,} ({round(100 * winnable / space.states, 1):.4g} %), lost after {after}"


def row(name: str, level: gp.Level) -> str | None:
    """The proved facts about a level; None if it has too many positions."""
    space = explore_all(level)
    if space is None:
        return None
    cells = [f"`{name}` {level.title}", f"{space.states:,}", count_winnable(space)]
    if formulas_of(level.game).invariants:
        cells.append(describe_invariants(space))
    if NATURE in level.game.actors(level):
        everything = explore_all(level, "all")
        cells += (
            ["", ""] if everything is None else [f"{everything.states:,}", describe_invariants(everything)]
        )
    return f"| {' | '.join(cells)} |"


def levels_of(game: gp.Game) -> Iterator[tuple[str, gp.Level]]:
    """All levels of a game's packs, by name."""
    for pack in pack_names(game):
        for number, level in enumerate(gp.levels_at(f"{game.name}/{pack}"), 1):
            yield f"{pack}/{number}", level


def head(game: gp.Game, nature: bool) -> str:
    """The first two lines of a table."""
    columns = {"level": "---", "positions": "--:", "a win is still possible": "---"}
    if formulas_of(game).invariants:
        columns["holds"] = "---"
    if nature:
        columns |= {"positions with exchanges": "--:", "holds with them": "---"}
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (columns, columns.values()))


def table(game: gp.Game) -> str:
    """The table of a game's levels, under its title."""
    levels = dict(levels_of(game))
    rows = [found for name, level in levels.items() if (found := row(name, level))]
    left = len(levels) - len(rows)
    nature = any(NATURE in game.actors(level) for level in levels.values())
    after = (
        f"\nLeft out, with more than {MOST:,} positions: {format_count(left, 'levels')}.\n" if left else ""
    )
    return "\n".join([f"### {game.title}\n", head(game, nature), *rows, after])


def tables() -> str:
    """The tables of all games that have a page."""
    games = sorted(path.stem for path in PAGE.parent.glob("games/*.md"))
    return "\n" + "\n".join(table(gp.game(name)) for name in games)


def replace_generated(page: Path, made: str) -> None:
    """Write what was made into a page, in place of what was made before."""
    written = page.read_text(encoding="utf-8")
    if not TABLES.search(written):
        sys.exit(f"{page} has no place for the tables")
    write(page, TABLES.sub(lambda _: made, written))


if __name__ == "__main__":
    replace_generated(PAGE, tables())
