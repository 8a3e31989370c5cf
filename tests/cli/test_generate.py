"""`generate`: levels, files and parameters."""

from __future__ import annotations

import dataclasses
import json
import re
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import gridproof as gp
from gridproof.core.extension import module_of
from gridproof.core.generate import parameters_of
from gridproof.core.trace import Trace

from .conftest import COMMAND, Run, Terminal

SMALL = ("--set", "width=7", "--set", "height=7", "--set", "boxes=1")


def test_generate_prints_levels(run: Run, tmp_path: Path) -> None:
    answer = run("generate", "sokoban", "--seed", "5", "--count", "2", *SMALL)
    assert answer.status == 0
    made = gp.read(answer.out, "sokoban")
    assert len(made) == 2
    assert made[0] == gp.generate("sokoban", 5, width=7, height=7, boxes=1)
    path = tmp_path / "made.xsb"
    saved = run("generate", "sokoban", "--seed", "5", "--count", "2", *SMALL, "--save", str(path))
    assert saved.out == f"2 levels written to {path}\n"
    assert list(gp.read(path)) == list(made)


def test_generate_prints_levels_with_certificates_as_json(run: Run) -> None:
    lines = run("generate", "sokoban", "--seed", "7", "--count", "2", *SMALL, "--json").lines
    assert [line["seed"] for line in lines] == [7, 8]
    for line in lines:
        level = gp.read(line["text"], "sokoban")[0]
        position = level.start()
        for text in line["actions"]:
            position = next(iter(position.outcomes(position.action(text)))).position
        assert position.won
        assert isinstance(gp.generate("sokoban", line["seed"], width=7, height=7, boxes=1).certificate, Trace)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["chess"], "chess"),
        (["sokoban", "--set", "width"], "--set 'width': write it as NAME=VALUE"),
        (["sokoban", "--width", "8"], "--width is a parameter, not an option; use --set width=VALUE"),
        (["sokoban", "--locks=2"], "No such option: --locks"),
        (["--locks=2"], "--locks is a parameter, not an option; use --set locks=VALUE"),
        (["sokoban", "--set", "=3"], "--set '=3': write it as NAME=VALUE"),
        (["sokoban", "--set", "seed=3"], "--set 'seed=3': write it as NAME=VALUE"),
        (
            ["sokoban", "--set", "colour=3"],
            "sokoban has no parameter 'colour'; choose from width, height, boxes, bombs, difficulty",
        ),
        (["sokoban", "--set", "width=wide"], "width='wide': it must be a whole number from 3 to 50 here"),
        (
            ["sokoban", "--set", "width=9999"],
            "width=9999: it must be a whole number from 3 to 50 here",
        ),
        (["sokoban", "--seed", "-1"], "seed -1"),
        (["sokoban", "--to", "pdf"], "sokoban has no format 'pdf': it has xsb, slc"),
        (["sokoban", "--save", "/nowhere/made.xsb"], "/nowhere/made.xsb: there is no folder /nowhere"),
        (["sokoban", "--count", "0"], "count"),
        (["null"], "null has no level generator"),
    ],
)
def test_generate_refuses_impossible_parameters(run: Run, arguments: list[str], message: str) -> None:
    answer = run("generate", *arguments)
    assert answer.status == 2
    assert message in answer.err


def test_generate_help_lists_parameters(run: Run) -> None:
    told = run("generate", "--help").out
    for name in gp.game_names():
        assert (f"Parameters of {name}," in told) == bool(module_of(gp.game(name), "generator"))
    assert "  width=10, height=10  Size of the grid" in told
    assert "walls included: 3 to 50, up to 20 with bombs." in " ".join(told.split())


@pytest.mark.parametrize("arguments", [("--help",), ("-h", "--count", "3"), ("--seed", "1", "-h")])
def test_generate_help_with_game_lists_its_parameters(run: Run, arguments: tuple[str, ...]) -> None:
    answer = run("generate", "shiftit", *arguments)
    assert answer.status == 0
    assert answer.out.count("Parameters of ") == 1
    words = " ".join(answer.out.partition("Parameters of shiftit,")[2].split())
    for given, meaning in parameters_of(gp.game("shiftit")):
        assert f"{', '.join(given)} {meaning}" in words


@pytest.mark.slow
def test_generate_help_fits_narrow_terminals(process: Run) -> None:
    assert max(map(len, process("generate", "--help", COLUMNS="60").out.splitlines())) <= 60


# -- certificates, and what is missed


def has_certificates(path: Path) -> list[bool]:
    return [level.certificate is not None and level.certificate.replay().won for level in gp.read(path)]


