"""What a person sees of work that takes longer than a second."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import TYPE_CHECKING, Self

import typer

from gridproof.core.wording import counted

if TYPE_CHECKING:
    from rich.status import Status

PATIENCE = 1.0
"""Seconds before anything is shown."""


class Progress:
    """A line on standard error, only where that is a terminal.

    Parameters
    ----------
    what : str
        What is being done, in words.
    unit : str
        What is counted.
    whole : int, optional
        How many there will be in all.
    """

    def __init__(self, what: str, unit: str = "positions", whole: int | None = None) -> None:
        self.what = what
        self.unit = unit
        self.whole = whole
        self._visible = sys.stderr.isatty()
        self._started = time.perf_counter()
        self._status: Status | None = None
        self._count: int | None = None

    def __call__(self, count: int) -> None:
        """Say how far the work is."""
        self._count = count
        seconds = time.perf_counter() - self._started
        if not self._visible or seconds < PATIENCE:
            return
        message = f"{self.what}: {self._counted(count)}, {seconds:.0f} s"
        if self._status is None:
            from rich.console import Console

            self._status = Console(stderr=True).status(message)
            self._status.start()
        self._status.update(message)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._status is not None:
            self._status.stop()
        if kind is KeyboardInterrupt:
            typer.echo(f"{self.what}: interrupted{self._reached()}", err=True)

    def _reached(self) -> str:
        """How far the work was when it was last told."""
        if self._count is None:
            return ""
        return f" after {self._counted(self._count)}, {time.perf_counter() - self._started:.1f} s"

    def _counted(self, count: int) -> str:
        if self.whole is None:
            return counted(count, self.unit)
        return f"{count:,} of {counted(self.whole, self.unit)}"
