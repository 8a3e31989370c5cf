"""Representation of values at a prompt and in a notebook."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from defusedxml import ElementTree

import gridproof
import gridproof as gp
from gridproof.agents.players import players
from gridproof.core.representation import WIDTH, Representable, one_line, text_html
from gridproof.core.text.level_lookup import pack_names
from gridproof.core.trace import trace_to_data

NAMES = (*gp.game_names(), "null")
LEVEL = gp.read("######\n#@$ .#\n######\n")[0]
TITLE = "<b>&\x00"
TITLED = dataclasses.replace(LEVEL, title=TITLE)


def levels(game: str) -> Iterator[gp.Level]:
    """The first levels of each pack of a game."""
    for pack in pack_names(gp.game(game)):
        yield from gp.levels_at(f"{game}/{pack}")[:3]


class NoStore:
    """A store that keeps nothing."""

    def high_score(self, key: str) -> int:
        return 0

    def keep(self, session: gp.Session, place: int, won: bool, passed: Any = ()) -> None:
        pass


def results(path: Path) -> dict[str, Any]:
    """A value of each kind."""
    trace = gp.solve(LEVEL).trace
    assert trace is not None
    proof = path / "proof"
    return {
        "level": TITLED,
        "position": TITLED.start(),
        "trace": trace,
        "lasso": gp.check("sokoban/first-steps/1", "G !won", paths="some").trace,
        "pack": gp.Pack([TITLED], title=TITLE),
        "solution": gp.solve(LEVEL),
        "no solution": gp.solve(LEVEL, goal="placed = 2"),
        "no answer": gp.solve("sokoban/first-steps/5", limit=gp.Limit(states=2)),
        "verdict": gp.check(LEVEL, "AG !won"),
        "true verdict": gp.check(LEVEL, "AG (lost -> won)"),
        "open verdict": gp.check("sokoban/first-steps/5", "EF won", limit=gp.Limit(states=2)),
        "claim": gp.claims("shiftit/boards/1", 2)[1],
        "analysis": gp.analyse(LEVEL),
        "analysis of a pack": gp.analyse_pack([LEVEL, LEVEL]),
        "value": gp.value("null/first/1"),
        "certified": gp.certify(LEVEL, proof, "placed = 2"),
        "not certified": gp.certify(LEVEL, path / "other"),
        "verified": gp.verify(proof),
        "refused": gp.verify(proof, "sokoban/first-steps/1"),
        "statement": gp.verify(proof).statement,
        "worth": gp.value("null/first/1").at(gp.level("null/first/1").start()),
        "graph": gp.explore(LEVEL).graph(),
        "session": gp.Session(gp.levels_at("twenty48/standard"), 7),
        "stored session": gp.Session(LEVEL, 7, NoStore()),
        "look": gp.game("sokoban").look,
        **{
            f"player {name} of {game}": gp.player(game, name)
            for game in ("sokoban", "twenty48")
            for name in players(game)
        },
        "space": gp.explore(LEVEL),
        "part of a space": gp.explore("sokoban/first-steps/5", limit=gp.Limit(states=2)),
    }


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    return results(tmp_path_factory.mktemp("certificates"))


def test_repr_is_one_short_line(shown: dict[str, Any]) -> None:
    for name, value in shown.items():
        text = repr(value)
        assert "\n" not in text, name
        assert 10 < len(text) <= WIDTH, (name, text)
        assert text.startswith("gridproof.") or (text[0] == "<" and text[-1] == ">"), (name, text)
        assert " object at 0x" not in text, name


def test_str_says_more_than_repr(shown: dict[str, Any]) -> None:
    for name, value in shown.items():
        assert str(value), name
        assert str(value) != repr(value), name


@pytest.mark.parametrize(
    "name",
    [
        "solution",
        "no solution",
        "no answer",
        "verdict",
        "open verdict",
        "analysis",
        "value",
        "verified",
        "refused",
        "space",
    ],
)
def test_results_are_json_data(shown: dict[str, Any], name: str) -> None:
    data = shown[name].to_dict()
    assert json.loads(json.dumps(data)).keys() == data.keys()


def test_data_of_results_have_their_answers(shown: dict[str, Any]) -> None:
    assert shown["solution"].to_dict()["actions"] == ["right", "right"]
    assert shown["solution"].to_dict()["cost"] == 2
    assert shown["no solution"].to_dict()["found"] is False
    assert shown["verdict"].to_dict()["formula"] == "AG !won"
    assert shown["verdict"].to_dict()["trace"] == trace_to_data(shown["verdict"].trace)
    assert shown["open verdict"].to_dict()["stopped_by"] == "states"
    assert shown["value"].to_dict()["best"]["value"] == shown["value"].best
    assert shown["refused"].to_dict()["holds"] is False
    assert shown["space"].to_dict()["states"] == shown["space"].states


def test_str_of_session_says_what_was_done() -> None:
    session = gp.Session(gp.levels_at("sokoban/first-steps"), 5)
    session.act("right")
    board = "####\n# @###\n# $ .#\n#  ###\n####"
    assert str(session) == f"sokoban, level 1 of 13: Straight In\n{board}\n1 action, playing, seed 5"
    assert repr(session) == "<Session of sokoban: level 1 of 13, 1 action, playing>"


def test_stored_session_hides_its_seed() -> None:
    session = gp.Session(LEVEL, 987654, NoStore())
    assert "987654" not in str(session) + repr(session) + session._repr_html_()


def test_small_values_name_their_contents() -> None:
    assert repr(gp.explore(LEVEL).graph()).startswith("<Graph of ")
    assert repr(gp.player("sokoban", "greedy", seed=3)) == "<Player greedy of sokoban, seed 3>"
    assert repr(gp.Rng(1)).startswith("<Rng in state ")
    assert str(gp.Rng(1)).startswith("a stream of random numbers, ")
    assert repr(gp.Rng(1)) == repr(gp.Rng(1)) != repr(gp.Rng(2))
    worth = gp.value("null/first/1").at(gp.level("null/first/1").start())
    assert repr(worth) == "<Worth: 1 at best, 0 at worst; best first: left>"
    assert str(worth).startswith("1 at best, 0 at worst; best first: left (left 1, right ")


def test_html_is_a_valid_fragment(shown: dict[str, Any]) -> None:
    for name, value in shown.items():
        html = value._repr_html_()
        assert ElementTree.fromstring(html).tag in ("div", "pre"), name
        assert "<b>" not in html, name


def test_html_of_boards_has_pictures(shown: dict[str, Any]) -> None:
    for name in ("level", "position", "trace", "solution", "verdict", "analysis"):
        assert "<svg" in shown[name]._repr_html_(), name


def test_html_of_a_game_without_pictures_has_its_board() -> None:
    null = gp.game("null")
    level = next(levels("null"))
    bare = dataclasses.replace(null, look=dataclasses.replace(null.look, pictures=None))
    level.__dict__["game"] = bare
    assert level._repr_html_() == f"<div><pre>{level}</pre></div>"


@pytest.mark.slow
@pytest.mark.parametrize("game", NAMES)
def test_level_and_start_that_come_with_a_game_can_be_typed(game: str) -> None:
    for level in levels(game):
        assert eval(repr(level), {"gridproof": gridproof}) == level
        for start in (level.start(), level.start(3)):
            text = repr(start)
            assert text[0] == "<" or eval(text, {"gridproof": gridproof}) == start
            assert len(text) <= WIDTH


def test_small_level_and_its_positions_can_be_typed() -> None:
    for value in (LEVEL, LEVEL.start(), dataclasses.replace(LEVEL, title="a  b")):
        assert eval(repr(value), {"gridproof": gridproof}) == value
    walk = gp.level("null/first/1")
    after = walk.start().step("right", gp.Rng(0)).position
    assert eval(repr(after), {"gridproof": gridproof}) == after != walk.start()


def test_changed_copy_of_a_level_has_no_name() -> None:
    level: Any = gp.level("sokoban/first-steps/1")
    assert repr(level) == "gridproof.level('sokoban/first-steps/1')"
    assert "level(" not in repr(dataclasses.replace(level, bombs=1))


def test_level_prints_board_or_text_when_start_is_random() -> None:
    assert str(LEVEL) == "######\n#@$ .#\n######"
    assert str(gp.level("twenty48/standard/2")).startswith("2048 4x4")


def test_pack_prints_numbers_and_titles() -> None:
    pack = gp.levels_at("sokoban/first-steps")
    assert str(pack).splitlines()[1] == f"   1 {pack[0].title}"
    assert len(str(pack).splitlines()) == 1 + len(pack)
    assert len(repr(gp.Pack(title="x" * 200))) == WIDTH


def test_repr_of_unfinished_value_does_not_fail() -> None:
    class Broken(Representable):
        def _summary(self) -> str:
            raise KeyError("nothing is there yet")

    assert "Broken object at" in repr(Broken())


def test_repr_of_class_is_unchanged() -> None:
    @dataclasses.dataclass(frozen=True)
    class Own(Representable):
        number: int

        def __repr__(self) -> str:
            return "mine"

    @dataclasses.dataclass(frozen=True, slots=True)
    class Other(Representable):
        number: int

        def _summary(self) -> str:
            return f"other {self.number}"

    assert repr(Own(1)) == "mine"
    assert repr(Other(1)) == "other 1"


def test_one_line_marks_cut() -> None:
    assert one_line("a \n b") == "a b"
    assert one_line("x" * 200) == "x" * (WIDTH - 4) + "..."
    assert one_line("<" + "x" * 200).endswith("x...>")


def test_text_html_escapes() -> None:
    assert text_html("<a href='x'>&\x07\ud800") == "<p>&lt;a href=&#x27;x&#x27;&gt;&amp;\ufffd\ufffd</p>"


@pytest.mark.parametrize("game", NAMES)
def test_position_outcomes_accept_text_of_action(game: str) -> None:
    position = next(levels(game)).start()
    for action in position.all_actions()[:3]:
        assert [*position.outcomes(str(action))] == [*position.outcomes(action)]
        assert position.step(str(action), gp.Rng(1)) == position.step(action, gp.Rng(1))
        label = position.step(action, gp.Rng(1)).label
        assert position.outcome(str(action), label) == position.outcome(action, label)
    methods: list[Callable[[], object]] = [
        lambda: position.outcomes("nonsense"),
        lambda: position.step("nonsense", gp.Rng(1)),
        lambda: position.outcome("nonsense", ""),
    ]
    for method in methods:
        with pytest.raises(gp.IllegalAction, match="nonsense"):
            method()


def test_dir_lists_public_names_only() -> None:
    assert dir(gp) == sorted([*gp.__all__, "games", "jobs"])
    assert all(getattr(gp, name) is not None for name in dir(gp))
