"""Certificates of the kind "pushes": their pushes against the rules, their lemmas against plain search."""

from __future__ import annotations

import gc
import json
import weakref
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.games.sokoban.solver.test_solver import small_levels
from tests.measurement import examples

import gridproof as gp
from gridproof.games.sokoban.certificate.canonical_texts import CanonicalTexts
from gridproof.games.sokoban.certificate.check import Lemmas
from gridproof.games.sokoban.certificate.lemma import Lemma
from gridproof.games.sokoban.certificate.pushes import Pushes
from gridproof.games.sokoban.certificate.write import ClosedSet
from gridproof.games.sokoban.rules import Action, Level, Position, Pushed
from gridproof.prove.certificate import position_of
from gridproof.prove.certificate_file import Defect
from gridproof.prove.certify import certify
from gridproof.search.explore import explore_by_rules


def walk_positions(position: Position) -> set[Position]:
    """Return the positions that a walk without pushes leads to."""
    found = {position}
    queue = [position]
    for one in queue:
        for action in one.actions():
            (outcome,) = one.outcomes(action)
            region = action is not Action.BOMB and not isinstance(outcome.events[0], Pushed)
            if region and outcome.position not in found:
                found.add(outcome.position)
                queue.append(outcome.position)
    return found


def successors_by_rules(position: Position) -> set[Position]:
    """Return the positions after a walk and a push or bomb, by the rules."""
    return {
        outcome.position
        for one in walk_positions(position)
        for action in one.actions()
        for outcome in one.outcomes(action)
        if action is Action.BOMB or isinstance(outcome.events[0], Pushed)
    }


@pytest.mark.clause("K6", "K7", "K8")
@given(small_levels(bombs=1), st.integers(0, 99))
@examples(25)
def test_pushes_and_bombs_are_those_of_the_rules(level: Level, seed: int) -> None:
    position, random, pushes = level.start(), Random(seed), Pushes(level)
    for _ in range(random.randrange(6)):
        if actions := position.actions():
            position = position.outcomes(random.choice(actions))[0].position
    node, player = pushes.node(position)
    assert pushes.position(node, player) == position
    region = pushes.region(node, player)
    if not position.won:
        cells = set(pushes.grid.to_cells(region))
        assert cells == {one.player for one in walk_positions(position)}
    assert {pushes.position(*after) for after in pushes.successors(node, region)} == successors_by_rules(
        position
    )


@given(small_levels(bombs=1) | small_levels())
@examples(25)
def test_closed_set_holds_exactly_for_impossible_levels(level: Level) -> None:
    found = ClosedSet([level.start()])
    found.run(gp.Limit(states=5000).start(), None)
    if found.holds is not None:
        assert found.holds is not gp.solve(level).found


@given(small_levels(bombs=1), st.data())
@examples(25)
def test_lemmas_prove_only_dead_positions_dead(level: Level, data: st.DataObject) -> None:
    pushes = Pushes(level)
    cells = st.lists(
        st.sampled_from(list(pushes.grid.to_cells(pushes.grid.all_cells))), min_size=1, unique=True
    )
    boxes = data.draw(st.sampled_from([sorted(level.boxes), data.draw(cells)]))
    form = data.draw(st.sampled_from(["trap", "freeze", "both"]))
    trap = list(data.draw(cells))
    if form != "freeze" and data.draw(st.booleans()):  # closed under pushes, so that it is often true
        bits = pushes.grid.to_places(trap)
        while more := pushes.exits(bits, pushes.grid.to_places(level.walls)):
            bits |= more
        trap = list(pushes.grid.to_cells(bits))
    written = {"trap": {"trap": trap}, "freeze": {"freeze": boxes}, "both": {"trap": trap, "frozen": boxes}}[
        form
    ]
    try:
        lemmas = Lemmas(
            pushes, [{name: [list(cell) for cell in squares] for name, squares in written.items()}]
        )
    except Defect:
        return
    for start in (level.start(), Position(level, level.player, level.boxes, 0, level.walls)):
        if lemmas.proves_dead(*pushes.node(start)):
            assert not gp.solve(start, limit=gp.Limit(states=20_000)).found


def test_lemmas_ignore_walls_within_reach_of_bombs() -> None:
    (level,) = gp.read("Bombs: 1\n\n#.#\n###\n#$#\n#@#\n###\n")
    assert isinstance(level, Level)
    pushes = Pushes(level)
    lemmas = Lemmas(pushes, [{"freeze": [[1, 2]]}])
    armed, player = pushes.node(level.start())
    assert not lemmas.proves_dead(armed, player)
    assert lemmas.proves_dead(armed._replace(bombs=0), player)
    assert gp.solve(level).found


def test_true_and_false_lemmas() -> None:
    (level,) = gp.read("######\n#@ $ #\n#  $.#\n#   .#\n######\n")
    assert isinstance(level, Level)
    pushes = Pushes(level)
    walls, of = pushes.grid.to_places(level.walls), pushes.grid.to_places
    assert Lemma(0, of([(1, 1), (2, 1), (3, 1), (4, 1)])).holds(pushes, walls)
    assert not Lemma(0, of([(1, 1), (2, 1), (3, 1)])).holds(pushes, walls)
    assert Lemma(of([(1, 1)]), None).holds(pushes, walls)
    assert not Lemma(of([(2, 1), (3, 1)]), None).holds(pushes, walls & ~of([(2, 0)]))
    assert not Lemma(of([(2, 2)]), None).holds(pushes, walls)
    square = of([(1, 1), (2, 1), (1, 2), (2, 2)])
    assert Lemma(square, None).holds(pushes, walls)
    assert Lemma(square, None).proves_dead(square, pushes.depots)
    assert not Lemma(of([(4, 2)]), of([(1, 1)])).proves_dead(of([(1, 1)]), pushes.depots)


