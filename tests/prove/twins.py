"""Slow twins of the prover: random small levels of all games, random formulas, and their truth by the definitions.

Nothing is shared with the prover but the rules of the games and the values of single propositions.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from random import Random
from typing import Any

import gridproof as gp
from gridproof.core.position import Level, Position
from gridproof.core.proposition import COMPARE, value_of
from gridproof.prove.formula import (
    FALSE,
    TRUE,
    Atom,
    Binary,
    Bounded,
    Coalition,
    Comparison,
    Deadlock,
    Executable,
    Formula,
    Next,
    Truth,
    Unary,
    is_path_formula,
)
from gridproof.prove.logic import Logic

FEWEST, MOST = 3, 60
"""Positions of a level that the twins look at."""


@dataclass(frozen=True, kw_only=True)
class Several(Level):
    """Some positions of a level as its starts."""

    positions: tuple[Position[Any], ...] = ()

    def starts(self) -> Iterator[gp.Outcome[Any]]:
        share = Fraction(1, len(self.positions))
        return (gp.Outcome(position, share) for position in self.positions)


class Played:
    """All plays from the starts of a level, by the rules.

    Attributes
    ----------
    edges : list
        Of each position its actions, each with its player and the positions that it may lead to.
    """

    def __init__(self, level: Level) -> None:
        self.positions = list(dict.fromkeys(start.position for start in level.starts()))
        self.starts = len(self.positions)
        self.level = self.positions[0].level
        self.edges: list[list[tuple[Any, list[int]]]] = []
        numbers = {position: number for number, position in enumerate(self.positions)}
        for position in self.positions:
            self.edges.append([])
            for action in position.actions():
                after = [one.position for one in position.outcomes(action)]
                for one in after:
                    if one not in numbers:
                        numbers[one] = len(numbers)
                        self.positions.append(one)
                self.edges[-1].append((action, [numbers[one] for one in after]))
            if len(self.positions) > MOST:
                break

    @property
    def small(self) -> bool:
        return FEWEST <= len(self.positions) <= MOST

    def after(self, number: int) -> list[int]:
        return [target for _, targets in self.edges[number] for target in targets] or [number]

    def arcs(self) -> list[tuple[int, str, int]]:
        """Yield all steps: the position, the action ("" where it stays for ever) and the next position."""
        return [
            (number, str(action), target)
            for number, row in enumerate(self.edges)
            for action, target in [(a, t) for a, targets in row for t in targets] or [("", number)]
        ]

    def atom(self, formula: Formula, number: int) -> bool:
        position = self.positions[number]

        def side(one: Atom | int) -> Any:
            return (
                one if isinstance(one, int) else value_of(self.level.game, one.name, one.arguments)(position)
            )

        match formula:
            case Comparison(left, sign, right):
                return bool(COMPARE[sign](side(left), side(right)))
            case Executable(action):
                return action in (str(one) for one, _ in self.edges[number])
            case Deadlock():
                return not self.edges[number]
        assert isinstance(formula, Atom)
        return bool(side(formula))


# -- levels


def small_level(random: Random) -> Level:
    """A level of any game with few positions, often with several of them as its starts."""
    make = random.choice(MAKERS)
    while True:
        level = make(random)
        if level is None or not (whole := Played(level)).small:
            continue
        if random.random() < 0.5:
            return level
        some = random.sample(whole.positions, random.randint(2, min(len(whole.positions), 4)))
        return Several(positions=tuple(some))


def _try_read(text: str, game: str) -> Level | None:
    try:
        return gp.read(text, game)[0]
    except gp.GridproofError:
        return None


def _null(random: Random) -> Level | None:
    cells = list("@o" + "." * random.randint(0, 6))
    random.shuffle(cells)
    return _try_read("".join(cells), "null")


def _sokoban(random: Random) -> Level | None:
    width, height, boxes = random.randint(2, 4), random.randint(1, 3), random.randint(1, 2)
    cells = [" "] * width * height
    for letter, number in (("@", 1), ("$", boxes), (".", boxes), ("#", random.randint(0, 2))):
        for _ in range(number):
            cells[random.randrange(len(cells))] = letter
    rows = ["#" + "".join(cells[row * width :][:width]) + "#" for row in range(height)]
    bombs = f"Bombs: {random.randint(0, 1)}\n\n"
    return _try_read(bombs + "\n".join(["#" * (width + 2), *rows, "#" * (width + 2)]) + "\n", "sokoban")


def _robots(random: Random) -> Level | None:
    width, height, robots = random.randint(2, 3), random.randint(1, 3), random.choice((1, 2, 2))
    cells = [random.choice("....#><^v?") for _ in range(width * height)]
    if len(cells) < 2 * robots:
        return None
    for place, letter in zip(random.sample(range(len(cells)), 2 * robots), "aAbB", strict=False):
        cells[place] = letter
    heads = [
        f"{name}: rule={random.choice('AB')} rotation={random.choice((0, 90, 180, 270))}" for name in "ab"
    ]
    rows = [" ".join(cells[row * width :][:width]) for row in range(height)]
    return _try_read(
        "\n".join([f"robots {width}x{height}", *heads[:robots], "board:", *rows]) + "\n", "robots"
    )


def _shiftit(random: Random) -> Level | None:
    width, height = random.choice([(2, 1), (3, 1), (4, 1), (1, 3), (2, 2), (2, 2), (2, 2)])
    cells = [random.choice("brg") + "*" * (random.random() < 0.15) for _ in range(width * height)]
    rows = [" ".join(cells[row * width :][:width]) for row in range(height)]
    return _try_read(f"shiftit {width}x{height}\n" + "\n".join(rows) + "\n", "shiftit")


def _twenty48(random: Random) -> Level | None:
    head = f"2048 2x2 spawn={random.choice(('spec', 'classic'))} target={random.choice((8, 16))}\n"
    if random.random() < 0.3:
        return _try_read(head, "twenty48")
    cells = [random.choice(("0", "2", "4", "8", "2")) for _ in range(4)]
    return _try_read(f"{head}{' '.join(cells[:2])}\n{' '.join(cells[2:])}\n", "twenty48")


MAKERS = (_null, _sokoban, _robots, _robots, _robots, _shiftit, _twenty48)


# -- formulas

LOGICS_WITHOUT_PLAYERS = (Logic.CTL, Logic.CTL, Logic.LTL)


def atoms_of(played: Played, random: Random) -> list[Formula]:
    """Some statements about positions of a level."""
    level, position = played.level, random.choice(played.positions)
    name = level.game.name
    cell = str(random.randrange(2)), str(random.randrange(2))
    own: dict[str, list[Formula]] = {
        "null": [Atom("at", (str(random.randrange(2)),))],
        "sokoban": [Comparison(Atom("bombs"), "=", 0), Comparison(Atom("placed"), ">=", 1), Atom("at", ("1", "1")),
                    Atom("box", ("2", "1"))],
        "robots": [Atom(what, arguments) for robot in level.game.actors(level) if robot != "nature"
                   for what, arguments in (("won", (robot,)), ("at", (robot, *cell)))],
        "shiftit": [Atom("near")],
        "twenty48": [Atom("tile", (random.choice("48"),)), Comparison(Atom("max_tile"), "=", random.choice((2, 4, 8))),
                     Comparison(Atom("empty"), random.choice(("<", ">=", "!=")), random.randrange(3))],
    }  # fmt: skip
    shared: list[Formula] = [
        Atom("won"),
        Atom("lost"),
        Atom("home"),
        Deadlock(),
        random.choice((TRUE, FALSE)),
    ]
    executable = [Executable(str(action)) for action in position.actions()[:1]]
    return [*own[name], *own[name], *shared, *executable]


BOOLEAN = ("&", "|", "->", "<->")


def likely_formula(logic: Logic, played: Played, random: Random, size: int) -> Formula:
    """A formula of a shape that is asked for often, or where one thing is easily taken for another."""
    one, two = (random_formula(logic, played, random, size // 3) for _ in range(2))
    if logic is Logic.LTL:
        return Unary(random.choice("FG"), one)
    if logic is Logic.CTL_STAR:
        return Unary(random.choice("AE"), Binary(random.choice(BOOLEAN), Unary("F", one), Unary("G", two)))
    if logic is Logic.CTL:
        return Unary(*random.choice((("E", Unary("F", one)), ("A", Unary("G", one)))))
    first, second = (_some_players(played, random) for _ in range(2))
    path = random.choice((Unary("F", one), Unary("X", one), Unary("G", one), Binary("U", one, two)))
    if random.random() < 0.5:
        return Binary(random.choice(BOOLEAN), Coalition(first, path), Coalition(second, path))
    return Coalition(first, Unary("X", Coalition(second, path)))


def _some_players(played: Played, random: Random) -> tuple[str, ...]:
    names = played.level.game.actors(played.level)
    return tuple(name for name in names if name != "nature" and random.random() < 0.5)


def random_formula(logic: Logic, played: Played, random: Random, size: int) -> Formula:
    """A formula of so many operators, more or less."""
    if size <= 0:
        return random.choice(atoms_of(played, random))

    def inner(rest: int) -> Formula:
        return random_formula(logic, played, random, rest)

    def join(operators: tuple[str, ...]) -> Formula:
        left = random.randint(0, size - 1)
        return Binary(random.choice(operators), inner(left), inner(size - 1 - left))

    kind = random.random()
    if kind < 0.2:
        return Unary("!", inner(size - 1))
    if kind < 0.4:
        return join(BOOLEAN)
    if logic is Logic.LTL:
        if kind < 0.5 and (actions := played.positions[0].actions()):
            return Next(str(random.choice(actions)))
        return Unary(random.choice("XXFGYHO"), inner(size - 1)) if kind < 0.8 else join((*"UWRST",))
    if logic is Logic.CTL_STAR and kind < 0.6:
        return Unary(random.choice("AE"), inner(size - 1))
    path = Unary(random.choice("XXFG"), inner(size - 1)) if kind < 0.8 else join((*"UWR",))
    return _quantify(logic, path, played, random)


def _quantify(logic: Logic, path: Formula, played: Played, random: Random) -> Formula:
    if logic is Logic.CTL_STAR:
        return path
    if logic is Logic.CTL:
        return Unary(random.choice("AE"), path)
    players, bound = _some_players(played, random), random.randrange(10)
    is_bounded = bound < 4 and getattr(path, "operator", "") != "X"
    return Coalition(players, Bounded("<", bound + 1, path) if is_bounded else path)


# -- truth


def evaluate_ctl(formula: Formula, played: Played) -> set[int]:
    """The positions in which a formula of CTL holds: by its equations, iterated."""
    everywhere = set(range(len(played.positions)))
    if (known := _boolean(formula, everywhere, lambda one: evaluate_ctl(one, played))) is not None:
        return known
    if isinstance(formula, Unary):
        which = all if formula.operator == "A" else any

        def next_in(found: set[Any]) -> set[Any]:
            return {one for one in everywhere if which(after in found for after in played.after(one))}

        return _path(formula.operand, everywhere, next_in, lambda one: evaluate_ctl(one, played))
    return {number for number in everywhere if played.atom(formula, number)}


def evaluate_atl(formula: Formula, played: Played) -> set[tuple[int, int]]:
    """The turns (position, place in the order of the players) at which a formula with coalitions holds."""
    order = [name for name in played.level.game.actors(played.level) if name != "nature"]
    everywhere = set(itertools.product(range(len(played.positions)), range(len(order))))
    if (known := _boolean(formula, everywhere, lambda one: evaluate_atl(one, played))) is not None:
        return known
    if not isinstance(formula, Coalition):
        return {turn for turn in everywhere if played.atom(formula, turn[0])}
    names = formula.names

    def next_in(found: set[Any]) -> set[Any]:
        return {turn for turn in everywhere if forces(found, *turn)}

    def forces(found: set[Any], number: int, place: int) -> bool:
        """Return whether the next turn is sure to be a found one: after a pass, or after an action with any outcome."""
        after = (place + 1) % len(order)
        own = [
            targets for action, targets in played.edges[number] if played.level.owner(action) == order[place]
        ]
        sure = [all((target, after) in found for target in targets) for targets in ([number], *own)]
        return any(sure) if order[place] in names else all(sure)

    return _path(formula.operand, everywhere, next_in, lambda one: evaluate_atl(one, played))


def _boolean(formula: Formula, everywhere: set[Any], truth: Callable[[Formula], set[Any]]) -> set[Any] | None:
    match formula:
        case Truth(value):
            return everywhere if value else set()
        case Unary("!", operand):
            return everywhere - truth(operand)
        case Binary(("&" | "|" | "->" | "<->") as operator, left, right):
            one, two = truth(left), truth(right)
            if operator == "<->":
                return everywhere - (one ^ two)
            return one & two if operator == "&" else (one if operator == "|" else everywhere - one) | two
    return None


def _path(
    path: Formula,
    everywhere: set[Any],
    next_in: Callable[[set[Any]], set[Any]],
    truth: Callable[[Formula], set[Any]],
) -> set[Any]:
    """Return the turns at which players can make a temporal operator hold, perhaps within some turns."""
    steps = path.most + 1 if isinstance(path, Bounded) else None
    path = path.operand if isinstance(path, Bounded) else path

    def iterate(found: set[Any], step: Any) -> set[Any]:
        for _ in itertools.count() if steps is None else range(steps):
            following = step(found)
            if following == found:
                break
            found = following
        return found

    match path:
        case Unary("X", operand):
            return next_in(truth(operand))
        case Unary("F", operand):
            goal = truth(operand)
            return iterate(set(), lambda found: goal | next_in(found))
        case Unary("G", operand):
            goal = truth(operand)
            return iterate(everywhere, lambda found: goal & next_in(found))
        case Binary("R", left, right):
            one, two = truth(left), truth(right)
            return iterate(everywhere, lambda found: two & (one | next_in(found)))
        case Binary(operator, left, right):
            one, two = truth(left), truth(right)
            least = set() if operator == "U" else everywhere
            return iterate(least, lambda found: two | (one & next_in(found)))
    raise TypeError(path)


class Linear:
    """Is there a path from a start on which a formula of LTL holds? By guesses of its parts, step by step.

    A node is a step of the level and, of each temporal operator in the formula, whether it holds there. Which nodes may
    begin a path, and which may follow, is what the operators mean; a path is any that goes round for ever in a component
    in which all that is promised comes (Lichtenstein and Pnueli 1985).
    """

    def __init__(self, formula: Formula, played: Played) -> None:
        self.formula, self.played, self.arcs = formula, played, played.arcs()
        self.guessed: list[Any] = []
        self._gather(formula)
        self.from_each: dict[int, list[int]] = {}
        for number, (source, _, _) in enumerate(self.arcs):
            self.from_each.setdefault(source, []).append(number)
        self._atoms: dict[tuple[Formula, int], bool] = {}
        self._known: dict[Any, bool] = {}

    def _gather(self, formula: Formula) -> None:
        if isinstance(formula, Unary | Binary):
            for part in [formula.operand] if isinstance(formula, Unary) else [formula.left, formula.right]:
                self._gather(part)
            if formula.operator in (*"XFGUWRYHOST",) and formula not in self.guessed:
                self.guessed.append(formula)

    def value(self, formula: Formula, node: Any) -> bool:
        arc, guesses = node
        match formula:
            case Truth(value):
                return value
            case Unary("!", operand):
                return not self.value(operand, node)
            case Binary(("&" | "|" | "->" | "<->") as operator, left, right):
                one, two = self.value(left, node), self.value(right, node)
                return bool({"&": one & two, "|": one | two, "->": one <= two, "<->": one == two}[operator])
            case Unary() | Binary():
                return bool(guesses[self.guessed.index(formula)])
            case Next(action):
                return bool(self.arcs[arc][1] == action)
        key = formula, self.arcs[arc][0]
        if key not in self._atoms:
            self._atoms[key] = self.played.atom(*key)
        return self._atoms[key]

    def begins(self, node: Any) -> bool:
        return all(
            self.value(one, node) == self._past(one, None, node)
            for one in self.guessed
            if one.operator in (*"YHOST",)
        )

    def follows(self, node: Any, after: Any) -> bool:
        for one in self.guessed:
            if one.operator in (*"YHOST",):
                if self.value(one, after) != self._past(one, node, after):
                    return False
            elif self.value(one, node) != self._future(one, node, after):
                return False
        return True

    def _past(self, one: Any, before: Any, node: Any) -> bool:
        left, right = self._sides(one)
        was = one.operator in (*"HT",) if before is None else self.value(one, before)
        match one.operator:
            case "Y":
                return before is not None and self.value(right, before)
            case "O" | "S":
                return self.value(right, node) or (self.value(left, node) and was)
        return self.value(right, node) and (self.value(left, node) or was)

    def _future(self, one: Any, node: Any, after: Any) -> bool:
        left, right = self._sides(one)
        match one.operator:
            case "X":
                return self.value(right, after)
            case "G" | "R":
                return self.value(right, node) and (self.value(left, node) or self.value(one, after))
        return self.value(right, node) or (self.value(left, node) and self.value(one, after))

    @staticmethod
    def _sides(one: Any) -> tuple[Formula, Formula]:
        if isinstance(one, Binary):
            return one.left, one.right
        return (TRUE if one.operator in (*"FO",) else FALSE), one.operand

    def keeps_promises(self, component: list[Any]) -> bool:
        """Return whether what is promised in a component comes there, and what is denied is broken there."""
        for one in self.guessed:
            left, right = self._sides(one)
            values = [self.value(one, node) for node in component]
            if (
                one.operator in (*"FU",)
                and any(values)
                and not any(self.value(right, node) for node in component)
            ):
                return False
            if (
                one.operator in (*"GR",)
                and not all(values)
                and all(self.value(right, node) for node in component)
            ):
                return False
            if one.operator == "W" and not all(values):
                broken = (not self.value(left, node) and not self.value(right, node) for node in component)
                if not any(broken):
                    return False
        return True

    def nodes_from(self, position: int) -> list[Any]:
        guesses = list(itertools.product((False, True), repeat=len(self.guessed)))
        return list(itertools.product(self.from_each[position], guesses))

    def exists(self) -> bool:
        return bool(self.starts_of_paths(range(self.played.starts)))

    def starts_of_paths(self, positions: Iterable[int]) -> set[int]:
        """Those positions from which some path satisfies the formula."""
        starts = [node for start in positions for node in self.nodes_from(start)]
        starts = [node for node in starts if self.begins(node) and self.value(self.formula, node)]
        rows: dict[Any, list[Any]] = {}
        waiting = list(starts)
        while waiting:
            node = waiting.pop()
            if node not in rows:
                listed = self.nodes_from(self.arcs[node[0]][2])
                rows[node] = [after for after in listed if self.follows(node, after)]
                waiting += rows[node]
        good = self.accepted(rows)
        while more := {
            node for node, listed in rows.items() if node not in good and not good.isdisjoint(listed)
        }:
            good |= more
        return {self.arcs[node[0]][0] for node in starts if node in good}

    def accepted(self, rows: dict[Any, list[Any]]) -> set[Any]:
        """Return the nodes of components that keep their promises."""
        return {node for part in components(rows) if self.keeps_promises(part) for node in part}


class BranchingPaths(Linear):
    """Linear for CTL*: `truth` gives the positions where the parts about positions hold."""

    def __init__(self, path: Formula, played: Any, truth: Callable[[Formula], set[int]]) -> None:
        self.known: dict[Formula, set[int]] = {}
        self._truth = truth
        super().__init__(path, played)

    def _gather(self, formula: Formula) -> None:
        if is_path_formula(formula):
            super()._gather(formula)
        else:
            self.known[formula] = self._truth(formula)

    def value(self, formula: Formula, node: Any) -> bool:
        if formula in self.known:
            return self.arcs[node[0]][0] in self.known[formula]
        return super().value(formula, node)

    def positions(self) -> set[int]:
        """The positions from which some path satisfies the formula."""
        return self.starts_of_paths(self.from_each)


def evaluate_star(formula: Formula, played: Played) -> set[int]:
    """The positions in which a formula of CTL* holds."""
    everywhere = set(range(len(played.positions)))

    def positions(path: Formula) -> set[int]:
        return BranchingPaths(path, played, lambda one: evaluate_star(one, played)).positions()

    if (known := _boolean(formula, everywhere, lambda one: evaluate_star(one, played))) is not None:
        return known
    if isinstance(formula, Unary):
        path = formula.operand
        return positions(path) if formula.operator == "E" else everywhere - positions(Unary("!", path))
    return {number for number in everywhere if played.atom(formula, number)}


def components(rows: dict[Any, list[Any]]) -> Iterator[list[Any]]:
    """The strongly connected components that have an edge inside (Kosaraju)."""
    order: list[Any] = []
    seen: set[Any] = set()
    for root, first in rows.items():
        stack = [(root, iter(first))] if root not in seen else []
        seen.add(root)
        while stack:
            node, following = stack[-1]
            after = next((one for one in following if one not in seen), None)
            if after is None:
                order.append(stack.pop()[0])
            else:
                seen.add(after)
                stack.append((after, iter(rows[after])))
    before: dict[Any, list[Any]] = {node: [] for node in rows}
    for node, listed in rows.items():
        for after in listed:
            before[after].append(node)
    taken: set[Any] = set()
    for root in reversed(order):
        component: list[Any] = []
        waiting = [root]
        while waiting:
            node = waiting.pop()
            if node not in taken:
                taken.add(node)
                component.append(node)
                waiting += before[node]
        if len(component) > 1 or (component and root in rows[root]):
            yield component


def truth(formula: Formula, logic: Logic, paths: str, played: Played) -> bool:
    """Return the right verdict on a level: at all starts, or on some path."""
    starts = range(played.starts)
    if logic is Logic.ATL:
        turns = evaluate_atl(formula, played)
        return all((start, 0) in turns for start in starts)
    if logic is Logic.LTL:
        if paths == "some":
            return Linear(formula, played).exists()
        return not Linear(Unary("!", formula), played).exists()
    if logic is Logic.CTL_STAR:
        formula = Unary("A", formula) if is_path_formula(formula) else formula
    where = (evaluate_star if logic is Logic.CTL_STAR else evaluate_ctl)(formula, played)
    return (all if paths == "all" else any)(start in where for start in starts)
