"""Time until the proof badge has a verdict: 40 levels of the packs, ten of each game, in a warm process.

Wall-clock time from the question to the first word whether the position can be won, and the processor's time of the same
work in this process. Certificates of the levels are not used. Then the same for what can follow the first position: the
next one on the way, and up to four others. For a position without such a word, what is told in the end counts as none.
"""

from __future__ import annotations

import queue
import time

import gridproof as gp
from gridproof.core.registry import game as game_named
from gridproof.core.text.level_lookup import builtin_pack, pack_names
from gridproof.core.trace import Step
from gridproof.prove.position_status import Badge, Standing, StatusQuery, verdicts
from gridproof.prove.proof_cache import ProofCache
from gridproof.table.status_prover import StatusProver

LEVELS, OTHERS = 10, 4
FIRST_MOST, CHILD_MOST, LEAST = 1.0, 0.1, 30
LIMIT = gp.Limit(seconds=5, memory=1 << 30)
LOADING = 20.0
"""Seconds in which nobody asks, as before a player's first question: the process loads what solves the games."""


def chosen(name: str) -> list[gp.Level]:
    """Ten levels of a game, evenly over its packs."""
    game = game_named(name)
    levels = [level for pack in pack_names(game) for level in builtin_pack(game, pack)]
    return [levels[number * len(levels) // LEVELS] for number in range(LEVELS)]


def ask_prover(prover: StatusProver, asked: StatusQuery) -> tuple[float | None, Badge]:
    """Seconds to the first word, None where there is none, and the last word."""
    told: queue.Queue[Badge] = queue.Queue()
    began, first = time.perf_counter(), None
    prover.ask("benchmark", asked, told.put)
    while True:
        badge = told.get(timeout=600)
        if first is None and badge.standing is not Standing.UNKNOWN:
            first = time.perf_counter() - began
        if badge.complete:
            return first, badge


def of_processor(asked: StatusQuery) -> float:
    """Seconds of the processor to the first word, in this process."""
    began = time.process_time()
    next((badge for badge in verdicts(asked, LIMIT) if badge.standing is not Standing.UNKNOWN), None)
    return time.process_time() - began


def children(level: gp.Level, badge: Badge) -> list[tuple[str, StatusQuery]]:
    """Some of the positions after the first, as a session asks about them; the one on the way first."""
    start, proofs = level.start(), ProofCache()
    proofs.learn(start, badge)
    way = badge.way[0] if badge.way else None
    others = (action for action in start.actions() if way is None or action != way.action)
    steps = [way] if way else []
    steps += (Step(action, next(iter(start.outcomes(action))).label) for action in others)
    return [
        (
            "on the way" if step is way else "elsewhere",
            proofs.build_query([start, start.outcome(step.action, step.label).position], [step]),
        )
        for step in steps[: OTHERS + 1]
    ]


def describe_times(name: str, times: list[float | None], most: float) -> str:
    """A line about some times."""
    known = sorted(one for one in times if one is not None)
    soon = sum(one <= most for one in known)
    middle = (
        f"median {1000 * known[len(known) // 2]:.0f} ms, longest {1000 * known[-1]:.0f} ms" if known else ""
    )
    return f"{name:24} {soon:4} of {len(times):4} within {1000 * most:.0f} ms; {len(times) - len(known)} not known; {middle}"


def main() -> None:
    """Print it."""
    prover = StatusProver(1, LIMIT, gp.game_names())
    began = time.perf_counter()
    while ask_prover(prover, StatusQuery(chosen("shiftit")[0].start()))[0] is None:
        pass
    print(f"ready after {time.perf_counter() - began:.1f} s")
    for name in ("robots", "shiftit", "sokoban", "twenty48"):  # kernels of all games are there
        ask_prover(prover, StatusQuery(chosen(name)[-1].start()))
    time.sleep(LOADING)
    first: list[float | None] = []
    after: dict[str, list[float | None]] = {"on the way": [], "elsewhere": []}
    used = {"first": 0.0, "elsewhere": 0.0, "on the way": 0.0}
    for name in ("robots", "shiftit", "sokoban", "twenty48"):
        here: list[float | None] = []
        for level in chosen(name):
            seconds, badge = ask_prover(prover, StatusQuery(level.start()))
            here.append(seconds)
            used["first"] = max(
                used["first"], of_processor(StatusQuery(level.start())) if seconds is not None else 0.0
            )
            if badge.standing is Standing.UNKNOWN:
                continue
            for where, question in children(level, badge):
                after[where].append(ask_prover(prover, question)[0])
                used[where] = max(used[where], of_processor(question))
        first += here
        print(describe_times(name, here, FIRST_MOST))
    soon = sum(one is not None and one <= FIRST_MOST for one in first)
    print(
        describe_times("all first verdicts", first, FIRST_MOST),
        "" if soon >= LEAST else f"(fewer than {LEAST})",
    )
    for where, times in after.items():
        print(describe_times(f"a child {where}", times, CHILD_MOST))
    print(
        "longest by the processor's time:",
        ", ".join(f"{what} {1000 * most:.0f} ms" for what, most in used.items()),
    )
    prover.close()


if __name__ == "__main__":
    main()