@pytest.mark.parametrize("name", ["made.xsb", "made.slc"])
def test_generate_writes_certificates_in_the_file_when_format_can(
    run: Run, tmp_path: Path, name: str
) -> None:
    path = tmp_path / name
    assert run("generate", "sokoban", "--count", "2", *SMALL, "--save", str(path)).status == 0
    assert path.read_text().count("Solution") == 2
    assert has_certificates(path) == [True, True]
    assert [file.name for file in tmp_path.iterdir()] == [name]
    assert run("generate", "sokoban", "--count", "2", *SMALL).out.count("Solution: ") == 2


@pytest.mark.parametrize(
    ("game", "name", "parameters"),
    [
        ("shiftit", "made.shiftit", ("width=2", "height=2")),
        ("shiftit", "made.idp", ("width=2", "height=2")),
        ("robots", "made.robots", ("width=3", "height=3", "robots=2", "conveyors=0")),
        ("twenty48", "made.2048", ("width=2", "height=2", "target=16", "moves=2")),
    ],
)
def test_generate_writes_certificates_beside_other_files(
    run: Run, tmp_path: Path, game: str, name: str, parameters: tuple[str, ...]
) -> None:
    path = tmp_path / name
    given = [part for parameter in parameters for part in ("--set", parameter)]
    assert run("generate", game, "--count", "2", *given, "--save", str(path)).status == 0
    assert has_certificates(path) == [True, True]
    beside = tmp_path / f"{name}.certificates.json"
    assert sorted(tmp_path.iterdir()) == sorted([path, beside])
    beside.unlink()
    assert has_certificates(path) == [False, False]


def test_certificates_of_one_pack_do_not_overwrite_those_of_another(run: Run, tmp_path: Path) -> None:
    paths = [tmp_path / "pack.shiftit", tmp_path / "pack.2048"]
    sizes = ["--set", "width=2", "--set", "height=2"]
    run("generate", "shiftit", *sizes, "--save", str(paths[0]))
    run("generate", "twenty48", *sizes, "--set", "target=16", "--set", "moves=2", "--save", str(paths[1]))
    assert [has_certificates(path) for path in paths] == [[True], [True]]
    assert not any(gp.read(path).notices for path in paths)


def test_generate_writes_no_certificates_beside_pipes(run: Run) -> None:
    answer = run("generate", "shiftit", "--set", "width=2", "--set", "height=2", "--save", "/dev/null")
    assert (answer.status, answer.err) == (
        0,
        "note: 1 certificate not written: this format cannot hold them; write to a file to keep them\n",
    )
    assert not Path("/dev/null.certificates.json").exists()


def test_generate_replaces_stale_certificates(run: Run, tmp_path: Path) -> None:
    path, beside = tmp_path / "made.xsb", tmp_path / "made.certificates.json"
    beside.write_text("[]")
    assert run("generate", "sokoban", *SMALL, "--save", str(path), "--force").status == 0
    assert json.loads(beside.read_text())[0]["level"] == 1


