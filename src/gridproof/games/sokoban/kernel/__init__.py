"""Sokoban on packed words. The same rules as `rules.py`, held to it by tests.

Squares are the cells that matter, in reading order: without bombs, those that the player could reach
if there were no boxes; with bombs, all. A state is a bit a square for the boxes, then the player's
square (in the same word, where there is room). With bombs the player has a word that holds the bombs
left too, and two more words follow: the rows and the columns that had walls and have none
left. This form is canonical: equal positions have equal words.

All data of a level are one array of words, and places in it are unsigned: each array passed to a
compiled function costs a few nanoseconds, and so does each index that may be negative. An expansion
costs 4 look-ups and a write a successor; a bomb looks at all squares.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from gridproof.games.sokoban.kernel.boards import BOARDS
from gridproof.games.sokoban.kernel.packing import (
    ALONE,
    BOX,
    FLOOR,
    MOST_BOMBS_SEEN,
    NONE,
    WALKER,
    Packer,
    relevant_cells,
)
from gridproof.games.sokoban.rules import Action, Level
from gridproof.kernels.bits import count_ones
from gridproof.kernels.compile import borrowing, inlined
from gridproof.kernels.game import (
    DONE,
    LOST,
    PLAYING,
    REFUSED,
    WON,
    EnvKernel,
    GameKernel,
    Packing,
    SearchKernel,
)

U = np.uint64
_ZERO, _ONE, _TWO, _THREE, _SIX, _LOW = U(0), U(1), U(2), U(3), U(6), U(63)
_MOST_LINES = 64
_MOST_SQUARES = 1 << 14  # a state has a word for 64 of them: the rules need less for a step
_MOST_BOMBS = 1 << 40

BOMB = 4  # the number of the action

# the number of a word's lowest bit (Leiserson, Prokop, Randall: Using de Bruijn sequences to index a 1, 1998)
_DE_BRUIJN, _58 = U(0x03F7_9D71_B4CB_0A89), U(58)
_BIT_OF = np.zeros(64, np.uint64)
_BIT_OF[[(0x03F7_9D71_B4CB_0A89 << bit & (1 << 64) - 1) >> 58 for bit in range(64)]] = range(64)


# What the data begin with: how many squares; whether there are bombs; the word that holds the player,
# the shift and the mask there; where three tables begin; how many cells the picture has. Then a mask for each word
# of a state: the squares that are no depots.
SQUARES, HAS_BOMBS, PLACE, SHIFT, PLAYER, TABLE, PLACES, PICTURE, CELLS, MASKS = map(U, range(10))
# The table has 8 words a square. 0 to 3 are the neighbours up, down, left, right, or NONE; the last is
# how far it is to a depot.
STRIDE = U(8)
WALL, ROW, COLUMN, DEPOT = U(4), U(5), U(6), U(7)
# PLACES has the place of each square in the picture, 16 bits each. The picture is the symbols of all cells, a byte
# each, without boxes and player.


@borrowing
def square_entry(data: Any, square: Any, column: Any) -> Any:
    """Return an entry of a square in the table."""
    return data[data[TABLE] + STRIDE * square + column]


@borrowing
def box_bit(state: Any, square: Any) -> Any:
    """Return 1 when a box stands on a square, else 0."""
    return (state[square >> _SIX] >> (square & _LOW)) & _ONE


@borrowing
def player_of(data: Any, state: Any) -> Any:
    """Return the player's square."""
    return (state[data[PLACE]] >> data[SHIFT]) & data[PLAYER]


@borrowing
def bombs_of(data: Any, state: Any) -> Any:
    """Return the number of bombs left."""
    return state[data[PLACE]] >> U(ALONE) if data[HAS_BOMBS] else _ZERO


@borrowing
def is_wall(data: Any, state: Any, square: Any) -> Any:
    """Return whether a square is a wall that is left (K8)."""
    if not square_entry(data, square, WALL):
        return False
    rows, columns = state[data[PLACE] + _ONE], state[data[PLACE] + U(2)]
    gone = (rows >> square_entry(data, square, ROW)) | (columns >> square_entry(data, square, COLUMN))
    return gone & _ONE == _ZERO


