"""Tests of live sessions: messages of a page, and answers to it, over a WebSocket."""

from __future__ import annotations

import asyncio
import gc
import threading
import weakref

import pytest
from tests.server.sites import Site

import gridproof as gp
from gridproof.core.position import Level
from gridproof.server.app import _evict_regularly
from gridproof.server.cached_store import CachedStore
from gridproof.server.live import live_session
from gridproof.server.live.session_registry import SessionRegistry
from gridproof.server.rate_limits import Limits
from gridproof.store import GroupedStore, Store, digest

STRAIGHT = "#######\n#@ $ .#\n#######\n"


def test_board_delta_of_push_has_motions_and_changed_cells(site: Site) -> None:
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


def test_win_sends_last_counts_of_won_level(site: Site) -> None:
    with site.page(site.begin(pack="shiftit/boards")) as page:
        won, chosen = page.do("RM(0,left)")["changes"]
        assert (won["won"], won["counts"], chosen["change"]) == (True, [["actions", "1"]], "select")
    with site.page(site.begin(text=f"{STRAIGHT}\n{STRAIGHT}")) as page:
        assert "counts" not in page.do("right")["changes"][0]
        page.do("right")
        (won,) = page.do("right")["changes"]
        assert (won["current"], won["counts"][:2]) == (2, [["moves", "3"], ["pushes", "2"]])


def test_change_lists_skipped_levels_when_won_at_start(site: Site) -> None:
    over = "#####\n#@ *#\n#####\n"
    with site.page(site.begin(text="\n".join([STRAIGHT, over, over, STRAIGHT]))) as page:
        passed = [
            page.do(text)["changes"][0]["passed"]
            for text in ("right", "right", "level 2", "level 1", "right")
        ]
        assert passed == [[], [], [2, 3], [], [1]]
        assert [level["done"] for level in page.say(type="state")["state"]["levels"]] == [
            True,
            True,
            True,
            False,
        ]


@pytest.mark.slow
@pytest.mark.parametrize(("levels", "in_thread"), [(3, 0), (150, 149)])
def test_keys_of_many_levels_are_computed_in_a_thread(
    site: Site, monkeypatch: pytest.MonkeyPatch, levels: int, in_thread: int
) -> None:
    blocking = []

    def record(level: Level) -> str:
        blocking.append(asyncio._get_running_loop() is not None)
        return digest(level)

    monkeypatch.setattr(live_session, "digest", record)
    with site.page(site.begin(text="\n".join([STRAIGHT] * levels))) as page:
        known = page.say(type="state", keys=False)["state"]["levels"]
        assert known == [
            {name: level[name] for name in level if name != "key"} for level in page.state["levels"]
        ]
        assert [level["key"] for level in page.state["levels"]] == [page.now["key"]] * levels
    assert (len(blocking), blocking.count(False)) == (levels, in_thread)


def test_board_delta_of_undo_moves_backwards(site: Site) -> None:
    with site.page(site.begin(text=STRAIGHT)) as page:
        page.do("right")
        done = page.do("right")["changes"][0]["steps"][0]
        undone = page.do("undo")["changes"][0]["steps"][0]
        assert undone["moves"] == [
            [piece, *to, *origin] for piece, *both in done["moves"] for origin, to in [(both[:2], both[2:])]
        ]
        assert [(x, y) for x, y, _ in undone["cells"]] == [(x, y) for x, y, _ in done["cells"]]


def test_update_omits_unchanged_fields(site: Site) -> None:
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


def test_new_viewer_gets_whole_state(site: Site) -> None:
    name = site.begin(pack="robots/yards")
    with site.page(name) as page:
        before = page.now["actions"]
        page.do(before[0]["text"])
        page.do(page.now["actions"][0]["text"])
        with site.page(name) as other:
            assert other.now == page.now
            page.do(page.now["actions"][-2]["text"])
            other.wait_for("news")
            assert other.now == page.now
            assert other.now["actions"] != before


def test_two_viewers_see_the_same_changes(site: Site) -> None:
    name = site.begin(text=STRAIGHT)
    with site.page(name) as page, site.page(name) as other:
        assert page.wait_for("people")["people"]["playing"] == 1
        answer = page.do("right")
        news = other.wait_for("news")
        assert news["changes"] == answer["changes"]
        assert news["now"] == answer["now"]
        refused = page.do("left and right")
        assert refused["told"][0]["kind"] == "refusal"
        assert "changes" not in refused
        assert other.say(type="state")["state"]["now"] == answer["now"]


def test_session_survives_server_restart(site: Site, url: str) -> None:
    name = site.begin(pack="sokoban/first-steps", level=2)
    with site.page(name) as page:
        action = page.state["now"]["actions"][0]["text"]
        board = page.do(action)["now"]
    again = Site(url)
    with again.client, again.page(name) as page:
        assert page.state["now"] == board
        assert page.state["now"]["level"] == 2


