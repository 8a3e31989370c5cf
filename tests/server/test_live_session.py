"""A session over a WebSocket: what the page says, and what it hears."""

from __future__ import annotations

import gc
import threading
import weakref

import pytest
from tests.play.web.sites import Site

import gridproof as gp
from gridproof.play.web.keeping import Keeping
from gridproof.play.web.limits import Limits
from gridproof.play.web.rooms import Rooms
from gridproof.store import GroupedStore, Store, digest

STRAIGHT = "#######\n#@ $ .#\n#######\n"


def test_a_push_says_what_has_moved_and_which_cells_look_different(site: Site) -> None:
    with site.page(site.begin(text=STRAIGHT)) as page:
        pieces = page.state["pieces"]
        row = page.state["board"]["cells"][1]
        assert [pieces[pile[-1]]["shape"] for pile in row] == [
            "wall", "person", "floor", "box", "floor", "ring", "wall",
        ]  # fmt: skip
        page.do("right")
        answer = page.do("right")
        (change,) = answer["changes"]
        (step,) = change["steps"]
        person, box = row[1][-1], row[3][-1]
        assert step["moves"] == [[person, 2, 1, 3, 1], [box, 3, 1, 4, 1]]
        floor = row[2][0]
        assert step["cells"] == [[2, 1, [floor]], [3, 1, [floor, person]], [4, 1, [floor, box]]]
        assert step["events"] == [{"type": "Pushed", "box": [3, 1], "to": [4, 1]}]
        assert answer["now"]["counts"][0] == ["moves", "2"]


def test_a_win_that_leads_on_to_the_next_level_tells_the_last_counts_of_the_won_one(site: Site) -> None:
    with site.page(site.begin(pack="shiftit/boards")) as page:
        won, chosen = page.do("RM(0,left)")["changes"]
        assert (won["won"], won["counts"], chosen["change"]) == (True, [["actions", "1"]], "select")
    with site.page(site.begin(text=f"{STRAIGHT}\n{STRAIGHT}")) as page:
        assert "counts" not in page.do("right")["changes"][0]
        page.do("right")
        (won,) = page.do("right")["changes"]
        assert (won["current"], won["counts"][:2]) == (2, [["moves", "3"], ["pushes", "2"]])


def test_what_is_taken_back_moves_backwards(site: Site) -> None:
    with site.page(site.begin(text=STRAIGHT)) as page:
        page.do("right")
        done = page.do("right")["changes"][0]["steps"][0]
        undone = page.do("undo")["changes"][0]["steps"][0]
        assert undone["moves"] == [
            [piece, *to, *origin] for piece, *both in done["moves"] for origin, to in [(both[:2], both[2:])]
        ]
        assert [(x, y) for x, y, _ in undone["cells"]] == [(x, y) for x, y, _ in done["cells"]]


def test_what_is_as_it_was_is_not_told_again(site: Site) -> None:
    with site.page(site.begin(pack="shiftit/boards", level=10)) as page:
        moves = page.state["now"]["actions"]
        page.socket.send_json({"type": "do", "text": moves[0]["text"]})
        first = page.socket.receive_json()
        while first["type"] != "answer":
            first = page.socket.receive_json()
        page.socket.send_json({"type": "do", "text": moves[1]["text"]})
        second = page.socket.receive_json()
        assert first["now"]["actions"] == moves
        assert {"actions", "title", "best", "question"}.isdisjoint(second["now"])
        assert second["now"]["done"] == 2
        assert page.say(type="state")["state"]["now"]["actions"] == moves


def test_one_who_comes_later_is_told_all(site: Site) -> None:
    name = site.begin(pack="robots/yards")
    with site.page(name) as page:
        before = page.now["actions"]
        page.do(before[0]["text"])
        page.do(page.now["actions"][0]["text"])
        with site.page(name) as other:
            assert other.now == page.now
            page.do(page.now["actions"][-2]["text"])
            other.hear("news")
            assert other.now == page.now
            assert other.now["actions"] != before


def test_two_pages_see_the_same_and_hear_of_each_other(site: Site) -> None:
    name = site.begin(text=STRAIGHT)
    with site.page(name) as page, site.page(name) as other:
        assert page.hear("people")["people"]["playing"] == 1
        answer = page.do("right")
        news = other.hear("news")
        assert news["changes"] == answer["changes"]
        assert news["now"] == answer["now"]
        refused = page.do("left and right")
        assert refused["told"][0]["kind"] == "refusal"
        assert "changes" not in refused
        assert other.say(type="state")["state"]["now"] == answer["now"]


def test_what_was_done_is_there_after_a_restart(site: Site, url: str) -> None:
    name = site.begin(pack="sokoban/first-steps", level=2)
    with site.page(name) as page:
        action = page.state["now"]["actions"][0]["text"]
        board = page.do(action)["now"]
    again = Site(url)
    with again.client, again.page(name) as page:
        assert page.state["now"] == board
        assert page.state["now"]["level"] == 2


