"""Time of `gridproof.analyse` on each level of the packs with up to a million positions: at most 30 seconds each.

    python benchmarks/analyse.py [PACK ...] [--positions N]

Seconds are by the clock and of the processor, kernels compiled beforehand (`gridproof warm`). With them: positions,
dead ones, the number of shortest solutions, what of the pieces is known. Larger levels are left out.
"""

from __future__ import annotations

import argparse
import time

import gridproof as gp
from gridproof.core.text.level_lookup import builtin_pack, pack_names

LARGEST, MOST = 1_000_000, 30.0


def print_figures(name: str, level: gp.Level) -> float:
    """Print the figures of a level; its seconds."""
    begin, used = time.perf_counter(), time.process_time()
    analysis = gp.analyse(level)
    seconds, processor = time.perf_counter() - begin, time.process_time() - used
    whole = analysis.whole
    known = sum(piece.found is not None for piece in analysis.pieces)
    print(
        f"{name:28} {seconds:6.2f} s {processor:6.2f} s of processor {analysis.states:9,} positions "
        f"{whole.dead if whole else 0:9,} dead {whole.ways if whole else 0:12.4g} ways "
        f"{known:3} of {len(analysis.pieces)} pieces known",
        flush=True,
    )
    return seconds


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("packs", nargs="*", help="such as sokoban/bombs; all by default")
    parser.add_argument("--positions", type=int, default=LARGEST)
    options = parser.parse_args()
    packs = options.packs or [
        f"{game}/{pack}" for game in gp.game_names() for pack in pack_names(gp.game(game))
    ]
    slowest, count = ("", 0.0), 0
    for pack in packs:
        game, _, own = pack.partition("/")
        levels = builtin_pack(gp.game(game), own)
        gp.analyse(levels[0])  # loads what is needed
        for number, level in enumerate(levels, 1):
            if not gp.explore(level, limit=gp.Limit(states=options.positions)).complete:
                continue
            seconds, count = print_figures(f"{pack}/{number}", level), count + 1
            slowest = max(slowest, (f"{pack}/{number}", seconds), key=lambda one: one[1])
    print(f"{count} levels; the slowest is {slowest[0]} with {slowest[1]:.2f} s, of {MOST:.0f} s allowed")


if __name__ == "__main__":
    main()