def test_win_sends_next_level(site: Site) -> None:
    two = "; One\n####\n#@$.#\n####\n".replace("####\n", "#####\n") + "\n; Two\n" + STRAIGHT
    with site.page(site.begin(text=two)) as page:
        answer = page.do("right")
        (change,) = answer["changes"]
        assert (change["level"], change["current"], change["won"]) == (1, 2, True)
        assert change["board"]["width"] == 7
        assert [line["kind"] for line in answer["told"]] == ["won", "level"]
        assert answer["now"]["level"] == 2


def test_board_delta_moves_combining_tiles_to_one_cell(site: Site) -> None:
    with site.page(site.begin(text="2048 3x2\n2 0 2\n4 0 0\n")) as page:
        step = page.do("left")["changes"][0]["steps"][0]
        assert [move[1:] for move in step["moves"]] == [[2, 0, 0, 0]]
        assert [0, 0] in [cell[:2] for cell in step["cells"]]
        assert step["reward"] == 4


def test_board_delta_moves_shifted_line_off_the_board_and_back(site: Site) -> None:
    with site.page(site.begin(pack="shiftit/boards", level=3)) as page:
        step = page.do("RM(0,right)")["changes"][0]["steps"][0]
        assert [move[1:] for move in step["moves"]] == [[0, 1, 1, 1], [1, 1, 2, 1], [-1, 1, 0, 1]]


def test_robot_hints_are_sent_to_their_own_player_only(site: Site) -> None:
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
        news = other.wait_for("news")
        hidden = {"HintGiven"}
        assert not hidden & {event["type"] for event in news["changes"][0]["steps"][0]["events"]}
        assert news["changes"][0]["steps"][0]["cells"] == answer["changes"][0]["steps"][0]["cells"]


def test_view_of_another_actor_has_its_own_actions(site: Site) -> None:
    with site.page(site.begin(pack="robots/races")) as page:
        assert {action["actor"] for action in page.state["now"]["actions"]} >= {"a", "b"}
        state = page.say(type="view", actor="b")["state"]
        assert {action["actor"] for action in state["now"]["actions"]} == {"b", "nature"}
        assert page.say(type="view", actor="z")["told"][0]["kind"] == "refusal"


def test_hint_and_solution_are_immediate_when_known(site: Site) -> None:
    with site.page(site.begin(pack="sokoban/first-steps")) as page:
        (hint,) = page.do("hint")["told"]
        assert (hint["kind"], hint["left"]) == ("hint", 3)
        (solution,) = page.do("solve")["told"]
        assert len(solution["actions"]) == 3


def test_hint_is_job_when_search_is_needed(site: Site) -> None:
    with site.page(site.begin(text="@.o\n", game="null")) as page:
        (working,) = page.do("solve")["told"]
        news = page.wait_for("news")
        assert (working["kind"], news["job"]) == ("working", working["job"])
        assert news["told"][0]["actions"] == ["hop"]


def test_replay_is_sent_in_parts(site: Site) -> None:
    with site.page(site.begin(pack="sokoban/first-steps")) as page:
        (replay,) = page.do("watch")["told"]
        (part,) = page.say(type="steps", replay=replay["replay"], **{"from": 1}, count=9)["told"]
        assert (len(part["steps"]), part["end"], part["steps"][-1]["now"]["status"]) == (2, True, "WON")
        assert page.say(type="steps", replay=99)["type"] == "error"


def test_preview_changes_nothing(site: Site) -> None:
    with site.page(site.begin(text=STRAIGHT)) as page:
        (shown,) = page.say(type="preview", x=2, y=1)["told"]
        assert shown["actions"] == ["right"]
        assert shown["steps"][0]["moves"][0][1:] == [1, 1, 2, 1]
        assert page.say(type="state")["state"]["now"]["done"] == 0


def test_preview_of_an_impossible_gesture_is_empty(site: Site) -> None:
    with site.page(site.begin(pack="shiftit/boards", level=6)) as page:
        (shown,) = page.say(type="preview", x=0, y=0, to=[1, 0])["told"]
        assert shown["steps"] == []
        (refusal,) = page.say(type="point", x=0, y=0, to=[1, 0])["told"]
        assert "is locked" in refusal["reason"]


def test_preview_shows_winning_action(site: Site) -> None:
    with site.page(site.begin(text="#####\n#@$.#\n#####\n")) as page:
        (shown,) = page.say(type="preview", text="right")["told"]
        assert (shown["text"], len(shown["steps"])) == ("go right", 1)


def test_preview_lists_random_outcomes(site: Site) -> None:
    with site.page(site.begin(text="2048 2x2\n2 0\n0 2\n")) as page:
        (shown,) = page.say(type="preview", text="left")["told"]
        assert [outcome["probability"] for outcome in shown["outcomes"]] == ["1/2", "1/2"]


