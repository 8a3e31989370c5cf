"""Tasks as values, and their results."""

from __future__ import annotations

import importlib
import inspect
import pickle
import re
import time
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from gridproof.core.errors import GridproofError
from gridproof.core.limit import Limit, use_stop
from gridproof.core.text.display import error_text
from gridproof.core.text.phrases import short_repr

_FUNCTION = re.compile(r"[\w.]+:[\w.]+")


@dataclass(frozen=True, slots=True)
class Task:
    """A call of a function, as a value that other processes and machines can receive.

    Parameters
    ----------
    key : str
        Name of the task, different from those of all others of a run.
    function : str
        A module and a function of it, such as "gridproof:generate". Each worker imports it.
    arguments : tuple
        Values that can be pickled, such as levels, seeds and texts.
    options : mapping of str, optional
        Values by name.

    Raises
    ------
    GridproofError
        For a key that is no str or empty, and a function of another form.

    Examples
    --------
    >>> Task("7", "gridproof:generate", ("sokoban", 7), {"boxes": 2}).key
    '7'
    """

    key: str
    function: str
    arguments: tuple[Any, ...] = ()
    options: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if not isinstance(self.key, str) or not self.key:
            raise GridproofError(f"the key of a task is a text, not {short_repr(self.key)}")
        if not isinstance(self.function, str) or not _FUNCTION.fullmatch(self.function):
            raise GridproofError(
                f"the function of a task is written 'module:name', not {short_repr(self.function)}"
            )


@dataclass(frozen=True, slots=True)
class Result:
    """Result of a task."""

    key: str
    """Key of the task."""
    value: Any = None
    """Result of its function."""
    error: Exception | None = None
    """Reason for a missing value: what the function raised, with its traceback as a note, or a SystemFailure."""
    seconds: float = 0.0
    """Time of the call, in seconds."""


class SystemFailure(GridproofError):
    """A task had no answer: its process died, was killed after the time limit or could not start, or memory ran out."""


def call(task: Task, limit: Limit) -> Result:
    """Call the function of a task in this process, with the limit if it has a parameter `limit`."""
    began, value, failure = time.perf_counter(), None, None
    try:
        with use_stop(limit.stop):
            function = _find(task.function)
            value = function(*task.arguments, **_with_limit(function, task.options, limit))
    except Exception as error:  # noqa: BLE001  # of any function
        failure = _to_portable(error)
    return Result(task.key, value, failure, time.perf_counter() - began)


def _find(name: str) -> Callable[..., Any]:
    """Return a function by its name; GridproofError if there is none."""
    module, _, path = name.partition(":")
    try:
        found: Any = importlib.import_module(module)
        for part in path.split("."):
            found = getattr(found, part)
    except (ImportError, AttributeError) as error:
        raise GridproofError(f"there is no function {name}: {error}") from None
    if not callable(found):
        raise GridproofError(f"{name} is no function")
    return found  # type: ignore[no-any-return]  # callable, as checked


def _with_limit(function: Callable[..., Any], options: Mapping[str, Any], limit: Limit) -> Mapping[str, Any]:
    try:
        takes_limit = "limit" in inspect.signature(function).parameters
    except (TypeError, ValueError):  # of a built-in function
        takes_limit = False
    return {"limit": limit, **options} if takes_limit else options


def _to_portable(error: Exception) -> Exception:
    """Return an error with its traceback as a note, as another process can read it."""
    if isinstance(error, MemoryError):
        return GridproofError(error_text(error))
    error.add_note(traceback.format_exc())
    try:
        pickle.loads(pickle.dumps(error))  # noqa: S301  # written here
    except Exception:  # noqa: BLE001  # pickling fails in many ways
        replaced = RuntimeError(f"{type(error).__name__}: {error}")
        replaced.add_note(traceback.format_exc())
        return replaced
    return error
