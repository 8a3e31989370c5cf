"""How fast n-tuple networks of 2048 play and learn, on one core and on all; classic rule.

A network of four 6-tuples, as TDL2048's `4x6patt`, learns for some seconds. Then it plays whole games one slide ahead, and its
training is measured by itself. Moves are those that are played; each is chosen among up to four afterstates, and each lookup of
the 32 of an afterstate is counted on its own. TDL2048 (C++, https://github.com/moporgic/TDL2048) does 2.1 to 2.4 M moves a second
one slide ahead and 1.2 M with temporal coherence, on one core of a machine of the same kind: published figures, not measured in
this run.

    python benchmarks/twenty48_network.py [--tuples "0123 ..."] [--seconds 60]
"""

from __future__ import annotations

import argparse
import os
import time

from gridproof.games.twenty48.network import Network, parse_tuples
from gridproof.games.twenty48.network_games import play_games
from gridproof.games.twenty48.rules import Level
from gridproof.games.twenty48.train import Trainer

FOUR_BY_SIX = "012345 456789 012456 45689a"
GAMES = 100


def arguments() -> argparse.Namespace:
    """Return the options of the command line."""
    parser = argparse.ArgumentParser(description="Networks of 2048")
    parser.add_argument("--tuples", default=FOUR_BY_SIX)
    parser.add_argument("--seconds", type=float, default=60.0, help="processor seconds of training")
    return parser.parse_args()


def train_for(trainer: Trainer, seconds: float, threads: int = 1) -> float:
    """Train for some processor seconds; return the moves a second of processor time, or of the clock with several threads."""
    clock = time.process_time if threads == 1 else time.perf_counter
    begin, before = clock(), trainer.moves
    while clock() - begin < seconds:
        trainer.play(GAMES * threads, threads)
    return float((trainer.moves - before) / (clock() - begin))


def main() -> None:
    """Print the speeds."""
    options = arguments()
    level = Level(spawn="classic")
    network = Network(4, 4, parse_tuples(options.tuples, 4, 4))
    trainer = Trainer(network, level, 1)
    trainer.play(GAMES)  # compiles
    train_for(trainer, options.seconds / 2)
    learning = train_for(trainer, options.seconds / 2)
    print(f"temporal coherence, one core: {learning / 1e6:.2f} M moves/s", flush=True)
    play_games(network, level, 1)  # compiles
    begin = time.process_time()
    played = play_games(network, level, GAMES, seed=2)
    rate = played.lengths.sum() / (time.process_time() - begin)
    print(
        f"one slide ahead, one core: {rate / 1e6:.2f} M moves/s; mean score {played.scores.mean():,.0f}",
        flush=True,
    )
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    if cores > 1:
        together = train_for(trainer, options.seconds / 2, cores)
        alone = train_for(trainer, options.seconds / 2, 1)
        print(
            f"temporal coherence, {cores} cores: {together / 1e6:.2f} M moves/s, {together / alone:.2f} times one core"
        )


if __name__ == "__main__":
    main()