def test_a_win_tells_the_next_level_too(site: Site) -> None:
    two = "; One\n####\n#@$.#\n####\n".replace("####\n", "#####\n") + "\n; Two\n" + STRAIGHT
    with site.page(site.begin(text=two)) as page:
        answer = page.do("right")
        (change,) = answer["changes"]
        assert (change["level"], change["current"], change["won"]) == (1, 2, True)
        assert change["board"]["width"] == 7
        assert [line["kind"] for line in answer["told"]] == ["won", "level"]
        assert answer["now"]["level"] == 2


def test_tiles_of_2048_that_combine_come_to_one_cell(site: Site) -> None:
    with site.page(site.begin(text="2048 3x2\n2 0 2\n4 0 0\n")) as page:
        step = page.do("left")["changes"][0]["steps"][0]
        assert [move[1:] for move in step["moves"]] == [[2, 0, 0, 0]]
        assert [0, 0] in [cell[:2] for cell in step["cells"]]
        assert step["reward"] == 4


def test_a_line_of_shift_it_leaves_the_board_and_comes_in_again(site: Site) -> None:
    with site.page(site.begin(pack="shiftit/boards", level=3)) as page:
        step = page.do("RM(0,right)")["changes"][0]["steps"][0]
        assert [move[1:] for move in step["moves"]] == [[0, 1, 1, 1], [1, 1, 2, 1], [-1, 1, 0, 1]]


def test_hints_of_robots_are_for_their_robot_alone(site: Site) -> None:
    level = next(
        number
        for number in range(1, 21)
        if "?" in site.client.get(f"/api/packs/robots/races/{number}.txt").text
    )
    name = site.begin(pack="robots/races", level=level)
    with site.page(name, "?view=a") as page, site.page(name, "?view=b") as other:
        assert (page.state["actor"], other.state["actor"]) == ("a", "b")
        action = page.state["now"]["actions"][0]["text"]
        assert action.startswith("a:")
        answer = page.do(action)
        news = other.hear("news")
        hidden = {"HintGiven"}
        assert not hidden & {event["type"] for event in news["changes"][0]["steps"][0]["events"]}
        assert news["changes"][0]["steps"][0]["cells"] == answer["changes"][0]["steps"][0]["cells"]


def test_other_eyes_are_chosen_and_see_their_own_actions(site: Site) -> None:
    with site.page(site.begin(pack="robots/races")) as page:
        assert {action["actor"] for action in page.state["now"]["actions"]} >= {"a", "b"}
        state = page.say(type="view", actor="b")["state"]
        assert {action["actor"] for action in state["now"]["actions"]} == {"b", "nature"}
        assert page.say(type="view", actor="z")["told"][0]["kind"] == "refusal"


def test_hints_and_solutions_of_known_ways_are_told_at_once(site: Site) -> None:
    with site.page(site.begin(pack="sokoban/first-steps")) as page:
        (hint,) = page.do("hint")["told"]
        assert (hint["kind"], hint["left"]) == ("hint", 3)
        (solution,) = page.do("solve")["told"]
        assert len(solution["actions"]) == 3


def test_what_must_be_looked_for_is_a_job_and_comes_as_news(site: Site) -> None:
    with site.page(site.begin(text="@.o\n", game="null")) as page:
        (working,) = page.do("solve")["told"]
        news = page.hear("news")
        assert (working["kind"], news["job"]) == ("working", working["job"])
        assert news["told"][0]["actions"] == ["hop"]


def test_a_replay_is_told_in_parts(site: Site) -> None:
    with site.page(site.begin(pack="sokoban/first-steps")) as page:
        (replay,) = page.do("watch")["told"]
        (part,) = page.say(type="steps", replay=replay["replay"], **{"from": 1}, count=9)["told"]
        assert (len(part["steps"]), part["end"], part["steps"][-1]["now"]["status"]) == (2, True, "WON")
        assert page.say(type="steps", replay=99)["type"] == "error"


def test_a_preview_changes_nothing(site: Site) -> None:
    with site.page(site.begin(text=STRAIGHT)) as page:
        (shown,) = page.say(type="preview", x=2, y=1)["told"]
        assert shown["actions"] == ["right"]
        assert shown["steps"][0]["moves"][0][1:] == [1, 1, 2, 1]
        assert page.say(type="state")["state"]["now"]["done"] == 0


def test_what_would_win_is_previewed_too(site: Site) -> None:
    with site.page(site.begin(text="#####\n#@$.#\n#####\n")) as page:
        (shown,) = page.say(type="preview", text="right")["told"]
        assert (shown["text"], len(shown["steps"])) == ("go right", 1)


