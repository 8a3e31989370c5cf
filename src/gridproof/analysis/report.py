"""Reports: one self-contained page of HTML with cards: pictures, and traces to step through."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gridproof.core import files
from gridproof.core.look import board_text
from gridproof.core.position import Action, Level, Outcome, Position, Status
from gridproof.core.trace import Trace
from gridproof.core.wording import counted
from gridproof.pictures.drawing import brush_of, document, draw_trace, framed, places
from gridproof.pictures.picture import svg
from gridproof.play.data import Data
from gridproof.search.actors import Actors

_STATUS = {Status.WON: "won", Status.LOST: "lost", Status.PLAYING: "not yet won"}


@dataclass(frozen=True, slots=True)
class Never:
    """A level or a position that can never be won, of which a certificate can be written."""

    what: Level | Position[Any]
    actors: Actors = None
    """Whose actions are done: None for all players'."""

    def data(self) -> Data:
        """The same as `POST /api/certificates` takes it."""
        level = self.what if isinstance(self.what, Level) else self.what.level
        data: Data = {"text": level.text(), "game": level.game.name}
        if level is not self.what:
            data["position"] = self.what.text()
        return data if self.actors is None else {**data, "actors": [*self.actors]}


@dataclass(slots=True)
class Report:
    """A page that grows part by part and is saved as one file; pictures and traces in a row are cards of one width.

    Parameters
    ----------
    title : str
    lead : str
        A sentence or two under the title.
    """

    title: str
    lead: str = ""
    parts: list[dict[str, Any]] = field(default_factory=list)

    def section(self, title: str, text: str = "") -> None:
        """A heading, and a paragraph below it."""
        self.parts.append({"kind": "section", "title": title, "text": text})

    def paragraph(self, text: str) -> None:
        """A paragraph."""
        self.parts.append({"kind": "paragraph", "text": text})

    def picture(
        self,
        position: Position[Any],
        title: str = "",
        action: Action | None = None,
        proved: str = "Nothing is proved of it.",
        trace: Trace | None = None,
        at: int = 0,
        never: Sequence[Never] = (),
    ) -> None:
        """A card with a picture of a position, and what is proved of it in a sentence.

        Parameters
        ----------
        action : Action, optional
            What is about to be done.
        trace : Trace, optional
            In which it comes, after `at` actions: pages that play traces themselves show it there.
        never : sequence of Never
            What the sentence says can never be won.
        """
        self._card(title, [proved], position=position, action=action, trace=trace, at=at, never=never)

    def drawing(self, svg: str, title: str, *proved: str) -> None:
        """A card with a picture that is given as SVG, and sentences on what it shows."""
        self._card(title, proved, svg=svg)

    def plots(self, *drawn: str) -> None:
        """Plots, given as SVG, side by side where there is room."""
        self.parts.append({"kind": "plots", "drawn": drawn})

    def table(
        self,
        head: list[str],
        rows: list[list[str]],
        traces: Sequence[Trace | None] = (),
        never: Sequence[Sequence[Never]] = (),
    ) -> None:
        """A table of texts; pages that play traces themselves show those of its rows, and what can never be won."""
        self.parts.append({"kind": "table", "head": head, "rows": rows, "traces": traces, "never": never})

    def trace(self, trace: Trace, title: str = "", *proved: str, never: Sequence[Never] = ()) -> None:
        """A card with a trace to step through, which is replayed by this; without scripts, its start is shown.

        Parameters
        ----------
        trace : Trace
        title : str
        proved : str
            Sentences: what is proved beside that the trace can be replayed, which the card says by itself.
        never : sequence of Never
            What they say can never be won.

        Raises
        ------
        IllegalAction
            When it does not replay.
        """
        outcomes = tuple(trace.outcomes())
        end = outcomes[-1].position if outcomes else trace.start
        by_rules = (
            f"{counted(len(outcomes), 'actions')}, replayed by the rules; "
            f"the last position is {_STATUS[end.status]}."
        )
        self._card(title, [*proved, by_rules], trace=trace, outcomes=outcomes, at=None, never=never)

    def _card(self, title: str, proved: Sequence[str], **parts: Any) -> None:
        self.parts.append({"kind": "card", "title": title, "proved": proved} | parts)

    def html(self) -> str:
        """The page."""
        import jinja2

        loader = jinja2.PackageLoader("gridproof.play", ".")
        template = jinja2.Environment(loader=loader, autoescape=True).get_template("report.html.jinja")
        numbers = itertools.count()
        parts = [_drawn(part, numbers) for part in self.parts]
        groups = [(kind, list(alike)) for kind, alike in itertools.groupby(parts, lambda part: part["kind"])]
        steps = any(part.get("last") for part in parts)
        return template.render(title=self.title, lead=self.lead, groups=groups, steps=steps)

    def data(self) -> Data:
        """The same parts as JSON has them, for pages that play traces themselves and have the colours of the pictures.

        What is shown by a trace has its number in `traces`, as JSON each, and after how many actions it is to be
        looked at; what is shown in a table is not shown again by a card of its section. What can never be won is as
        `POST /api/certificates` takes it.
        """
        numbers: dict[Trace, int] = {}

        def number(trace: Trace | None) -> int | None:
            return None if trace is None else numbers.setdefault(trace, len(numbers))

        parts: list[Data] = []
        listed: Sequence[Trace | None] = ()
        for part in self.parts:
            listed = () if part["kind"] == "section" else part.get("traces", listed)
            if part["kind"] == "plots":
                parts.append({"kind": "plots", "drawn": [*map(_unstyled, part["drawn"])]})
            elif part["kind"] == "table":
                never = [[one.data() for one in row] for row in part["never"]]
                parts.append({**part, "traces": [*map(number, part["traces"])], "never": never})
            elif part["kind"] != "card":
                parts.append(part)
            elif part.get("at") is not None or part.get("trace") not in listed:
                card = {name: part[name] for name in ("kind", "title", "proved")}
                card["never"] = [one.data() for one in part.get("never", ())]
                trace = number(part.get("trace"))
                shown = {"trace": trace, "at": part["at"]} if trace is not None else {}
                parts.append(
                    {**card, **(shown or {"svg": _unstyled(_drawn(part, itertools.count())["svg"])})}
                )
        traces = [{"trace": trace.to_json(), "actions": len(trace.steps)} for trace in numbers]
        return {"title": self.title, "lead": self.lead, "parts": parts, "traces": traces}

    def save(self, path: str | Path) -> None:
        """Write the page to a file, whole or not at all."""
        files.write(Path(path), self.html())