@pytest.mark.parametrize("text", ["open /etc/passwd", "save /tmp/x", "quit", "resume 1", "games", "as b"])
def test_single_player_commands_do_nothing(site: Site, text: str) -> None:
    with site.page(site.begin(text=STRAIGHT)) as page:
        page.say(type="typed", text=text)
        assert page.do("right")["now"]["done"] == 1


@pytest.mark.slow
@pytest.mark.parametrize(
    "message",
    [
        {"type": "nonsense"}, {"type": ["do"]}, {"type": "do"}, {"type": "do", "text": 1},
        {"type": "do", "texts": []}, {"type": "point", "x": 1.5, "y": 2}, {"type": "steps", "replay": "1"},
        {"type": "preview", "text": "nowhere"}, {"type": "open", "trace": {"format": 1}},
    ],
)  # fmt: skip
def test_unknown_text_is_refused(site: Site, message: dict[str, object]) -> None:
    with site.page(site.begin(text=STRAIGHT)) as page:
        assert page.say(**message)["type"] == "error"
        assert page.do("right")["now"]["done"] == 1


def test_session_is_reopened_when_changed_elsewhere(site: Site) -> None:
    name = site.begin(text=STRAIGHT)
    with site.page(name) as page:
        page.do("right")
        elsewhere = Store(site.store.url).resume(name)
        elsewhere.act("right")
        page.socket.send_json({"type": "do", "text": "undo", "ref": 7})
        fault = page.wait_for("error")
        assert (fault["code"], "changed elsewhere" in fault["text"]) == ("store", True)
        assert page.socket.receive()["code"] == 1012
    with site.page(name) as page:
        assert page.state["now"]["done"] == 2
        assert page.do("right")["now"]["done"] == 3


def test_inactive_levels_are_packed_and_restored(site: Site) -> None:
    name = site.begin(text=f"{STRAIGHT}\n{STRAIGHT}")
    with site.page(name) as page:
        page.do("right")
        page.do("level 2")
        plays = site.context.registry.sessions[name].session._plays
        assert len(plays) == 2
        site.context.registry.evict_idle()
        assert len(plays) == 1
        assert page.do("level 1")["now"]["done"] == 1
        assert page.do("undo")["now"]["done"] == 0


def test_best_counts_of_other_players_are_refreshed(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    cached_store, (level,) = CachedStore(GroupedStore(url)), gp.read(STRAIGHT)
    key = digest(level)
    assert cached_store.load_best(level, key) == {}
    session = gp.Session([level], store=Store(url))
    for text in ("right", "right", "right"):
        session.act(text)
    assert cached_store.load_best(level, key) == {}
    monkeypatch.setattr("gridproof.server.cached_store.FRESH", 0.0)
    assert cached_store.load_best(level, key) == {"actions": 3, "moves": 3, "pushes": 2}
    assert cached_store.update_best(key, {"actions": 2, "pushes": 5}) == {
        "actions": 2,
        "moves": 3,
        "pushes": 2,
    }
    cached_store.store.close()


def test_idle_sessions_are_evicted(url: str) -> None:
    site = Site(url, Limits(idle=0))
    with site.client:
        name = site.begin(text=STRAIGHT)
        registry = site.context.registry
        with site.page(name) as page:
            page.do("right")
            registry.evict_idle()
            assert name in registry.sessions
        registry.evict_idle()
        assert name not in registry.sessions
        with site.page(name) as page:
            assert page.state["now"]["done"] == 1


@pytest.mark.usefixtures("only_new_garbage")
def test_evicted_sessions_are_garbage_collected(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gridproof.server.live.session_registry.EVICTIONS_PER_COLLECTION", 2)
    registry, gone = site.context.registry, []
    gc.disable()
    try:
        for _ in range(2):
            name = site.begin(text="@..o", game="null")
            with site.page(name) as page:
                page.do("right")
            gone.append(weakref.ref(registry.sessions[name].session))
            registry.drop(name)
        registry.evict_idle()
        assert not any(session() for session in gone)
    finally:
        gc.enable()


def test_eviction_continues_after_failed_round(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    rounds, again = list[int](), threading.Event()

    def failing(_: SessionRegistry) -> None:
        rounds.append(1)
        if len(rounds) > 1:
            again.set()
        raise RuntimeError

    monkeypatch.setattr("gridproof.server.app.EVICTION_INTERVAL", 0.001)
    monkeypatch.setattr(SessionRegistry, "evict_idle", failing)
    with Site(url).client:
        assert again.wait(60)


def test_eviction_ends_quietly_when_server_ends(
    site: Site, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("gridproof.server.app.EVICTION_INTERVAL", 0.001)

    async def evict() -> None:
        asyncio.get_running_loop().set_default_executor(site.context.executor)
        site.context.refuse_work()
        await asyncio.wait_for(_evict_regularly(site.context), 10)

    asyncio.run(evict())
    assert not caplog.records
