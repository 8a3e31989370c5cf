"""Spoiled certificates of formulas: most prove nothing, and none proves what is false."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import gridproof as gp


class Lines(NamedTuple):
    """A certificate: its first line, and the values of the others."""

    header: dict[str, Any]
    values: list[Any]

    def text(self) -> str:
        return "".join(f"{json.dumps(value)}\n" for value in (self.header, *self.values))

    def but(self, **changed: Any) -> Lines:
        return self._replace(header=self.header | changed)

    def listing(self, values: list[Any]) -> Lines:
        """The same header with other lines, as many as there are."""
        return Lines(self.header | {"positions": len(values)}, values)


def read(path: Path) -> Lines:
    header, *values = map(json.loads, path.read_text().splitlines())
    return Lines(header, values)


def _change_inside(value: Any, random: Random) -> Any:
    """Return a value with one number or text inside changed."""
    if isinstance(value, list) and value:
        place = random.randrange(len(value))
        return [*value[:place], _change_inside(value[place], random), *value[place + 1 :]]
    if isinstance(value, int):
        return random.choice(
            [value - 1, value + 1, 0, -1, -2, 7, float(value), bool(value), 10**30, None, "0"]
        )
    return random.choice([None, "", 1, str(value)[:-1], str(value) + " ", [value]])


def change_value(lines: Lines, random: Random) -> Lines:
    place = random.randrange(len(lines.values))
    values = list(lines.values)
    values[place] = _change_inside(values[place], random)
    return lines._replace(values=values)


def change_number(lines: Lines, random: Random) -> Lines:
    """Change a number of a line; else, as `change_value`."""
    numbered = [
        (row, column)
        for row, value in enumerate(lines.values)
        for column, one in enumerate(value)
        if type(one) is int
    ]
    if not numbered:
        return change_value(lines, random)
    row, column = random.choice(numbered)
    values = [list(value) for value in lines.values]
    values[row][column] = random.choice([-1, 0, 1, 2, values[row][column] + 1, values[row][column] - 1])
    return lines._replace(values=values)


def change_list(lines: Lines, random: Random) -> Lines:
    """Change a number inside a list of a line."""
    places = [
        (row, column, place)
        for row, value in enumerate(lines.values)
        for column, one in enumerate(value)
        if isinstance(one, list)
        for place in range(len(one))
    ]
    if not places:
        return change_number(lines, random)
    row, column, place = random.choice(places)
    inside = list(lines.values[row][column])
    inside[place] = random.choice([0, 1, 2, 3, inside[place] + 1, inside[place] - 1])
    values = [list(value) for value in lines.values]
    values[row][column] = inside if random.random() < 0.9 else inside[:place]
    return lines._replace(values=values)


def change_truths(lines: Lines, random: Random) -> Lines:
    """Claim the opposite everywhere, with some numbers."""
    values = [
        [
            value[0],
            *([random.choice((0, 1)), *one[1:]] if isinstance(one, list) else one for one in value[1:]),
        ]
        for value in lines.values
    ]
    return lines._replace(values=values).but(
        holds=random.choice((lines.header["holds"], not lines.header["holds"]))
    )


def drop_line(lines: Lines, random: Random) -> Lines:
    values = list(lines.values)
    del values[random.randrange(len(values))]
    return lines.listing(values)


def repeat_line(lines: Lines, random: Random) -> Lines:
    values = list(lines.values)
    values.insert(random.randrange(len(values) + 1), random.choice(values))
    return lines.listing(values)


def swap_values(lines: Lines, random: Random) -> Lines:
    """Exchange what is said about two positions."""
    values = [list(value) for value in lines.values]
    one, two = random.choice(values), random.choice(values)
    one[1:], two[1:] = two[1:], one[1:]
    return lines._replace(values=values)


def swap_lines(lines: Lines, random: Random) -> Lines:
    values = list(lines.values)
    one, two = random.randrange(len(values)), random.randrange(len(values))
    values[one], values[two] = values[two], values[one]
    return lines._replace(values=values)


def truncate(lines: Lines, random: Random) -> Lines:
    return lines._replace(values=lines.values[: random.randrange(len(lines.values))])


def negate_claim(lines: Lines, random: Random) -> Lines:
    return lines.but(holds=not lines.header.get("holds"))


def negate_formula(lines: Lines, random: Random) -> Lines:
    key = next(one for one in ("formula", "goal", "question") if one in lines.header)
    return lines.but(**{key: f"!({lines.header[key]})" if key == "formula" else f"!{lines.header[key]}"})


def change_paths(lines: Lines, random: Random) -> Lines:
    return lines.but(paths="some" if lines.header.get("paths") == "all" else "all")


def change_kind(lines: Lines, random: Random) -> Lines:
    return lines.but(
        kind=random.choice(
            ["closed", "ctl", "trace", "ltl", "coalition", "value", "quantity", "comparisons", "pushes", "x"]
        )
    )


def change_starts(lines: Lines, random: Random) -> Lines:
    texts = [value[0] for value in lines.values if isinstance(value, list) and isinstance(value[0], str)]
    starts = random.choice([random.sample(texts, min(len(texts), 2)), lines.header["starts"][:1], []])
    return lines.but(starts=starts)


def change_loop(lines: Lines, random: Random) -> Lines:
    if "loop" not in lines.header:
        return lines.but(loop=0)
    return lines.but(loop=random.choice([None, 0, 1, len(lines.values) - 1, len(lines.values), -1]))


def change_header(lines: Lines, random: Random) -> Lines:
    key = random.choice(list(lines.header))
    if random.random() < 0.3:
        return lines._replace(header={name: one for name, one in lines.header.items() if name != key})
    return lines.but(**{key: _change_inside(lines.header[key], random)})


SPOILERS: list[Callable[[Lines, Random], Lines]] = [
    change_number, change_number, change_number, change_value, drop_line, repeat_line, swap_values, swap_lines, truncate,
    negate_claim, negate_formula, change_paths, change_kind, change_starts, change_loop, change_header,
]  # fmt: skip
"""Numbers are what proves most."""
HEADER_SPOILERS = [negate_claim, negate_formula, change_header]
"""Those of a certificate without other lines."""


def certify(level: Any, path: Path, formula: Any, kind: str, fair: Sequence[str] = ()) -> None:
    """Write a certificate of a verdict, which verifies and says the same."""
    verdict = gp.check(level, formula, fair=fair)
    made = gp.certify(level, path, formula=str(formula), fair=fair)
    assert (made.holds, made.kind) == (True, kind), str(formula)
    answer = gp.verify(path)
    assert answer.holds, (str(formula), fair, answer.reason)
    assert answer.statement is not None
    assert answer.statement.holds is verdict.holds


def count_refusals(
    path: Path,
    random: Random,
    number: int,
    kind: Any,
    is_true: Callable[[Any], bool],
    spoilers: Sequence[Callable[[Lines, Random], Lines]] = SPOILERS,
) -> int:
    """Verify spoiled copies of a certificate, in its file; return how many are refused. What others state must be true.

    `is_true` judges statements of a kind, such as `FormulaStatement`; those of other kinds have tests of their own.
    """
    lines, refused = read(path), 0
    for _ in range(number):
        change = random.choice(spoilers if lines.values else HEADER_SPOILERS)
        path.write_text(change(lines, random).text())
        answer = gp.verify(path)
        assert answer.holds is not None
        refused += not answer.holds
        if answer.holds and isinstance(answer.statement, kind):
            assert is_true(answer.statement), (change.__name__, path.read_text())
    return refused