def test_a_preview_of_chance_lists_what_it_may_bring(site: Site) -> None:
    with site.page(site.begin(text="2048 2x2\n2 0\n0 2\n")) as page:
        (shown,) = page.say(type="preview", text="left")["told"]
        assert [outcome["probability"] for outcome in shown["outcomes"]] == ["1/2", "1/2"]


@pytest.mark.parametrize("text", ["open /etc/passwd", "save /tmp/x", "quit", "resume 1", "games", "as b"])
def test_commands_of_programs_with_one_player_do_nothing(site: Site, text: str) -> None:
    with site.page(site.begin(text=STRAIGHT)) as page:
        page.say(type="typed", text=text)
        assert page.do("right")["now"]["done"] == 1


@pytest.mark.parametrize(
    "message",
    [
        {"type": "nonsense"}, {"type": ["do"]}, {"type": "do"}, {"type": "do", "text": 1},
        {"type": "do", "texts": []}, {"type": "point", "x": 1.5, "y": 2}, {"type": "steps", "replay": "1"},
        {"type": "preview", "text": "nowhere"}, {"type": "open", "trace": {"format": 1}},
    ],
)  # fmt: skip
def test_what_is_not_understood_is_said(site: Site, message: dict[str, object]) -> None:
    with site.page(site.begin(text=STRAIGHT)) as page:
        assert page.say(**message)["type"] == "error"
        assert page.do("right")["now"]["done"] == 1


def test_a_session_that_went_on_elsewhere_is_opened_again(site: Site) -> None:
    name = site.begin(text=STRAIGHT)
    with site.page(name) as page:
        page.do("right")
        elsewhere = Store(site.store.url).resume(name)
        elsewhere.act("right")
        page.socket.send_json({"type": "do", "text": "undo", "ref": 7})
        fault = page.hear("error")
        assert (fault["code"], "gone on elsewhere" in fault["text"]) == ("store", True)
        assert page.socket.receive()["code"] == 1012
    with site.page(name) as page:
        assert page.state["now"]["done"] == 2
        assert page.do("right")["now"]["done"] == 3


def test_levels_that_lie_by_take_little_memory_and_are_there_when_they_are_gone_back_to(site: Site) -> None:
    name = site.begin(text=f"{STRAIGHT}\n{STRAIGHT}")
    with site.page(name) as page:
        page.do("right")
        page.do("level 2")
        plays = site.house.rooms.rooms[name].session._plays
        assert len(plays) == 2
        site.house.rooms.forget_idle()
        assert len(plays) == 1
        assert page.do("level 1")["now"]["done"] == 1
        assert page.do("undo")["now"]["done"] == 0


def test_best_counts_that_others_reach_are_known_after_a_while(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    keeping, (level,) = Keeping(GroupedStore(url)), gp.read(STRAIGHT)
    key = digest(level)
    assert keeping.best_of(level, key) == {}
    session = gp.Session([level], store=Store(url))
    for text in ("right", "right", "right"):
        session.act(text)
    assert keeping.best_of(level, key) == {}
    monkeypatch.setattr("gridproof.play.web.keeping.FRESH", 0.0)
    assert keeping.best_of(level, key) == {"actions": 3, "moves": 3, "pushes": 2}
    assert keeping.reached(key, {"actions": 2, "pushes": 5}) == {"actions": 2, "moves": 3, "pushes": 2}
    keeping.store.close()


def test_sessions_that_nobody_looks_at_leave_the_memory(url: str) -> None:
    site = Site(url, Limits(idle=0))
    with site.client:
        name = site.begin(text=STRAIGHT)
        rooms = site.house.rooms
        with site.page(name) as page:
            page.do("right")
            rooms.forget_idle()
            assert name in rooms.rooms
        rooms.forget_idle()
        assert name not in rooms.rooms
        with site.page(name) as page:
            assert page.state["now"]["done"] == 1


@pytest.mark.usefixtures("only_new_garbage")
def test_what_has_left_the_memory_is_cleared_away(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gridproof.play.web.rooms.MANY_LEFT", 2)
    rooms, gone = site.house.rooms, []
    gc.disable()
    try:
        for _ in range(2):
            name = site.begin(text="@..o", game="null")
            with site.page(name) as page:
                page.do("right")
            gone.append(weakref.ref(rooms.rooms[name].session))
            rooms.drop(name)
        rooms.forget_idle()
        assert not any(session() for session in gone)
    finally:
        gc.enable()


def test_a_round_that_fails_is_not_the_last(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rounds, again = list[int](), threading.Event()

    def failing(_: Rooms) -> None:
        rounds.append(1)
        if len(rounds) > 1:
            again.set()
        raise RuntimeError

    monkeypatch.setattr("gridproof.play.web.app.ROUNDS", 0.001)
    monkeypatch.setattr(Rooms, "forget_idle", failing)
    with Site(url).client:
        assert again.wait(60)
