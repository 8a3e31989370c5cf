"""The front door: plays and solves real levels for about half a minute, and writes a report of it.

A part of it is a function of a `Console` and a `Report`; those at the end of this file are run one after
another. The report is one page of HTML in which every trace can be stepped through.
"""

from __future__ import annotations

import signal

signal.signal(signal.SIGINT, signal.SIG_DFL)  # while modules are loaded, Ctrl-C has nothing to put in order

import os
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table
from rich.text import Text

import gridproof as gp
from gridproof.analysis.html_report import Report
from gridproof.core.measure import cost_of, find_measure
from gridproof.core.registry import games
from gridproof.core.text.level_lookup import builtin_pack, pack_names
from gridproof.core.text.phrases import format_count
from gridproof.games.robots import EXCHANGE
from gridproof.games.robots.race import Race
from gridproof.games.sokoban import Level as Sokoban
from gridproof.games.twenty48.propositions import max_tile
from gridproof.games.twenty48.snake import snake_value
from gridproof.pictures.terminal_colours import paint
from gridproof.search.simple_players import Expectimax

EACH = gp.Limit(seconds=2)
"""What the solver may use for one level."""
PATIENCE = 10.0
"""Seconds for one part."""
PUSHES = find_measure(gp.game("sokoban"), "pushes")
REPORT = Path("build/demo.html")
INTERRUPTED = 130
"""The exit status after Ctrl-C, as shells count it."""


LEVELS = os.environ.get("GRIDPROOF_LEVELS", "")
"""Folder with level files of other people: they are read there, and never copied."""


def replay_saved(trace: gp.Trace) -> gp.Position[Any]:
    """The end of a trace that goes through its JSON form; every step is verified on the way."""
    end = gp.Trace.from_json(trace.to_json()).replay()
    if end != list(trace.positions())[-1]:
        raise SystemExit("a replayed trace ends elsewhere")  # nothing is believed that does not replay
    return end


def title_of(level: gp.Level, name: str) -> str:
    """A short name of a level."""
    return level.title or name


def what_there_is(console: Console, report: Report) -> None:
    """The games and their packs."""
    table = Table(box=None, pad_edge=False)
    table.add_column("game", style="bold")
    table.add_column("what it is about")
    table.add_column("levels", justify="right")
    for game in games():
        count = sum(len(builtin_pack(game, name)) for name in pack_names(game))
        table.add_row(game.title, game.meaning, str(count))
    console.print(table)
    report.table(["Game", "What it is about"], [[game.title, game.meaning] for game in games()])


def solve_table() -> Table:
    """An empty table for `solved`."""
    table = Table(box=None, pad_edge=False)
    table.add_column("level")
    for word in ("boxes", "bombs", "pushes", "positions", "seconds"):
        table.add_column(word, justify="right")
    table.add_column("replayed")
    return table


def solve_levels(levels: Iterable[tuple[str, gp.Level]], table: Table) -> Iterator[tuple[str, gp.Trace, str]]:
    """Solve Sokoban levels by the fewest pushes while there is time; fill the table.

    What is given is each level's name, its trace and what is proved of it.
    """
    end = time.monotonic() + PATIENCE
    for name, level in levels:
        if time.monotonic() > end:
            return
        solution = gp.solve(level, minimise="pushes", limit=EACH)
        boxes, bombs = (str(len(level.boxes)), str(level.bombs)) if isinstance(level, Sokoban) else ("", "")
        effort = (f"{solution.states:,}", f"{solution.seconds:.2f}")
        if solution.trace is None:
            answer = "impossible" if solution.found is False else "not in 2 s"
            table.add_row(name, boxes, bombs, answer, *effort, "")
            continue
        won = replay_saved(solution.trace).won
        table.add_row(name, boxes, bombs, str(solution.cost), *effort, "won" if won else "NOT WON")
        yield name, solution.trace, fewest(solution, "pushes")


def fewest(solution: gp.Solution, things: str) -> str:
    """What a search has proved of its answer."""
    searched = f"by a search of {format_count(solution.states, 'positions')}"
    return (
        f"{'Fewest' if solution.optimal else 'Perhaps not the fewest'} {things}: {solution.cost}, {searched}."
    )


def show_trace(console: Console, name: str, trace: gp.Trace) -> None:
    """A level, its solution, and how it ends."""
    game = trace.level.game
    start, end = paint(game.look.board(trace.start)), paint(game.look.board(replay_saved(trace)))
    table = Table(box=None, pad_edge=False, title=name, title_justify="left", title_style="bold")
    table.add_column("start")
    table.add_column("end")
    table.add_row(start, end)
    console.print(table)
    console.print(Text(game.own_format.join_actions(trace)))


