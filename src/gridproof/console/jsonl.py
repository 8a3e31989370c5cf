"""Front end in JSON lines: lines in, messages as JSON out."""

from __future__ import annotations

import json

from gridproof.analysis.json_data import outcome_data
from gridproof.console.plain import MAX_STEPS, PlainPlay
from gridproof.core.errors import GridproofError
from gridproof.table.messages import Entered, Message, Refused
from gridproof.table.replay import Replay, ReplayMessage


class JsonPlay(PlainPlay):
    """Writes one JSON object a line: messages as {"kind": ..., "text": ...}, boards as kind "position"."""

    def show(self, message: Message) -> None:
        """Write a message."""
        if isinstance(message, Entered) and not message.words():
            return
        self._write_json(message.data())
        if isinstance(message, ReplayMessage):
            self._watch(message.replay)

    def ask(self, question: str) -> str:
        """Read a line; "" at the end of input."""
        self._write_json({"kind": "question", "text": question})
        return self.read()

    def _watch(self, replay: Replay) -> None:
        if replay.at:
            self.show(replay.board)
        try:
            while replay.at < MAX_STEPS and (step := replay.forward()):
                self._write_json({"kind": "step", **outcome_data(*step)})
        except GridproofError as error:
            self.show(Refused(str(error)))

    def _end_line(self) -> None:
        """End an unfinished line, so that lines are always whole."""

    def _write_json(self, value: object) -> None:
        self._write(json.dumps(value) + "\n")
