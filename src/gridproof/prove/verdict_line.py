"""The status of a position as one line for players, in the words that a person says, and its reason as a sentence."""

from __future__ import annotations

from collections.abc import Collection, Sequence, Set

from gridproof.core.difficulty import puzzles_of
from gridproof.core.game import Game
from gridproof.core.measure import spoken_name
from gridproof.core.position import Level
from gridproof.core.puzzle import Puzzle
from gridproof.core.text.display import sentence
from gridproof.core.text.phrases import format_count, join_names
from gridproof.core.trace import Trace
from gridproof.prove.estimate import Estimate, Prospect, estimator, format_chance, format_points
from gridproof.prove.position_status import Badge, Note, Standing, status_notes

YOU = "You"
"""The player, as the winner in a verdict."""
WITH_ALL = "With all, you"
"""A player of all actors, of which only some win."""
UNKNOWN = "Unknown whether it can be won"


def spoken_word(level: Level) -> str:
    """Return the word that players say for the actions of a level."""
    return spoken_name(status_notes(level.game).actions)


def needs_luck(way: Trace | None) -> bool:
    """Return whether a solution depends on chance; False without one."""
    return way is not None and way.needs_luck


def promise_of_puzzles(game: Game) -> str:
    """Return in sentences what is proved of each new puzzle of a game before it is shown, and what its difficulty means."""
    luck = ", with luck," if estimator(game) is not None else ""
    puzzles = puzzles_of(game)
    meaning = f" {puzzles.meaning}" if puzzles and puzzles.meaning else ""
    return f"Each is proved to be winnable{luck} before you see it.{meaning}"


def optimum_in_words(puzzle: Puzzle) -> str:
    """Return the optimum of a puzzle in the words of its verdict: "5 shifts"; "" where none is known of what the verdict counts."""
    if puzzle.optimum is None or puzzle.measure != "actions":
        return ""
    return format_count(puzzle.optimum, spoken_word(puzzle.level))


def verdict_line(
    badge: Badge,
    level: Level,
    winner: str = "",
    own: Set[str] = frozenset(),
    soon: Collection[str] = (),
    short: bool = False,
) -> str:
    """Return a status as a line, "" if nothing is known yet: "Winnable in 12 moves at best (proved)".

    Parameters
    ----------
    winner : str
        Who wins on the known way, of several actors: "b can win in 12 moves at best (proved)".
    own : set of str
        The actors of the player if there are others; the line counts their own actions, and says who is nearer.
    soon : collection of str
        The actors of several that can win with their next action, as of `next_winners`.
    short : bool
        Whether the line is for a narrow place: of at most 46 characters, with up to three names and numbers below 1,000.
    """
    if not badge.dead and {*soon} - own:
        return _describe_next_win(badge, level, own, soon, short)
    if badge.way and not badge.dead and own:
        return _describe_race(badge, level, winner, own, short)
    winnable = f"{winner} can win" if winner else "Winnable"
    notes = status_notes(level.game)
    if badge.dead:
        return _capital(_describe_dead(badge, level, short))
    if badge.estimate is not None:
        return f"{describe_estimate(badge.estimate)}{' so far' if _is_settling(badge) else ''}"
    if badge.way == ():
        return "Won"
    if not notes.tells_ways:
        return f"{winnable} with luck" if badge.complete and badge.way else ""
    if badge.way is None:
        return UNKNOWN if badge.complete else ""
    number, luck = format_count(len(badge.way), spoken_word(level)), " with luck" if badge.needs_luck else ""
    known = (
        f" in {number} at best{'' if short else ' (proved)'}" if badge.fewest else f" in {number} or fewer"
    )
    return f"{winnable}{luck}{known}"


def describe_bound(badge: Badge, level: Level) -> str:
    """Return what is proved while the fewest actions are not known: "No win in fewer than 9 moves so far"; "" for nothing.

    While a search looks for fewer actions than those of a known win, it is left out.
    """
    is_known = badge.dead or badge.fewest or (badge.winnable and not badge.complete)
    if is_known or badge.least < 2 or not status_notes(level.game).tells_ways:
        return ""
    number = format_count(badge.least, spoken_word(level))
    return f"No win in fewer than {number}{'' if badge.complete else ' so far'}"