@borrowing
def is_won(data: Any, state: Any) -> Any:
    """Return whether each box stands on a depot: there are as many (K3, K9)."""
    for word in range(U(state.shape[0])):  # noqa: SIM110  # numba compiles no generators
        if state[word] & data[MASKS + U(word)] != _ZERO:
            return False
    return True


@borrowing
def action_kind(data: Any, state: Any, number: Any) -> Any:
    """Return 0 for an action that is not executable in a position that is not won (K5, K6, K7), 2 for a push, else 1."""
    if number == BOMB:
        return 1 if bombs_of(data, state) else 0
    ahead = square_entry(data, player_of(data, state), U(number))
    if ahead == NONE or (data[HAS_BOMBS] and is_wall(data, state, ahead)):
        return 0
    if not box_bit(state, ahead):
        return 1
    behind = square_entry(data, ahead, U(number))
    if behind == NONE or (data[HAS_BOMBS] and is_wall(data, state, behind)) or box_bit(state, behind):
        return 0
    return 2


@borrowing
def explode(data: Any, state: Any, out: Any) -> None:
    """Write the state after a bomb (K8) in canonical form: every row and column without walls counts as bombed."""
    place, player = data[PLACE], player_of(data, state)
    out[place] -= _ONE << U(ALONE)
    out[place + _ONE] |= _ONE << square_entry(data, player, ROW)
    out[place + U(2)] |= _ONE << square_entry(data, player, COLUMN)
    had_rows, had_columns, rows, columns = _ZERO, _ZERO, _ZERO, _ZERO
    for number in range(data[SQUARES]):
        square = U(number)
        if square_entry(data, square, WALL):
            row, column = _ONE << square_entry(data, square, ROW), _ONE << square_entry(data, square, COLUMN)
            had_rows |= row
            had_columns |= column
            if is_wall(data, out, square):
                rows |= row
                columns |= column
    out[place + _ONE], out[place + U(2)] = had_rows & ~rows, had_columns & ~columns


@borrowing
def act(data: Any, state: Any, number: Any, kind: Any, out: Any) -> None:
    """Write the state after an executable action; `kind` is the result of `action_kind`."""
    for word in range(state.shape[0]):  # quicker than by slices
        out[word] = state[word]
    if number == BOMB:
        explode(data, state, out)
        return
    player = player_of(data, state)
    ahead = square_entry(data, player, U(number))
    out[data[PLACE]] ^= (player ^ ahead) << data[SHIFT]
    if kind == 2:
        behind = square_entry(data, ahead, U(number))
        out[ahead >> _SIX] ^= _ONE << (ahead & _LOW)
        out[behind >> _SIX] ^= _ONE << (behind & _LOW)


@borrowing
def successors(data: Any, state: Any, out: Any, action: Any, reward: Any, weight: Any) -> Any:
    """Write the successors by all actions; none once the level is completed (K15).

    The steps are `action_kind` and `act` written out, which halves the time.
    """
    words = U(state.shape[0])
    if is_won(data, state):
        return 0
    place, shift, table, bombs = data[PLACE], data[SHIFT], data[TABLE], data[HAS_BOMBS]
    player = (state[place] >> shift) & data[PLAYER]
    count = _ZERO
    for number in range(4):
        ahead = data[table + STRIDE * player + U(number)]
        if ahead == NONE or (bombs and is_wall(data, state, ahead)):
            continue
        pushed = box_bit(state, ahead)
        if pushed:
            behind = data[table + STRIDE * ahead + U(number)]
            if behind == NONE or box_bit(state, behind) or (bombs and is_wall(data, state, behind)):
                continue
        for word in range(words):
            out[count, word] = state[word]
        out[count, place] ^= (player ^ ahead) << shift
        if pushed:
            out[count, ahead >> _SIX] ^= _ONE << (ahead & _LOW)
            out[count, behind >> _SIX] ^= _ONE << (behind & _LOW)
        action[count], reward[count], weight[count] = number, 0, 1
        count += _ONE
    if bombs and bombs_of(data, state):
        act(data, state, BOMB, 1, out[count])
        action[count], reward[count], weight[count] = BOMB, 0, 1
        count += _ONE
    return np.int64(count)


