"""Searches up to symmetry: canonical forms, propositions that symmetry keeps, and verdicts, against the rules."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any

import numpy as np
import pytest

import gridproof as gp
from gridproof.core.proposition import propositions
from gridproof.games import shiftit
from gridproof.games.shiftit.kernel import symmetry as shiftit_symmetry
from gridproof.games.shiftit.rules import has_unique_tiles, tile_kinds
from gridproof.games.twenty48 import Level, Position
from gridproof.kernels.game import GameKernel, Packing, packing_of
from gridproof.prove import early_verdict
from gridproof.prove.evaluate import holds
from gridproof.prove.formula import FALSE, decisive_goal
from gridproof.prove.parsing import parse
from gridproof.search import explore as exploring
from gridproof.search.explore import explore_by_rules

SIZES = [(2, 2), (3, 2), (2, 3), (3, 3), (4, 3), (4, 4), (2, 6)]
Answers = set[tuple[bool, bool, bool]]
"""Kinds of verdicts: whether it holds, vacuously, and whether it counts orbits."""
REMARK = (early_verdict.COUNTED_ONCE,)


def images(position: Position) -> Iterator[Position]:
    """All turned and mirrored boards of the same size."""
    level, rows = position.level, np.array(position.rows)
    for turn in range(4):
        for image in (np.rot90(rows, turn), np.rot90(rows[:, ::-1], turn)):
            if image.shape == rows.shape:
                yield Position(level, tuple(image.ravel().tolist()))


def play(level: Level, random: Random, moves: int) -> Position:
    position = level.start(random.randrange(1000))
    for _ in range(moves):
        if position.ended:
            break
        position = random.choice(position.outcomes(random.choice(position.actions()))).position
    return position


def packed(level: Any) -> tuple[GameKernel, Packing, Any]:
    known = packing_of(level)
    assert known
    return *known, known[0].search.symmetry.data(known[1])


def canonical(level: Any, positions: Iterator[Any]) -> set[bytes]:
    kernel, packing, symmetry = packed(level)
    found = set()
    for position in positions:
        state = packing.pack(position)
        kernel.search.symmetry.canonicalize(packing.data, symmetry, state)
        found.add(state.tobytes())
    return found


def results(position: Any) -> Iterator[Any]:
    return (one.position for action in position.actions() for one in position.outcomes(action))


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("spawn", ["spec", "classic"])
def test_canonical_form_is_an_image_and_the_same_for_all_images(size: tuple[int, int], spawn: str) -> None:
    random, level = Random(3), Level(*size, spawn=spawn)
    _, packing, _ = packed(level)
    for moves in (0, 3, 10, 30, 60):
        position = play(level, random, moves)
        kernel, _, symmetry = packed(level)
        number = kernel.search.symmetry.size(packing.data, symmetry, packing.pack(position))
        assert number == len(set(images(position)))
        (form,) = canonical(level, images(position))
        assert packing.unpack(np.frombuffer(form, np.uint64)) in set(images(position))
        image = random.choice(list(images(position)))
        assert canonical(level, results(image)) == canonical(level, results(position))


def test_canonical_form_of_huge_tiles_is_in_the_orbit() -> None:
    level = Level(4, 4, board=[[32768, 2, 0, 4], [0, 0, 65536, 0], [0] * 4, [8] * 4])
    kernel, packing, symmetry = packed(level)
    position = next(level.starts()).position
    assert kernel.search.symmetry.size(packing.data, symmetry, packing.pack(position)) == -1
    for form in canonical(level, images(position)):
        assert packing.unpack(np.frombuffer(form, np.uint64)) in set(images(position))


def test_invariant_propositions_have_one_value_in_all_images() -> None:
    random = Random(5)
    for size in SIZES:
        level = Level(*size, target=16)
        kernel, _, _ = packed(level)
        for moves in range(0, 60, 5):
            position = play(level, random, moves)
            for name in kernel.search.symmetry.invariant:
                meaning = propositions(level.game)[name]
                for arguments in [(2,), (8,), (32,)] if meaning.parameters else [()]:
                    assert len({meaning.value(one, *arguments) for one in images(position)}) == 1


def test_boards_of_several_words_have_no_orbits() -> None:
    kernel, packing, symmetry = packed(Level(5, 5))
    assert symmetry is None
    assert kernel.search.symmetry.data(packing) is None


@pytest.fixture
def up_to_symmetry(monkeypatch: pytest.MonkeyPatch) -> None:
    """Search small spaces up to symmetry, and judge every prefix."""
    monkeypatch.setattr(exploring, "_BY_RULES", 0)
    monkeypatch.setattr(exploring, "WHOLE", 0)
    monkeypatch.setattr(early_verdict, "WHOLE", 1)
    monkeypatch.setattr(early_verdict, "_SOON", 1.01)
    monkeypatch.setattr(shiftit_symmetry, "_WORTH", 2)


def random_level(random: Random) -> Level:
    """A board that ends after few moves, drawn or given."""
    width, height = random.choice(((2, 2), (2, 2), (3, 2), (2, 3)))
    spawn = random.choice(("spec", "classic"))
    if width * height == 4 and random.random() < 0.5:
        return Level(width, height, spawn, random.choice((8, 16)))
    tiles = [random.choice((4, 8, 16, 32, 64, 128)) for _ in range(width * height - 1)] + [0]
    random.shuffle(tiles)
    rows = [tiles[first : first + width] for first in range(0, len(tiles), width)]
    return Level(width, height, spawn, random.choice((8, 16, 256)), rows)


def random_condition(random: Random, size: int) -> str:
    """A formula about one position that symmetry keeps."""
    if size > 1:
        left, right = (random_condition(random, size // 2) for _ in range(2))
        return f"({left} {random.choice(('&', '|', '->', '<->'))} {right})"
    value = random.choice((8, 16, 32, 64))
    atoms = ("won", "lost", "ended", "valid", f"tile({value})", f"max_tile >= {value}", "empty < max_tile")
    atom = random.choice((*atoms, f"empty = {random.randrange(4)}", f"empty < {random.randrange(4)}"))
    return f"!({atom})" if random.random() < 0.5 else atom


def compare(level: Any, random: Random, draw: Callable[[Random, int], str], where: str) -> Answers:
    """Compare some verdicts on a level, about drawn conditions; the kinds of answers."""
    whole, answers = explore_by_rules(level), set()
    depths = {position: whole.depth(position) for position in whole}
    for _ in range(6):
        form = random.choice(("AG", "EF", "G") if whole.by_depth[0] == 1 else ("AG", "G"))
        formula = f"{form} {draw(random, random.choice((1, 2, 4)))}"
        goal, truth = decisive_goal(parse(formula), "all") or (FALSE, False)
        hits = [depth for one, depth in depths.items() if holds(goal, one, whole.who)]
        place = f"{where}: {formula} on {level!r}"
        verdict = gp.check(level, formula)
        assert verdict.holds is (truth if hits else not truth), place
        is_reduced = verdict.remarks[-1:] == REMARK
        if is_reduced:
            assert verdict.satisfying is None, place
            assert verdict.states <= whole.states, place
        else:  # decided at the start, or counted
            assert verdict.states == whole.states or min(hits) == 0, place
            counts = {False: (0, None), True: (whole.states, None)}
            assert verdict.satisfying in counts[bool(verdict.holds)], place
        if hits:
            assert verdict.trace, place
            assert len(verdict.trace.steps) == min(hits), place
            assert holds(goal, verdict.trace.replay(), whole.who), place
            assert verdict.trace.start in {start.position for start in level.starts()}, place
            other = verdict.more() if is_reduced else None
            assert other is None or (other.trace and holds(goal, other.trace.replay(), whole.who)), place
        else:
            assert verdict.vacuous is gp.check(whole, formula).vacuous, place
        limited = gp.check(level, formula, limit=gp.Limit(states=random.randint(1, 40)))
        assert limited.holds in (None, verdict.holds), place
        assert (limited.bound or 0) <= min(hits, default=10**9), place
        answers.add((bool(verdict.holds), verdict.vacuous, is_reduced))
    return answers


def compare_boards(seed: int) -> Answers:
    random = Random(seed)
    return compare(random_level(random), random, random_condition, f"seed {seed}")


def board_with_identical_tiles(random: Random) -> shiftit.Level:
    """A board of up to six tiles of few kinds, perhaps with a lock."""
    width, height = random.choice(((2, 2), (3, 2), (2, 3)))
    places = [(x, y) for y in range(height) for x in range(width)]
    kinds = [[random.choice(("red", "green")) for _ in range(4)] for _ in range(2)]
    kinds[0][0] = random.choice(("red", "blue"))
    locked = random.choice((None, places[0]))
    return shiftit.Level(
        shiftit.Tile(f"t{x}{y}", x, y, kinds[random.random() < 0.3], (x, y) == locked) for x, y in places
    )


def symmetric_board(
    random: Random, sizes: Sequence[tuple[int, int]] = ((2, 2), (3, 2), (2, 3), (3, 3), (4, 2))
) -> shiftit.Level:
    """A board of tiles of one colour each, perhaps with locked ones, that often looks the same turned or renamed."""
    width, height = random.choice(sizes)
    places = [(x, y) for y in range(height) for x in range(width)]
    locked = random.choice(([], places[:1], places[width - 1 : width + 1], [places[0], places[-1]]))
    colours = [random.choice(("red", "green", "blue"))] * width * height
    colours[: width * height // 2] = ["red", "green", "blue", "red"][: width * height // 2]
    random.shuffle(colours)
    return shiftit.Level(
        shiftit.Tile(f"t{x}{y}", x, y, [colour] * 4, (x, y) in locked)
        for (x, y), colour in zip(places, colours, strict=True)
    )


def small_symmetric_board(random: Random) -> shiftit.Level:
    return symmetric_board(random, sizes=((2, 2), (3, 2), (2, 3)))


def condition_of_shiftit(random: Random, size: int) -> str:
    if size > 1:
        left, right = (condition_of_shiftit(random, size // 2) for _ in range(2))
        return f"({left} {random.choice(('&', '|', '->', '<->'))} {right})"
    return random.choice(("", "!")) + random.choice(("won", "lost", "ended"))


def compare_shiftit(board: Callable[[Random], shiftit.Level], seed: int) -> Answers:
    random = Random(seed)
    return compare(board(random), random, condition_of_shiftit, f"{board.__name__}, seed {seed}")


@pytest.mark.slow
@pytest.mark.usefixtures("up_to_symmetry")
def test_verdicts_up_to_symmetry_agree_with_the_rules() -> None:
    assert compare_boards(7)
    assert compare_shiftit(board_with_identical_tiles, 0)
    assert compare_shiftit(small_symmetric_board, 0)


@pytest.mark.long
@pytest.mark.usefixtures("up_to_symmetry")
def test_many_verdicts_up_to_symmetry_agree_with_the_rules() -> None:
    answers = set.union(*map(compare_boards, range(40)))
    assert len(answers) == 5


@pytest.mark.long
@pytest.mark.usefixtures("up_to_symmetry")
@pytest.mark.parametrize("board", [board_with_identical_tiles, small_symmetric_board])
def test_verdicts_up_to_symmetry_of_shiftit_agree_with_the_rules(
    board: Callable[[Random], shiftit.Level],
) -> None:
    answers = set.union(*(compare_shiftit(board, seed) for seed in range(40)))
    assert {(True, False, True), (False, False, True)} <= answers


def test_identical_tiles_change_places_in_an_orbit() -> None:
    random = Random(1)
    for _ in range(20):
        level = board_with_identical_tiles(random)
        kernel, _, symmetry = packed(level)
        kinds, places = tile_kinds(level), range(len(level.tiles))
        if symmetry is None or has_unique_tiles(level):
            continue
        position = shiftit.Position(level, tuple(random.sample(places, len(places))))
        swap = {0: random.choice([one for one in places if kinds[one] == kinds[0]])}
        swap |= {other: one for one, other in swap.items()}
        image = shiftit.Position(level, tuple(swap.get(tile, tile) for tile in position.tiles))
        assert len(canonical(level, iter([position, image]))) == 1
        assert canonical(level, results(position)) == canonical(level, results(image))
        for name in kernel.search.symmetry.invariant:
            meaning = propositions(level.game)[name]
            assert meaning.value(position) == meaning.value(image)


def test_symmetries_of_a_board_lead_to_the_images_of_the_results() -> None:
    random, numbers = Random(2), list[int]()
    for _ in range(60):
        level = symmetric_board(random)
        kinds, symmetries = tile_kinds(level), [*shiftit_symmetry.symmetries_of(level)]
        numbers.append(len(symmetries))
        assert len({(*sources, *become) for sources, become in symmetries}) == len(symmetries)
        position = level.start()
        for _ in range(random.randrange(6)):
            if position.actions():
                position = random.choice([*results(position)])

        def looks(one: Any, kinds: list[int] = kinds) -> tuple[int, ...]:
            return tuple(kinds[tile] for tile in one.tiles)

        for sources, become in symmetries:
            tiles = [*range(len(kinds))]
            image = []
            for source in sources:  # identical tiles in any order
                image.append(
                    next(one for one in tiles if kinds[one] == become[kinds[position.tiles[source]]])
                )
                tiles.remove(image[-1])
            twin = shiftit.Position(level, tuple(image))
            assert twin.status is position.status
            mapped = {tuple(become[looks(one)[source]] for source in sources) for one in results(position)}
            assert {*map(looks, results(twin))} == mapped
    assert {1, 2, 4, 8} <= {*numbers}


def test_orbit_of_a_board_of_shiftit_has_as_many_positions_as_the_kernel_counts() -> None:
    random = Random(4)
    for _ in range(20):
        level = symmetric_board(random)
        if len(level.tiles) > 6:
            continue
        kernel, packing, symmetry = packed(level)
        if symmetry is None:
            continue
        sizes, found = dict[bytes, int](), list[bytes]()
        for tiles in itertools.permutations(range(len(level.tiles))):
            state = packing.pack(shiftit.Position(level, tiles))
            kernel.search.symmetry.canonicalize(packing.data, symmetry, state)
            found.append(state.tobytes())
            sizes[found[-1]] = kernel.search.symmetry.size(packing.data, symmetry, state)
        assert Counter(found) == sizes


@pytest.mark.slow
@pytest.mark.usefixtures("up_to_symmetry")
def test_trace_leads_through_boards_whose_form_is_out_of_reach() -> None:
    level = gp.read("shiftit 3x2\nr* g g\ng  b g*\n")[0]  # identical tiles that no shift brings together
    verdict = gp.check(level, "EF ended")
    assert (verdict.holds, verdict.remarks, verdict.trace is not None) == (True, REMARK, True)


def test_boards_of_different_tiles_have_no_orbits() -> None:
    level = shiftit.Level(shiftit.Tile(f"t{x}", x, 0, ["red", f"c{x}", "red", "red"]) for x in range(3))
    assert packed(level)[2] is None


@pytest.mark.slow
@pytest.mark.usefixtures("up_to_symmetry")
def test_other_formulas_are_checked_on_all_positions() -> None:
    level = Level(2, 2, target=16)
    for formula in ("AG !home", "AG EF won", "EF won", "AG e(left)", "F ended"):
        verdict = gp.check(level, formula)
        assert REMARK[0] not in verdict.remarks
    verdict, whole = gp.check(level, "AG !tile(64)"), gp.explore(level)
    assert (verdict.states, verdict.satisfying, verdict.remarks) == (whole.states, whole.states, ())
    board = Level(2, 2, target=16, board=[[2, 4], [8, 0]])
    assert gp.check(board, "AG !tile(64)").remarks == REMARK
    assert gp.check(gp.explore(board), "AG !tile(64)").remarks == ()
