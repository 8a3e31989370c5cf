"""Look, keys and propositions of Robots."""

from __future__ import annotations

import functools

import pytest
from tests.games.robots.boards import after, board

import gridproof as gp
from gridproof.core import proposition
from gridproof.core.look import ON_BOARD, OWN, SHAPES, PointedCell, actions_at_mark, board_text
from gridproof.core.text.level_lookup import levels_at
from gridproof.games.robots import EXCHANGE, GAME, Hint, HintGiven, Position, Rotate, Walk
from gridproof.games.robots.dialogue import dialogue, place, reason, seen
from gridproof.games.robots.look import private

LOOK = GAME.look


@functools.cache
def small_board() -> Position:
    return board("a=A0 b=B270", "a . > > v A", ". # . ? v .", "B . . . . b^")


def test_board_is_drawn_in_characters() -> None:
    assert board_text(LOOK.board(small_board())) == (
        "a→  .  >  >  v  A\n" " .  #  .  ?  v  .\n" " B  .  .  .  . b↑\n"
    )  # fmt: skip


def test_goal_says_how_each_robot_moves() -> None:
    words = "The first robot home wins. Robot a steps in all four directions; robot b turns and can only go ahead."
    whispers = " Question marks tell a robot where home is."
    assert LOOK.goal(small_board().level) == words + whispers
    mixed = LOOK.goal(board("a=A0 b=B0 c=B0", "a . . A", "b . . B", "c . . C").level)
    assert "; robots b and c turn and can only go ahead." in mixed


def test_pieces_have_shapes_headings_and_the_colours_of_their_robots() -> None:
    cells = LOOK.board(small_board())
    robot, home = cells[0][0][-1], cells[0][5][-1]
    assert (robot.shape, robot.text, robot.turn) == ("stepper", "a", 0)
    assert (home.shape, home.text, home.colours) == ("home", "A", robot.colours)
    belt, rider = cells[2][5][-2:]
    assert (belt.name, belt.turn) == ("belt running up", 270)
    assert (rider.name, rider.turn) == ("robot b facing up", 270)
    assert rider.colours != robot.colours
    assert [cells[y][x][-1].shape for x, y in ((1, 0), (1, 1), (3, 1))] == ["floor", "cross", "question"]
    assert all(piece.shape in SHAPES for row in cells for cell in row for piece in cell)


@pytest.mark.parametrize(("mark", "turn"), [(">", 0), ("v", 90), ("<", 180), ("^", 270)])
def test_belts_are_turned_clockwise_from_the_right(mark: str, turn: int) -> None:
    position = board("a=A0 b=B0", f"a {mark} A", "b . B")
    assert LOOK.board(position)[0][1][-1].turn == turn


@pytest.mark.clause("R29")
def test_board_shows_fireworks_and_explosions_at_the_end() -> None:
    won = board("a=A0 b=B0", "aA . .", "b . B")
    winner, loser = LOOK.board(won)[0][0], LOOK.board(won)[1][0]
    assert [piece.shape for piece in winner[-2:]] == ["stepper", "fireworks"]
    assert [piece.shape for piece in loser[-2:]] == ["robot", "explosion"]
    assert board_text(LOOK.board(won)) == "a→  .  .\nb*  .  B\n"


def test_counts_tell_requests_and_hints() -> None:
    position = board("a=A0 b=B0", "a ? A", "b . B")
    outcome = next(iter(position.outcomes(position.action("a:walk(1,0)"))))
    assert LOOK.counts(position, LOOK.tally.start) == (("moves", "0"),)
    assert LOOK.counts(outcome.position, LOOK.tally.of([outcome])) == (("moves", "1"), ("hints of a", "EAST"))


@pytest.mark.parametrize(
    ("action", "words"),
    [
        (Walk("a", 1, 0), "a steps ahead"),
        (Walk("a", -1, 0), "a steps back"),
        (Walk("a", 0, 1), "a steps to its right"),
        (Walk("a", 0, -1), "a steps to its left"),
        (Walk("b", 3, 0), "b walks 3 cells ahead"),
        (Rotate("b", 0), "b waits"),
        (Rotate("b", 90), "b turns to its right"),
        (Rotate("b", 180), "b turns round"),
        (Rotate("b", 270), "b turns to its left"),
        (EXCHANGE, "exchange two tiles"),
    ],
)
def test_actions_in_words(action: object, words: str) -> None:
    assert LOOK.words(action) == words