@borrowing
def predecessors(data: Any, state: Any, out: Any, action: Any, reward: Any, weight: Any) -> Any:
    """Write the positions from which a step or a push leads here, on a level without bombs (K6)."""
    place, shift, table = data[PLACE], data[SHIFT], data[TABLE]
    player = player_of(data, state)
    count = 0
    for number in range(4):
        before = data[table + STRIDE * player + U(number ^ 1)]  # the player came from the opposite side
        if before == NONE or is_wall(data, state, before) or box_bit(state, before):
            continue
        ahead = data[table + STRIDE * player + U(number)]
        for pushed in range(2):
            if pushed and (ahead == NONE or not box_bit(state, ahead)):
                continue
            for word in range(state.shape[0]):
                out[count, word] = state[word]
            out[count, place] ^= (player ^ before) << shift
            if pushed:
                out[count, ahead >> _SIX] ^= _ONE << (ahead & _LOW)
                out[count, player >> _SIX] ^= _ONE << (player & _LOW)
            if not is_won(data, out[count]):  # K15
                count += 1
    return count


@borrowing
def actions_left_bound(data: Any, state: Any, arguments: Any) -> Any:
    """Return the lower bound `propositions.actions_left_bound`."""
    pushes, walk = np.int64(0), np.int64(-1)
    player = player_of(data, state)
    row, column = square_entry(data, player, ROW), square_entry(data, player, COLUMN)
    for number in range(data[SQUARES]):
        square = U(number)
        if box_bit(state, square) and square_entry(data, square, DEPOT):
            pushes += np.int64(square_entry(data, square, DEPOT))
            down = np.int64(square_entry(data, square, ROW)) - np.int64(row)
            right = np.int64(square_entry(data, square, COLUMN)) - np.int64(column)
            steps = abs(down) + abs(right) - 1
            if walk < 0 or steps < walk:
                walk = steps
    return pushes if walk < 0 else pushes + walk


@borrowing
def status(data: Any, state: Any) -> Any:
    """Return the code of `Position.status` (K9)."""
    if is_won(data, state):
        return WON
    for number in range(5):
        if action_kind(data, state, number):
            return PLAYING
    return LOST


@inlined
def step(data: Any, state: Any, number: Any, random: Any, out: Any) -> Any:
    """Do one action."""
    kind = 0 if number < 0 or number > BOMB or is_won(data, state) else action_kind(data, state, number)
    if kind == 0:
        for word in range(state.shape[0]):
            out[word] = state[word]
        return 0, status(data, out), REFUSED
    act(data, state, number, kind, out)
    return 0, status(data, out), DONE


@borrowing
def mask(data: Any, state: Any, mask: Any) -> None:
    """Mark the executable actions."""
    over = is_won(data, state)
    for number in range(5):
        mask[number] = 0 if over or not action_kind(data, state, number) else 1


@borrowing
def observe(data: Any, state: Any, player: Any, out: Any) -> None:
    """Write the board, a symbol a cell in reading order."""
    symbols, picture, places = data.view(np.uint8), data[PICTURE] << U(3), data[PLACES] << U(2)
    place_of = data.view(np.uint16)
    cells, squares, shift, player = data[CELLS], data[SQUARES], data[SHIFT], player_of(data, state)
    for cell in range(cells):
        out[cell] = symbols[picture + cell]
    for square in range(squares if data[HAS_BOMBS] else _ZERO):
        if square_entry(data, square, WALL) and not is_wall(data, state, square):
            out[place_of[places + square]] = FLOOR
    last = data[PLACE]
    for word in range(last + _ONE):
        boxes = state[word] if word < last else state[word] & ((_ONE << shift) - _ONE)
        while boxes:
            lowest = boxes & (_ZERO - boxes)
            out[place_of[places + (word << _SIX) + _BIT_OF[(lowest * _DE_BRUIJN) >> _58]]] += BOX
            boxes ^= lowest
    bombs: Any = min(np.int64(bombs_of(data, state)), MOST_BOMBS_SEEN)
    out[place_of[places + player]] += WALKER + 2 * bombs


