"""Digests in kernels' names: they depend on all that a kernel reaches; anything indistinguishable is refused."""

from __future__ import annotations

import enum
import importlib.util
import itertools
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from numba.core.errors import TypingError

from gridproof.kernels.compile import Hole, borrowing, kernel

_numbers = itertools.count()


@pytest.fixture
def name_of(tmp_path: Path) -> Callable[..., str]:
    """The name of the kernel `f` of a module's text, in which names have been given values."""

    def name(text: str, **values: object) -> str:
        path = tmp_path / f"part{next(_numbers)}.py"
        path.write_text(text)
        spec = importlib.util.spec_from_file_location("part", path)
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        vars(module).update(values, kernel=kernel, np=np)
        spec.loader.exec_module(module)
        return str(kernel(module.f).py_func.__qualname__)

    return name


CALLEES = """
@kernel
def g(x): return x + {0}
@kernel
def h(x): return x + {1}
"""
MODULE = "def f(x): return part.number + x\n"
GLOBAL = "def f(x): return x + value\n"

PAIRS = {
    "bytecode": ("def f(x): return x + y\ny = 1\n", "def f(x): return x - y\ny = 1\n"),
    "a constant": ("def f(x): return x + 1\n", "def f(x): return x + 2\n"),
    "the type of a constant": ("def f(x): return x + 1\n", "def f(x): return x + 1.0\n"),
    "the sign of zero": ("def f(x): return x + 0.0\n", "def f(x): return x + -0.0\n"),
    "a number": ("value = 1\n" + GLOBAL, "value = 2\n" + GLOBAL),
    "a nested comprehension": (
        "def f(x): return sum([1 * i for i in range(x)])\n",
        "def f(x): return sum([2 * i for i in range(x)])\n",
    ),
    "a number of a nested comprehension": (
        "k = 1\ndef f(x): return sum([k * i for i in range(x)])\n",
        "k = 2\ndef f(x): return sum([k * i for i in range(x)])\n",
    ),
    "a default": ("def f(x, y=1): return x + y\n", "def f(x, y=2): return x + y\n"),
    "a keyword's default": ("def f(x, *, y=1): return x\n", "def f(x, *, y=2): return x\n"),
    "how arguments are taken": ("def f(x): return x[0]\n", "def f(*x): return x[0]\n"),
    "a callee": (
        CALLEES.format(1, 2) + "def f(x): return g(h(x))\n",
        CALLEES.format(1, 3) + "def f(x): return g(h(x))\n",
    ),
    "which of two callees of one name is called again": (
        CALLEES.format(1, 2) + "h.py_func.__name__ = 'g'\nlast = g\ndef f(x): return g(x) + h(x) + last(x)\n",
        CALLEES.format(1, 2) + "h.py_func.__name__ = 'g'\nlast = h\ndef f(x): return g(x) + h(x) + last(x)\n",
    ),
    "what hides a built-in function": (
        CALLEES.format(1, 2) + "min = g\ndef f(x): return min(x, 1) + max(x, 2)\n",
        CALLEES.format(1, 2) + "max = g\ndef f(x): return min(x, 1) + max(x, 2)\n",
    ),
    "a tuple of callees": (
        CALLEES.format(1, 2) + "all_of = (g, h)\ndef f(x): return all_of[0](x)\n",
        CALLEES.format(1, 2) + "all_of = (h, g)\ndef f(x): return all_of[0](x)\n",
    ),
    "an array's numbers": ("value = np.array([1, 2])\n" + GLOBAL, "value = np.array([1, 3])\n" + GLOBAL),
    "an array's type": (
        "value = np.zeros(4, np.int32)\n" + GLOBAL,
        "value = np.zeros(4, np.uint32)\n" + GLOBAL,
    ),
    "an array's shape": ("value = np.zeros((2, 3))\n" + GLOBAL, "value = np.zeros((3, 2))\n" + GLOBAL),
    "an array's fields": (
        "value = np.zeros(2, [('a', int), ('b', int)])\n" + GLOBAL,
        "value = np.zeros(2, [('b', int), ('a', int)])\n" + GLOBAL,
    ),
    "a number of numpy": ("value = np.uint8(1)\n" + GLOBAL, "value = np.uint16(1)\n" + GLOBAL),
}