def test_marks_show_where_a_walk_leads() -> None:
    (mark,) = LOOK.marks(after(small_board(), "a:walk(1,0)"), Walk("a", 1, 0))
    assert (mark.x, mark.y, mark.piece.shape) == (4, 2, "circle")
    assert LOOK.marks(small_board(), Rotate("b", 90)) == ()
    assert LOOK.marks(small_board(), Walk("a", 0, -1)) == ()
    assert LOOK.marks(small_board(), Walk("a", 2, 0)) == ()


@pytest.mark.clause("R20")
def test_marks_show_where_a_robot_ends_when_belts_start_again() -> None:
    rides = board("a=A0 b=B0 c=A0", ". ^ < a A", "b c . . B", ". . . . C")
    assert rides.find_end(Walk("a", -1, 0)) == 1
    carried_back = board("a=A0 b=B0", "a < . . A", "b . . . B")
    assert LOOK.marks(carried_back, Walk("a", 1, 0)) == ()
    assert after(carried_back, "a:walk(1,0)").cells == carried_back.cells


def test_keys_name_actions() -> None:
    position = board("a=A0 b=B0", ". . . . .", ". a . . A", ". . . . .", "b . . . B")
    for text in LOOK.keys.values():
        assert str(position.action(text)) == text


# -- propositions


def is_true(text: str) -> bool:
    return proposition.parse_goal(GAME, text)(small_board())


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("won", False),
        ("won(a)", False),
        ("!won(b)", True),
        ("at(a,0,0)", True),
        ("at(b,5,2)", True),
        ("at(b,0,0)", False),
        ("rotation(a) = 0", True),
        ("rotation(b) >= 270", True),
    ],
)
def test_propositions(text: str, value: bool) -> None:
    assert is_true(text) is value


def test_won_of_a_robot_is_its_own() -> None:
    won = board("a=A0 b=B0", "aA . .", "b . B")
    assert [proposition.parse_goal(GAME, text)(won) for text in ("won", "won(a)", "won(b)")] == [
        True,
        True,
        False,
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("won(z)", "no robot 'z'"),
        ("won(3)", "no robot 3"),
        ("won(a,b)", "won with 2 arguments"),
        ("at(a,9,0)", r"at\(a,9,0\): the cells are \(0,0\) to \(5,2\)"),
        ("at(a,x,0)", r"at\(a,x,0\)"),
        ("at(a,-1,0)", "the cells are"),
        ("at(a)", "at with 1 argument:"),
        ("at(z,0,0)", "no robot 'z'"),
        ("rotation = 90", "rotation with 0 arguments"),
        ("rotation(z) = 90", "no robot 'z'"),
        ("rotation(a)", "expected a comparison"),
        ("at(a,0,0) = 1", "expected no comparison"),
    ],
)
def test_propositions_that_mean_nothing_are_refused(text: str, message: str) -> None:
    with pytest.raises(gp.GridproofError, match=message):
        is_true(text)


def test_solving_for_a_robot_and_a_cell() -> None:
    level = gp.read("robots 4x2\na: rule=A rotation=0\nb: rule=B rotation=0\nboard:\na . . A\nb . . B\n")[0]
    assert gp.solve(level).cost == 1
    solution = gp.solve(level, goal="won(a)")
    assert solution.cost == 3
    assert solution.trace is not None
    assert solution.trace.replay().won
    assert gp.solve(level, goal="at(b,1,1)").cost == 1
    assert gp.solve(level, goal="rotation(b) = 90").cost == 1


def test_keys_of_robots_follow_their_rules() -> None:
    keys_of = LOOK.keys_of
    assert keys_of is not None
    assert keys_of(small_board().level, "a") == {
        "right": "a:walk(1,0)", "down": "a:walk(0,1)", "left": "a:walk(-1,0)", "up": "a:walk(0,-1)", "x": "exchange",
    }  # fmt: skip
    listed = {*map(str, small_board().level.all_actions()), "exchange"}
    assert {*keys_of(small_board().level, "b").values()} <= listed
    assert keys_of(small_board().level, "b")["up"] == "b:walk(1,0)"
    assert keys_of(small_board().level, "b")["0"] == LOOK.keys["0"] == "b:rotate(0)"


def test_pointed_cell_means_walk_and_pointed_robot_means_turn() -> None:
    position = board("a=A0 b=B270", "a . . A", "B . . .", ". . . b")
    assert LOOK.pointed(position, PointedCell(1, 0)) == ("a:walk(1,0)",)
    assert LOOK.pointed(position, PointedCell(3, 1)) == ("b:walk(1,0)",)
    assert LOOK.pointed(position, PointedCell(3, 1, actor="a")) == ()
    assert LOOK.pointed(position, PointedCell(3, 2)) == ("b:rotate(90)",)
    assert LOOK.pointed(position, PointedCell(3, 2, actor="a")) == ()
    assert LOOK.pointed(position, PointedCell(0, 0)) == ()
    assert LOOK.pointed(position, PointedCell(3, 2, to=(1, 0))) == ()


