"""A pack as a whole: a table of its levels, how difficulty grows, and levels that are the same."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gridproof.analysis.ablation import NEEDED
from gridproof.analysis.html_report import Report
from gridproof.analysis.level import Analysis, analyse
from gridproof.core.design import canonical
from gridproof.core.errors import GridproofError
from gridproof.core.limit import Limit
from gridproof.core.position import Level
from gridproof.core.representation import Representable
from gridproof.core.text.level_lookup import levels_at
from gridproof.core.text.pack import to_levels
from gridproof.core.text.phrases import format_count
from gridproof.pictures.plot import columns


@dataclass(frozen=True, slots=True)
class PackAnalysis(Representable):
    """The analyses of several levels, and what only all of them together tell."""

    names: tuple[str, ...]
    """A name for each level."""
    analyses: tuple[Analysis, ...]
    duplicates: tuple[tuple[str, ...], ...]
    """Names of levels that are the same but for turning, mirroring and names of pieces."""

    @property
    def head(self) -> list[str]:
        """The columns of the table."""
        measures = dict.fromkeys(name for one in self.analyses for name in one.costs)
        return [
            "level", "title", "positions", "dead",
            *(f"fewest {name}" for name in sorted(measures)), "shortest", "unique", "decisive", "pieces needed",
        ]  # fmt: skip

    @property
    def rows(self) -> list[list[str]]:
        """Rows of the table, one for each level; "?" stands for unknown values."""
        return [_row(name, one, self.head) for name, one in zip(self.names, self.analyses, strict=True)]

    @property
    def curves(self) -> Mapping[str, Sequence[float | None]]:
        """Values of each measure of difficulty, by level; None for an unknown one."""
        names = dict.fromkeys(name for one in self.analyses for name in one.difficulty)
        return {name: [one.difficulty.get(name) for one in self.analyses] for name in names}

    def to_dict(self) -> dict[str, Any]:
        """Return what only the pack as a whole tells, as JSON has it."""
        return {
            "levels": list(self.names),
            "duplicates": [list(alike) for alike in self.duplicates],
            "difficulty": {name: list(values) for name, values in self.curves.items()},
        }

    def __str__(self) -> str:
        """Return the table, a line for each level, and the groups of equal levels."""
        table = [self.head, *self.rows]
        widths = [max(map(len, column)) for column in zip(*table, strict=True)]
        lines = ["  ".join(map(str.ljust, row, widths)).rstrip() for row in table]
        return "\n".join([*lines, *(f"the same: {', '.join(alike)}" for alike in self.duplicates)])

    def _summary(self) -> str:
        return f"<PackAnalysis of {format_count(len(self.analyses), 'levels')}>"

    def report(self) -> str:
        """Return a self-contained page of HTML."""
        return page_of(self).html()


def analyse_pack(
    levels: Iterable[Level] | str, names: Sequence[str] | None = None, limit: Limit | None = None
) -> PackAnalysis:
    """Analyse several levels, each within the limit.

    Parameters
    ----------
    levels : iterable of Level, or str
        Or the name of a pack, as of `gridproof.levels_at`.
    names : sequence of str, optional
        By default their numbers from 1.
    limit : Limit
        For each level, as of `gridproof.analyse`.

    Returns
    -------
    PackAnalysis

    Raises
    ------
    GridproofError
        When there are no levels, or not as many names.

    Examples
    --------
    >>> import gridproof as gp
    >>> gp.analyse_pack(gp.levels_at("sokoban/first-steps")[:2]).duplicates
    ()
    """
    listed = to_levels(levels_at(levels) if isinstance(levels, str) else levels)
    return combine_analyses(listed, names, [analyse(level, limit) for level in listed])


def combine_analyses(
    levels: Sequence[Level], names: Sequence[str] | None, analyses: Iterable[Analysis]
) -> PackAnalysis:
    """Combine the analyses of a pack's levels; GridproofError for no levels, or another number of names."""
    named = tuple(map(str, range(1, len(levels) + 1))) if names is None else tuple(names)
    if not levels:
        raise GridproofError("no levels to analyse")
    if len(named) != len(levels):
        raise GridproofError(f"{len(levels)} levels with {len(named)} names")
    return PackAnalysis(named, tuple(analyses), tuple(duplicates(levels, named)))


def duplicates(levels: Sequence[Level], names: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """Names of levels that are the same but for turning, mirroring and names of pieces."""
    alike: dict[Any, list[str]] = {}
    for level, name in zip(levels, names, strict=True):
        alike.setdefault((level.game.name, canonical(level)), []).append(name)
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
        f"{whole.decisive.on_shortest:,}" if whole else "?",
        f"{needed} of {len(pieces)}" if pieces else "",
    ]


def _cost(analysis: Analysis, measure: str) -> str:
    found = analysis.costs.get(measure)
    if found is None or found.found is None:
        return "-" if analysis.winnable is False else "?"
    return str(found.cost) if found.found else "-"


def page_of(pack: PackAnalysis) -> Report:
    """Return the analysis of a pack as a report."""
    report = Report("A pack", f"{format_count(len(pack.names), 'levels')} as a whole.")
    report.section("Levels", "A question mark means: not known within the limit.")
    report.table(pack.head, pack.rows)
    report.section("Difficulty", "The levels in order. Missing columns are not known.")
    numbers = [str(number) for number in range(1, len(pack.names) + 1)]
    plots = [
        columns(name, "level", {name: [value or 0 for value in values]}, numbers)
        for name, values in pack.curves.items()
        if any(values)
    ]
    report.plots(*plots)
    report.section("The same levels")
    if not pack.duplicates:
        report.paragraph("No two levels are the same, turned or mirrored.")
    for alike in pack.duplicates:
        report.paragraph(f"{', '.join(alike)} are the same, turned, mirrored or with other names.")
    return report