@pytest.mark.parametrize(("one", "other"), PAIRS.values(), ids=PAIRS)
def test_different_kernels_have_different_names(name_of: Callable[..., str], one: str, other: str) -> None:
    assert name_of(one) != name_of(other)
    assert name_of(one) == name_of(one)


class Turn(enum.IntEnum):
    LEFT = 1
    RIGHT = 2

    def __repr__(self) -> str:
        return self.name


class Swapped(enum.IntEnum):
    LEFT = 2
    RIGHT = 1

    def __repr__(self) -> str:
        return self.name


class Aliased(enum.Enum):
    ONE = 1
    TWO = 2
    LAST = 2  # noqa: PIE796  that is what is tested


class AliasedOtherwise(enum.Enum):
    ONE = 1
    TWO = 2
    LAST = 1  # noqa: PIE796  that is what is tested


class Cell(NamedTuple):
    x: int
    y: int = 0


class Flipped(NamedTuple):
    y: int
    x: int = 0


class WithDefault(NamedTuple):
    x: int
    y: int = 1


VALUES = [
    (Turn.LEFT, Swapped.LEFT),
    (Turn, Swapped),
    (Aliased, AliasedOtherwise),
    (Cell(1, 2), Flipped(1, 2)),
    (Cell, WithDefault),
    (1, True),
    ((1, 2), [1, 2]),
    (frozenset({1, 2}), frozenset({1, 3})),
    (np.dtype(np.int8), np.dtype(np.int16)),
]


@pytest.mark.parametrize(("one", "other"), VALUES, ids=str)
def test_names_distinguish_bound_values(name_of: Callable[..., str], one: object, other: object) -> None:
    assert name_of(GLOBAL, value=one) != name_of(GLOBAL, value=other)


def _module(name: str, **values: object) -> types.ModuleType:
    module = types.ModuleType(name)
    vars(module).update(values)
    return module


def test_attributes_of_modules(name_of: Callable[..., str]) -> None:
    one, two = (name_of(MODULE, part=_module("part", number=number, other=object())) for number in (1, 2))
    assert one != two
    nested = "def f(x): return outer.part.number + x\n"
    one, two = (name_of(nested, outer=_module("o", part=_module("part", number=n))) for n in (1, 2))
    assert one != two
    with pytest.raises(TypeError, match=r"part\.number, which means nothing yet"):
        name_of(MODULE, part=_module("part"))
    with pytest.raises(TypeError, match="part, a module"):
        name_of("def f(x):\n  p = part\n  return p.number\n", part=_module("part", number=1))


def add(x: Any) -> Any:
    return x + step + other  # type: ignore[name-defined]  # noqa: F821  # it is bound


def test_digest_ignores_order_of_bindings_and_sets(name_of: Callable[..., str]) -> None:
    one, two = kernel(add, step=1, other=2), kernel(add, other=2, step=1)
    assert one.py_func.__qualname__ == two.py_func.__qualname__
    assert one.py_func.__qualname__ != kernel(add, step=2, other=1).py_func.__qualname__
    words = [f"word{i}" for i in range(20)]
    assert name_of(GLOBAL, value=frozenset(words)) == name_of(GLOBAL, value=frozenset(reversed(words)))


REFUSED = {
    "a closure": ("def outer(y):\n  def f(x): return x + y\n  return f\nf = outer(1)\n", "is a closure"),
    "a dictionary": ("value = {1: 2}\n" + GLOBAL, "value, a dict"),
    "an object": ("value = object()\n" + GLOBAL, "value, a object"),
    "a class": ("class value: pass\n" + GLOBAL, "the class value"),
    "an array of objects": ("value = np.array([None, 1])\n" + GLOBAL, "an array of objects"),
    "what is defined later": (
        "@kernel\ndef f(x): return g(x)\ndef g(x): return x\n",
        "g, which means nothing",
    ),
    "a callee's": ("def g(x): return x + value\nvalue = {}\ndef f(x): return g(x)\n", "value, a dict"),
}


