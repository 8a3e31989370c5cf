"""Reports: one self-contained page of HTML with pictures, tables, and traces to step through."""

from __future__ import annotations

import itertools
import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gridproof.core import files
from gridproof.core.game import Action, Position
from gridproof.core.trace import Trace
from gridproof.play.drawing import brush_of, document, draw_trace, framed, places
from gridproof.play.picture import svg


@dataclass(slots=True)
class Report:
    """A page that grows part by part and is saved as one file.

    Parameters
    ----------
    title : str
    lead : str
        A sentence or two under the title.
    """

    title: str
    lead: str = ""
    parts: list[dict[str, Any]] = field(default_factory=list)
    _numbers: itertools.count[int] = field(default_factory=itertools.count)

    def section(self, title: str, text: str = "") -> None:
        """A heading, and a paragraph below it."""
        self.parts.append({"kind": "section", "title": title, "text": text})

    def paragraph(self, text: str) -> None:
        """A paragraph."""
        self.parts.append({"kind": "paragraph", "text": text})

    def picture(self, position: Position[Any], caption: str = "", action: Action | None = None) -> None:
        """A picture of a position."""
        self.parts.append({"kind": "picture", "svg": svg(position, action), "caption": caption})

    def table(self, head: list[str], rows: list[list[str]]) -> None:
        """A table of texts."""
        self.parts.append({"kind": "table", "head": head, "rows": rows})

    def trace(self, trace: Trace, caption: str = "") -> None:
        """A trace to step through, which is replayed by this; without scripts, its start is shown.

        Raises
        ------
        IllegalAction
            When it does not replay.
        """
        self.parts.append({"kind": "trace", "caption": caption} | _stepper(trace, next(self._numbers)))

    def html(self) -> str:
        """The page."""
        import jinja2

        loader = jinja2.PackageLoader("gridproof.play", ".")
        template = jinja2.Environment(loader=loader, autoescape=True).get_template("report.html.jinja")
        return template.render(title=self.title, lead=self.lead, parts=self.parts)

    def save(self, path: str | Path) -> None:
        """Write the page to a file, whole or not at all."""
        files.write(Path(path), self.html())


def _stepper(trace: Trace, number: int) -> dict[str, Any]:
    """The drawing of a trace: its first picture, and for each time what every changing cell shows."""
    brush = brush_of("auto")
    drawings = draw_trace(trace, brush)
    numbers: dict[str, int] = {}
    changing: list[list[int]] = []
    body = ""
    for x, y in places(drawings):
        looks = [drawing.cells.get((x, y), "") for drawing in drawings]
        name = ""
        if len(set(looks)) > 1:
            name = f' id="gp-{number}-{len(changing)}"'
            changing.append([numbers.setdefault(look, len(numbers)) for look in looks])
        body += f'<g{name} transform="translate({x * 100} {y * 100})">{looks[0]}</g>'
    data = {
        "looks": list(numbers),
        "cells": changing,
        "captions": [drawing.caption for drawing in drawings],
    }
    start = document(framed(drawings, body), trace.start, brush, None)
    return {
        "number": number,
        "svg": start,
        "last": len(drawings) - 1,
        "data": json.dumps(data).replace("<", "\\u003c"),
    }
