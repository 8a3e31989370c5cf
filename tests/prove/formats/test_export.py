"""Models for other tools, read back line by line; `test_peers.py` runs the tools."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest
from tests.prove.twins import Played, small_level

import gridproof as gp
from gridproof.prove.formats.export import GraphExport
from gridproof.prove.formats.labelled_graph import identifiers
from gridproof.prove.formula import Atom, Executable

WALK = "@.o"


class Read(NamedTuple):
    """What a model says."""

    edges: dict[int, set[int]]
    starts: set[int]
    won: set[int]


def numbers(text: str) -> set[int]:
    return set(map(int, re.findall(r"\d+", text)))


def table(text: str, name: str) -> list[int]:
    (inside,) = re.findall(rf"{name}\[\] = \{{(.*?)\}}", text, re.DOTALL)
    return [int(one) for one in inside.split(",") if one.strip()]


def read_promela(text: str) -> Read:
    first, targets, won = (table(text, name) for name in ("first_edge", "target_of", "is__won"))
    edges = {number: set(targets[first[number] : first[number + 1]]) for number in range(len(won))}
    starts = set(map(int, re.findall(r"true -> c_code \{ go\((\d+)\)", text)))
    most = len(re.findall(r"^  :: d_step \{ c_expr", text, re.MULTILINE))
    assert most == max(map(len, edges.values()))
    return Read(edges, starts, {number for number, holds in enumerate(won) if holds})


def read_nusmv(text: str) -> Read:
    rows = re.findall(r"^  position = (\d+) : \{(.*)\};$", text, re.MULTILINE)
    (starts,) = re.findall(r"^INIT position < (\d+);$", text, re.MULTILINE)
    (won,) = re.findall(r"^  won := (.*); -- won$", text, re.MULTILINE)
    return Read({int(one): numbers(row) for one, row in rows}, set(range(int(starts))), numbers(won))


def read_tla(text: str) -> Read:
    (rows,) = re.findall(r"^successors == <<\n(.*?)>>$", text, re.DOTALL | re.MULTILINE)
    (last,) = re.findall(r"^Init == position \\in 0\.\.(\d+)$", text, re.MULTILINE)
    (won,) = re.findall(r"^won == position \\in (.*) \\\* won$", text, re.MULTILINE)
    edges = dict(enumerate(map(numbers, rows.splitlines())))
    (resting,) = re.findall(r"^resting == (\{.*\})", text, re.MULTILINE)
    assert numbers(resting) == {one for one, row in edges.items() if one in row}
    return Read(edges, set(range(int(last) + 1)), numbers(won))


def read_hoa(text: str) -> Read:
    head, body = text.split("--BODY--\n")
    rows = re.findall(r"^State: \[(!?)0.*\] (\d+)\n(.*)$", body, re.MULTILINE)
    assert f"States: {len(rows)}\n" in head
    return Read(
        {int(one): numbers(row) for _, one, row in rows},
        set(map(int, re.findall(r"^Start: (\d+)$", head, re.MULTILINE))),
        {int(one) for sign, one, _ in rows if not sign},
    )


READERS = {".pml": read_promela, ".smv": read_nusmv, ".tla": read_tla, ".hoa": read_hoa}


@pytest.mark.parametrize("suffix", READERS)
def test_model_is_graph_of_rules(suffix: str, tmp_path: Path) -> None:
    for seed in range(6):
        level = small_level(Random(seed))
        played = Played(level)
        path = tmp_path / f"model{suffix}"
        export = GraphExport(level, path)
        space = gp.explore(level)
        assert export.write(space) == export.files
        tables = (tmp_path / "model.h").read_text() if suffix == ".pml" else ""
        found = READERS[suffix](tables + path.read_text())
        number = [space.number(one) for one in played.positions]
        assert found.edges == {
            number[one]: {number[to] for to in played.after(one)} for one in range(len(number))
        }
        assert found.starts == {number[one] for one in range(played.starts)}
        assert found.won == {number[one] for one, position in enumerate(played.positions) if position.won}


def exported(suffix: str, tmp_path: Path, *formulas: str, board: str = WALK) -> str:
    level = gp.read(board, "null")[0]
    export = GraphExport(level, tmp_path / f"model{suffix}", formulas, "the walk")
    return "".join(path.read_text() for path in export.write(gp.explore(level)))


PROPERTIES = [
    (".pml", "G F home", "ltl property_1 { !begun U (begun && ([] (<> home))) }"),
    (".pml", "A[!won U (home | won)]", "#define atom__1_1 (home || won)"),
    (".pml", "G (won -> X won)", "never property_1 {"),
    (".pml", "home S !won", "never property_1 {"),
    (".smv", "G !(won & lost)", "INVARSPEC ! (won & lost) -- G !(won & lost)"),
    (".smv", "AG !won", "INVARSPEC ! won -- AG !won"),
    (".smv", "AG EF won", "CTLSPEC AG (EF won) -- AG EF won"),
    (".smv", "A[home W won]", "CTLSPEC ! (E [(! won) U (! (home | won))]) -- A[home W won]"),
    (".smv", "G (won -> O home)", "LTLSPEC G (won -> (O home)) -- G (won -> O home)"),
    (".smv", "AG (won -> O home)", "LTLSPEC G (won -> (O home)) -- AG (won -> O home)"),
    (".smv", "A (G F home)", "LTLSPEC G (F home) -- AG F home"),
    (".smv", "home W won", "LTLSPEC (home U won) | (G home) -- home W won"),
    (".tla", "G (home <-> !won)", "INVARIANT Property1"),
    (".tla", "G F home -> F won", "Property1 == ([] (<> home)) => (<> won) \\* G F home -> F won"),
    (".tla", "e(right) & at(0)", "Property1 == e_right /\\ at_0 \\* e(right) & at(0)"),
    (".hoa", "G F home", 'AP: 1 "home"\nacc-name: Buchi\nAcceptance: 1 Inf(0)\n--BODY--'),
    (".hoa", "G (home -> [right])", 'AP: 3 "won" "home" "[right]"'),
]  # fmt: skip


@pytest.mark.parametrize(("suffix", "formula", "line"), PROPERTIES)
def test_model_has_property(suffix: str, formula: str, line: str, tmp_path: Path) -> None:
    text = exported(suffix, tmp_path, formula)
    assert line in text
    assert re.search(r"gridproof [\d.]+: null, the walk\b", text)
    assert "start: 0" in text


def test_level_with_actions_has_labels_on_edges(tmp_path: Path) -> None:
    text = exported(".hoa", tmp_path, "G (home -> [right])")
    assert "State: 0\n[!0&1&2] 1\n" in text


def test_identifiers_are_different_and_not_reserved() -> None:
    listed = [
        Atom("end"),
        Atom("at", ("1", "2")),
        Atom("at_1_2"),
        Atom("at", ("-1",)),
        Executable("a:walk(1,0)"),
    ]
    found = identifiers(listed, {"end"})
    assert [*found.values()] == ["end_", "at_1_2", "at_1_2_", "at_minus_1", "e_a_walk_1_0"]


def test_model_names_actors(tmp_path: Path) -> None:
    board = "robots 3x2\na: rule=A rotation=90\nb: rule=B rotation=180\nboard:\na ? B\nA > b\n"
    level = gp.read(board, "robots")[0]
    path = tmp_path / "model.smv"
    GraphExport(level, path).write(gp.explore(level, actors=("a",)))
    assert re.search(r"^-- gridproof [\d.]+: robots, a level by a alone$", path.read_text(), re.MULTILINE)


def test_numbers_have_names(tmp_path: Path) -> None:
    level = gp.read("2048 2x2 spawn=spec target=8\n2 2\n0 0\n")[0]
    path = tmp_path / "model.pml"
    formulas = ("F empty >= 1", "F empty > 1", "F max_tile != 4", "F tile(4)", "F deadlock")
    GraphExport(level, path, formulas).write(gp.explore(level))
    names = re.findall(r"^bit (\w+); /\* (.*) \*/$", path.read_text(), re.MULTILINE)
    assert dict(names) == {
        "won": "won", "empty_at_least_1": "empty >= 1", "empty_above_1": "empty > 1", "max_tile_is_not_4": "max_tile != 4",
        "tile_4": "tile(4)", "deadlock": "deadlock",
    }  # fmt: skip


def test_promela_names_commands_of_spin(tmp_path: Path) -> None:
    text = exported(".pml", tmp_path, "F won", "F home")
    assert "./pan -a -m1000000 -N property_1 */" in text
    assert "If it says 'max search depth too small', paths were cut off" in text
    assert "./pan -r -v -N property_1 shows the positions" in text


REFUSED = [
    ("model.pml", "AG EF won", "'AG EF won': Promela takes LTL, not CTL"),
    ("model.pml", "G [right]", "[right]: actions have no names in Promela; choose .hoa (e(right) would only say that the action is possible)"),
    ("model.smv", "P>=0.5 [F won]", "'P>=0.5 [F won]': NuSMV takes LTL and CTL without past, not PCTL"),
    ("model.smv", "EF AG F won", "'EF AG F won': NuSMV takes LTL and CTL without past, not CTL*"),
    ("model.tla", "home U won", "TLA+ has no operator for 'home U won'; choose another format"),
    ("model.hoa", "EF won", "'EF won': HOA takes LTL, not CTL"),
    ("model.hoa", "F cost(actions) < 3", "F cost(actions) < 3: costs cannot be exported"),
    ("model.aut", "F won", "formulas go into models: .pml, .smv, .tla, .hoa"),
    ("model.txt", "F won", "graph files must end in .graphml, .dot, .aut, .tra, .prism.tra, .pml, .smv, .tla, .hoa"),
    ("a-b.tla", "F won", "the file has the name of the TLA+ module, of letters, digits and _; 'a-b' is none"),
    ("model.smv", "F wan", "null has no proposition 'wan'"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "formula", "reason"), REFUSED)
def test_export_refuses_formula(name: str, formula: str, reason: str, tmp_path: Path) -> None:
    with pytest.raises(gp.GridproofError, match=re.escape(reason)):
        GraphExport(gp.read(WALK, "null")[0], tmp_path / name, [formula])


def test_export_writes_all_files_or_none(tmp_path: Path) -> None:
    level = gp.read(WALK, "null")[0]
    export = GraphExport(level, tmp_path / "model.tla")
    with pytest.raises(gp.GridproofError, match=r"^the space is not complete"):
        export.write(gp.explore(level, limit=gp.Limit(states=2)))
    (tmp_path / "model.cfg").mkdir()
    with pytest.raises(gp.GridproofError, match=r"model\.cfg"):
        export.write(gp.explore(level))
    assert [one.name for one in tmp_path.iterdir()] == ["model.cfg"]