def test_dragged_robot_walks_to_cell_or_in_its_direction() -> None:
    position = board("a=A0 b=B270", "a . . . A", ". . . . .", "B . . . b")
    assert LOOK.pointed(position, PointedCell(0, 0, to=(1, 0))) == ("a:walk(1,0)",)
    assert LOOK.pointed(position, PointedCell(0, 0, to=(0, 2))) == ("a:walk(0,1)",)  # further than it walks
    assert LOOK.pointed(position, PointedCell(0, 0, to=(0, 2), actor="b")) == ()
    assert LOOK.pointed(position, PointedCell(4, 2, to=(4, 1))) == ("b:walk(1,0)",)
    assert LOOK.pointed(position, PointedCell(4, 2, to=(3, 2))) == ("b:rotate(270)",)  # it looks up
    assert LOOK.pointed(position, PointedCell(4, 2, to=(3, 2), actor="a")) == ()


def test_click_or_drag_onto_a_belt_means_the_walk_that_the_belt_takes_up() -> None:
    position = board("a=A0 b=B0", "a > v . A", ". . v . .", "B . . . b")
    for at in (
        PointedCell(1, 0),
        PointedCell(0, 0, to=(1, 0)),
        PointedCell(2, 2),
        PointedCell(0, 0, to=(2, 2)),
    ):
        assert LOOK.pointed(position, at) == ("a:walk(1,0)",)


def test_click_on_a_cell_means_the_first_of_walks_with_the_same_end() -> None:
    position = board("a=A0 b=B0", "b v . . B", ". . . . .", "a . . . A")
    walks = {str(action) for action in position.actions()} & {f"b:walk({length},0)" for length in (1, 2, 3)}
    assert len(walks) == 3  # the belt ends each of them
    assert LOOK.pointed(position, PointedCell(1, 1)) == ("b:walk(1,0)",)
    assert actions_at_mark(position, PointedCell(1, 1)) == ("b:walk(1,0)",)
    other = board("a=A0 b=B0", "b v . . B", "a . . . .", ". . . . A")
    assert actions_at_mark(other, PointedCell(1, 1)) == ("a:walk(1,0)", "b:walk(1,0)")


def test_drag_beside_the_robots_means_what_an_arrow_means() -> None:
    position = board("a=A0 b=B270", "a . . . A", ". . . . .", "B . . . b")
    assert LOOK.pointed(position, PointedCell(2, 2, to=(3, 2))) == ("a:walk(1,0)",)
    assert LOOK.pointed(position, PointedCell(2, 2, to=(2, 1))) == (
        "a:walk(0,-1)",
    )  # refused, with the reason
    assert LOOK.pointed(position, PointedCell(2, 2, to=(2, 1), actor="b")) == ("b:walk(1,0)",)
    assert LOOK.pointed(position, PointedCell(2, 2, to=(3, 2), actor="b")) == ("b:rotate(90)",)
    assert LOOK.pointed(position, PointedCell(2, 1, to=(3, 2))) == ()


@pytest.mark.clause("R19")
def test_hint_is_private_to_its_robot() -> None:
    assert private(HintGiven("b", next(iter(Hint)))) == "b"
    assert private("anything else that happens") is None


def test_size_is_that_of_the_board() -> None:
    (level,) = levels_at("robots/yards/1")
    drawn = LOOK.board(level.start())
    assert LOOK.size is not None
    assert LOOK.size(level.start()) == (len(drawn[0]), len(drawn))


def test_actions_are_seen_in_directions_of_the_board() -> None:
    position = board("a=A180 b=B270", "a . A .", ". . . .", "B . b .")
    found = {str(action): (*seen(position, action),) for action in position.level.all_actions()}
    assert found["a:walk(1,0)"] == ("left", "a steps left")
    assert found["a:walk(0,1)"] == ("up", "a steps up")
    assert found["b:walk(2,0)"] == ("up", "b walks 2 cells up")
    assert found["b:rotate(90)"] == ("right", "b turns to face right")
    assert found["b:rotate(0)"] == ("", "b waits")
    assert found["exchange"] == ("", "exchange two tiles")


