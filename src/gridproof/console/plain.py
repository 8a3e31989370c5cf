"""Front end in lines of text (T15): a view of a table for every game and every input."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TextIO

from gridproof.core.errors import GridproofError
from gridproof.core.text.display import mask_unprintable, printable, terminal_width, wrap_text
from gridproof.table.action_parser import name_arrows
from gridproof.table.jobs import Job, JobMessage
from gridproof.table.messages import Board, Message, Moved, Over, Refused
from gridproof.table.replay import Replay, ReplayMessage
from gridproof.table.table import Table

_ITEM = re.compile(r"( *)((?:[0-9]+ +)?)")

MAX_STEPS = 1000
"""Largest number of steps of a replay; some never end."""


class PlainPlay:
    """A game in lines: requests in, the table's messages out.

    Parameters
    ----------
    table : Table
    input, output : text streams
        Streams of lines; the end of input ends the game.
    """

    def __init__(self, table: Table, input: TextIO, output: TextIO) -> None:
        self.table = table
        self._input = input
        self._output = output

    def run(self) -> None:
        """Play until the player leaves, the input ends, Ctrl-C is pressed or all levels are solved.

        Raises
        ------
        GridproofError
            When the game cannot be saved at the end.
        """
        table = self.table
        try:
            self.handle(table.begin())
            while table.going:
                self._turn()
        except KeyboardInterrupt:
            self._end_line()
        try:
            self.handle(table.save_played())
        finally:
            self.show(table.farewell)
            table.close()

    def _turn(self) -> None:
        line = self.ask(self.table.question.text)
        if line:
            self.handle(self.table.typed(line))
        else:
            self.table.going = False

    def handle(self, messages: Iterable[Message]) -> None:
        """Write messages, and run the jobs among them."""
        for message in messages:
            self.show(message)
            if isinstance(message, JobMessage):
                self._run_job(message.job)

    def _run_job(self, job: Job) -> None:
        """Run a job while the player waits; Ctrl-C stops only the job."""
        try:
            job.run()
        except KeyboardInterrupt:
            self._end_line()
            job.cancel()
        self.handle(self.table.finish(job))

    # -- output, which a view for programs overrides

    def show(self, message: Message) -> None:
        """Write a message."""
        if isinstance(message, Moved) and not message.news:
            return
        if isinstance(message, Board):
            self._write(f"\n{message.board}\n")
        words = (
            self.table.look.lost if isinstance(message, Over) else message.words()
        )  # as the document has it (T15)
        if words:
            self._write_paragraphs(words)
        if isinstance(message, ReplayMessage):
            self._watch(message.replay)

    def ask(self, question: str) -> str:
        """Ask for a line; "" at the end of input."""
        self._write(f"{question} ")
        line = self.read()
        if not line or not self._input.isatty():  # a transcript shows the line, as a terminal echoes it
            self._write(mask_unprintable(line.rstrip("\n")) + "\n")
        return line

    def read(self) -> str:
        """Read the next typed line; "" at the end of input."""
        return name_arrows(self._input.readline())

    def _watch(self, replay: Replay) -> None:
        if replay.at:
            self.show(replay.board)
        try:
            while replay.at < MAX_STEPS and replay.forward():
                self._write_paragraphs(f"{replay.at:4}  {replay.describe_last()}")
        except GridproofError as error:
            self.show(Refused(printable(str(error))))
        self.show(replay.board)

    def _write_paragraphs(self, text: str) -> None:
        columns = terminal_width(self._output)
        for line in text.split("\n"):
            self._write(wrap_text(line, hanging=_hanging_indent(line), columns=columns) + "\n")

    def _write(self, text: str) -> None:
        self._output.write(text)
        self._output.flush()

    def _end_line(self) -> None:
        self._write("\n")


def _hanging_indent(line: str) -> int:
    """Return the indentation of an item's further lines: below its words."""
    spaces, number = _ITEM.match(line).groups()  # type: ignore[union-attr]  # it matches any line
    return len(spaces) + (len(number) or 2) if spaces else 0