@given(small_levels(bombs=1), st.integers(0, 99))
@examples(15)
def test_canonical_texts_are_read_quickly_and_rightly(level: Level, seed: int) -> None:
    random = Random(seed)
    positions = list(explore_by_rules(level, limit=gp.Limit(states=30)))
    for position in positions:
        assert level.position(position.text()) == position
    text = random.choice(positions).text()
    place = random.randrange(len(text))
    other = text[:place] + random.choice("#@$.*+- 01") + text[place + 1 :]
    try:
        read = level.position(other)
    except gp.GridproofError:
        return
    assert isinstance(read, Position)
    assert read.boxes != read.level.depots or read.won
    assert len(read.boxes) == len(level.boxes)
    assert read.walls <= level.walls


@given(small_levels(bombs=1) | small_levels(), st.integers(0, 99))
@examples(25)
def test_canonical_texts_give_the_same_nodes_as_the_full_reader(level: Level, seed: int) -> None:
    random, pushes = Random(seed), Pushes(level)
    texts = CanonicalTexts(pushes)
    positions = list(explore_by_rules(level, limit=gp.Limit(states=30)))
    for position in positions:
        assert texts.node(position.text()) == pushes.node(position)  # type: ignore[arg-type]  # Sokoban's
    text = random.choice(positions).text()
    for _ in range(10):
        place = random.randrange(len(text))
        other = text[:place] + random.choice("#@$.*+- 01\n") + text[place + 1 :]
        try:
            read = position_of(level, other)
        except gp.GridproofError:
            with pytest.raises(gp.GridproofError):
                texts.node(other)
        else:
            assert texts.node(other) == pushes.node(read)  # type: ignore[arg-type]  # Sokoban's


def test_position_texts_give_positions_of_the_reading_level() -> None:
    one, two = (gp.read(f"; {title}\n#####\n#@$.#\n#####\n")[0] for title in ("One", "Two"))
    for level in (one, two, one):
        for _ in range(2):  # as any text, then as one that is known
            assert level.position(level.start(0).text()).level.title == level.title


def test_certify_fails_on_solvable_levels_and_reports_limits(tmp_path: Path) -> None:
    level = gp.levels_at("sokoban/first-steps/3")[0]
    assert certify(level, tmp_path / "file").holds is False
    stopped = certify(level, tmp_path / "file", limit=gp.Limit(states=0))
    assert (stopped.holds, stopped.stopped_by) == (None, "states")


def test_closed_set_joins_traps_that_share_a_depot() -> None:
    """Each box reaches the depot in the corner along its wall, and no other."""
    start: Any = gp.read("#######\n#.  $ #\n#     #\n#  .  #\n#$    #\n#   @ #\n#######\n")[0].start()
    found = ClosedSet([start])
    found.run(gp.Limit().start(), None)
    assert (found.holds, len(found)) == (True, 1)
    row, column = {(x, 1) for x in range(1, 6)}, {(1, y) for y in range(1, 6)}
    assert row | column in [{(x, y) for x, y in lemma["trap"]} for lemma in found.lemmas()]


@pytest.mark.slow
@pytest.mark.usefixtures("only_new_garbage")
def test_closed_set_is_freed_with_its_traps() -> None:
    start: Any = gp.read("#######\n#@    #\n#$ $  #\n#  #..#\n#######\n")[0].start()
    search = ClosedSet([start])
    search.run(gp.Limit().start(), None)
    assert search.holds
    gone = weakref.ref(search)
    del search
    gc.collect()
    assert gone() is None


@given(small_levels() | small_levels(bombs=1), st.data())
@examples(60)
def test_forged_certificates_of_solvable_levels_are_refused(
    tmp_path_factory: pytest.TempPathFactory, level: Level, data: st.DataObject
) -> None:
    """All positions but the won ones are listed, and lemmas are true or false at random."""
    positions = list(explore_by_rules(level, limit=gp.Limit(states=300)))
    if not any(position.won for position in positions):
        return
    pushes = Pushes(level)
    squares = st.lists(
        st.sampled_from(list(pushes.grid.to_cells(pushes.grid.all_cells))), min_size=1, unique=True
    )
    lemma = st.one_of(
        st.fixed_dictionaries({"trap": squares}),
        st.fixed_dictionaries({"freeze": squares}),
        st.fixed_dictionaries({"trap": squares, "frozen": squares}),
    )
    texts = [position.text() for position in positions if not position.won] or [level.start().text()]
    header = {
        "gridproof": "certificate", "version": 1, "game": "sokoban", "level": level.text(),
        "starts": [level.start().text()], "goal": "won", "actors": None, "positions": len(texts), "kind": "pushes",
        "lemmas": data.draw(st.lists(lemma, max_size=2)),
    }  # fmt: skip
    path = tmp_path_factory.mktemp("forged") / "certificate"
    path.write_text("".join(f"{json.dumps(line)}\n" for line in (header, *texts)))
    assert gp.verify(path).holds is False
