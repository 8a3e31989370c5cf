"""Mutants are small changes of a module: which are made, and what is left alone."""

from __future__ import annotations

import ast

import pytest
from tests.mutants import __main__ as program
from tests.mutants.__main__ import PACKAGE, Equivalent, Mutant, equivalent, mutants, steps
from tests.mutants.changes import changes


def changed(text: str) -> list[str]:
    return [change.applied(text) for change in changes(text)]


@pytest.mark.parametrize(
    ("text", "others"),
    [
        ("a < b", {"(a <= b)"}),
        ("a is not b", {"(a is b)"}),
        ("a and b", {"(a or b)", "(a)", "(b)"}),
        ("not a", {"(a)"}),
        ("a << b", {"(a >> b)"}),
        ("0", {"(1)", "(-1)"}),
        ("7", {"(8)", "(6)"}),
        ("True", {"(False)"}),
        ("f(a, b, c)", {"(f(b, a, c))"}),
        ("a if b else c", {"a if (not b) else c", "(c if b else a)"}),
        ("a[:, b]", {"a[b, :]"}),
        ("[a for a in b if c]", {"[a for a in b if (not c)]"}),
    ],
)
def test_expressions(text: str, others: set[str]) -> None:
    assert set(changed(f"x = {text}")) == {f"x = {other}" for other in others}


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("x += y", {"pass", "x -= y"}),
        ("f()", {"pass"}),
        ("x.y = z", {"pass"}),
        ("while x:\n    break", {"while (not x):\n    break", "while x:\n    continue"}),
        ("if ä:\n    raise b", {"if (not ä):\n    raise b", "if ä:\n    pass"}),
        ("def f():\n    return x", {"def f():\n    return None"}),
    ],
)
def test_statements(text: str, other: set[str]) -> None:
    assert set(changed(text)) == other


@pytest.mark.parametrize(
    "text",
    [
        '"""Says 1 < 2."""',
        "x: A | None",
        "def f(x: A | B = c) -> C | D:\n    return",
        "@at(a, b)\nclass C: ...",
        'x = f"{a + b}"',
        "x = max(a, b), max(a, b)",
        "x = f(a, a)",
        "import a, b",
        "if TYPE_CHECKING:\n    x = 1 + 2",
    ],
)
def test_changes_leave_types_texts_and_imports_alone(text: str) -> None:
    assert changed(text) == []


@pytest.mark.long
def test_mutants_are_modules() -> None:
    for mutant in mutants("games/sokoban/v*.py"):
        ast.parse(mutant.after)
        assert mutant.after != mutant.before
        assert mutant.path in mutant.difference()


@pytest.mark.slow
def test_folders_of_the_package_have_mutants() -> None:
    folders = [path.name for path in PACKAGE.iterdir() if any(path.glob("*.py"))]
    assert len(folders) > 15
    assert all(next(mutants(f"{name}/*"), None) for name in folders)


def test_steps_begin_with_the_nearest_tests() -> None:
    assert [step[0] for step in steps("src/gridproof/games/sokoban/formats/lurd.py")] == [
        "tests/games/sokoban/formats/test_lurd.py",
        "tests/games/sokoban/formats",
        "tests/games/sokoban",
        "tests/agreement",
    ]
    assert [step[0] for step in steps("src/gridproof/core/rng.py")] == [
        "tests/core/test_rng.py",
        "tests/core",
    ]


@pytest.mark.long
def test_equivalent_entries_are_one_mutant_each() -> None:
    for listed in equivalent():
        name = listed.path.removeprefix("src/gridproof/")
        assert (PACKAGE / name).is_file()
        assert [listed.means(mutant) for mutant in mutants(name)].count(True) == 1, listed


def test_mutants_with_equal_lines_are_told_apart_by_function() -> None:
    before = "def f():\n    return 3\n\n\nclass C:\n    def g(self):\n        return 3\n\n\nx = 3\n"
    first, second, outside = (
        Mutant("x.py", before, before[:at] + before[at:].replace("3", "(4)", 1))
        for at in (0, before.index("class"), before.index("x ="))
    )
    assert first.lines() == second.lines()
    assert (first.function(), second.function(), outside.function()) == ("f", "g", "")
    either, one = Equivalent("x.py", *first.lines()), Equivalent("x.py", *first.lines(), function="g")
    assert [either.means(mutant) for mutant in (first, second, outside)] == [True, True, False]
    assert [one.means(mutant) for mutant in (first, second, outside)] == [False, True, False]


def test_mutant_has_changed_lines() -> None:
    before = "a\nif b:\n    raise c(\n        d\n    )\ne\n"
    assert Mutant("x.py", before, before.replace("if b", "if (not b)")).lines() == ("if b:", "if (not b):")
    assert Mutant("x.py", before, "a\nif b:\n    pass\ne\n").lines() == ("raise c( d )", "pass")


@pytest.mark.parametrize("wishes", [("--only", "zz*"), ("--only", "core/rng.py", "--number", "0")])
def test_program_fails_when_no_mutant_is_drawn(
    wishes: tuple[str, ...],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setattr("sys.argv", ["mutants", *wishes])
    monkeypatch.delattr(program, "Copy")
    assert program.main() == 2
    assert "there is nothing to try" in capsys.readouterr().out