def _drawn(part: dict[str, Any], numbers: itertools.count[int]) -> dict[str, Any]:
    """A part as the template shows it: cards with their pictures."""
    if part["kind"] != "card" or "svg" in part:
        return part
    if "position" in part:
        return {**part, "svg": svg(part["position"], part["action"])}
    return {**part, **_stepper(part["trace"], part["outcomes"], next(numbers))}


def _unstyled(drawing: str) -> str:
    """A picture without a style sheet of its own, for surroundings that have one."""
    return re.sub("<style>.*?</style>", "", drawing)


def _stepper(trace: Trace, outcomes: Sequence[Outcome[Any]], number: int) -> dict[str, Any]:
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
        "svg": document(framed(drawings, body), trace.start, brush, None),
        "last": len(outcomes),
        "data": json.dumps(data).replace("<", "\\u003c"),
    }


def _counts(positions: Sequence[Position[Any]], outcomes: Sequence[Outcome[Any]]) -> Iterator[str]:
    """What is counted at each time, in words."""
    game, score = positions[0].level.game, 0
    tallies = itertools.accumulate(outcomes, game.look.tally.add, initial=game.look.tally.start)
    for time, (position, tally) in enumerate(zip(positions, tallies, strict=True)):
        score += outcomes[time - 1].reward if time else 0
        counts = [*game.look.counts(position, tally)]
        if game.policy.keeps_score:
            counts.insert(0, ("score", f"{score:,}"))
        yield " · ".join(f"{word} {value}" for word, value in counts if value)
