"""The searches of a level by macro moves, and the plan of the packing that they follow."""

from __future__ import annotations

import dataclasses
import functools
import itertools
from collections.abc import Generator, Iterator
from dataclasses import dataclass

import numpy as np

from gridproof.games.sokoban.feature_search.deadlock_proof import allocate_proof
from gridproof.games.sokoban.feature_search.deadlock_table import Deadlocks, deadlock_bytes, find_deadlocks
from gridproof.games.sokoban.feature_search.fields import (
    backward_field,
    clearing_field,
    field_towards,
    forward_field,
)
from gridproof.games.sokoban.feature_search.hotspots import hotspots_of
from gridproof.games.sokoban.feature_search.macro_moves import (
    BACKWARDS,
    FARTHEST,
    FORWARDS,
    UNPACKING,
    Field,
    Options,
    region_of,
)
from gridproof.games.sokoban.feature_search.macro_trace import trace_of_moves
from gridproof.games.sokoban.feature_search.packing_phases import PackingPhases, PhasePlanner
from gridproof.games.sokoban.feature_search.packing_plan import (
    PackingPlan,
    Unpacking,
    final_regions,
    plan_from,
    plan_of,
    stages_of,
    unpack,
)
from gridproof.games.sokoban.feature_search.phase_search import PhaseSearch
from gridproof.games.sokoban.feature_search.relay import RelaySearch
from gridproof.games.sokoban.feature_search.start_squares import StartMatching
from gridproof.games.sokoban.feature_search.tree_search import TreeSearch
from gridproof.games.sokoban.feature_search.unpacking_search import Leaving, UnpackingSearch
from gridproof.games.sokoban.rules import Level
from gridproof.games.sokoban.solver.board import Board

AnySearch = TreeSearch | RelaySearch | PhaseSearch
VARIANTS = (
    (Options(FORWARDS, advised=0), 0),
    (Options(FARTHEST, advised=0), 0),
    (Options(FORWARDS, opening=1, obstacles_apart=3), 0),
    (Options(FARTHEST, links_apart=15, locked_apart=7, opening=1, obstacles_apart=3), 1),
    (Options(FARTHEST, opening=1, obstacles_apart=3), 0),
    (Options(FORWARDS), 1),
)
"""The searches forwards, each with the number of its plan: different ones solve different levels."""
PLANNED: tuple[tuple[Leaving, tuple[Options, ...], tuple[Options, ...]], ...] = (
    (Leaving.SHARED, (Options(FARTHEST, advised=0),), ()),
    (Leaving.EACH, (Options(FORWARDS, advised=0),), ()),
    (Leaving.GROUPED, (Options(), Options(FARTHEST, advised=0)), (Options(),)),
)
"""More of them, by the plan of each `UnpackingSearch` once it is found: with its steps in groups, and one by one."""
OTHERS = 8, 4
"""For each search by phases: once in so many times it does not go on from its best position. The second knows deadlocks from the beginning."""
_FEW_NODES, _MANY_NODES = 1 << 15, 1 << 17
"""Nodes of each search for such a plan before the others begin, and altogether."""
_LITTLE_WORK, _MUCH_WORK = 3 << 16, 1 << 19
"""Work of the search for phases before the others begin, and altogether: squares, times boxes that are tried."""
_SMALL = 1 << 17
"""The most squares, times boxes, of a board with relays, learned patterns and searches by phases."""
BACKWARD_VARIANTS = Options(BACKWARDS), Options(BACKWARDS, regions_apart=1)
BACKWARD_PLANNED = Options(BACKWARDS, planned=1, links_apart=3)
"""One more of them, by a plan of the starts."""
BACKWARD_CLEARING = Options(BACKWARDS, regions_apart=1, links_apart=31, clearing=1)
"""And one that takes all boxes far from the depots."""
_PARKING = 1 << 15
"""Nodes of the search for boxes to be parked."""
_PROOF = 400
"""Nodes of each search for a pattern."""
_WORK = 1 << 23
"""Squares, times boxes, times searches for boxes to be parked; large boards have few."""