def own_sokoban(console: Console, report: Report) -> None:
    """Levels of our own packs, without bombs and with them."""
    game = gp.game("sokoban")
    packs = [(name, builtin_pack(game, name)) for name in pack_names(game)]
    levels = [
        (title_of(level, f"{name}/{n}"), level)
        for name, pack in packs
        for n, level in enumerate(pack, 1)
        if isinstance(level, Sokoban)
    ]
    without = [item for item in levels if not item[1].bombs][:6]
    with_bombs = [item for item in levels if item[1].bombs][:6]
    table = solve_table()
    traces = [*solve_levels(without, table), *solve_levels(with_bombs, table)]
    console.print(table)
    bombed = [item for item in traces if "bomb" in map(str, item[1].actions)]
    for name, trace, _ in traces[-1:] if not bombed else bombed[-1:]:
        show_trace(console, name, trace)
    report.paragraph("Solved with the fewest pushes. Steps count as actions, too, and so do bombs.")
    needed = without_bombs(console, [level for _, level in with_bombs])
    for name, trace, proof in (*traces[1:3], *bombed[-4:]):
        report.trace(trace, name, proof, *([f"Without a bomb: {needed[name]}."] if name in needed else []))


def without_bombs(console: Console, levels: list[Sokoban]) -> dict[str, str]:
    """What is found out, by title, of the same levels without a bomb: the solver looks at every position."""
    rows = []
    for level in levels:
        without = Sokoban(level.player, 0, level.boxes, level.depots, level.walls, level.size)
        answer = gp.solve(without, minimise="pushes", limit=EACH)
        said = {True: "can be won", False: "proved impossible", None: "not known in 2 s"}[answer.found]
        rows.append((level.title, said, answer.states))
    table = Table("Without its bomb", "", "Positions", box=None, pad_edge=False)
    for row in rows:
        table.add_row(*map(str, row))
    console.print(table)
    return {
        title: f"{said}, by a search of {format_count(states, 'positions')}" for title, said, states in rows
    }


def other_peoples_sokoban(console: Console, report: Report) -> None:
    """Files of the Sokoban world, where they are at hand."""
    folder = Path(LEVELS)
    files = sorted(path for path in folder.glob("*") if path.suffix in (".xsb", ".slc"))
    if not files:
        console.print(f"No level files in {folder}: GRIDPROOF_LEVELS may name a folder that has some.")
        return
    packs = {path: gp.read(path) for path in files}
    for path, pack in packs.items():
        console.print(f"{path.name}: {len(pack)} levels read", highlight=False)
    path, pack = next(iter(packs.items()))
    table = solve_table()
    traces = list(solve_levels(((f"{path.stem} {n}", level) for n, level in enumerate(pack[:12], 1)), table))
    console.print(table)
    compare(console, [item[:2] for item in traces], known_pushes(folder, path.stem))
    levels_read = sum(map(len, packs.values()))
    report.paragraph(f"{len(packs)} files of other people with {levels_read:,} levels were read.")
    if traces:
        longest = sorted(traces, key=lambda item: -len(item[1].steps))
        show_trace(console, *longest[0][:2])
        for name, trace, proof in longest[:3]:
            report.trace(trace, name, proof)


def known_pushes(folder: Path, collection: str) -> dict[str, int]:
    """Fewest pushes that others have proved, by level number, where a list of them lies beside the levels."""
    path = folder / "optimal_pushes.tsv"
    rows = [line.split("\t") for line in path.read_text().splitlines()] if path.is_file() else []
    return {row[1]: int(row[2]) for row in rows if row[0] == collection and row[3:] == ["optimal"]}


def compare(console: Console, traces: Iterable[tuple[str, gp.Trace]], known: dict[str, int]) -> None:
    """Say whether our lengths are those that others have found."""
    pairs = [(cost_of(trace, PUSHES), known.get(name.split()[-1])) for name, trace in traces]
    both = [(ours, theirs) for ours, theirs in pairs if theirs is not None]
    if both:
        equal = sum(ours == theirs for ours, theirs in both)
        console.print(f"{equal} of {len(both)} lengths equal those that others have proved.")


def shift_it(console: Console, report: Report) -> None:
    """Boards of Shift It, by the fewest shifts."""
    game = gp.game("shiftit")
    levels = [level for name in pack_names(game) for level in builtin_pack(game, name)]
    table = Table(box=None, pad_edge=False)
    for word in ("board", "start", "shifts", "end"):
        table.add_column(word)
    end = time.monotonic() + PATIENCE
    for level in levels[:12:2]:
        if time.monotonic() < end and (trace := (solution := gp.solve(level, limit=EACH)).trace):
            shifts = "\n".join(game.look.describe(level, action) for action in trace.actions)
            boards = [paint(game.look.board(position)) for position in (trace.start, replay_saved(trace))]
            table.add_row(level.title, boards[0], shifts, boards[1])
            report.trace(trace, level.title, fewest(solution, "shifts"))
    console.print(table)


