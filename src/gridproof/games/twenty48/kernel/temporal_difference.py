"""Kernels that play games by a network and train it on them: temporal differences of afterstates, with coherence.

M. Szubert and W. Jaśkowski, "Temporal difference learning of N-tuple networks for the game 2048" (CIG 2014); D. F. Beal and
M. C. Smith, "Temporal coherence and prediction decay in TD learning" (IJCAI 1999); K. Matsuzaki, "Developing a 2048 player with
backward temporal coherence learning and restart" (ACG 2017). A game is learned from its end backwards, so that a move is
compared with the value that its successor has just got.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from gridproof.games.twenty48.kernel import begin, spawn
from gridproof.games.twenty48.kernel.cells import SQUARE, copy, largest_exponent
from gridproof.games.twenty48.kernel.network import INVALID, NetworkKernels, slide_state
from gridproof.games.twenty48.kernel.rows import empty_bits, spawn_tile
from gridproof.kernels.atomics import prefetch
from gridproof.kernels.chance import derive_stream
from gridproof.kernels.compile import Hole, borrowing, inlined, kernel

value_of: Any = Hole()
fetch: Any = Hole()
find_indices: Any = Hole()
choose_slide: Any = Hole()
play_episode: Any = Hole()
learn_episode: Any = Hole()


@inlined
def spawn_in(data: Any, random: Any, state: Any) -> None:
    """Draw a tile (T10)."""
    if data[SQUARE]:
        state[0], _ = spawn_tile(data, state[0], empty_bits(state[0]), random)
    else:
        spawn(data, random, state)


def best_slide(data: Any, tables: Any, state: Any, room: Any, out: Any) -> Any:
    """Write the afterstate with the largest sum of gain and value; return its gain, or INVALID without one.

    `room` is for the four afterstates, uint64 (4, words), and their gains, int64 (4,). All weights are fetched before the first
    one is used.
    """
    afters, gains = room
    for number in range(4):
        gains[number] = slide_state(data, state, number, afters[number])
        if gains[number] != INVALID:
            fetch(tables, afters[number])
    best, found = np.float32(-np.inf), INVALID
    for number in range(4):
        if gains[number] == INVALID:
            continue
        worth = np.float32(gains[number]) + value_of(tables, afters[number])
        if worth > best:
            best, found = worth, gains[number]
            copy(afters[number], out)
    return found


@borrowing
def learn(tables: Any, changes: Any, indices: Any, target: Any, rate: Any) -> Any:
    """Move the sum of some weights towards a target; return the new sum.

    `changes` are the sums of each weight's errors and of their sizes: float32 (n, 2). Their quotient is the weight's own rate,
    which falls when the errors have changing signs. `rate` is the learning rate by the number of weights.
    """
    weights = tables[0]
    total = np.float32(0)
    for place in range(indices.shape[0]):
        total += weights[indices[place]]
    error = np.float32(target) - total
    step, size = np.float32(rate) * error, abs(error)
    for place in range(indices.shape[0]):
        index = indices[place]
        errors, sizes = changes[index, 0], changes[index, 1]
        weights[index] += step * (abs(errors) / sizes) if sizes > np.float32(0) else step
        changes[index, 0], changes[index, 1] = errors + error, sizes + size
    total = np.float32(0)
    for place in range(indices.shape[0]):
        total += weights[indices[place]]
    return total


def play_on(data: Any, tables: Any, state: Any, random: Any, episode: Any) -> Any:
    """Play by the network from a board to the end, or until the episode is full; return the number of moves.

    `episode` has the afterstates, uint64 (moves, words), the gains, int64 (moves,), and room for `best_slide`. `state` becomes the
    last board.
    """
    boards, gains, room = episode
    for move in range(gains.shape[0]):
        gain = choose_slide(data, tables, state, room, boards[move])
        if gain == INVALID:
            return move
        gains[move] = gain
        copy(boards[move], state)
        spawn_in(data, random, state)
    return gains.shape[0]


def learn_backwards(tables: Any, changes: Any, episode: Any, moves: Any, indices: Any, rates: Any) -> None:
    """Learn from an episode that has ended: `rates` are the learning rate by the number of weights, and lambda.

    `indices` has two rows: what the next board looks up is fetched while the one before it is learned.
    """
    boards, gains, _ = episode
    weights, (rate, decay) = tables[0], rates
    flat = changes.reshape(changes.size)
    target = 0.0
    if moves > 0:
        find_indices(tables, boards[moves - 1], indices[(moves - 1) & 1])
    for move in range(moves - 1, -1, -1):
        if move > 0:
            following = indices[(move - 1) & 1]
            find_indices(tables, boards[move - 1], following)
            for place in range(following.shape[0]):
                prefetch(weights, following[place])
                prefetch(flat, 2 * following[place])
        value = learn(tables, changes, indices[move & 1], target, rate)
        target = gains[move] + decay * target + (1 - decay) * value


def train_all(data: Any, tables: Any, changes: Any, start: Any, seeds: Any, plan: Any, results: Any) -> Any:
    """Play games with seeds of their own, and learn from each; return the number of moves of all episodes.

    Parameters
    ----------
    seeds : uint64 (games,)
    plan : (float, float, int, int)
        The learning rate; lambda; the fewest moves from the middle of a game to its end for which the rest is played and learned
        once more from there, 0 for never; the most moves of an episode. One that is longer is not learned, nor played again.
    results : (int64 (games,), int64 (games,))
        The score of each game from its start, and the exponent of its largest tile.
    """
    rate, decay, least, most = plan
    scores, exponents = results
    words = start.shape[0]
    state, random = np.empty(words, np.uint64), np.empty(1, np.uint64)
    boards, gains = np.empty((most, words), np.uint64), np.empty(most, np.int64)
    episode = boards, gains, (np.empty((4, words), np.uint64), np.empty(4, np.int64))
    indices = np.empty((2, tables[1].shape[0]), np.int64)
    rates = rate / indices.shape[1], decay
    played = 0
    for game in range(seeds.shape[0]):
        random[0] = derive_stream(seeds[game], 0)
        copy(start, state)
        begin(data, random, state)
        moves = play_episode(data, tables, state, random, episode)
        scores[game], exponents[game] = gains[:moves].sum(), largest_exponent(data, state)
        while True:
            played += moves
            if moves < most:
                learn_episode(tables, changes, episode, moves, indices, rates)
            middle = moves // 2
            if least <= 0 or moves == most or moves - middle < least:
                break
            copy(boards[middle], state)
            spawn_in(data, random, state)
            moves = play_episode(data, tables, state, random, episode)
    return played


def play_all(data: Any, tables: Any, start: Any, seeds: Any, most: Any, results: Any) -> None:
    """Play games by a network, each with the chance of a session with its seed (T18), to the end or to `most` moves.

    `results` are int64 arrays of a number a game: the moves, the score, and the exponent of the largest tile.
    """
    lengths, scores, exponents = results
    words = start.shape[0]
    state, after = np.empty(words, np.uint64), np.empty(words, np.uint64)
    room = np.empty((4, words), np.uint64), np.empty(4, np.int64)
    random = np.empty(1, np.uint64)
    for game in range(seeds.shape[0]):
        random[0] = derive_stream(seeds[game], 0)
        copy(start, state)
        begin(data, random, state)
        lengths[game], scores[game] = 0, 0
        while lengths[game] < most:
            gain = choose_slide(data, tables, state, room, after)
            if gain == INVALID:
                break
            lengths[game] += 1
            scores[game] += gain
            copy(after, state)
            random[0] = derive_stream(seeds[game], lengths[game])
            spawn_in(data, random, state)
        exponents[game] = largest_exponent(data, state)


@functools.lru_cache(maxsize=16)
def playing_kernel(kernels: NetworkKernels) -> Any:
    """Return `play_all` for networks of a pattern."""
    return kernel(
        play_all, choose_slide=borrowing(best_slide, value_of=kernels.value_of, fetch=kernels.fetch)
    )


@functools.lru_cache(maxsize=16)
def training_kernel(kernels: NetworkKernels) -> Any:
    """Return `train_all` for networks of a pattern."""
    best = borrowing(best_slide, value_of=kernels.value_of, fetch=kernels.fetch)
    play = borrowing(play_on, choose_slide=best)
    backwards = borrowing(learn_backwards, find_indices=kernels.find_indices)
    return kernel(train_all, play_episode=play, learn_episode=backwards)