@pytest.mark.parametrize(("text", "message"), REFUSED.values(), ids=REFUSED)
def test_digest_refuses_unknown_values(name_of: Callable[..., str], text: str, message: str) -> None:
    with pytest.raises(TypeError, match=message):
        name_of(text)


def test_holes_and_bindings(name_of: Callable[..., str]) -> None:
    with pytest.raises(TypeError, match="a kernel's hole is not bound: value"):
        name_of(GLOBAL, value=Hole())
    with pytest.raises(TypeError, match="add has no hole stpe"):
        kernel(add, stpe=1, other=2)
    with pytest.raises(TypeError, match="made of a function, not of 3"):
        kernel(3)  # type: ignore[arg-type]  # what is tried


TABLE = np.array([1, 2, 3])


@kernel
def look_up(i: Any) -> Any:
    return TABLE[i]


def test_arrays_reached_by_kernels_become_read_only() -> None:
    with pytest.raises(ValueError, match="read-only"):
        TABLE[0] = 9


@kernel
def factorial(n: Any) -> Any:
    return 1 if n < 2 else n * factorial(n - 1)


base = 10


@kernel
def above(x: Any) -> Any:
    return base + x


def test_recursive_kernel_keeps_values_of_its_compilation(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert factorial(5) == 120
    monkeypatch.setitem(globals(), "base", 20)
    assert above(1) == 11


@borrowing
def last_of(values: Any) -> Any:
    return values[-1]


@kernel
def last_of_some(count: Any) -> Any:
    return last_of(np.arange(count))


def itself(values: Any) -> Any:
    return values


def make(count: Any) -> Any:
    return np.zeros(count, np.int64)[0]


@pytest.mark.slow
def test_borrowing_kernel_is_other_code_and_keeps_arrays() -> None:
    assert kernel(last_of).py_func.__qualname__ != last_of.py_func.__qualname__
    values = np.arange(5)
    assert [int(last_of(values)) for _ in range(3)] == [4, 4, 4]
    assert [int(last_of_some(count)) for count in (3, 300)] == [2, 299]
    assert values.tolist() == [0, 1, 2, 3, 4]


def triple(x: Any) -> Any:
    return x * 3


def called(x: Any) -> Any:
    return part(x) + 1  # type: ignore[name-defined]  # noqa: F821  # it is bound


def test_caller_of_borrowing_kernel_is_other_code() -> None:
    counts, borrows = (kernel(called, part=made(triple)) for made in (kernel, borrowing))
    assert counts is not borrows
    assert counts.py_func.__qualname__ != borrows.py_func.__qualname__
    assert kernel(called, part=borrowing(triple)) is borrows


def twice(values: Any) -> Any:
    return values, values


def nested(values: Any) -> Any:
    return len(values), (1, (values,))


def numbers_of(values: Any) -> Any:
    return len(values), (values[0], True)


@pytest.mark.slow
@pytest.mark.parametrize("template", [itself, twice, nested])
def test_borrowed_arrays_are_never_returned(template: Callable[..., Any]) -> None:
    refusing, values = borrowing(template), np.arange(5)
    for _ in range(2):  # not the first time alone
        with pytest.raises(
            TypeError, match=rf"{template.__name__}_\w+ borrows arrays, so it cannot return one"
        ):
            refusing(values)
    assert not refusing.overloads
    for _ in range(2):
        with pytest.raises((TypeError, TypingError), match="borrows arrays"):
            kernel(through, part=refusing)(values)


def through(values: Any) -> Any:
    return len(part(values))  # type: ignore[name-defined]  # noqa: F821  # it is bound


def test_borrowing_kernel_returns_numbers() -> None:
    assert borrowing(numbers_of)(np.arange(3, 5)) == (2, (3, True))


def test_borrowing_kernel_cannot_return_arrays() -> None:
    with pytest.raises(TypingError, match="empty"):
        borrowing(make)(5)