def own_distances(badge: Badge, own: Set[str]) -> list[int | None]:
    """Return the fewest actions to a win of each of the player's actors, if it alone acts, as far as that is known; None if it cannot win so."""
    return [cost for note in badge.notes for actor, cost in note.alone if actor in own]


def nearer_rivals(badge: Badge, own: Set[str]) -> dict[str, int]:
    """Return the nearest actors of others that need fewer actions to a win alone than the player's actors, with these numbers."""
    costs = {actor: cost for note in badge.notes for actor, cost in note.alone if cost is not None}
    least = min(costs.values(), default=0)
    nearest = {actor: cost for actor, cost in costs.items() if cost == least}
    return {} if own & nearest.keys() else nearest


def needs_others(badge: Badge, level: Level, own: Set[str]) -> bool:
    """Return whether the known way to a win has actions of others."""
    return any(level.owner(step.action) not in own for step in badge.way or ())


def wins_alone(badge: Badge, level: Level, winner: str, own: Set[str]) -> bool:
    """Return whether the known way is a win of the player by the own actions alone."""
    return winner == YOU and not needs_others(badge, level, own)


def _describe_next_win(badge: Badge, level: Level, own: Set[str], soon: Collection[str], short: bool) -> str:
    """Return which others can win with their next action, and how far the player's actors are."""
    rivals = [actor for actor in soon if actor not in own]
    one, alone = format_count(1, spoken_word(level))[2:], own_distances(badge, own)
    if own & {*soon}:
        mine = "You can win next" if short else f"You can win with your next {one}"
        return f"{mine}; so can {join_names(rivals)}"
    return _describe_rivals(rivals, "next" if short else f"with its next {one}", alone, short)


def _describe_rivals(rivals: Sequence[str], when: str, alone: Sequence[int | None], short: bool) -> str:
    """Return when rivals can win, and how far the player's actors are, if that is known."""
    line = f"{join_names(rivals, 'or')} can win {when}"
    if not alone:
        return line
    known = [cost for cost in alone if cost is not None]
    need = f"you need {min(known):,}" if known else "you cannot win alone"
    return f"{line}; {need}" if short else f"{line}. {_capital(need)}."


def _describe_race(badge: Badge, level: Level, winner: str, own: Set[str], short: bool) -> str:
    """Return how far the player's actors are from a win, beside others who act, too."""
    word, way, rivals = spoken_word(level), badge.way or (), nearer_rivals(badge, own)
    alone = own_distances(badge, own)
    mine = min((cost for cost in alone if cost is not None), default=None)
    if not alone and wins_alone(badge, level, winner, own):
        mine = len(way)
    if rivals:
        cost = next(iter(rivals.values()))
        when = f"in {cost:,}" if short else f"in {format_count(cost, word)}"
        return _describe_rivals([*rivals], when, alone, short)
    if mine is not None:
        return f"You can win in {format_count(mine, word)} if {'' if short else 'the '}others wait"
    if winner != YOU:
        return "You cannot win unless others move first" if alone else f"{winner} can win"
    number = sum(level.owner(step.action) in own for step in way)
    if short:
        return f"You can win with help: {number:,} of {format_count(len(way), word)}"
    return f"You can win with help: in {number:,} of your {word}, {len(way):,} in all"


def verdict_detail(badge: Badge, own: Set[str] = frozenset()) -> str:
    """Return what else is known, for a second glance: the rest of an estimate, the end of a search, else the game's notes.

    Parameters
    ----------
    own : set of str
        The actors of the player, as of `verdict_line`, which then says who is nearer.
    """
    if badge.estimate is not None and not badge.dead:
        still = "Still being estimated. " if _is_settling(badge) else ""
        return f"{still}{describe_rest(badge.estimate)}"
    if badge.complete and not badge.notes and badge.standing is Standing.UNKNOWN:
        return "The search reached its limit."
    told = [note for note in badge.notes if not (note.cells or note.turns or _is_in_line(note, own))]
    return " ".join(sentence(note.text) for note in told)


def _is_settling(badge: Badge) -> bool:
    """Return whether an estimate of more games is still to come, which may say something else in the line."""
    estimate = badge.estimate
    if estimate is None or not estimate.is_first or badge.complete:
        return False
    return estimate.points_lead or not estimate.here.is_proved


def _is_in_line(note: Note, own: Set[str]) -> bool:
    """Return whether the line says what a note says: the distances of the player's actors and others, or a win at once."""
    return bool(note.alone) and (bool(own) or any(cost == 1 for _, cost in note.alone))