@borrowing
def bombs(data: Any, state: Any, arguments: Any) -> Any:
    """Return the number `bombs`."""
    return np.int64(bombs_of(data, state))


@borrowing
def count_placed(data: Any, state: Any, arguments: Any) -> Any:
    """Return the number `placed`: boxes on depots."""
    count, last = _ZERO, data[PLACE]
    for word in range(last + _ONE):
        boxes = state[word] if word < last else state[word] & ((_ONE << data[SHIFT]) - _ONE)
        count += count_ones(boxes & ~data[MASKS + word])
    return np.int64(count)


@borrowing
def square_at(data: Any, arguments: Any) -> Any:
    """Return the square of a cell (x, y); NONE without one."""
    x, y = arguments[0], arguments[1]
    for number in range(data[SQUARES]):
        square = U(number)
        if (
            np.int64(square_entry(data, square, COLUMN)) == x
            and np.int64(square_entry(data, square, ROW)) == y
        ):
            return square
    return NONE


@borrowing
def at(data: Any, state: Any, arguments: Any) -> Any:
    """Return the proposition `at(x,y)`."""
    return np.int64(player_of(data, state) == square_at(data, arguments))


@borrowing
def box(data: Any, state: Any, arguments: Any) -> Any:
    """Return the proposition `box(x,y)`."""
    square = square_at(data, arguments)
    return np.int64(square != NONE and box_bit(state, square) == _ONE)


@borrowing
def valid(data: Any, state: Any, arguments: Any) -> Any:
    """Return the proposition `valid` (K3); packed parts lie in the grid, and packed numbers are not negative."""
    missing: Any = 0
    for number in range(data[SQUARES]):
        square = U(number)
        is_box, is_depot = box_bit(state, square) == _ONE, square_entry(data, square, DEPOT) == _ZERO
        missing += np.int64(is_depot) - np.int64(is_box)
        if (is_box or is_depot) and is_wall(data, state, square):
            return np.int64(0)
    player = player_of(data, state)
    stands = player < data[SQUARES] and not is_wall(data, state, player) and not box_bit(state, player)
    return np.int64(stands and missing == 0)


@borrowing
def cost(data: Any, state: Any, action: Any, after: Any, measure: Any) -> Any:
    """Return the cost of an action in moves (0) or pushes (1), as in `propositions` (K22)."""
    if action == BOMB:
        return 0
    if measure == 0:
        return 1
    return np.int64(box_bit(state, player_of(data, after)))  # the player stands where a box stood


def prepare(level: Level) -> Packing | None:
    """Return the packing of a level of up to 16,384 squares; with bombs, of up to 64 rows and columns."""
    bombs = level.bombs > 0
    if (bombs and max(level.size) > _MOST_LINES) or level.bombs >= _MOST_BOMBS:
        return None
    cells = relevant_cells(level, _MOST_SQUARES)
    if cells is None:
        return None
    packer = Packer(level, cells)
    return Packing(
        level,
        packer.size,
        5,
        packer.data(),
        tuple(Action),
        packer.pack,
        packer.unpack,
        most_before=0 if bombs else 8,
        fits=packer.fits,
        observed=packer.observation_shape,
        symbols=WALKER + 2 * min(level.bombs, MOST_BOMBS_SEEN) + 2,
        framed=packer.data,
        from_symbols=packer.from_symbols,
    )


KERNEL = GameKernel(
    prepare=prepare,
    successors=successors,
    status=status,
    step=step,
    mask=mask,
    propositions={
        ("bombs", 0): bombs,
        ("placed", 0): count_placed,
        ("at", 2): at,
        ("box", 2): box,
        ("valid", 0): valid,
    },
    search=SearchKernel(predecessors=predecessors, bounds={("won", 0): actions_left_bound}, cost=cost),
    env=EnvKernel(observe=observe, boards=BOARDS),
)
