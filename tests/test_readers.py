"""The readers that are fuzzed and measured: all are there, and refuse by errors of their own alone."""

from __future__ import annotations

import contextlib

import pytest
from fuzz.readers import readers

from gridproof.core.errors import GridproofError
from gridproof.core.registry import game, game_names

S = "structure S : ShiftItVoc { "
HOSTILE = [
    *(piece * 500 for piece in ("\n", " ", "\r", ";\n", "a", "7 ", "(", "[", "{", '"', "/*", "//\n", "<a>", "\ud800", "names:\n")),
    *("[" * 3000, "(" * 3000 + ")" * 3000, '{"steps":' * 3000, "\0", "shiftit 99999x99999", "robots 9999x9999", "2048 99x99"),
    *(S + "F[int] = " + "P(" * 3000, S + "Time = { 0..999999; } }", S + "/*" * 300, S + "Wno = { 1 } }", "theory T : V {" * 99),
    *("#" * 5000, "999999#", "999999999r", "1000#|" * 5000, "<SokobanLevels>" * 99, "<SokobanLevels><Note>\ud800", "Comment:\na\n" * 99),
]  # fmt: skip


def test_formats_have_readers_and_examples() -> None:
    formats = {f"{name}/{form.name}" for name in (*game_names(), "null") for form in game(name).formats}
    assert formats < readers().keys()
    for name in formats:
        assert all(readers()[name].read(sample) for sample in readers()[name].samples)
        assert len(readers()[name].samples) > 1


@pytest.mark.parametrize(
    "name",
    [
        "formats",
        "shiftit/structure",
        "shiftit/position",
        "sokoban/slc",
        "sokoban/xsb",
        "robots/trace",
        "null/properties",
        "null/automaton",
    ],
)
def test_hostile_texts_are_read_or_refused(name: str) -> None:
    for text in HOSTILE:
        with contextlib.suppress(GridproofError):
            readers()[name].read(text)


@pytest.mark.parametrize("name", game_names())
def test_properties_of_each_game_are_read(name: str) -> None:
    reader = readers()[f"{name}/properties"]
    assert all(reader.read(sample) for sample in reader.samples)
