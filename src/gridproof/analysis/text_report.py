"""Analyses in words, and as JSON has them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from gridproof.analysis.ablation import Piece
from gridproof.analysis.level import Analysis, Whole
from gridproof.analysis.square_usage import Cell
from gridproof.core.limit import describe_limit
from gridproof.core.text.phrases import format_count
from gridproof.core.trace import Trace

_FEW = 12
"""The most cells to list one by one."""


def number(value: float | None) -> str:
    """Return a number in words; "not known" for None."""
    if value is None:
        return "not known"
    return f"{value:,}" if isinstance(value, int) else f"{value:.3g}"


def win_in_words(analysis: Analysis) -> str:
    """Say whether the level can be won, and at which costs."""
    if analysis.winnable is None:
        return "unknown whether it can be won"
    if not analysis.winnable:
        return "impossible to win"
    costs = [
        f"{format_count(found.cost or 0, name)}{'' if found.optimal else ' or fewer'}"
        for name, found in analysis.costs.items()
        if found.found
    ]
    return f"fewest: {', '.join(costs)}"


def size_in_words(analysis: Analysis) -> str:
    """Return the number of positions in words."""
    if analysis.complete:
        return format_count(analysis.states, "positions")
    return f"more than {format_count(analysis.states, 'positions')}: {describe_limit(analysis.stopped_by)}"


def deaths_in_words(whole: Whole, states: int) -> str:
    """Return the number of dead positions in words, and the depth of the first."""
    if not whole.dead:
        return "no position is dead: it can always be won"
    share = f"{format_count(whole.dead, 'positions')} of {states:,} are dead ({whole.dead / states:.1%})"
    first = next(depth for depth, count in enumerate(whole.dead_by_depth) if count)
    if not first:
        return f"{share}, the start too"
    return f"{share}, the first after {format_count(first, 'actions')}; {format_count(whole.fatal, 'actions')} of {whole.actions:,} lose the win"


def ways_in_words(whole: Whole) -> str:
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


def moments_in_words(whole: Whole) -> str:
    """Return the number of decisive positions in words."""
    moments = whole.moments
    return (
        f"{format_count(moments.everywhere, 'decisive positions')}, where one action alone keeps the win "
        f"(in {moments.forced:,} nothing else can be done); {moments.on_shortest:,} on shortest solutions "
        f"({moments.forced_on_shortest:,})"
    )


def cells_in_words(cells: tuple[Cell, ...] | None) -> str:
    """Return cells by column and row."""
    if cells is None:
        return "not known"
    named = ", ".join(f"({x}, {y})" for x, y in cells[:_FEW])
    return (f"{len(cells)}: {named}" + (", ..." if len(cells) > _FEW else "")) if cells else "none"


def piece_in_words(analysis: Analysis, piece: Piece) -> str:
    """Describe the level without a piece."""
    verdict = piece.verdict(analysis.cost)
    if piece.cost is None:
        return verdict
    return (
        f"{verdict}: {format_count(piece.cost, analysis.measure)} then{'' if piece.optimal else ' or fewer'}"
    )


def lines_of(analysis: Analysis) -> Iterator[str]:
    """Yield the analysis in lines."""
    yield f"{size_in_words(analysis)}; {win_in_words(analysis)}"
    yield f"won: {analysis.meaning}"
    whole = analysis.whole
    if whole:
        yield deaths_in_words(whole, analysis.states)
        if analysis.winnable:
            yield ways_in_words(whole)
            yield moments_in_words(whole)
    for piece in analysis.pieces:
        yield f"without {piece.name}: {piece_in_words(analysis, piece)}"
    if whole:
        yield f"squares never used: {cells_in_words(whole.squares.never)}"
        if analysis.winnable:
            yield f"used, but on no shortest solution: {cells_in_words(whole.squares.idle)}"
    measures = (f"{name} {number(value)}" for name, value in difficulty_of(analysis).items())
    yield f"difficulty: {'; '.join(measures)}"


def difficulty_of(analysis: Analysis) -> dict[str, float | None]:
    """Return the measures of difficulty; the measures of solutions are omitted if the level cannot be won."""
    return {
        name: value
        for name, value in analysis.difficulty.items()
        if value is not None or analysis.winnable is not False
    }


def data_of(analysis: Analysis) -> dict[str, Any]:
    """Return the analysis as JSON has it."""
    level = analysis.level
    return {
        "game": level.game.name,
        "title": level.title,
        "meaning": analysis.meaning,
        "states": analysis.states,
        "transitions": analysis.transitions,
        "by_depth": list(analysis.by_depth),
        "complete": analysis.complete,
        "stopped_by": analysis.stopped_by or None,
        "winnable": analysis.winnable,
        "solutions": {name: _solution_data(found) for name, found in analysis.costs.items()},
        **(_whole_data(analysis.whole) if analysis.whole else {}),
        "measure": analysis.measure,
        "pieces": [_piece_data(analysis, piece) for piece in analysis.pieces],
        "difficulty": dict(analysis.difficulty),
        "seconds": round(analysis.seconds, 6),
    }


def _actions(trace: Trace | None) -> list[str] | None:
    return None if trace is None else [str(action) for action in trace.actions]


def _solution_data(found: Any) -> dict[str, Any]:
    return {
        "found": found.found,
        "cost": found.cost,
        "optimal": found.optimal,
        "actions": _actions(found.trace),
    }


def _whole_data(whole: Whole) -> dict[str, Any]:
    return {
        "dead": whole.dead,
        "dead_by_depth": list(whole.dead_by_depth),
        "actions": whole.actions,
        "fatal": whole.fatal,
        "fatal_by_depth": list(whole.fatal_by_depth),
        "first_dead": _actions(whole.first_dead),
        "shortest_solutions": whole.ways,
        "up_to_order": whole.orders,
        "unique_up_to_order": whole.unique,
        "decisive": whole.moments._asdict() | {"steps": list(whole.moments.steps)},
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
