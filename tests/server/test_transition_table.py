"""Tests of transition tables: every entry agrees with the rules and the look."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator
from typing import Any

import pytest

import gridproof as gp
from gridproof.core.limit import Limit
from gridproof.core.look import PointedCell
from gridproof.core.position import Level, Position
from gridproof.core.text.level_lookup import builtin_pack
from gridproof.server.live.board_delta import BoardSnapshot, step_data
from gridproof.server.live.piece_table import PieceTable
from gridproof.server.live.serializers import Actions
from gridproof.server.offline import transition_table
from gridproof.server.offline.transition_table import CHANCE, TransitionTable

BOMBS = "; Two ways\n######\n#@*$.#\n##$###\n#  . #\n######\nBombs: 1\n"


def level_of(source: str) -> Level:
    if "\n" in source:
        return gp.read(source)[0]
    game, name, number = source.split("/")
    return builtin_pack(gp.game(game), name)[int(number) - 1]


def table_of(*line: Position[Any], at: int = 0, limit: Limit | None = None) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(gzip.decompress(TransitionTable(line, at)(limit or Limit())))
    return found


def edges_of(table: dict[str, Any]) -> Iterator[tuple[int, int, int, int]]:
    """Origin, view, target and step of each, with whole numbers for targets."""
    newest, edge = max(table["line"]), 0
    for number, degree in enumerate(table["degrees"]):
        for _ in range(degree):
            short = table["targets"][edge]
            target = CHANCE if short == CHANCE else newest + 1 - short
            newest = max(newest, target)
            yield number, table["views"][edge], target, table["by"][edge]
            edge += 1


class Reader:
    """A table beside the positions that its numbers mean."""

    def __init__(self, table: dict[str, Any], *line: Position[Any]) -> None:
        self.table = table
        self.pieces = PieceTable()
        self.spelt, self.own = [*map(json.dumps, table["pieces"])], list[str]()
        self.actions = Actions(self.pieces)
        self.positions = dict(zip(table["line"], line, strict=True))

    def known(self, value: Any) -> Any:
        """A view or a pile with its pieces spelt out, as the table numbers them."""
        return self._spelt(value, self.spelt)

    def meant(self, value: Any) -> Any:
        """The same, as this reader numbers them."""
        self.own += map(json.dumps, self.pieces.pieces[len(self.own) :])
        return self._spelt(value, self.own)

    def _spelt(self, value: Any, pieces: list[str]) -> Any:
        if isinstance(value, dict):
            marks = [[pieces[piece], x, y] for piece, x, y in value.get("marks", ())]
            return {**value, "marks": marks}
        return [pieces[piece] for piece in value]

    def check(self, number: int, edges: list[tuple[int, int, int]]) -> None:
        """Check the actions, targets and board deltas of a position against the rules."""
        position = self.positions[number]
        over = position.won and not position.level.game.policy.act_after_win
        actions = () if over else position.all_actions()
        several = len(position.level.game.actors(position.level)) > 1
        assert len(actions) == len(edges)
        self.check_pointing(position)
        for action, (view, target, by) in zip(actions, edges, strict=True):
            told = self.actions.action_data(position, action, several)
            assert self.known(self.table["actions"][view]) == self.meant(told)
            outcomes = list(position.outcomes(action))
            if target == CHANCE:
                assert len(outcomes) > 1
                continue
            (outcome,) = outcomes
            assert self.positions.setdefault(target, outcome.position) == outcome.position
            self.check_step(position, action, outcome, self.table["steps"][by])

    def check_pointing(self, position: Position[Any]) -> None:
        """Check why pointing at each cell means no action."""
        look, cells = position.level.game.look, BoardSnapshot(position).data(self.pieces)["cells"]
        known = {self.spelt[int(piece)]: texts for piece, texts in self.table["in_vain"].items()}
        for x, y, pile in ((x, y, pile) for y, row in enumerate(cells) for x, pile in enumerate(row) if pile):
            texts = [look.pointed_in_vain(position, PointedCell(x, y, to)) for to in (None, (x, y))]
            assert known.get(self.meant(pile)[-1], texts) == texts

    def check_step(self, position: Position[Any], action: Any, outcome: Any, step: list[Any]) -> None:
        moves, cells, beside, added, reward = step
        before, after = BoardSnapshot(position), BoardSnapshot(outcome.position)
        ways = (
            (done, step_data(self.pieces, before, after, action, outcome, not done)) for done in (True, False)
        )
        for done, told in ways:
            turned = [
                [piece, *there[:2], *there[2:]] if done else [piece, *there[2:], *there[:2]]
                for piece, *there in moves
            ]
            assert [[self.known([piece]), *places] for piece, *places in turned] == [
                [self.meant([piece]), *places] for piece, *places in told["moves"]
            ]
            assert all(
                str(pile[-1]) in self.table["in_vain"] for _, _, *piles in cells for pile in piles if pile
            )
            assert sorted((x, y) for x, y, _, _ in cells) == sorted((x, y) for x, y, _ in told["cells"])
            shown = {(x, y): self.known(new if done else old) for x, y, new, old in cells}
            assert shown == {(x, y): self.meant(pile) for x, y, pile in told["cells"]}
            assert (beside is None) == ("beside" not in told)
            if beside is not None:
                assert self.known(beside[not done]) == self.meant(told["beside"])
        assert reward == outcome.reward
        look = position.level.game.look
        some = look.tally.add(look.tally.start, outcome)  # any tally does
        counts = [
            dict(look.counts(one, tally))
            for one, tally in ((position, some), (outcome.position, look.tally.add(some, outcome)))
        ]
        for word, more in zip(self.table["counts"], added, strict=True):
            if word is not None:
                assert int(counts[1][word]) - int(counts[0][word]) == more


@pytest.mark.parametrize(
    "source",
    [
        BOMBS,
        "sokoban/first-steps/3",
        "shiftit/boards/3",
        pytest.param("robots/races/1", marks=pytest.mark.slow),
        "twenty48/standard/1",
        pytest.param("lights_out/first/1", marks=pytest.mark.slow),
    ],
)
def test_transition_table_agrees_with_rules_and_look(source: str) -> None:
    start = level_of(source).start()
    table = table_of(start)
    reader = Reader(table, start)
    own: dict[int, list[tuple[int, int, int]]] = {}
    for number, *edge in edges_of(table):
        own.setdefault(number, []).append(tuple(edge))  # type: ignore[arg-type]
    for number in range(len(table["degrees"])):
        reader.check(number, own.get(number, []))
    assert table["complete"]
    assert len(reader.positions) == table["positions"]
    assert table["won"] == [n for n in sorted(reader.positions) if reader.positions[n].won]
    stuck = [
        n for n, position in sorted(reader.positions.items()) if not (position.won or position.all_actions())
    ]
    assert table["lost"] == stuck


def test_transition_table_is_complete_when_game_is_deterministic() -> None:
    level = level_of("sokoban/first-steps/3")
    assert table_of(level.start())["positions"] == gp.explore(level).states


def test_transition_table_leaves_out_random_actions() -> None:
    level = level_of("twenty48/standard/1")
    table = table_of(level.start())
    assert table["positions"] == 1
    assert set(table["targets"]) == {CHANCE}


def test_transition_table_supports_undo_when_truncated(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transition_table, "MOST_POSITIONS", 40)
    level = level_of("sokoban/first-steps/3")
    line = [level.start()]
    solved = gp.solve(level).trace
    assert solved is not None
    for action in solved.actions[:12]:
        line.append(next(iter(line[-1].outcomes(action))).position)
    table = table_of(*line, at=6)
    assert not table["complete"]
    assert table["line"][6] == 0
    steps = {(origin, target) for origin, _, target, _ in edges_of(table)}
    assert all(pair in steps for pair in zip(table["line"], table["line"][1:], strict=False))


@pytest.mark.slow
def test_transition_table_is_truncated_to_nearest_positions(monkeypatch: pytest.MonkeyPatch) -> None:
    level = level_of("sokoban/first-steps/4")
    whole = table_of(level.start())
    monkeypatch.setattr(transition_table, "MOST_BYTES", 2500)
    assert len(TransitionTable((level.start(),), 0)(Limit())) <= 2500
    part = table_of(level.start())
    assert not part["complete"]
    assert 0 < len(part["degrees"]) < len(whole["degrees"])
    assert part["degrees"] == whole["degrees"][: len(part["degrees"])]
    assert list(edges_of(part)) == list(edges_of(whole))[: len(part["views"])]
    assert part["positions"] == 1 + max(target for _, _, target, _ in edges_of(part))


def test_truncated_transition_table_has_no_unused_entries(monkeypatch: pytest.MonkeyPatch) -> None:
    start = level_of("sokoban/first-steps/4").start()
    monkeypatch.setattr(transition_table, "MOST_BYTES", 1200)
    table = table_of(start)
    assert len(table["degrees"]) > 0
    assert (len(table["actions"]), len(table["steps"])) == (1 + max(table["views"]), 1 + max(table["by"]))
    shown = [piece for moves, *_ in table["steps"] for piece, *_ in moves]
    shown += [piece for view in table["actions"] for piece, *_ in view.get("marks", ())]
    shown += [
        piece for _, cells, beside, *_ in table["steps"] for cell in cells for piece in cell[2] + cell[3]
    ]
    assert len(table["pieces"]) == 1 + max(shown)


@pytest.mark.slow
def test_transition_table_is_empty_when_nothing_fits(monkeypatch: pytest.MonkeyPatch) -> None:
    start, packed, compress = level_of("sokoban/first-steps/4").start(), list[int](), gzip.compress

    def counted(data: bytes, *asked: Any, **more: Any) -> bytes:
        packed.append(len(data))
        assert len(packed) < 100, "it does not end"
        return compress(data, *asked, **more)

    monkeypatch.setattr(transition_table, "MOST_BYTES", 10)
    monkeypatch.setattr(gzip, "compress", counted)
    table = table_of(start)
    assert [table[part] for part in ("degrees", "actions", "steps", "pieces")] == [[], [], [], []]
    assert (table["positions"], table["complete"]) == (1, False)


def test_transition_table_is_partial_when_limit_is_reached() -> None:
    level = level_of("sokoban/first-steps/4")
    assert table_of(level.start(), limit=Limit(seconds=0))["degrees"] == []
    assert len(table_of(level.start(), limit=Limit(states=100))["degrees"]) < 100
