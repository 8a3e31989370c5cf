"""The command `check` on several levels: packs, files and generated levels."""

from __future__ import annotations

from pathlib import Path

import pytest

import gridproof as gp

from .conftest import Run


def test_family_has_a_line_for_each_level(run: Run) -> None:
    answer = run("check", "null/first", "AG !at(2)")
    names = [f"null/first/{number}" for number in range(1, len(gp.levels_at("null/first")) + 1)]
    lines = answer.out.splitlines()
    assert [line.split("  ")[0] for line in lines[: len(names)]] == names
    verdicts = [gp.check(name, "AG !at(2)") for name in names]
    for line, verdict in zip(lines, verdicts, strict=False):
        assert verdict.answer in line
        assert f" {verdict.states} positions" in line
        assert verdict.trace is None or f"counterexample of {len(verdict.trace.steps)} action" in line
    held = sum(verdict.holds is True for verdict in verdicts)
    assert lines[len(names)] == f"`AG !at(2)` holds on {held} of {len(names)} levels"
    first = next(verdict for verdict in verdicts if verdict.holds is False)
    assert lines[len(names) + 1 : len(names) + 3] == [
        "",
        f"the first counterexample, on {names[verdicts.index(first)]}:",
    ]
    assert lines[len(names) + 3 :] == list(first.trace_lines())
    assert answer.status == 1


@pytest.mark.parametrize(
    ("formula", "options", "status"),
    [
        ("AG (!ended -> EF ended)", (), 0),
        ("EF won", ("--states", "2"), 3),
        ("AG home", ("--states", "2"), 1),
    ],
)
def test_family_exit_status(run: Run, formula: str, options: tuple[str, ...], status: int) -> None:
    assert run("check", "null/first", formula, *options).status == status


def test_family_counts_missing_answers(run: Run) -> None:
    out = run("check", "null/first", "EF won", "--states", "2").out
    assert out.splitlines()[-1].startswith("`EF won` holds on ")
    assert "; no answer on " in out.splitlines()[-1]


def json_lines(run: Run, *arguments: str) -> list[dict[str, object]]:
    return [one | {"seconds": 0} for one in run("check", *arguments, "--json").lines]


@pytest.mark.parametrize("jobs", ["1", pytest.param("2", marks=pytest.mark.slow)])
def test_family_prints_json_lines(run: Run, jobs: str) -> None:
    lines = json_lines(run, "null/first", "G F won", "--jobs", jobs)
    alone = [json_lines(run, f"null/first/{number}", "G F won")[0] for number in range(1, len(lines) + 1)]
    assert lines == alone


def test_family_saves_traces_with_numbers(run: Run, tmp_path: Path) -> None:
    answer = run("check", "null/first", "AG !at(2)", "--save", str(tmp_path / "trace.json"), "--json")
    saved = {one["level"]: one["saved"] for one in answer.lines if "saved" in one}
    assert saved
    for name, path in saved.items():
        assert path == str(tmp_path / f"trace-{name.split('/')[-1]}.json")
        assert gp.Trace.load(path).level == gp.level(name)


@pytest.mark.parametrize("jobs", ["1", pytest.param("2", marks=pytest.mark.slow)])
def test_family_of_seeds(run: Run, jobs: str) -> None:
    small = ("--set", "width=2", "--set", "height=2", "--jobs", jobs)
    lines = json_lines(run, "shiftit", "EF (won & near)", "--seeds", "3..5", *small)
    assert [one["level"] for one in lines] == ["shiftit seed 3", "shiftit seed 4", "shiftit seed 5"]
    levels = [gp.generate("shiftit", seed, width=2, height=2) for seed in (3, 4, 5)]
    assert [one["holds"] for one in lines] == [gp.check(level, "EF (won & near)").holds for level in levels]


@pytest.mark.slow
def test_family_of_sizes(run: Run) -> None:
    arguments = ("EF won", "--seeds", "3", "--set", "width=2..3", "--set", "height=2", "--states", "2000")
    lines = json_lines(run, "shiftit", *arguments)
    assert [one["level"] for one in lines] == ["shiftit seed 3 width=2", "shiftit seed 3 width=3"]
    assert [one["states"] for one in lines] == [
        gp.explore(gp.generate("shiftit", 3, width=width, height=2)).states for width in (2, 3)
    ]


def test_numbers_of_each_level_of_a_pack_are_set(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "rooms.xsb"
    path.write_text("######\n#@ $.#\n######\n\n#######\n#@#$ .#\n#######\n", encoding="utf-8")
    answer = run("check", str(path), "EF won", "--set", "bombs=0..1", "--least", "bombs", "--json")
    assert [one["least"] for one in answer.lines if "least" in one] == [0, 1]


def test_game_means_its_first_level(run: Run) -> None:
    assert run("check", "null", "EF won", "--json").json["level"] == "null/first/1"


def test_family_reports_levels_that_refuse_the_formula(run: Run) -> None:
    sizes = [len(str(level).strip()) for level in gp.levels_at("null/first")]
    cell = min(sizes)
    answer = run("check", "null/first", f"EF at({cell})")
    assert answer.status == 2
    assert answer.err.count("error: null/first/") == sizes.count(cell)
    unknown = run("check", "null/first", "EF wun")
    assert unknown.err.splitlines() == [
        "error: line 1, column 4: null has no proposition 'wun'; did you mean won? (expected won, lost, ended, home, at)"
    ]


def test_family_reports_broken_levels(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "rooms.xsb"
    path.write_text(
        "#####\n#@$.#\n#####\n\n#####\n#@$ #\n#####\n\n######\n#@ $.#\n######\n", encoding="utf-8"
    )
    answer = run("check", str(path), "EF won")
    assert answer.status == 2
    assert "`EF won` holds on 2 of 2 levels" in answer.out
    assert f"error: {path}#2: " in answer.err


def test_family_checks_properties_of_each_level(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "walk.props"
    path.write_text("a: EF won\nb: AG EF home\n", encoding="utf-8")
    count = len(gp.levels_at("null/first"))
    assert len(run("check", "null/first", "--properties", str(path), "--json").lines) == 2 * count
    assert run("check", "null/first", "--properties", str(path)).out.count("  2 properties: ") == count


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("null/first", "EF won", "--more", "2"), "--more does not apply to several levels"),
        (("null/first", "EF won", "--paths", "some"), "paths='some' applies to LTL only; in CTL, use A and E"),
        (("shiftit", "EF won", "--seeds", "5..1"), "--seeds '5..1': the first comes first, and there are at most 10,000"),
        (("shiftit", "EF won", "--seeds", "0..10000"), "--seeds '0..10000': the first comes first, and there are at most 10,000"),
        (("shiftit", "EF won", "--seeds", "a"), "--seeds 'a': write a number, or the first and the last as in 1..50"),
        (("shiftit", "EF won", "--seeds", "0..9", "--set", "width=1..2000"), "these are 20,000 levels, more than 10,000"),
        (("null", "EF won", "--seeds", "1"), "null has no level generator"),
    ],
)  # fmt: skip
def test_family_options_are_checked(run: Run, arguments: tuple[str, ...], why: str) -> None:
    answer = run("check", *arguments)
    assert (answer.status, answer.err) == (2, f"error: {why}\n")
