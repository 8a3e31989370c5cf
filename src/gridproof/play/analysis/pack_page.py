"""The analysis of a pack as a page of HTML that stands alone."""

from __future__ import annotations

from gridproof.core.wording import counted
from gridproof.pictures.plot import columns
from gridproof.play.analysis.pack import PackAnalysis
from gridproof.play.report import Report


def page_of(pack: PackAnalysis) -> Report:
    """The report on a pack."""
    report = Report("A pack", f"{counted(len(pack.names), 'levels')} as a whole.")
    report.section("Levels", "What is not known within the limit is a question mark.")
    report.table(pack.head, pack.rows)
    report.section(
        "Difficulty", "Through the levels in their order. Columns that are not there are not known."
    )
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
