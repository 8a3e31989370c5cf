"""An analysis in words, and as JSON has it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from gridproof.core.trace import Trace
from gridproof.core.wording import counted
from gridproof.play.analysis.level import Analysis, Whole
from gridproof.play.analysis.pieces import Piece
from gridproof.play.analysis.squares import Cell

_FEW = 12
"""Cells that are named one by one."""


def number(value: float | None) -> str:
    """A number as it is told; "not known" for None."""
    if value is None:
        return "not known"
    return f"{value:,}" if isinstance(value, int) else f"{value:.3g}"


def win_in_words(analysis: Analysis) -> str:
    """Whether it can be won, and for what."""
    if analysis.winnable is None:
        return "not known whether it can be won"
    if not analysis.winnable:
        return "impossible to win"
    costs = [
        f"{counted(found.cost or 0, name)}{'' if found.optimal else ' or fewer'}"
        for name, found in analysis.costs.items()
        if found.found
    ]
    return f"fewest: {', '.join(costs)}"


def size_in_words(analysis: Analysis) -> str:
    """How many positions there are."""
    if analysis.complete:
        return counted(analysis.states, "positions")
    return f"not known beyond {counted(analysis.states, 'positions')}, stopped by {analysis.stopped_by}"


def deaths_in_words(whole: Whole, states: int) -> str:
    """How many positions are dead, and when one dies first."""
    if not whole.dead:
        return "no position is dead: whatever is done, it can be won"
    share = f"{counted(whole.dead, 'positions')} of {states:,} are dead ({whole.dead / states:.1%})"
    first = next(depth for depth, count in enumerate(whole.dead_by_depth) if count)
    if not first:
        return f"{share}, the start too"
    return f"{share}, the first after {counted(first, 'actions')}; {counted(whole.fatal, 'actions')} of {whole.actions:,} lose the win"


def ways_in_words(whole: Whole) -> str:
    """How many shortest solutions there are."""
    if not whole.ways:
        return "no solution"
    words = counted(whole.ways, "shortest solutions")
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
    """How many positions are decisive."""
    moments = whole.moments
    return (
        f"{counted(moments.everywhere, 'decisive positions')}, where one action alone keeps the win "
        f"(in {moments.forced:,} nothing else can be done); {moments.on_shortest:,} on shortest solutions "
        f"({moments.forced_on_shortest:,})"
    )


def cells_in_words(cells: tuple[Cell, ...] | None) -> str:
    """Cells by column and row."""
    if cells is None:
        return "not known"
    named = ", ".join(f"({x}, {y})" for x, y in cells[:_FEW])
    return (f"{len(cells)}: {named}" + (", ..." if len(cells) > _FEW else "")) if cells else "none"


def piece_in_words(analysis: Analysis, piece: Piece) -> str:
    """What becomes of the level without a piece."""
    verdict = piece.verdict(analysis.cost)
    if piece.cost is None:
        return verdict
    return f"{verdict}: {counted(piece.cost, analysis.measure)} then{'' if piece.optimal else ' or fewer'}"


def lines_of(analysis: Analysis) -> Iterator[str]:
    """The analysis in lines."""
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
    told = (f"{name} {number(value)}" for name, value in analysis.difficulty.items())
    yield f"difficulty: {'; '.join(told)}"


def data_of(analysis: Analysis) -> dict[str, Any]:
    """The analysis as JSON has it."""
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
        "decisive": {
            "everywhere": whole.moments.everywhere,
            "on_shortest": whole.moments.on_shortest,
            "forced": whole.moments.forced,
            "forced_on_shortest": whole.moments.forced_on_shortest,
            "steps": list(whole.moments.steps),
        },
        "squares": {"never": whole.squares.never, "idle": whole.squares.idle},
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
