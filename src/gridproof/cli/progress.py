"""What a person sees of work that takes longer than a second."""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import TYPE_CHECKING, Self

import typer

from gridproof.core.loading import told_of_compiling, uninterrupted
from gridproof.core.wording import counted

if TYPE_CHECKING:
    from rich.live import Live
    from rich.text import Text

PATIENCE = 1.0
"""Seconds before anything is shown, except for compiling, which always takes longer."""


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
    compiling : callable
        Whether other processes that belong to the work compile kernels now.
    """

    def __init__(
        self,
        what: str,
        unit: str = "positions",
        whole: int | None = None,
        compiling: Callable[[], bool] = lambda: False,
    ) -> None:
        self.what = what
        self.unit = unit
        self.whole = whole
        self._others_compile = compiling
        self._compiles = False
        self._started = time.perf_counter()
        self._count: int | None = None
        self._line: Live | None = None
        self._changing = threading.RLock()
        self._patience = threading.Timer(PATIENCE, self._show)
        self._patience.daemon = True

    def __call__(self, count: int) -> None:
        """Say how far the work is."""
        self._count = count

    def __enter__(self) -> Self:
        if sys.stderr.isatty():
            _shown.append(self)
            told_of_compiling.append(self._compiling)
            self._patience.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self in _shown:
            told_of_compiling.remove(self._compiling)
            _shown.remove(self)
            self._patience.cancel()
            self._hide()
        if kind is KeyboardInterrupt:
            typer.echo(f"{self.what}: interrupted{self._reached()}", err=True)

    def _compiling(self, begins: bool) -> None:
        self._compiles = begins
        if begins:
            self._show()

    def _show(self) -> None:
        from rich.console import Console
        from rich.live import Live
        from rich.spinner import Spinner

        with uninterrupted(), self._changing:
            if self._line is None and self in _shown:
                self._line = Live(
                    Spinner("dots", self),
                    console=Console(stderr=True),
                    transient=True,
                    redirect_stdout=False,  # else what goes into a file would come here
                    redirect_stderr=False,
                )
                self._line.start(refresh=True)

    def _hide(self) -> bool:
        """Whether it was to be seen."""
        with uninterrupted(), self._changing:
            line, self._line = self._line, None
            if line is not None:
                line.stop()
            return line is not None

    @contextlib.contextmanager
    def aside(self) -> Iterator[None]:
        """Hide the line while something else uses the terminal."""
        with self._changing:
            was_shown = self._hide()
            yield
            if was_shown:
                self._show()

    def __rich__(self) -> Text:
        from rich.text import Text

        return Text(self.line(), no_wrap=True, overflow="ellipsis")

    def line(self) -> str:
        """What is shown now."""
        seconds = time.perf_counter() - self._started
        compiling = "Compiling (once)... " if self._compiles or self._others_compile() else ""
        count = "" if self._count is None else f" {self._counted(self._count)},"
        return f"{compiling}{self.what}:{count} {seconds:.0f} s"

    def _reached(self) -> str:
        """How far the work was when it was last told."""
        if self._count is None:
            return ""
        return f" after {self._counted(self._count)}, {time.perf_counter() - self._started:.1f} s"

    def _counted(self, count: int) -> str:
        if self.whole is None:
            return counted(count, self.unit)
        return f"{count:,} of {counted(self.whole, self.unit)}"


@contextlib.contextmanager
def steady(live: Live) -> Iterator[Live]:
    """A live display whose cursor comes back, whenever Ctrl-C or SIGTERM comes."""
    try:
        with uninterrupted():
            live.start()
        yield live
    finally:
        with uninterrupted():
            live.stop()


_shown: list[Progress] = []
"""Those whose work goes on now, on a terminal."""


@contextlib.contextmanager
def alone() -> Iterator[None]:
    """Hide the lines of progress while something else is printed on the terminal."""
    with contextlib.ExitStack() as stack:
        for progress in _shown:
            stack.enter_context(progress.aside())
        yield
