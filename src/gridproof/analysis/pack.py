"""A pack as a whole: a table of its levels, how difficulty grows, and levels that are the same."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gridproof.core.errors import GridproofError
from gridproof.core.limit import Limit
from gridproof.core.loading import load
from gridproof.core.pack import levels_in
from gridproof.core.position import Level
from gridproof.play.analysis.level import Analysis, analyse
from gridproof.play.analysis.pieces import NEEDED


@dataclass(frozen=True, slots=True)
class PackAnalysis:
    """The analyses of several levels, and what only all of them together tell."""

    names: tuple[str, ...]
    """A name for each level."""
    analyses: tuple[Analysis, ...]
    duplicates: tuple[tuple[str, ...], ...]
    """The names of levels that are the same but for turning, mirroring and names of pieces."""

    @property
    def head(self) -> list[str]:
        """What the columns of the table are."""
        measures = dict.fromkeys(name for one in self.analyses for name in one.costs)
        return [
            "level", "title", "positions", "dead",
            *(f"fewest {name}" for name in sorted(measures)), "shortest", "unique", "decisive", "pieces needed",
        ]  # fmt: skip

    @property
    def rows(self) -> list[list[str]]:
        """A row of the table for each level; "?" for what is not known."""
        return [_row(name, one, self.head) for name, one in zip(self.names, self.analyses, strict=True)]

    @property
    def curves(self) -> Mapping[str, Sequence[float | None]]:
        """Each measure of difficulty through the levels in their order; None for what is not known."""
        names = dict.fromkeys(name for one in self.analyses for name in one.difficulty)
        return {name: [one.difficulty.get(name) for one in self.analyses] for name in names}

    def data(self) -> dict[str, Any]:
        """What only the pack as a whole tells, as JSON has it."""
        return {
            "levels": list(self.names),
            "duplicates": [list(alike) for alike in self.duplicates],
            "difficulty": {name: list(values) for name, values in self.curves.items()},
        }

    def report(self) -> str:
        """A page of HTML that stands alone."""
        page: str = load("gridproof.play.analysis.pack_page").page_of(self).html()
        return page


def analyse_pack(
    levels: Iterable[Level], names: Sequence[str] | None = None, limit: Limit | None = None
) -> PackAnalysis:
    """Analyse several levels, each within the limit.

    Parameters
    ----------
    levels : iterable of Level
    names : sequence of str, optional
        By default their numbers from 1.
    limit : Limit
        For each level, as of `gridproof.analyse`.

    Raises
    ------
    GridproofError
        When there are no levels, or not as many names.
    """
    listed = levels_in(levels)
    return together(listed, names, [analyse(level, limit) for level in listed])


def together(
    levels: Sequence[Level], names: Sequence[str] | None, analyses: Iterable[Analysis]
) -> PackAnalysis:
    """The analysis of a pack whose levels have been analysed.

    Raises
    ------
    GridproofError
        When there are no levels, or not as many names.
    """
    named = tuple(map(str, range(1, len(levels) + 1))) if names is None else tuple(names)
    if not levels or len(named) != len(levels):
        raise GridproofError(f"{len(levels)} levels with {len(named)} names")
    return PackAnalysis(named, tuple(analyses), tuple(duplicates(levels, named)))


def duplicates(levels: Sequence[Level], names: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """The names of levels that are the same but for turning, mirroring and names of pieces."""
    alike: dict[Any, list[str]] = {}
    for level, name in zip(levels, names, strict=True):
        game = level.game
        alike.setdefault((game.name, game.canonical(level)), []).append(name)
    yield from (tuple(same) for same in alike.values() if len(same) > 1)


def _row(name: str, analysis: Analysis, head: list[str]) -> list[str]:
    whole, pieces = analysis.whole, analysis.pieces
    measures = [column.removeprefix("fewest ") for column in head if column.startswith("fewest ")]
    needed = sum(piece.verdict(analysis.cost) == NEEDED for piece in pieces)
    return [
        name,
        analysis.level.title,
        f"{analysis.states:,}" if analysis.complete else f"> {analysis.states:,}",
        f"{whole.dead / analysis.states:.0%}" if whole else "?",
        *(_cost(analysis, measure) for measure in measures),
        f"{whole.ways:.3g}" if whole and whole.ways > 10**6 else f"{whole.ways:,}" if whole else "?",
        {True: "yes", False: "no", None: "?"}[whole.unique if whole else None],
        f"{whole.moments.on_shortest:,}" if whole else "?",
        f"{needed} of {len(pieces)}" if pieces else "",
    ]


def _cost(analysis: Analysis, measure: str) -> str:
    found = analysis.costs.get(measure)
    if found is None or found.found is None:
        return "-" if analysis.winnable is False else "?"
    return str(found.cost) if found.found else "-"
