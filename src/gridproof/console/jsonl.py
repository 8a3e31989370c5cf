"""The same conversation for programs: JSON lines out, the same typed lines in."""

from __future__ import annotations

import json

from gridproof.core.errors import GridproofError
from gridproof.play.data import outcome_data
from gridproof.play.messages import Entered, Message, Refused, Watching
from gridproof.play.plain import LONGEST_SHOW, PlainPlay
from gridproof.play.replay import Replay


class JsonPlay(PlainPlay):
    """Writes one JSON object a line: messages as {"kind": ..., "text": ...}, boards as kind "position"."""

    def show(self, message: Message) -> None:
        """Write a message."""
        if isinstance(message, Entered) and not message.words():
            return
        self._write_json(message.data())
        if isinstance(message, Watching):
            self._watch(message.replay)

    def ask(self, question: str) -> str:
        """Read a line; "" at the end of input."""
        self._write_json({"kind": "question", "text": question})
        return self.read()

    def _watch(self, replay: Replay) -> None:
        try:
            while replay.at < LONGEST_SHOW and (step := replay.forward()):
                self._write_json({"kind": "step", **outcome_data(*step)})
        except GridproofError as error:
            self.show(Refused(str(error)))

    def _end_line(self) -> None:
        """Lines are always whole."""

    def _write_json(self, value: object) -> None:
        self._write(json.dumps(value) + "\n")
