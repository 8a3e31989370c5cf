"""Reports: one self-contained page of HTML with cards: pictures, and traces to step through."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gridproof.analysis.json_data import Data
from gridproof.core.look import board_text
from gridproof.core.position import Action, Level, Outcome, Position, Status
from gridproof.core.text import files
from gridproof.core.text.phrases import format_count
from gridproof.core.trace import Trace
from gridproof.pictures.drawn_board import add_margins, brush_of, document, draw_trace, places
from gridproof.pictures.picture import svg
from gridproof.prove.verdict_line import spoken_word
from gridproof.search.actors import Actors

_STATUS = {Status.WON: "won", Status.LOST: "lost", Status.PLAYING: "not yet won"}


@dataclass(frozen=True, slots=True)
class UnwinnablePosition:
    """A level or position that can never be won; a certificate can prove it."""

    what: Level | Position[Any]
    actors: Actors = None
    """The actors: None for all players."""

    def data(self) -> Data:
        """Return the same as `POST /api/certificates` takes it."""
        level = self.what if isinstance(self.what, Level) else self.what.level
        data: Data = {"text": level.text(), "game": level.game.name}
        if level is not self.what:
            data["position"] = self.what.text()
        return data if self.actors is None else {**data, "actors": [*self.actors]}


@dataclass(slots=True)
class Report:
    """A page that grows part by part and is saved as one file; `lead` is a sentence or two under the title.

    Pictures and traces in a row are cards of one width.
    """

    title: str
    lead: str = ""
    parts: list[dict[str, Any]] = field(default_factory=list)

    def section(self, title: str, text: str = "") -> None:
        """Add a heading, and a paragraph below it."""
        self.parts.append({"kind": "section", "title": title, "text": text})

    def paragraph(self, text: str) -> None:
        """Add a paragraph."""
        self.parts.append({"kind": "paragraph", "text": text})

    def picture(
        self,
        position: Position[Any],
        title: str = "",
        action: Action | None = None,
        proved: str = "Nothing is proved about it.",
        trace: Trace | None = None,
        at: int = 0,
        never: Sequence[UnwinnablePosition] = (),
    ) -> None:
        """Add a card with a picture of a position, its next action, and a sentence that says what is proved about it.

        A trace reaches it after `at` actions: pages that play traces themselves show it there. `never` are levels and
        positions that, as the sentence says, can never be won.
        """
        self._card(title, [proved], position=position, action=action, trace=trace, at=at, never=never)

    def drawing(self, svg: str, title: str, *proved: str) -> None:
        """Add a card with a picture in SVG, and sentences about it."""
        self._card(title, proved, svg=svg)

    def plots(self, *drawn: str) -> None:
        """Add plots in SVG, side by side where there is room."""
        self.parts.append({"kind": "plots", "drawn": drawn})

    def table(
        self,
        head: list[str],
        rows: list[list[str]],
        traces: Sequence[Trace | None] = (),
        never: Sequence[Sequence[UnwinnablePosition]] = (),
    ) -> None:
        """Add a table of texts; pages that play traces show the trace and the lost position of each row."""
        self.parts.append({"kind": "table", "head": head, "rows": rows, "traces": traces, "never": never})

    def trace(
        self, trace: Trace, title: str = "", *proved: str, never: Sequence[UnwinnablePosition] = ()
    ) -> None:
        """Replay a trace, and add a card to step through it; without scripts, it shows the start.

        `proved` are sentences on what else is proved, `never` levels and positions that, as they say, can never be won.
        IllegalAction when the trace does not replay.
        """
        outcomes = tuple(trace.outcomes())
        end = outcomes[-1].position if outcomes else trace.start
        lost = any(one.what == end for one in never)
        last = "can no longer be won" if lost else f"is {_STATUS[end.status]}"
        count = format_count(len(outcomes), spoken_word(trace.level))
        by_rules = f"{count}, replayed by the rules; the last position {last}."
        self._card(title, [*proved, by_rules], trace=trace, outcomes=outcomes, at=None, never=never)

    def _card(self, title: str, proved: Sequence[str], **parts: Any) -> None:
        self.parts.append({"kind": "card", "title": title, "proved": proved} | parts)

    def html(self) -> str:
        """Return the page."""
        import jinja2

        loader = jinja2.PackageLoader("gridproof.analysis", ".")
        template = jinja2.Environment(loader=loader, autoescape=True).get_template("report.html.jinja")
        numbers = itertools.count()
        parts = [_draw(part, numbers) for part in self.parts]
        groups = [(kind, list(alike)) for kind, alike in itertools.groupby(parts, lambda part: part["kind"])]
        steps = any(part.get("last") for part in parts)
        return template.render(title=self.title, lead=self.lead, groups=groups, steps=steps)

    def data(self) -> Data:
        """Return the parts as JSON, for pages that play traces themselves and have the colours of the pictures.

        A part with a trace has its number in `traces`, and the number of actions after which to show it. A trace in a
        table has no card in the same section. A card that is `drawn` shows squares of solutions. Lost levels and positions are as `POST /api/certificates` takes them.
        """
        numbers: dict[Trace, int] = {}

        def number(trace: Trace | None) -> int | None:
            return None if trace is None else numbers.setdefault(trace, len(numbers))

        parts: list[Data] = []
        listed: Sequence[Trace | None] = ()
        for part in self.parts:
            listed = () if part["kind"] == "section" else part.get("traces", listed)
            if part["kind"] == "plots":
                parts.append({"kind": "plots", "drawn": [*map(_strip_styles, part["drawn"])]})
            elif part["kind"] == "table":
                never = [[one.data() for one in row] for row in part["never"]]
                parts.append({**part, "traces": [*map(number, part["traces"])], "never": never})
            elif part["kind"] != "card":
                parts.append(part)
            elif part.get("at") is not None or part.get("trace") not in listed:
                card = {name: part[name] for name in ("kind", "title", "proved")}
                card["drawn"] = "svg" in part
                card["never"] = [one.data() for one in part.get("never", ())]
                trace = number(part.get("trace"))
                shown = {"trace": trace, "at": part["at"]} if trace is not None else {}
                parts.append(
                    {**card, **(shown or {"svg": _strip_styles(_draw(part, itertools.count())["svg"])})}
                )
        traces = [{"trace": trace.to_json(), "actions": len(trace.steps)} for trace in numbers]
        return {"title": self.title, "lead": self.lead, "parts": parts, "traces": traces}

    def save(self, path: str | Path) -> None:
        """Write the page to a file, whole or not at all."""
        files.write(Path(path), self.html())


def _draw(part: dict[str, Any], numbers: itertools.count[int]) -> dict[str, Any]:
    """Return a part for the template: cards with their pictures."""
    if part["kind"] != "card" or "svg" in part:
        return part
    if "position" in part:
        return {**part, "svg": svg(part["position"], part["action"])}
    return {**part, **_stepper(part["trace"], part["outcomes"], next(numbers))}


def _strip_styles(drawing: str) -> str:
    """Return a picture without its style sheet, for pages that have one."""
    return re.sub("<style>.*?</style>", "", drawing)


def _stepper(trace: Trace, outcomes: Sequence[Outcome[Any]], number: int) -> dict[str, Any]:
    """Return the drawing of a trace: its first picture, and the looks of every changing cell at each time."""
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
    look = trace.level.game.look
    positions = [trace.start, *(outcome.position for outcome in outcomes)]
    data = {
        "looks": list(numbers),
        "cells": changing,
        "captions": [drawing.caption for drawing in drawings],
        "counts": list(_counts(positions, outcomes)),
        "boards": [board_text(look.board(position)) for position in positions],
    }
    return {
        "number": number,
        "svg": document(add_margins(drawings, body), trace.start, brush, None),
        "last": len(outcomes),
        "data": json.dumps(data).replace("<", "\\u003c"),
    }


def _counts(positions: Sequence[Position[Any]], outcomes: Sequence[Outcome[Any]]) -> Iterator[str]:
    game, score = positions[0].level.game, 0
    tallies = itertools.accumulate(outcomes, game.look.tally.add, initial=game.look.tally.start)
    for time, (position, tally) in enumerate(zip(positions, tallies, strict=True)):
        score += outcomes[time - 1].reward if time else 0
        counts = [*game.look.counts(position, tally)]
        if game.policy.keeps_score:
            counts.insert(0, ("score", f"{score:,}"))
        yield " · ".join(f"{word} {value}" for word, value in counts if value)
