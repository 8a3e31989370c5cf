"""Progress lines for work that takes longer than a second."""

from __future__ import annotations

import contextlib
import sys
import threading
import time
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import TYPE_CHECKING, Self

import typer

from gridproof.core.lazy_import import compile_listeners, defer_signals
from gridproof.core.text.phrases import format_count

if TYPE_CHECKING:
    from rich.live import Live
    from rich.text import Text

DELAY = 1.0
"""Seconds before the line shows, except for compilation, which always takes longer."""


class Progress:
    """A progress line on standard error, if that is a terminal: what is done, and how many of the units in all.

    `is_compiling` returns whether other processes of this work compile kernels now.
    """

    def __init__(
        self,
        what: str,
        unit: str = "positions",
        total: int | None = None,
        is_compiling: Callable[[], bool] = lambda: False,
    ) -> None:
        self.what = what
        self.unit = unit
        self.total = total
        self._others_compile = is_compiling
        self._compiles = False
        self._started = time.perf_counter()
        self._count: int | None = None
        self._line: Live | None = None
        self._lock = threading.RLock()
        self._timer = threading.Timer(DELAY, self._show)
        self._timer.daemon = True

    def __call__(self, count: int) -> None:
        """Report the progress."""
        self._count = count

    def __enter__(self) -> Self:
        if sys.stderr.isatty():
            _active.append(self)
            compile_listeners.append(self._note_compilation)
            self._timer.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self in _active:
            compile_listeners.remove(self._note_compilation)
            _active.remove(self)
            self._timer.cancel()
            self._hide()
        if kind is KeyboardInterrupt:
            typer.echo(f"{self.what}: interrupted{self._final_count()}", err=True)

    def _note_compilation(self, begins: bool) -> None:
        self._compiles = begins
        if begins:
            self._show()

    def _show(self) -> None:
        from rich.console import Console
        from rich.live import Live
        from rich.spinner import Spinner

        with defer_signals(), self._lock:
            if self._line is None and self in _active:
                self._line = Live(
                    Spinner("dots", self),
                    console=Console(stderr=True),
                    transient=True,
                    redirect_stdout=False,  # else output to a file would appear here
                    redirect_stderr=False,
                )
                self._line.start(refresh=True)

    def _hide(self) -> bool:
        """Hide the line; return whether it was visible."""
        with defer_signals(), self._lock:
            line, self._line = self._line, None
            if line is not None:
                line.stop()
            return line is not None

    @contextlib.contextmanager
    def suspend(self) -> Iterator[None]:
        """Hide the line while something else uses the terminal."""
        with self._lock:
            was_visible = self._hide()
            yield
            if was_visible:
                self._show()

    def __rich__(self) -> Text:
        from rich.text import Text

        return Text(self.line(), no_wrap=True, overflow="ellipsis")

    def line(self) -> str:
        """Return the current line."""
        seconds = time.perf_counter() - self._started
        compiling = "Compiling (once)... " if self._compiles or self._others_compile() else ""
        count = "" if self._count is None else f" {self._count_text(self._count)},"
        return f"{compiling}{self.what}:{count} {seconds:.0f} s"

    def _final_count(self) -> str:
        """Return the count of the last report in words."""
        if self._count is None:
            return ""
        return f" after {self._count_text(self._count)}, {time.perf_counter() - self._started:.1f} s"

    def _count_text(self, count: int) -> str:
        if self.total is None:
            return format_count(count, self.unit)
        return f"{count:,} of {format_count(self.total, self.unit)}"


@contextlib.contextmanager
def run_live(live: Live) -> Iterator[Live]:
    """Restore the cursor of a live display, even on Ctrl-C or SIGTERM."""
    try:
        with defer_signals():
            live.start()
        yield live
    finally:
        with defer_signals():
            live.stop()


_active: list[Progress] = []
"""Progress lines of current work, on a terminal."""


@contextlib.contextmanager
def hide_progress() -> Iterator[None]:
    """Hide the progress lines while something else is printed."""
    with contextlib.ExitStack() as stack:
        for progress in _active:
            stack.enter_context(progress.suspend())
        yield
