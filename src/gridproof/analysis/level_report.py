"""The report on a level: a self-contained page of HTML."""

from __future__ import annotations

from itertools import islice

from gridproof.analysis.ablation import Piece
from gridproof.analysis.html_report import Report, UnwinnablePosition
from gridproof.analysis.level import BY_GENERATOR, Analysis, SpaceFacts
from gridproof.analysis.text_report import (
    costs_by_solution,
    deaths_in_words,
    decisive_in_words,
    difficulty_of,
    measure_word,
    number,
    numbered_cells,
    piece_in_words,
    piece_on_board,
    size_in_words,
    ways_in_words,
    win_in_words,
)
from gridproof.core.difficulty import measured_difficulty
from gridproof.core.text.display import sentence
from gridproof.core.text.phrases import format_count, join_names
from gridproof.core.trace import Trace
from gridproof.pictures.picture import svg_with_marks
from gridproof.pictures.plot import columns
from gridproof.prove.verdict_line import describe_estimate, describe_rest, needs_luck, spoken_word

_PLAIN_WIN = "the game is won"
"""The meaning of a win that needs no words."""
_CARDS, _MOMENTS = 6, 24
"""The most cards of a kind, and of decisive positions."""

_WORDS = {
    "positions": "positions that can be reached",
    "outcomes of a position": "positions that follow a position, on average",
    "share of dead positions": "positions from which it cannot be won any more",
    "share of fatal actions": "{word} that lose the win",
    "decisive positions on shortest solutions": "positions of shortest solutions with a single good action",
    "difficulty by the generator": "effort of the generator's search",
}
"""Measures of difficulty in plain words."""


def page_of(analysis: Analysis) -> Report:
    """Return the report on a level."""
    level, whole = analysis.level, analysis.whole
    lead = f"{level.game.title}: {size_in_words(analysis)}; {win_in_words(analysis)}."
    report = Report(level.title or "A level", lead)
    if analysis.meaning != _PLAIN_WIN:
        report.paragraph(f"A win means that {analysis.meaning}.")
    if estimate := analysis.estimate:
        report.paragraph(f"{sentence(describe_estimate(estimate))} {describe_rest(estimate)}")
    _solutions(report, analysis)
    if whole:
        _positions(report, analysis, whole)
        if analysis.winnable:
            _decisive_positions(report, analysis, whole)
    if analysis.pieces:
        _pieces(report, analysis)
    if whole:
        _squares(report, analysis, whole)
    word = analysis.difficulty_word
    is_measured = analysis.difficulty.get(BY_GENERATOR) is not None
    source = "by the effort of a search" if is_measured else "as its generator has measured it"
    found = f"{measured_difficulty(level.game, word).capitalize()}, {source}." if word else ""
    report.section("Difficulty", found)
    rows = [
        [_WORDS.get(name, name).format(word=spoken_word(level)), _value(name, value)]
        for name, value in difficulty_of(analysis).items()
    ]
    report.table(["measure", "value"], rows)
    return report


def _value(name: str, value: float | None) -> str:
    """Return a measure in words, a share in percent."""
    return f"{value:.1%}" if value is not None and name.startswith("share of") else number(value)


def _solutions(report: Report, analysis: Analysis) -> None:
    whole = analysis.whole
    words = f"{ways_in_words(whole).capitalize()}." if whole and analysis.winnable else ""
    report.section("Solutions", words)
    for trace, costs in costs_by_solution(analysis).items():
        if trace is None:
            continue
        unproved = any(cost.endswith(" or fewer") for cost in costs)
        fewer = "Where it says so, fewer may be possible." if unproved else "No solution has fewer."
        luck = [_luck_in_words(analysis, trace)] if needs_luck(trace) else []
        report.trace(trace, ", ".join(costs), *luck, fewer)
    if not any(found.trace for found in analysis.costs.values()):
        proved = f"{win_in_words(analysis).capitalize()}."
        never = [UnwinnablePosition(analysis.level)] if analysis.winnable is False else []
        report.picture(analysis.level.start(), "The start", proved=proved, never=never)


def _luck_in_words(analysis: Analysis, trace: Trace) -> str:
    """Say what of a win needs luck: where its chance is certain only that it takes so few actions, but for a single one."""
    if analysis.estimate is None or not analysis.estimate.is_sure:
        return "It wins with luck."
    more = "; without luck it may take more" if len(trace.steps) > 1 else ""
    return f"It can always be won{more}."


