"""Analyses in words, and as JSON has them."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from gridproof.analysis.ablation import Piece
from gridproof.analysis.json_data import fields_data
from gridproof.analysis.level import Analysis, SpaceFacts
from gridproof.analysis.square_usage import Cell
from gridproof.core.difficulty import measured_difficulty
from gridproof.core.limit import describe_limit
from gridproof.core.measure import ACTIONS
from gridproof.core.position import Level
from gridproof.core.text.phrases import format_count
from gridproof.core.trace import Trace
from gridproof.prove.verdict_line import describe_method, describe_prospect, needs_luck, spoken_word
from gridproof.search.solution import Solution

_FEW = 12
"""The most cells to list one by one."""


def number(value: float | None) -> str:
    """Return a number in words; "not known" for None."""
    if value is None:
        return "not known"
    return f"{value:,}" if isinstance(value, int) else f"{value:.3g}"


def measure_word(level: Level, measure: str) -> str:
    """Return the word that players of a level say for a measure."""
    return spoken_word(level) if measure == ACTIONS.name else measure


def spoken_costs(analysis: Analysis) -> Mapping[str, Solution]:
    """Return the cheapest solutions by the words of their measures.

    Of two measures with the same word, that of all actions counts: Sokoban's `moves` are those without bombs.
    """
    word = spoken_word(analysis.level)
    return {
        measure_word(analysis.level, name): found for name, found in analysis.costs.items() if name != word
    }


def costs_by_solution(analysis: Analysis) -> dict[Trace | None, list[str]]:
    """Return the least costs in words by the found solutions: those of one solution stand together."""
    by_trace: dict[Trace | None, list[str]] = {}
    for name, found in spoken_costs(analysis).items():
        if found.found:
            least = "" if found.optimal else " or fewer"
            by_trace.setdefault(found.trace, []).append(f"{format_count(found.cost or 0, name)}{least}")
    return by_trace


def win_in_words(analysis: Analysis) -> str:
    """Say whether the level can be won, and at which costs."""
    if analysis.winnable is None:
        return "unknown whether it can be won"
    if not analysis.winnable:
        return "impossible to win"
    costs = "; or ".join(map(", ".join, costs_by_solution(analysis).values()))
    if not any(needs_luck(found.trace) for found in analysis.costs.values()):
        return f"fewest: {costs}"
    if analysis.estimate is not None and analysis.estimate.is_sure:
        return f"it can always be won, at best in {costs}"
    return f"fewest with luck: {costs}"


def size_in_words(analysis: Analysis) -> str:
    """Return the number of positions in words."""
    if analysis.complete:
        return format_count(analysis.states, "positions")
    return f"more than {format_count(analysis.states, 'positions')}: {describe_limit(analysis.stopped_by)}"


def deaths_in_words(analysis: Analysis, whole: SpaceFacts) -> str:
    """Return the number of dead positions in words, and the depth of the first."""
    if not whole.dead:
        return "no position is dead: it can always be won"
    word, states = spoken_word(analysis.level), analysis.states
    share = f"{format_count(whole.dead, 'positions')} of {states:,} are dead ({whole.dead / states:.1%})"
    first = next(depth for depth, count in enumerate(whole.dead_by_depth) if count)
    if not first:
        return f"{share}, the start too"
    return f"{share}, the first after {format_count(first, word)}; {format_count(whole.fatal, word)} of {whole.actions:,} lose the win"


def ways_in_words(whole: SpaceFacts) -> str:
    """Return the number of shortest solutions in words."""
    if not whole.ways:
        return "no solution"
    words = format_count(whole.ways, "shortest solutions")
    if whole.ways == 1:
        return words
    if whole.unique:
        return f"{words}, all the same up to order"
    if whole.orders is not None:
        return f"{words}, {whole.orders:,} up to order"
    return (
        f"{words}, several up to order"
        if whole.unique is False
        else f"{words}; not known whether they are the same up to order"
    )


def decisive_in_words(whole: SpaceFacts) -> str:
    """Return the number of decisive positions in words."""
    decisive = whole.decisive
    if not decisive.everywhere:
        return "no decisive position: there is always more than one good action"
    found = f"{format_count(decisive.everywhere, 'decisive positions')}, where one action alone keeps the win"
    if decisive.forced:
        found += f"; in {decisive.forced:,} of them nothing else can be done"
    return f"{found}; {_count_or_none(decisive.on_shortest)} of them on shortest solutions"


def _count_or_none(count: int) -> str:
    return f"{count:,}" if count else "none"


def cells_in_words(cells: tuple[Cell, ...] | None) -> str:
    """Return cells by column and row."""
    return _list_cells(cells, lambda cell: f"({cell[0]}, {cell[1]})")


def numbered_cells(analysis: Analysis, cells: tuple[Cell, ...] | None) -> str:
    """Return cells by the numbers of their rows and columns beside the board."""
    return _list_cells(cells, lambda cell: f"row {_row(analysis, cell)} column {_column(analysis, cell)}")


def piece_on_board(analysis: Analysis, piece: Piece) -> str:
    """Name a piece by the numbers of its row and column beside the board: "the box in row 2, column 5"."""
    if piece.place is None or not piece.noun:
        return piece.name
    level = analysis.level
    return f"{piece.noun} in {level.game.look.place_in_words(level.start(), piece.place)}"


def _row(analysis: Analysis, cell: Cell) -> int:
    return analysis.level.game.look.row_number(analysis.level.start(), cell[1])


def _column(analysis: Analysis, cell: Cell) -> int:
    return analysis.level.game.look.column_number(analysis.level.start(), cell[0])


def _list_cells(cells: tuple[Cell, ...] | None, describe: Callable[[Cell], str]) -> str:
    if cells is None:
        return "not known"
    named, more = ", ".join(map(describe, cells[:_FEW])), len(cells) - _FEW
    return f"{named} and {more:,} more" if more > 0 else named or "none"


def piece_in_words(analysis: Analysis, piece: Piece) -> str:
    """Describe the level without a piece."""
    verdict = piece.verdict(analysis.cost)
    if piece.cost is None:
        return f"{verdict}: it cannot be won then" if piece.found is False else verdict
    count = format_count(piece.cost, measure_word(analysis.level, analysis.measure))
    return f"{verdict}: {count} then{'' if piece.optimal else ' or fewer'}"


def lines_of(analysis: Analysis) -> Iterator[str]:
    """Yield the analysis in lines."""
    yield f"{size_in_words(analysis)}; {win_in_words(analysis)}"
    yield f"won: {analysis.meaning}"
    if estimate := analysis.estimate:
        yield f"from the start: {describe_prospect(estimate, estimate.here)} ({describe_method(estimate)})"
    whole = analysis.whole
    if whole:
        yield deaths_in_words(analysis, whole)
        if analysis.winnable:
            yield ways_in_words(whole)
            yield decisive_in_words(whole)
    for piece in analysis.pieces:
        yield f"{piece.condition.format(piece.name)}: {piece_in_words(analysis, piece)}"
    if whole:
        yield f"squares never used: {cells_in_words(whole.squares.never)}"
        if analysis.winnable:
            yield f"used, but on no shortest solution: {cells_in_words(whole.squares.idle)}"
    measures = (f"{name} {number(value)}" for name, value in difficulty_of(analysis).items())
    word = measured_difficulty(analysis.level.game, analysis.difficulty_word)
    words = [word] if word else []
    yield f"difficulty: {'; '.join([*words, *measures])}"


def difficulty_of(analysis: Analysis) -> dict[str, float | None]:
    """Return the measures of difficulty by their words; the measures of solutions are omitted if the level cannot be won."""
    fewest = f"fewest {spoken_word(analysis.level)}"
    return {
        fewest if name == f"fewest {ACTIONS.name}" else name: value
        for name, value in analysis.difficulty.items()
        if name != fewest and (value is not None or analysis.winnable is not False)
    }


def data_of(analysis: Analysis) -> dict[str, Any]:
    """Return the analysis as JSON has it."""
    return {
        "game": analysis.level.game.name,
        "title": analysis.level.title,
        **fields_data(analysis, "meaning", "states", "transitions", "by_depth", "complete"),
        "stopped_by": analysis.stopped_by or None,
        "winnable": analysis.winnable,
        "solutions": {
            name: fields_data(found, "found", "cost", "optimal") | {"actions": _actions(found.trace)}
            for name, found in analysis.costs.items()
        },
        **(_whole_data(analysis.whole) if analysis.whole else {}),
        "measure": analysis.measure,
        "pieces": [_piece_data(analysis, piece) for piece in analysis.pieces],
        "difficulty": dict(analysis.difficulty),
        "difficulty_word": analysis.difficulty_word or None,
        "seconds": round(analysis.seconds, 6),
    }


def _actions(trace: Trace | None) -> list[str] | None:
    return None if trace is None else [str(action) for action in trace.actions]


def _whole_data(whole: SpaceFacts) -> dict[str, Any]:
    return {
        **fields_data(whole, "dead", "dead_by_depth", "actions", "fatal", "fatal_by_depth"),
        "first_dead": _actions(whole.first_dead),
        "shortest_solutions": whole.ways,
        "up_to_order": whole.orders,
        "unique_up_to_order": whole.unique,
        "decisive": whole.decisive._asdict() | {"steps": list(whole.decisive.steps)},
        "squares": whole.squares._asdict(),
    }


def _piece_data(analysis: Analysis, piece: Piece) -> dict[str, Any]:
    return {
        "piece": piece.name,
        "place": piece.place,
        "verdict": piece.verdict(analysis.cost),
        "winnable": piece.found,
        "cost": piece.cost,
        "optimal": piece.optimal,
        "level": piece.trace.level.text() if piece.trace else None,
        "actions": _actions(piece.trace),
    }