@pytest.mark.clause("R12", "R17", "R18", "R20")
def test_dialogue_asks_and_answers_in_the_meaning_of_the_rules() -> None:
    position = board("a=A90 b=B0", "a > . A", "b . B .")

    def talk(position: Position, text: str) -> tuple[str, str, str, tuple[str, ...]]:
        action = position.action(text)
        return dialogue(position, action, next(iter(position.outcomes(action))))[:4]

    assert talk(position, "a:walk(0,-1)") == (
        "a",
        "May I step right?",
        "May I step to my left?",
        ("Yes, and a belt carries you on.",),
    )
    assert talk(position, "b:rotate(90)")[1:] == (
        "May I turn to face down?",
        "May I turn to my right?",
        ("Yes.",),
    )
    assert talk(position, "b:walk(2,0)")[1:] == (
        "May I walk 2 cells right?",
        "May I walk 2 cells ahead?",
        ("Yes: you are home!",),
    )
    walk = position.action("b:walk(1,0)")
    assert dialogue(position, walk, None).answers == ()
    back = talk(board("a=A0 b=B0", "a < . A", "b . B ."), "a:walk(1,0)")
    assert back[3] == ("Yes, but a belt carries you back to where you were.",)
    blocked = talk(board("a=B90 b=A0", "a < b . B", ". . . . A"), "b:walk(-1,0)")
    assert blocked[3] == ("Yes, but the belt is blocked: you wait on it.",)


@pytest.mark.clause("R21")
def test_answer_to_an_exchange_names_both_cells() -> None:
    position = board("a=A0 b=B0", "a . A", ". . .", "b # B")
    outcome = next(one for one in position.outcomes(EXCHANGE) if one.label == "(1,0)<->(1,2)")
    told = dialogue(position, EXCHANGE, outcome)
    assert told.asker == "nature"  # nobody is known to have asked: chance chooses the tiles
    assert told.question == "Two tiles are exchanged: they change places."
    assert told.answers == ("They were in row 1, column 2 and in row 3, column 2.",)
    assert told.cells == ((1, 0), (1, 2))


@pytest.mark.clause("R26", "R29")
def test_reason_names_who_is_home_first_and_who_has_lost() -> None:
    assert reason(board("a=A0 b=B0", "aA . .", "b . B")) == "a is home first: b has lost."
    assert reason(board("a=A0 b=B0", "a . A", "b . B")) == ""
    assert place(board("a=A0 b=B0", "a . A", "b . B"), "b") == (0, 1)
    assert place(board("a=A0 b=B0", "a . A", "b . B"), "z") is None


def test_hint_on_the_board_stays_true_when_its_robot_turns() -> None:
    (walked,) = board("a=A0 b=B90", "b . . a", "? . B A").outcomes(Walk("b", 1, 0))
    (turned,) = walked.position.outcomes(Rotate("b", 90))
    assert LOOK.private_texts(walked) == ("b is told: home is to its left",)
    assert LOOK.private_texts(walked, ON_BOARD) == ("b is told: home is to the right",)
    tally = LOOK.tally.of((walked, turned))
    counts = [LOOK.counts_in(turned.position, tally, frame)[1] for frame in (ON_BOARD, OWN)]
    assert counts == [("heard by b", "right"), ("heard by b", "left")]
    assert LOOK.counts(turned.position, tally)[1] == ("hints of b", "NORTH")


def test_actions_are_described_in_both_frames() -> None:
    position = board("a=A0 b=B90", "b . . a", "? . B A")
    assert LOOK.describe_in(position, Walk("b", 1, 0), OWN) == "b steps ahead"
    assert LOOK.describe_in(position, Walk("b", 1, 0), ON_BOARD) == "b steps down"
    sokoban = levels_at("sokoban/first-steps")[0].start()
    words = sokoban.level.game.look.describe_in(sokoban, sokoban.actions()[0], ON_BOARD)
    assert words == sokoban.level.game.look.describe(sokoban.level, sokoban.actions()[0])


def test_players_read_of_requests_as_in_verdicts() -> None:
    position = gp.levels_at("robots/races/1")[0].start()
    assert LOOK.counts_in(position, LOOK.tally.start, ON_BOARD) == (("requests", "0"),)


@pytest.mark.clause("R16")
def test_click_drag_and_key_ask_for_the_same_refused_walk() -> None:
    position = board("a=A0 b=B0", "b . . B", "# a # #", "# A # #")
    walk = "a:walk(0,-1)"
    assert walk not in map(str, position.actions())
    for at in (PointedCell(1, 0, None, "a"), PointedCell(1, 1, (1, 0)), PointedCell(1, 1, (1, 0), "a")):
        assert LOOK.pointed(position, at) == (walk,)
    with pytest.raises(gp.IllegalAction, match="this would cut b off from its home"):
        position.action(walk)
    assert LOOK.pointed(position, PointedCell(1, 0, None, "b")) == ("b:walk(1,0)",)
    assert LOOK.pointed(position, PointedCell(3, 2, None, "a")) == ()