def _positions(report: Report, analysis: Analysis, whole: SpaceFacts) -> None:
    report.section("Positions", f"{deaths_in_words(analysis, whole).capitalize()}.")
    dead = whole.dead_by_depth
    alive = [all_ - lost for all_, lost in zip(analysis.by_depth, dead, strict=True)]
    word = spoken_word(analysis.level)
    across = f"fewest {word} from the start"
    series = {"can be won": alive, **({"dead": dead} if any(dead) else {})}
    plots = [columns("positions by depth", across, series)]
    if whole.fatal:
        plots.append(columns(f"{word} that lose the win", across, {f"fatal {word}": whole.fatal_by_depth}))
    report.plots(*plots)
    if whole.first_dead and whole.first_dead.steps:
        proved = "The last position cannot be won: all positions after it were explored."
        never = [UnwinnablePosition(whole.first_dead.replay())]
        report.trace(whole.first_dead, "The shortest way to lose the win", proved, never=never)


def _decisive_positions(report: Report, analysis: Analysis, whole: SpaceFacts) -> None:
    text = f"{decisive_in_words(whole).capitalize()}."
    shortest, steps = analysis.shortest, whole.decisive.steps
    if len(steps) > _MOMENTS:
        text += f" The first {_MOMENTS} of the {len(steps)} on the solution above where something else could be done:"
    report.section("Decisive positions", text)
    if shortest is None:
        return
    positions = dict(enumerate(shortest.positions()))
    for step in islice(steps, _MOMENTS):
        action = shortest.actions[step]
        title = f"After {format_count(step, spoken_word(analysis.level))}: {analysis.level.game.look.describe(analysis.level, action)}"
        report.picture(positions[step], title, action, "Any other action loses the win.", shortest, step)


def _pieces(report: Report, analysis: Analysis) -> None:
    word = measure_word(analysis.level, analysis.measure)
    report.section(
        "Pieces",
        f"The level without each of its pieces, by its fewest {word}: {number(analysis.cost)} as it is.",
    )
    groups = _group_pieces(analysis)
    rows = [[_name_group(analysis, group), piece_in_words(analysis, group[0])] for group in groups]
    never = [
        [UnwinnablePosition(level, piece.actors) for piece in group for level in piece.levels]
        if group[0].found is False
        else []
        for group in groups
    ]
    report.table(["level", "answer"], rows, [group[0].trace for group in groups], never)
    most = -1 if analysis.cost is None else analysis.cost
    cheaper = [piece for piece in analysis.pieces if piece.cost is not None and piece.cost <= most]
    for piece in islice(cheaper, _CARDS):
        if piece.trace:
            named = piece.condition.format(piece_on_board(analysis, piece))
            report.trace(piece.trace, f"{named[0].upper()}{named[1:]}: {format_count(piece.cost or 0, word)}")


def _group_pieces(analysis: Analysis) -> list[list[Piece]]:
    """Return the pieces in groups with the same answer; each with a trace is alone, since its row shows that."""
    groups: dict[object, list[Piece]] = {}
    for index, piece in enumerate(analysis.pieces):
        is_alone = piece.trace is not None or piece.place is None or not piece.noun
        key = index if is_alone else (piece.condition, piece.noun, piece_in_words(analysis, piece))
        groups.setdefault(key, []).append(piece)
    return list(groups.values())


def _name_group(analysis: Analysis, group: list[Piece]) -> str:
    """Return the level without each piece of a group: "if any one tile had a colour of its own"."""
    first, count = group[0], len(group)
    same = [one for one in analysis.pieces if (one.condition, one.noun) == (first.condition, first.noun)]
    if count == 1:
        name = piece_on_board(analysis, first)
    elif count == len(same):
        name = f"any one {first.noun.removeprefix('the ')}"
    else:
        places = [numbered_cells(analysis, (one.place,)) for one in group if one.place]
        name = f"{first.noun} in {join_names(places, 'or')}"
    return first.condition.format(name)


def _squares(report: Report, analysis: Analysis, whole: SpaceFacts) -> None:
    never, idle = whole.squares
    report.section("Squares")
    words = [f"Never used: {numbered_cells(analysis, never)}."]
    if analysis.winnable:
        words.append(f"Used, but on no shortest solution: {numbered_cells(analysis, idle)}.")
    picture = svg_with_marks(analysis.level.start(), never or (), idle or () if analysis.winnable else ())
    report.drawing(picture, "Crosses: never used. Dots: on no shortest solution", *words)
