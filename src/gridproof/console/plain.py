"""A game in lines of text, after the manner of T15: a view of a table for every game and every way of reading."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TextIO

from gridproof.core.errors import GridproofError
from gridproof.play.jobs import Job
from gridproof.play.messages import Board, Message, Moved, Refused, Watching, Working, told
from gridproof.play.replay import Replay
from gridproof.play.table import Table
from gridproof.play.text import columns_of, filled, printable, visible
from gridproof.play.typed import arrows_named

_ITEM = re.compile(r"( *)((?:[0-9]+ +)?)")

LONGEST_SHOW = 1000
"""Actions of what is watched; some play for ever."""


class PlainPlay:
    """Lines that are read, and what the table answers.

    Parameters
    ----------
    table : Table
    input, output : text streams
        Lines are read from one and written to the other; the end of input ends the game.
    """

    def __init__(self, table: Table, input: TextIO, output: TextIO) -> None:
        self.table = table
        self._input = input
        self._output = output

    def run(self) -> None:
        """Play until the player leaves, the input ends, Ctrl-C comes or all levels are done.

        Raises
        ------
        GridproofError
            When what was played cannot be saved at the end.
        """
        table = self.table
        try:
            self.tell(table.begin())
            while table.going:
                self._turn()
        except KeyboardInterrupt:
            self._end_line()
        try:
            self.tell(table.keep())
        finally:
            self.show(table.farewell)
            table.close()

    def _turn(self) -> None:
        line = self.ask(self.table.question.text)
        if line:
            self.tell(self.table.typed(line))
        else:
            self.table.going = False

    def tell(self, answer: Iterable[Message]) -> None:
        """Write messages, and do the work that there is."""
        for message in answer:
            self.show(message)
            if isinstance(message, Working):
                self._work(message.job)

    def _work(self, job: Job) -> None:
        """Do long work while the player waits; Ctrl-C ends it and no more."""
        try:
            job.run()
        except KeyboardInterrupt:
            self._end_line()
            job.cancel()
        self.tell(self.table.finish(job))

    # -- what is written; a view for programs writes it otherwise

    def show(self, message: Message) -> None:
        """Write a message."""
        if isinstance(message, Moved) and not message.news:
            return
        if isinstance(message, Board):
            self._write(f"\n{message.board}\n")
        if words := message.words():
            self._say(words)
        if isinstance(message, Watching):
            self._watch(message.replay)

    def ask(self, question: str) -> str:
        """Ask for a line; "" at the end of input."""
        self._write(f"{question} ")
        line = self.read()
        if not line or not self._input.isatty():  # what a terminal echoes, a transcript shows too
            self._write(visible(line.rstrip("\n")) + "\n")
        return line

    def read(self) -> str:
        """The next line that is typed; "" at the end of input."""
        return arrows_named(self._input.readline())

    def _watch(self, replay: Replay) -> None:
        try:
            while replay.at < LONGEST_SHOW and (step := replay.forward()):
                self._say(f"{replay.at:4}  {told(*step, replay.start.level.game.look)}")
        except GridproofError as error:
            self.show(Refused(printable(str(error))))
        self.show(replay.board)

    def _say(self, text: str) -> None:
        columns = columns_of(self._output)
        for line in text.split("\n"):
            self._write(filled(line, hanging=_hanging(line), columns=columns) + "\n")

    def _write(self, text: str) -> None:
        self._output.write(text)
        self._output.flush()

    def _end_line(self) -> None:
        self._write("\n")


def _hanging(line: str) -> int:
    """How far in the further lines of an item stand: below its words, past its number."""
    spaces, number = _ITEM.match(line).groups()  # type: ignore[union-attr]  # it matches any line
    return len(spaces) + (len(number) or 2) if spaces else 0
