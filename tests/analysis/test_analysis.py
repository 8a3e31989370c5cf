"""`gp.analyse`: counts against a naive analysis, pieces, squares, packs, limits, and reports."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from tests.packs import each, pack
from tests.prove.naive import Naive

import gridproof as gp
from gridproof.analysis.ablation import DEARER, NEEDED, SHORTER, SPARE, UNKNOWN
from gridproof.analysis.proofs import write_proofs
from gridproof.core.design import canonical
from gridproof.core.difficulty import difficulty_word
from gridproof.core.trace import Trace
from gridproof.search.explore import explore

FAST = ("sokoban/first-steps/2", "robots/races/1", "shiftit/boards/4", "twenty48/standard/3", "null/first/2")
SMALL = (
    *(f"sokoban/first-steps/{number}" for number in (1, 3, 4, 5, 6, 8)),
    *(f"sokoban/bombs/{number}" for number in (1, 2, 8)),
    *(f"robots/races/{number}" for number in (2, 3, 5, 7, 8, 9, 10, 13)),
    *(f"robots/duels/{number}" for number in (1, 2, 3)),
    *(f"shiftit/boards/{number}" for number in (1, 2, 3, 6, 9)),
    *(f"twenty48/positions/{number}" for number in (7, 9, 11, 12, 13)),
    "twenty48/standard/4",
)


def level_of(text: str, game: str = "sokoban") -> gp.Level:
    (level,) = gp.read(text, game)
    return level


def counts_of(analysis: gp.Analysis, naive: dict[str, Any]) -> dict[str, Any]:
    """The same as the naive program counts."""
    whole = analysis.whole
    assert whole
    return {
        "states": analysis.states,
        "dead": whole.dead,
        "dead_by_depth": whole.dead_by_depth,
        "actions": whole.actions,
        "fatal": whole.fatal,
        "fatal_by_depth": whole.fatal_by_depth,
        "fewest": analysis.costs["actions"].cost,
        "ways": whole.ways,
        "decisive": whole.decisive[:4],
        "orders": whole.orders if naive["orders"] is not None else None,
    }


def agree(name: str) -> None:
    level = pack(name)[0]
    naive, analysis = Naive(level).counts(), gp.analyse(level)
    assert counts_of(analysis, naive) == naive
    if naive["orders"]:
        assert analysis.whole
        assert analysis.whole.unique == (naive["orders"] == 1)


@pytest.mark.parametrize("name", FAST)
def test_counts_agree_with_naive_analysis(name: str) -> None:
    agree(name)


@pytest.mark.slow
@pytest.mark.parametrize("name", SMALL)
def test_counts_of_more_levels_agree_with_naive_analysis(name: str) -> None:
    agree(name)


CORRIDOR = "########\n#@$  . #\n########\n"
STUCK = "######\n#@ $.#\n#$  .#\n######\n"
"""The lower box stands in a corner."""


def test_solutions_that_differ_in_order_are_merged() -> None:
    level = level_of("#########\n#   #   #\n#.$ @ $.#\n#   #   #\n#########\n")
    whole = gp.analyse(level).whole
    assert whole
    assert (whole.ways, whole.orders, whole.unique) == (2, 1, True)


def test_first_dead_position_is_shown() -> None:
    level = level_of("######\n#@   #\n# $. #\n#    #\n######\n")
    whole = gp.analyse(level).whole
    assert whole
    assert whole.first_dead
    assert [str(action) for action in whole.first_dead.actions] == ["right", "down"]
    assert whole.first_dead.replay() not in Naive(level).left
    assert whole.fatal_by_depth[1] == 1
    assert whole.decisive.steps == ()


def test_analysis_of_impossible_level() -> None:
    analysis = gp.analyse(level_of(STUCK))
    whole = analysis.whole
    assert whole
    assert (analysis.winnable, whole.dead, whole.ways, whole.unique) == (False, analysis.states, 0, None)
    assert analysis.shortest is None
    assert analysis.cost is None
    assert analysis.pieces == ()
    assert str(analysis).startswith("23 positions; impossible to win\n")
    assert "Impossible to win" in analysis.report()


@pytest.mark.slow
def test_needed_boxes_and_bombs() -> None:
    level = level_of("#######\n#.$@$.#\n#######\nBombs: 2\n")
    analysis = gp.analyse(level)
    told = {piece.name: piece.verdict(analysis.cost) for piece in analysis.pieces}
    assert told == {
        "the box at (2, 1)": SHORTER,
        "the box at (4, 1)": SHORTER,
        "one bomb": SPARE,
        "all bombs": SPARE,
    }
    needed = gp.analyse(pack("sokoban/bombs/1")[0])
    assert [piece.verdict(needed.cost) for piece in needed.pieces] == [NEEDED]


def test_needed_robots_and_tiles() -> None:
    analysis = gp.analyse(pack("robots/races/1")[0])
    told = {piece.name: piece.verdict(analysis.cost) for piece in analysis.pieces}
    assert told["a, who does nothing"] == DEARER
    assert told["b, who does nothing"] == SPARE
    assert told["the belt at (1, 1)"] == DEARER
    assert analysis.meaning.endswith("; a and b act together, in any order; nothing else happens")
    assert "luck" not in analysis.meaning
    assert gp.analyse(pack("twenty48/standard/3")[0]).meaning.endswith("; with luck")


def test_pieces_are_unknown_without_time() -> None:
    level = level_of("#########\n#   #   #\n#.$ @ $.#\n#   #   #\n#########\n")
    analysis = gp.analyse(level, gp.Limit(seconds=0))
    assert not analysis.complete
    assert analysis.winnable is None
    assert {piece.verdict(analysis.cost) for piece in analysis.pieces} == {UNKNOWN}
    assert str(analysis).startswith(
        "more than 1 position: the time limit was reached; unknown whether it can be won\n"
    )
    assert "not known within the limit" in analysis.report()


def test_analysis_reports_limit_of_positions() -> None:
    analysis = gp.analyse(pack("sokoban/first-steps/2")[0], gp.Limit(states=20))
    assert (analysis.complete, analysis.stopped_by, analysis.whole) == (False, "states", None)
    assert analysis.difficulty["positions"] is None
    assert "whole" not in analysis.to_dict()


def test_exploring_leaves_time_for_solutions(monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[float] = []

    def explore_little(level: gp.Level, *, limit: gp.Limit, progress: Any) -> Any:
        given.append(limit.seconds or 0.0)
        return explore(level, limit=replace(limit, states=10), progress=progress)

    monkeypatch.setattr("gridproof.analysis.level.explore", explore_little)
    analysis = gp.analyse(pack("sokoban/first-steps/2")[0], gp.Limit(seconds=60))
    assert len(given) == 1
    assert given[0] <= 30
    assert analysis.costs["pushes"].cost == 7


def test_recorded_difficulty_is_that_of_the_analysis() -> None:
    level = gp.generate("twenty48", 1, width=2, height=2, target=16, moves=2)
    analysis = gp.analyse(level)
    assert analysis.difficulty_word == difficulty_word(level) != ""
    assert "as its generator has measured it" in analysis.report()
    assert f"difficulty: {analysis.difficulty_word} for random moves; " in str(analysis)


def test_unused_squares() -> None:
    level = level_of("##########\n#@ $.#   #\n#    #   #\n##########\n")
    whole = gp.analyse(level).whole
    assert whole
    assert whole.squares.never == ((6, 1), (7, 1), (8, 1), (6, 2), (7, 2), (8, 2))
    assert whole.squares.idle == ((1, 2), (2, 2), (3, 2), (4, 2))


def test_unused_squares_without_propositions() -> None:
    whole = gp.analyse(pack("shiftit/boards/4")[0]).whole
    assert whole
    assert whole.squares.never == ()


def test_difficulty_lists_all_measures() -> None:
    analysis = gp.analyse(level_of(CORRIDOR))
    told = analysis.difficulty
    assert (told["fewest actions"], told["fewest pushes"], told["positions"]) == (3, 3, analysis.states)
    assert told["share of dead positions"] == analysis.whole.dead / analysis.states if analysis.whole else 0
    assert isinstance(told["difficulty by the generator"], int)


def test_analysis_as_json_and_html(tmp_path: Path) -> None:
    analysis = gp.analyse(pack("sokoban/first-steps/2")[0])
    data = json.loads(json.dumps(analysis.to_dict()))
    assert data["solutions"]["pushes"] == {**data["solutions"]["pushes"], "cost": 7, "optimal": True}
    assert data["shortest_solutions"] == 2
    page = analysis.report()
    assert not re.search(r'(?:src|href)="(?!#)', page)  # it stands alone
    assert page.count("<svg") >= 5
    assert "can be won" in page
    assert "No solution has fewer." in page


def test_claims_have_proof_files(tmp_path: Path) -> None:
    analysis = gp.analyse(pack("sokoban/bombs/1")[0])
    assert "fewest: 3 pushes; or 4 moves\n" in str(analysis)  # with the bomb, as on the board
    written = write_proofs(analysis, tmp_path / "proofs", 3)
    assert {path.name for path in written} == {
        *(f"3-fewest-{name}.json" for name in ("pushes", "moves", "actions")),
        *("3-dead.json", "3-dead.gz", "3-without-1.gz"),
    }
    assert all(gp.verify(path).holds for path in written if path.suffix == ".gz")
    assert Trace.load(tmp_path / "proofs" / "3-fewest-pushes.json").replay().won
    stuck = write_proofs(gp.analyse(level_of(STUCK)), tmp_path)
    assert [path.name for path in stuck] == ["impossible.gz"]
    assert gp.verify(stuck[0]).holds
    with pytest.raises(gp.GridproofError, match=r": (File exists|Not a directory)$"):
        write_proofs(analysis, written[0])


def test_analyse_refuses_other_types() -> None:
    with pytest.raises(gp.GridproofError, match=r"^a level is needed, not int$"):
        gp.analyse(13)  # type: ignore[arg-type]
    with pytest.raises(gp.GridproofError, match=r"^no levels to analyse$"):
        gp.analyse_pack([])


def test_analyse_pack_takes_the_name_of_a_pack() -> None:
    found = gp.analyse_pack("null/first")
    assert len(found.analyses) == len(gp.levels_at("null/first"))
    with pytest.raises(gp.GridproofError, match="no such file"):
        gp.analyse_pack("nowhere")


def test_pack_analysis() -> None:
    first = level_of(CORRIDOR)
    turned = level_of("###\n# #\n#.#\n# #\n# #\n#$#\n#@#\n###\n")
    pack = gp.analyse_pack([first, level_of(STUCK), turned], ["a", "b", "c"])
    assert pack.duplicates == (("a", "c"),)
    assert pack.curves["fewest pushes"] == [3, None, 3]
    assert [row[0] for row in pack.rows] == ["a", "b", "c"]
    assert all(len(row) == len(pack.head) for row in pack.rows)
    assert pack.to_dict()["duplicates"] == [["a", "c"]]
    page = pack.report()
    assert "a, c are the same" in page


@pytest.mark.slow
@pytest.mark.parametrize("level", each("sokoban/first-steps", "robots/duels", "shiftit/boards", step=3))
def test_duplicates_survive_round_trip_of_text(level: gp.Level) -> None:
    assert canonical(level) == canonical(gp.read(level.text(), level.game.name)[0])