def test_rejected_certificates_are_noted(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "wrong.xsb"
    path.write_text("#####\n#@$.#\n#####\nSolution: l\n")
    answer = run("show", str(path))
    assert answer.status == 0
    noted = f"note: {path}: its solution does not win it, and is kept as a text\n"
    assert answer.err == noted
    for command in (["solve", "--json"], ["levels"], ["levels", "--json"], ["convert"]):
        assert run(*command, str(path)).err == noted
    path.write_text("#####\n#@$.#\n#####\n")
    (tmp_path / "wrong.certificates.json").write_text('[{"level": 1, "steps": [{"action": "left"}]}]')
    noted = run("show", str(path)).err
    assert noted.startswith(f"note: {path}: wrong.certificates.json: ")
    (tmp_path / "wrong.certificates.json").write_text("{")
    assert "wrong.certificates.json does not hold certificates: JSONDecodeError" in run("show", str(path)).err


@pytest.fixture
def miss_odd_seeds(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Make levels of odd seeds miss a parameter; return the list of tried seeds."""
    tried: list[int] = []

    def one(game: str, seed: int) -> gp.Level:
        tried.append(seed)
        keys = {"Missed": "a difficulty of 9"} if seed % 4 else {}
        level = gp.read("#####\n#@$.#\n#####\n")[0]
        return dataclasses.replace(level, title=f"Seed {seed}", keys=keys)

    monkeypatch.setattr("gridproof.cli.generate.generate_level", one)
    return tried


def test_generate_reports_missed_parameters(run: Run, tmp_path: Path, miss_odd_seeds: list[int]) -> None:
    path = tmp_path / "made.xsb"
    answer = run("generate", "sokoban", "--seed", "3", "--count", "3", "--save", str(path))
    assert answer.err.splitlines()[0] == "note: Seed 3, Seed 5 missed a difficulty of 9"
    assert miss_odd_seeds == [3, 4, 5]
    quiet = run("generate", "sokoban", "--seed", "3", "--json")
    assert (quiet.json["keys"], quiet.err) == ({"Missed": "a difficulty of 9"}, "")


def test_generate_tries_until_nothing_is_missed(run: Run, miss_odd_seeds: list[int]) -> None:
    lines = run("generate", "sokoban", "--seed", "3", "--count", "2", "--tries", "3", "--json").lines
    assert miss_odd_seeds == [3, 4, 5, 6, 7]
    assert [line["seed"] for line in lines] == [4, 5]  # none of 5, 6 and 7 has all: then the first
    told = f"error: --seed {2**64 - 5} --count 2 --tries 3: seeds end at 2**64 - 1"
    many = run("generate", "sokoban", "--seed", str(2**64 - 5), "--count", "2", "--tries", "3")
    assert (many.status, many.err) == (2, f"{told}, which leaves 1 level\n")


@pytest.fixture
def idle(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fail on any generation."""

    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("work has begun")

    monkeypatch.setattr("gridproof.cli.generate.generate_level", refuse)


@pytest.mark.usefixtures("idle")
@pytest.mark.parametrize(
    ("seed", "count", "left"), [(2**64 - 1, 2, "1 level"), (2**64 - 9, 10, "9 levels"), (0, 2**65, "")]
)
def test_generate_refuses_seeds_beyond_the_last(run: Run, seed: int, count: int, left: str) -> None:
    answer = run("generate", "sokoban", "--seed", str(seed), "--count", str(count))
    told = f"--seed {seed} --count {count}: seeds end at 2**64 - 1, which leaves "
    assert (answer.status, answer.out) == (2, "")
    assert answer.err.startswith(f"error: {told}{left}")


def test_generate_accepts_the_last_seed(run: Run) -> None:
    line = run("generate", "sokoban", "--seed", str(2**64 - 1), *SMALL, "--json").json
    assert line["seed"] == 2**64 - 1


@pytest.mark.usefixtures("idle")
@pytest.mark.parametrize("name", ["made.json", "made.xsb.gz"])
def test_generate_refuses_unknown_extension_before_any_work(run: Run, tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    answer = run("generate", "sokoban", "--save", str(path))
    told = f"sokoban has no format for {path.suffix}; choose from .xsb, .sok, .txt, .slc; gridproof convert writes pddl, too, or name one with --to"
    assert (answer.status, answer.err) == (2, f"error: {path}: {told}\n")
    assert not path.exists()


@pytest.mark.parametrize(
    ("name", "options", "begin"),
    [
        ("made.slc", (), "<?xml"),
        ("made.json", ("--to", "slc"), "<?xml"),
        ("made.slc", ("--to", "xsb"), "#"),
        ("made", (), "#"),
    ],
)
def test_generate_takes_format_by_name_or_extension(
    run: Run, tmp_path: Path, name: str, options: tuple[str, ...], begin: str
) -> None:
    path = tmp_path / name
    assert run("generate", "sokoban", *SMALL, *options, "--save", str(path)).status == 0
    assert path.read_text().startswith(begin)
    assert list(gp.read(path)) == [gp.generate("sokoban", 0, width=7, height=7, boxes=1)]


def test_generate_takes_format_for_standard_output(run: Run) -> None:
    assert run("generate", "sokoban", *SMALL, "--to", "slc").out.startswith("<?xml")


# -- Ctrl-C


@pytest.mark.long
def test_generate_makes_same_levels_in_processes(run: Run, tmp_path: Path) -> None:
    one, two = tmp_path / "one.xsb", tmp_path / "two.xsb"
    common = ("generate", "sokoban", "--seed", "3", "--count", "4", "--set", "boxes=1", "--save")
    assert run(*common, str(one)).status == 0
    assert run(*common, str(two), "--jobs", "2").status == 0
    assert one.read_text() == two.read_text()
    answer = run("generate", "twenty48", "--count", "2", "--where", "processes", "--json")
    assert [data["seed"] for data in answer.lines] == [0, 1]
    here, there = (
        run("generate", "twenty48", "--set", "moons=3", "--count", "2", *jobs)
        for jobs in ((), ("--jobs", "2"))
    )
    assert (here.status, here.err) == (there.status, there.err) == (2, here.err)


def test_generate_refuses_tries_in_processes(run: Run) -> None:
    refused = run("generate", "twenty48", "--tries", "2", "--jobs", "2")
    assert (refused.status, refused.out) == (2, "")
    assert "--tries does not apply with --jobs or --where" in refused.err


@pytest.fixture
def interrupt(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Press Ctrl-C after `count` levels."""

    def after(most: int) -> None:
        made: list[gp.Level] = []

        def one(*arguments: Any, **parameters: Any) -> gp.Level:
            if len(made) == most:
                raise KeyboardInterrupt
            made.append(gp.generate(*arguments, **parameters))
            return made[-1]

        monkeypatch.setattr("gridproof.cli.generate.generate_level", one)

    return after


def test_ctrl_c_saves_finished_levels(run: Run, tmp_path: Path, interrupt: Callable[[int], None]) -> None:
    interrupt(2)
    path = tmp_path / "made.xsb"
    answer = run("generate", "sokoban", "--count", "9", *SMALL, "--save", str(path))
    assert (answer.status, answer.out) == (130, f"2 levels written to {path}\n")
    assert answer.err.startswith("Making levels of sokoban: interrupted after 2 levels, ")
    assert [level.title for level in gp.read(path)] == ["Seed 0", "Seed 1"]


def test_ctrl_c_prints_finished_levels(run: Run, interrupt: Callable[[int], None]) -> None:
    interrupt(1)
    answer = run("generate", "sokoban", "--count", "9", *SMALL)
    assert answer.status == 130
    assert [level.title for level in gp.read(answer.out)] == ["Seed 0"]


def test_ctrl_c_before_first_level_writes_nothing(
    run: Run, tmp_path: Path, interrupt: Callable[[int], None]
) -> None:
    interrupt(0)
    path = tmp_path / "made.xsb"
    path.write_text("old")
    answer = run("generate", "sokoban", *SMALL, "--save", str(path), "--force")
    assert (answer.status, answer.out, path.read_text()) == (130, "", "old")
    assert answer.err.startswith("Making levels of sokoban: interrupted after 0 levels, ")


@pytest.mark.slow
def test_ctrl_c_in_a_process_saves_finished_levels(tmp_path: Path) -> None:
    path = tmp_path / "made.xsb"
    arguments = ("generate", "sokoban", "--count", "100000", *SMALL, "--save", str(path), "--json")
    done = subprocess.Popen([*COMMAND, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert done.stdout
    first = [json.loads(done.stdout.readline()) for _ in range(3)]
    assert not path.exists()
    done.send_signal(signal.SIGINT)
    out, err = done.communicate(timeout=600)
    assert done.returncode == 130
    lines = [*first, *map(json.loads, out.splitlines())]
    told = re.fullmatch(r"Making levels of sokoban: interrupted after ([\d,]+) levels, [\d.]+ s\n", err)
    assert told, err
    assert int(told[1].replace(",", "")) == len(lines) == len(gp.read(path))
    assert [level.text() for level in gp.read(path)] == [line["text"] for line in lines]


@pytest.mark.slow
def test_ctrl_c_on_a_terminal_saves_finished_levels(
    tmp_path: Path, terminal: Callable[..., Terminal]
) -> None:
    path = tmp_path / "made.xsb"
    shown = terminal("generate", "sokoban", "--count", "100000", *SMALL, "--save", str(path), columns=200)
    while shown.until(" levels, ").endswith(" 0"):
        pass  # the line is there before the first level
    shown.type("\x03")
    assert shown.end() == 130
    told = re.search(
        r"interrupted after ([\d,]+) levels, .*([\d,]+) levels? written", shown.output, re.DOTALL
    )
    assert told, shown.output
    assert int(told[1].replace(",", "")) == len(gp.read(path)) > 0
    assert "Traceback" not in shown.output


@pytest.mark.parametrize(
    ("parameters", "noted"),
    [
        (("sokoban", *SMALL), False),
        (("sokoban", *SMALL, "--to", "slc"), False),
        (("shiftit", "--set", "width=2", "--set", "height=2"), True),
    ],
)
def test_lost_certificates_are_noted(run: Run, parameters: tuple[str, ...], noted: bool) -> None:
    answer = run("generate", *parameters, "--count", "2")
    assert answer.err.count("2 certificates not written") == noted
    assert "certificates" not in run("generate", *parameters, "--json").err
