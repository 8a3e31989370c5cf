"""The same conversation for programs: JSON lines out, the same typed lines in."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from gridproof.core.position import Outcome, Position
from gridproof.play.data import position_data
from gridproof.play.plain import PlainPlay


class JsonPlay(PlainPlay):
    """Writes one JSON object a line: messages as {"kind": ..., "text": ...}, boards as kind "position"."""

    def say(self, text: str, kind: str = "message") -> None:
        """Write a message."""
        self._write_json({"kind": kind, "text": text})

    def show(self, position: Position[Any], done: Sequence[Outcome[Any]], place: int) -> None:
        """Write a position and what is told beside it."""
        session = self.session
        level = {
            "level": place + 1,
            "levels": len(session.levels),
            "completed": len(session.completed),
        }
        score = {"score": session.score, "high_score": session.high_score}
        keeps_score = session.game.policy.keeps_score
        data = position_data(position, done) | level | (score if keeps_score else {})
        self._write_json({"kind": "position", **data})

    def ask(self, question: str) -> str:
        """Read a line; "" at the end of input."""
        self._write_json({"kind": "question", "text": question})
        return self.read()

    def _end_line(self) -> None:
        """Lines are always whole."""

    def _write_json(self, value: object) -> None:
        self._write(json.dumps(value) + "\n")