def explain_death(badge: Badge, game: Game) -> str:
    """Return in sentences why a position is dead; "" if it is not."""
    if not badge.dead:
        return ""
    told = (
        note for note in badge.notes if not (badge.reason and note.cells)
    )  # the reason says it, the board marks it
    why = badge.reason or _describe_search(badge.reachable)
    if badge.nature_may_help:
        why = f"without {status_notes(game).nature}, {why}"
    texts = [why, *(note.text for note in told)]
    return " ".join(map(sentence, filter(None, texts)))


def _describe_dead(badge: Badge, level: Level, short: bool) -> str:
    """Return that a position cannot be won, by nobody or by the players alone, and since when."""
    notes, since = status_notes(level.game), _describe_death(badge, spoken_word(level), short)
    if not badge.nature_may_help:
        return f"{notes.dead}{since}"
    return (
        f"no win{since} without {notes.nature}"
        if short
        else f"cannot be won{since} unless {notes.nature} help"
    )


def _describe_death(badge: Badge, word: str, short: bool) -> str:
    since, one = badge.since, format_count(1, word)[2:]
    if since is None:
        return ""
    if since.dead == 0:
        return " from the start"
    if since.exact:
        return f" since {one} {since.dead}"
    if short:
        return f" by {one} {since.dead:,}"
    if since.winnable < 0:
        return f" since {one} {since.dead} or before"
    return f" since one of the {word} {since.winnable + 1} to {since.dead}"


def _describe_search(reachable: int) -> str:
    if reachable == 1:
        return "nothing can be reached from here"
    if reachable:
        return f"no win is among the {format_count(reachable, 'positions')} that can be reached"
    return "a search of all that can follow has found no win"


def describe_estimate(estimate: Estimate) -> str:
    """Return what counts in a position: the chance of the goal, or the expected points of a game that is won."""
    return _capital(describe_lead(estimate, estimate.here))


def describe_rest(estimate: Estimate) -> str:
    """Return in sentences what counts less in a position, and how both were found."""
    return f"{sentence(_describe_second(estimate, estimate.here))} {sentence(describe_method(estimate))}"


def describe_prospect(estimate: Estimate, prospect: Prospect) -> str:
    """Return both parts of a prospect, first what counts: "chance to reach 512: about 30 %; about 1,500 more points by ..."."""
    return f"{describe_lead(estimate, prospect)}; {_describe_second(estimate, prospect)}"


def describe_lead(estimate: Estimate, prospect: Prospect) -> str:
    """Return what counts of a prospect: "chance to reach 512: about 30 %", "about 1,500 more points by the end"."""
    if estimate.points_lead:
        return f"{_describe_points(estimate, prospect)} by the end"
    return _describe_chance(estimate, prospect)


def format_lead(estimate: Estimate, prospect: Prospect) -> str:
    """Return the number of what counts of a prospect: "about 30 %", "1,500"."""
    return (
        format_points(prospect)
        if estimate.points_lead
        else format_chance(prospect, estimate.games, estimate.is_first)
    )


def _describe_second(estimate: Estimate, prospect: Prospect) -> str:
    """Return what counts less: the chance of a game that is won, else the points, also those after the target."""
    if estimate.points_lead:
        return _describe_chance(estimate, prospect)
    kind = (
        "" if estimate.exact else "expected: "
    )  # beside a target, they would look like points that are needed
    return f"{kind}{_describe_points(estimate, prospect)} by the end of the game"


def _describe_points(estimate: Estimate, prospect: Prospect) -> str:
    """Return the expected points; exact ones are an average over what chance does."""
    about = "on average" if estimate.exact else "about"
    return f"{about} {format_points(prospect)} more points"


def _describe_chance(estimate: Estimate, prospect: Prospect) -> str:
    return f"chance to {estimate.goal}: {format_chance(prospect, estimate.games, estimate.is_first)}"


def describe_method(estimate: Estimate) -> str:
    """Return how an estimate was found: "from 1,200 games by a strong program"."""
    if estimate.exact:
        return f"exact, with {estimate.player}"
    games = format_count(estimate.games * len(estimate.actions), "games")
    if estimate.here.is_proved:
        return f"chance proved; points from {games} by {estimate.player}"
    return f"from {games} by {estimate.player}"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