def race(console: Console, report: Report) -> None:
    """Races of robots: by what each may know, and with the board in view."""
    game = gp.game("robots")
    levels = [level for name in pack_names(game) for level in builtin_pack(game, name)]
    table = Table(box=None, pad_edge=False)
    for word in ("race", "robots", "home", "requests", "failed", "exchanges"):
        table.add_column(word, justify="left" if word in {"race", "home"} else "right")
    for number, level in enumerate(levels[:10]):
        first, *_ = game.actors(level)
        run = Race(level, {first: "planner"}, exchange_every=10, seed=number, max_requests=300).run()
        replay_saved(run.trace())
        failed = sum(facts["failed"] for facts in run.report()["actors"].values())
        exchanges = sum(action == EXCHANGE for action in run.trace().actions)
        home = ", ".join(run.winners) or "nobody"
        table.add_row(
            level.title, str(len(run.knowledge_history)), home, *map(str, (run.requests, failed, exchanges))
        )
    console.print(
        "The first robot sees the board, the others know their hints; every 10 requests two tiles change."
    )
    console.print(table)
    for level in levels[2:3]:
        show_race(console, report, Race(level, "hints", seed=1))


def show_race(console: Console, report: Report, run: Race) -> None:
    """A race from its start to its end, and what the robots knew."""
    look = gp.game("robots").look
    told = [f"{run.requests:4}  {look.describe(run.level, action)}" for action, _ in run.steps()]
    start, end = paint(look.board(run.start)), paint(look.board(replay_saved(run.trace())))
    table = Table(box=None, pad_edge=False, title=run.level.title, title_justify="left", title_style="bold")
    for word in ("start", "the last requests that succeeded", "end"):
        table.add_column(word)
    table.add_row(start, "\n".join(told[-8:]), end)
    console.print(table)
    for name, diary in run.knowledge_history.items():
        hints = sorted({str(hint) for known in diary for hint in known.hints})
        learned = f"learned these hints: {', '.join(hints)}" if hints else "learned no hint"
        console.print(f"In {format_count(len(diary), 'requests')}, robot {name} {learned}.")
    end_of_it = f"{' and '.join(run.winners) or 'Nobody'} came home after {run.requests} requests."
    console.print(end_of_it)
    failed = sum(facts["failed"] for facts in run.report()["actors"].values())
    report.paragraph(
        f"{end_of_it} {failed} of them failed: they changed nothing, and are no actions of the trace."
        if failed > 0
        else end_of_it
    )
    report.trace(run.trace(), run.level.title)


def play_2048(console: Console, report: Report) -> None:
    """A game of 2048 by a player that looks two moves ahead."""
    session = gp.Session(gp.read("2048 4x4 spawn=spec target=2048\n"), seed=1)
    player = Expectimax(snake_value, depth=2)
    largest, end = 64, time.monotonic() + 2 * PATIENCE
    while not session.position.ended and time.monotonic() < end:
        session.act(player(session.position))
        tile = max_tile(session.position)  # type: ignore[arg-type]  # a session's position may be of any game
        if tile > largest:
            largest = tile
            console.print(
                f"move {session.actions_done:4}: tile {largest}, score {session.score}", highlight=False
            )
        if session.position.won:
            break
    console.print(paint(session.game.look.board(session.position)))
    console.print(f"{session.status.name.lower()} after {session.actions_done} moves, score {session.score}")
    replay_saved(session.trace())
    report.trace(session.trace(), "A whole game")
    console.print("The whole game, replayed from its JSON trace, ends on the same board.")


PARTS = (
    ("Games", what_there_is),
    ("Sokoban: our own levels, fewest pushes", own_sokoban),
    *([("Sokoban: level files of other people", other_peoples_sokoban)] if LEVELS else []),
    ("2048: a simple player", play_2048),
    ("Shift It: fewest shifts", shift_it),
    ("Robots: a race", race),
)


def main() -> int:
    """Run all parts."""
    console = Console(highlight=False)
    report = Report("gridproof at work", "Real levels, played and solved a moment ago. Step through them.")
    started = time.monotonic()
    signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        run_parts(console, report)
    except KeyboardInterrupt:
        console.print("\nInterrupted: no report is written.")
        return INTERRUPTED
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    REPORT.parent.mkdir(exist_ok=True)
    report.save(REPORT)
    console.print(f"Done in {time.monotonic() - started:.0f} s. The report, with pictures to step through:")
    console.print(REPORT.resolve(), soft_wrap=True)
    return 0


def run_parts(console: Console, report: Report) -> None:
    """Run one part after another."""
    for title, part in PARTS:
        console.rule(f"[bold]{title}", align="left")
        report.section(title)
        part(console, report)
        console.print()


if __name__ == "__main__":
    sys.exit(main())
