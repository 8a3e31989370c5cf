"""After each message, a page shows the same as a freshly loaded page."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

import pytest
from tests.server.page_view import BoardView, PageView
from tests.server.sites import HOST, Site, Threads
from tests.server.test_access import invite
from tests.sizes import size
from tests.table.random_player import GAMES, Player, levels_of, starts

from gridproof.core.position import NATURE
from gridproof.server.rate_limits import Limits

ORIGIN = {"origin": HOST}


def message(player: Player, page: PageView) -> dict[str, Any]:
    """Return a random message of a player: mostly actions and commands, or a click."""
    now, board, luck = page.state["now"], page.board, player.luck

    def cell() -> tuple[int, int]:
        return luck.randrange(-1, board.width + 1), luck.randrange(-1, board.height + 1)

    if luck.random() < 0.15:
        (x, y), to = cell(), luck.choice([None, cell()])
        return {"type": luck.choice(["point", "point", "preview"]), "x": x, "y": y, "to": to}
    texts = player.texts(now["level"], now["done"], [action["text"] for action in now["actions"]])
    return {"type": "do", "texts": texts} if len(texts) > 1 else {"type": "do", "text": texts[0]}


class Pages:
    """A page at a session, others that look on, and those that are loaded anew to be compared with them."""

    def __init__(self, site: Site, views: list[str], luck: random.Random, stack: ExitStack) -> None:
        self.site, self.luck = site, luck
        self.all = {view: stack.enter_context(self._load(view)) for view in views}
        self.first = self.all[views[0]]

    @contextmanager
    def _load(self, view: str) -> Iterator[PageView]:
        with self.site.client.websocket_connect(f"/ws/{view}", headers=ORIGIN) as socket:
            yield PageView(socket)

    def check(self, after: object, wins: int) -> None:
        """Compare the first, and one of the others, with those that are loaded anew, after so many wins."""
        first, *others = self.all
        for view in (first, self.luck.choice(others)):
            page = self.all[view]
            page.say(type="ping")  # by then it has heard all that was told before
            while page.wins < wins:  # what follows when they are kept
                page.receive()
            with self._load(view) as fresh:
                expected = fresh.shown()
            while expected["now helped"] and not page.state["now"]["helped"]:  # a hint was found meanwhile
                page.receive()
            shown = page.shown()
            differing = {
                name: (shown.get(name), expected.get(name))
                for name in sorted({*expected, *shown})
                if name not in shown or name not in expected or shown[name] != expected[name]
            }
            assert not differing, (view, after, differing)

    def check_replay(self) -> None:
        """Compare the board after what was done on the level, watched as a replay, with the game's own."""
        page = self.first
        trace = self.site.client.get(f"/api/sessions/{page.state['id']}/trace").text
        told = page.say(type="open", trace=trace)["told"][0]
        board = BoardView(page.pieces)
        board.show(told["board"])
        for first in range(0, page.state["now"]["done"], 200):
            part = page.say(type="steps", replay=told["replay"], **{"from": first, "count": 200})["told"][0]
            for step in part["steps"]:
                board.play(step)
        assert board.shown() == page.board.shown()


def play(site: Site, start: dict[str, str], count: int, seed: int) -> None:
    """Do so many actions in a session, and compare after each message."""
    luck, levels = random.Random(seed), levels_of(start)
    player, name = Player(levels, luck), site.begin(**start, seed=seed)
    actors = [actor for actor in levels[0].game.actors(levels[0]) if actor != NATURE]
    eyes = [f"{name}?view={actor}" for actor in actors] if len(actors) > 1 else []
    with ExitStack() as stack:
        pages = Pages(site, [name, invite(site, name), *eyes], luck, stack)
        done = wins = 0
        while done < count:
            asked = message(player, pages.first)
            changes = pages.first.say(**asked).get("changes", ())
            done += sum(max(1, len(change["steps"])) for change in changes)
            wins += sum(change["won"] for change in changes)
            pages.check(asked, wins)
            if luck.random() < 0.02:
                pages.check_replay()


@pytest.fixture
def site(url: str) -> Iterator[Site]:
    many = 10**6
    limits = Limits(messages_each_second=many, messages_at_once=many, connections_each=many)
    opened = Site(url, limits.for_each(many), Threads)
    with opened.client:
        yield opened


@pytest.mark.long
@pytest.mark.parametrize(
    "count",
    [pytest.param(50, marks=pytest.mark.slow), pytest.param(size("actions", 200), marks=pytest.mark.long)],
)
@pytest.mark.parametrize("game", GAMES)
def test_page_shows_what_a_fresh_load_shows(site: Site, game: str, count: int) -> None:
    found = starts(game)
    for seed, start in enumerate(found):
        play(site, start, -(-count // len(found)), seed)
