"""Cost of a move on the server, in one process and without a network: from the text of a message to the text of its answer.

`--players` pages play sessions of all games at once, by the same choices as in `load.py`; the sockets are lists of texts. It counts
the time of the processor alone, of the loop's thread and of the store's writer apart, without what the players take.
`--profile` says which functions cost it.

python benchmarks/move.py [--players 100] [--moves 20000] [--profile] [--game sokoban]
"""

from __future__ import annotations

import argparse
import asyncio
import cProfile
import gc
import pstats
import random
import tempfile
import time
from pathlib import Path
from typing import Any

import orjson
import uvloop
from load import PACKS, WAYS, choose_move
from starlette.websockets import WebSocketDisconnect

from gridproof.core.text.level_lookup import levels_at
from gridproof.server.connection import Connection
from gridproof.server.context import ServerContext
from gridproof.server.multiprocess.shard import Shard
from gridproof.server.rate_limits import Limits
from gridproof.server.serve import GARBAGE
from gridproof.store import GroupedStore

PLAYERS, MOVES = 100, 20_000


class Player:
    """A page, and the socket on which it plays."""

    def __init__(self, pack: str, number: int, moves: list[int]) -> None:
        self.pack, self.dice, self.moves = pack, random.Random(number), moves
        self.now: dict[str, Any] = {}
        self.text = ""
        self.errors: list[str] = []
        self.own = 0.0
        self._said = asyncio.Event()

    async def send_text(self, text: str) -> None:
        """Hear something, and have the next move ready."""
        begin = time.thread_time()
        if text.startswith(('{"type":"answer"', '{"type":"state"')):
            told = orjson.loads(text)
            if "now" not in told:
                self.errors.append(f"{self.text}: {text[:300]}")
            else:
                self.now |= told["now"]
            self.text = orjson.dumps(
                {"type": "do", "text": choose_move(self.pack, self.now, self.dice), "ref": 1}
            ).decode()
            self._said.set()
        self.own += time.thread_time() - begin

    async def receive(self) -> dict[str, str]:
        """Say the move."""
        await self._said.wait()
        self._said.clear()
        self.moves[0] -= 1
        if self.moves[0] < 0:
            raise WebSocketDisconnect(1000)
        return {"type": "websocket.receive", "text": self.text}

    async def close(self, code: int = 1000, reason: str = "") -> None:
        """Be closed."""


async def play(
    store: GroupedStore,
    packs: tuple[str, ...],
    players: int,
    moves: int,
    profile: cProfile.Profile | None = None,
) -> dict[str, float]:
    """Let all play; the seconds of the processor by whose they are."""
    context = ServerContext(
        store, Limits(messages_each_second=1e9, messages_at_once=10**9).for_each(2 * players), Shard()
    )
    asyncio.get_running_loop().set_default_executor(context.executor)
    left, connections, all_players = [10**9], [], []
    for place in range(players):
        pack = packs[place % len(packs)]
        live = await context.registry.create(levels_at(pack), place // len(packs) % len(WAYS[pack]), place)
        player = Player(pack, place, left)
        socket: Any = player
        connections.append(Connection(socket, await context.registry.access(live.name), context, "here"))
        all_players.append(player)
    left[0] = moves
    gc.collect()
    gc.freeze()
    gc.set_threshold(*GARBAGE)
    begin, loop, own = time.process_time(), time.thread_time(), sum(player.own for player in all_players)
    if profile:
        profile.enable()
    await asyncio.gather(*(connection.run() for connection in connections))
    if profile:
        profile.disable()
    used = {"all": time.process_time() - begin, "loop": time.thread_time() - loop}
    used["players"] = sum(player.own for player in all_players) - own
    for player in all_players:
        assert not player.errors, player.errors[:3]
    context.close()
    return used


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--players", type=int, default=PLAYERS)
    parser.add_argument("--moves", type=int, default=MOVES)
    parser.add_argument("--game", default="")
    parser.add_argument("--profile", action="store_true")
    asked = parser.parse_args()
    packs = tuple(pack for pack in PACKS if pack.startswith(asked.game))
    profile = cProfile.Profile(time.thread_time)
    with tempfile.TemporaryDirectory() as folder:
        store = GroupedStore(f"sqlite:///{Path(folder) / 'store.sqlite'}")
        used = uvloop.run(play(store, packs, asked.players, asked.moves, profile if asked.profile else None))
        store.close()
    if asked.profile:
        pstats.Stats(profile).sort_stats("tottime").print_stats(60)
    loop, players = used["loop"] - used["players"], used["players"]
    writer = used["all"] - used["loop"]
    each = [f"{1e6 * seconds / asked.moves:.0f}" for seconds in (loop + writer, loop, writer, players)]
    print(
        "a move takes {} µs of a processor: {} in the loop, {} in the store's thread; its player {}".format(
            *each
        )
    )


if __name__ == "__main__":
    main()