def park_boxes(table: Field, unpacking: Unpacking) -> Generator[None, None, bool]:
    """Park boxes so that another one can leave; return whether that was found, in a small search. Yields now and then."""
    target = np.zeros_like(table.target)
    target[sorted(unpacking.starts.open)] = 1
    nothing = plan_of([], table.neighbours, [])
    search = TreeSearch(table._replace(target=target), unpacking.boxes, [unpacking.player], nothing)
    search.most = _PARKING
    for _ in search.run():
        yield
    if search.goal is None:
        return False
    *parked, last = search.path()[::-1]
    for move in parked:
        unpacking.park(move.target, move.origin)
    unpacking.starts.add({last.origin})
    unpacking.leave([last.target], last.region)
    return True


def unpack_by_parking(table: Field, unpacking: Unpacking) -> Iterator[None]:
    """Take the other boxes away, too: by parking some, and when that does not help, as if a start could take more than one.

    Yields now and then.
    """
    size = len(table.neighbours) * max(1, len(unpacking.boxes))
    most = min(len(unpacking.boxes), _WORK // size)
    for relaxed in (False, True):
        if relaxed and unpacking.boxes:
            unpacking.starts.relax()
            yield from unpacking.run(table, most)
        for _ in range(most):
            yield
            unpacking.player = region_of(table.neighbours, unpacking.boxes, unpacking.player)
            if not unpacking.boxes:
                break
            has_parked = yield from park_boxes(table, unpacking)
            if not has_parked:
                break
            yield from unpacking.run(table, most)


def make_plans(board: Board, plans: list[PackingPlan]) -> Iterator[None]:
    """Plan the packing of a board: boxes leave their goals, and are parked where none can.

    The best plan comes first; a second one, for another region of the player at the end, where that is as complete.
    Yields now and then.
    """
    table, goals, found = backward_field(board, Options(UNPACKING)), board.goals.tolist(), list[Unpacking]()
    yield from unpack(table, goals, found)
    best = found[:2]
    for unpacking in best:
        yield from unpack_by_parking(table, unpacking)
    fewest = min(len(unpacking.boxes) for unpacking in best)
    plans += [plan_from(one, table.neighbours, goals) for one in best if len(one.boxes) == fewest]


def plan_starts(board: Board) -> Generator[None, None, PackingPlan]:
    """Plan in which order pulls bring boxes to where they start: what can be pushed to a depot while all others stay comes last.

    Starts that hang together have their own order. Yields now and then.
    """
    neighbours, starts = board.neighbours[0], list(board.boxes)
    field = forward_field(board, Options(), np.zeros((len(neighbours), 1), np.uint64))
    unpacking = Unpacking(starts, board.player, StartMatching(board.goals.tolist()))
    rounds = 1 + _WORK // (len(neighbours) * max(1, len(starts)))
    yield from unpacking.run(field, rounds)
    unpacking.starts.relax()
    yield from unpacking.run(field, rounds)
    return plan_from(unpacking, neighbours, starts)


def search_forwards(board: Board, field: Field, plan: PackingPlan) -> TreeSearch:
    """Return the search by pushes from the start of a board."""
    region = region_of(board.neighbours[0], list(board.boxes), board.player)
    return TreeSearch(field, list(board.boxes), [region], plan)


def search_backwards(board: Board, field: Field, plan: PackingPlan | None = None) -> TreeSearch:
    """Return a search by pulls from all boxes on depots."""
    goals = board.goals.tolist()
    return TreeSearch(
        field,
        goals,
        final_regions(board.neighbours[0], goals),
        plan or plan_of([], board.neighbours[0], []),
    )


@dataclass
class Searches:
    """The searches of a board by macro moves."""

    board: Board
    forwards: list[TreeSearch] = dataclasses.field(default_factory=list)
    """One for each variant, and more by a plan that takes longer."""
    backwards: list[TreeSearch] = dataclasses.field(default_factory=list)
    planned: list[TreeSearch] = dataclasses.field(default_factory=list)
    """None, or the one backwards by a plan of the starts."""
    clearing: list[TreeSearch] = dataclasses.field(default_factory=list)
    """None, or the one backwards that takes all boxes far from the depots."""
    relays: list[RelaySearch] = dataclasses.field(default_factory=list)
    """None, or two forwards and one backwards."""
    by_phases: list[PhaseSearch] = dataclasses.field(default_factory=list)
    """None, or those by the phases of a packing."""
    past: int = 0
    """Nodes of searches that have gone."""

    def __post_init__(self) -> None:
        self._unpacking = list[tuple[UnpackingSearch, tuple[Options, ...], tuple[Options, ...]]]()
        self._phases: PackingPhases | None = None
        self._planner: PhasePlanner | None = None

    @property
    def all(self) -> list[AnySearch]:
        """All of them."""
        return [*self._both_ways, *self.by_phases]

    @property
    def _both_ways(self) -> list[TreeSearch | RelaySearch]:
        return [*self.relays, *self.forwards, *self.planned, *self.clearing, *self.backwards]

    @property
    def growing(self) -> list[AnySearch]:
        """All of them, and those for the last plans."""
        return [*self.all, *(search for unpacking, *_ in self._unpacking for search in unpacking.searches)]

    def build(self) -> Iterator[None]:
        """Build those that begin at once; yield now and then."""
        board, plans = self.board, list[PackingPlan]()
        yield from make_plans(board, plans)
        self._hotspots = hotspots_of(board)
        for options, number in VARIANTS:
            yield
            self._add_forwards(options, plans[number % len(plans)])
        for options in BACKWARD_VARIANTS:
            yield
            self.backwards.append(search_backwards(board, backward_field(board, options)))
        self._unpacking = [
            (UnpackingSearch(board, leaving), groups, singles) for leaving, groups, singles in PLANNED
        ]
        yield from self.find_plan(_FEW_NODES)
        yield from self.find_phases(_LITTLE_WORK)
        self._connect()

    def _add_forwards(self, options: Options, plan: PackingPlan) -> None:
        field = forward_field(self.board, options, self._hotspots)
        self.forwards.append(search_forwards(self.board, field, plan))

    def find_plan(self, most: int = _MANY_NODES) -> Iterator[None]:
        """Go on with the searches for the last plans, up to so many nodes, and build the searches by them; yield now and then."""
        for waiting in [*self._unpacking]:
            unpacking, groups, singles = waiting
            yield from unpacking.run(most)
            if unpacking.has_found:
                for options in groups:
                    self._add_forwards(options, unpacking.plan())
                for options in singles:
                    self._add_forwards(options, unpacking.plan(one_by_one=True))
            if unpacking.has_found or most == _MANY_NODES:
                self.past += sum(search.states for search in unpacking.searches)
                self._unpacking.remove(waiting)
        self._connect()

    def find_phases(self, most: int = _MUCH_WORK) -> Iterator[None]:
        """Go on with the search for the phases of a packing, up to so much work, unless the board is too large; yield now and then."""
        if not self._is_small or self._phases is not None:
            return
        planner = self._planner = self._planner or PhasePlanner(self.board)
        yield from planner.run(most)
        if planner.has_found:
            self._phases = planner.phases()
            self.add_by_phases(OTHERS[0])

    def add_by_phases(self, every: int) -> None:
        """Add a search by phases, if they were found, which goes on from another position than its best one once in so many times."""
        if self._phases is not None:
            first = self.forwards[0]
            search = PhaseSearch(self.board, first.field, self._phases, every)
            search.deadlocks = first.deadlocks
            self.by_phases.append(search)

    def _connect(self) -> None:
        """Let each search know those from the other end."""
        forwards = [search for search in self._both_ways if not search.backwards]
        backwards = [search for search in self._both_ways if search.backwards]
        for search in forwards:
            search.opposites = [*backwards]
        for search in backwards:
            search.opposites = [*forwards]

    @property
    def deadlock_bytes(self) -> int:
        """The most bytes that `find_deadlocks` needs."""
        first = self.forwards[0].field, self.backwards[0].field
        return sum(deadlock_bytes(field, len(self.board.boxes)) for field in first)

    def find_deadlocks(self) -> Iterator[None]:
        """Give each search the deadlocks of its direction, and begin those forwards anew; yield now and then."""
        for those in (self.forwards, self.backwards):
            found = list[Deadlocks]()
            yield from find_deadlocks(those[0].field, len(self.board.boxes), found)
            for search in those:
                search.deadlocks = found[0]
        for by_phases in self.by_phases:
            by_phases.deadlocks = self.forwards[0].deadlocks
        self.add_by_phases(OTHERS[1])
        self._restart_forwards()
        self._learn_patterns()

    def _restart_forwards(self) -> None:
        """Begin the searches forwards anew, but for those by the last plans: without deadlocks, most of their nodes lead nowhere."""
        before, last = self.forwards[: len(VARIANTS)], self.forwards[len(VARIANTS) :]
        self.past += sum(search.states for search in before)
        anew = [search_forwards(self.board, search.field, search.plan) for search in before]
        for search in anew:
            search.deadlocks = before[0].deadlocks
        self.forwards = anew + last
        self._connect()

    def _learn_patterns(self) -> None:
        """Let the searches forwards learn patterns, and share them, unless the board is too large."""
        if self._is_small:
            first = self.forwards[0]
            proof = allocate_proof(first.field, len(self.board.boxes), _PROOF)
            for search in self.forwards:
                search.proof = proof._replace(deadlocks=first.deadlocks)

    @property
    def _is_small(self) -> bool:
        return len(self.board.cells) * len(self.board.boxes) <= _SMALL

    def build_planned(self) -> Iterator[None]:
        """Build the search backwards by a plan, unless the board is too large; yield now and then."""
        if self._is_small:
            plan = yield from plan_starts(self.board)
            field = backward_field(self.board, BACKWARD_PLANNED)
            field = field._replace(links=self.forwards[0].field.links)
            search = search_backwards(self.board, field, plan)
            search.deadlocks = self.backwards[0].deadlocks
            self.planned.append(search)
            self._connect()

    def build_clearing(self) -> None:
        """Build the search backwards that takes all boxes far from the depots, unless the board is too large."""
        if self._is_small:
            search = search_backwards(self.board, clearing_field(self.board, BACKWARD_CLEARING))
            search.deadlocks = self.backwards[0].deadlocks
            self.clearing.append(search)
            self._connect()

    def build_relays(self) -> None:
        """Build the relays, unless the board is too large."""
        if self._is_small:
            self.relays.append(RelaySearch(self.backwards[-1], self._relay_forwards))
            self.relays.append(RelaySearch(self.relays[0], self._relay_backwards))
            self.relays += [RelaySearch(search, self._relay_forwards) for search in self.clearing]
            self._connect()

    def _relay_forwards(self, boxes: list[int]) -> TreeSearch:
        board = self.board
        plan = plan_of([stages_of([boxes])], board.neighbours[0], boxes)
        search = search_forwards(board, field_towards(board, boxes, Options(FORWARDS)), plan)
        search.deadlocks = self.forwards[0].deadlocks
        search.proof = self.forwards[0].proof
        return search

    def _relay_backwards(self, boxes: list[int]) -> TreeSearch:
        search = search_backwards(self.board, field_towards(self.board, boxes, BACKWARD_VARIANTS[-1]))
        search.deadlocks = self.backwards[0].deadlocks
        return search


def searches_of(board: Board) -> list[AnySearch]:
    """Return the searches of a board by macro moves, each of which finds a win if there is one."""
    searches = Searches(board)
    for _ in itertools.chain(searches.build(), searches.find_deadlocks(), searches.build_planned()):
        pass
    searches.build_clearing()
    return searches.all


@functools.cache
def prepare_trees() -> None:
    """Load or compile the kernels of these searches and of their traces, once, which may take seconds."""
    boxes, depots = [(2, 1), (2, 2), (2, 3)], [(5, 1), (5, 2), (5, 3)]
    start = Level((0, 0), 0, boxes, depots, [], (8, 5)).start()
    board = Board(start)
    for search in searches_of(board):
        for _ in search.run():
            pass
        if isinstance(search, TreeSearch) and not search.backwards:
            search.learn_patterns()
            search.renew_best()
        trace_of_moves(start, board, search.path())
