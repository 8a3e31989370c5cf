"""Sections of `specifications.md`, from the statements in `docs/statements`: `make tables` writes them."""

from __future__ import annotations

import contextlib
import shlex
import sys
import tempfile
import textwrap
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from typer.testing import CliRunner

sys.path.insert(0, str(Path(__file__).parent.parent))

from docs.invariants import replace_generated

import gridproof as gp
from gridproof.cli import app
from gridproof.core.text.phrases import format_count

PAGE = Path(__file__).parent / "specifications.md"
FOLDER = Path(__file__).parent / "statements"
GAMES = ("robots", "shiftit", "sokoban", "twenty48")
COLUMNS = 100
"""Width at which long answers are wrapped."""
HORIZON = 3
"""Last time of the runs that claims are about."""


@dataclass(frozen=True, kw_only=True)
class Statement:
    """A statement of a document, with a formula or a claim that a program can decide."""

    name: str
    """The name of the certificate's file."""
    title: str
    clause: str
    source: str
    """The place in the document."""
    quote: str = ""
    meaning: str
    settled: str = ""
    """A remark on what the settled rules change, or why no formula says it."""
    level: str = ""
    formula: str = ""
    example: str = ""
    """A formula `EF ...` that says that the condition of an implication occurs."""
    actors: str | None = None
    claim: int = 0
    """The number of one of Shift It's claims."""
    is_large: bool = False
    """True if the level has too many positions to list them all."""


@dataclass(frozen=True)
class Lesson:
    """The statements of a game's document."""

    game: str
    notation: str
    lesson: str
    levels: Mapping[str, str]
    """The texts of the levels that are in no pack."""
    exercise: Mapping[str, str]
    statements: tuple[Statement, ...]

    def level(self, name: str) -> gp.Level:
        """Return a level of the lesson, or of a pack."""
        return gp.read(self.levels[name])[0] if name in self.levels else gp.level(name)

    def level_argument(self, name: str) -> str:
        """Return how a command names a level: a file, or its name in a pack."""
        return f"{name}.txt" if name in self.levels else name


def read_lesson(game: str) -> Lesson:
    """Read the statements of a game's document."""
    data = tomllib.loads((FOLDER / f"{game}.toml").read_text(encoding="utf-8"))
    statements = tuple(Statement(**item) for item in data.pop("statements"))
    return Lesson(game, statements=statements, **data)


def verdict_text(verdict: gp.Verdict) -> str:
    """Return the answer with the number of positions."""
    if not verdict.complete:
        work = "The answer was known before all positions were found."
    elif verdict.satisfying is None:
        work = f"It was examined on {format_count(verdict.states, 'positions')}."
    else:
        work = f"It is true in {verdict.satisfying:,} of {format_count(verdict.states, 'positions')}."
    return " ".join([f"**{verdict.sentence()}**", work, *(f"Remark: {one}." for one in verdict.remarks)])


def trace_text(verdict: gp.Verdict) -> str:
    """Return the actions of a verdict's trace; "" without one."""
    if verdict.trace is None:
        return ""
    verdict.trace.replay()
    actions = " ".join(map(str, verdict.trace.actions))
    loop = verdict.trace.loop
    end = "" if loop is None else f", from action {loop + 1} on for ever" if loop else ", again and again"
    count = format_count(len(verdict.trace.steps), "actions")
    return f"The {verdict.shows} has {count}: `{actions}`{end}."


def example_text(level: gp.Level, example: str) -> str:
    """Return the actions to a position in which the condition of an implication is true."""
    trace = gp.check(level, example).trace
    assert trace is not None, f"{example} does not hold"
    return f"The condition occurs: `{example}` is true after `{' '.join(map(str, trace.actions))}`."


def run(*arguments: str) -> str:
    """Run a command of gridproof, and return what it prints."""
    result = CliRunner().invoke(app, [*arguments])
    if result.exception and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.stdout


def certificate_text(lesson: Lesson, statement: Statement) -> str:
    """Return the commands that write and verify a certificate, with the verifier's answer."""
    level, path = lesson.level_argument(statement.level), f"{statement.name}.gz"
    actors = ["--actors", statement.actors] if statement.actors else []
    write = ["check", level, statement.formula, *actors, "--certificate", path]
    verify = ["verify", path, "--level", level]
    run(*write)
    answer = run(*verify).splitlines()[0]
    commands = [f"$ gridproof {shlex.join(command)}" for command in (write, verify)]
    return "\n".join(["```text", *commands, textwrap.fill(answer, COLUMNS, subsequent_indent="  "), "```"])


def claim_text(lesson: Lesson, statement: Statement) -> str:
    """Return the answer in the document's own reading, up to a last time."""
    verdict = gp.claims(lesson.level(statement.level), horizon=HORIZON)[statement.claim - 1]
    command = f"gridproof claims {lesson.level_argument(statement.level)} --horizon {HORIZON}"
    answer = f"Claim {statement.claim} {verdict.answer} up to T = {HORIZON}"
    if statement.formula:
        return f"{answer} (`{command}`)."
    second = gp.claims(lesson.level(statement.level), HORIZON, engine="clingo")[statement.claim - 1]
    return (
        f"**{answer}** (`{command}`). {trace_text(verdict)} There is no certificate. A second engine, "
        f"with `--engine clingo`, says that the claim {second.answer}."
    )


def head_parts(statement: Statement, mark: str) -> Iterator[str]:
    """Yield the heading of a statement, the quotation, the meaning and the remark."""
    yield f"{mark} {statement.title} ({statement.clause})"
    yield f"{statement.source[0].upper()}{statement.source[1:]}{':' if statement.quote else '.'}"
    if statement.quote:
        yield f"```text\n{statement.quote.strip()}\n```"
    yield statement.meaning
    if statement.settled:
        yield f"*Remark:* {statement.settled}"


def parts(lesson: Lesson, statement: Statement) -> Iterator[str]:
    """Yield the paragraphs about a statement."""
    yield from head_parts(statement, "###")
    if statement.formula:
        level = lesson.level(statement.level)
        verdict = gp.check(level, statement.formula, actors=statement.actors)
        found = f"{verdict_text(verdict)} {trace_text(verdict)}".rstrip()
        yield f"On `{lesson.level_argument(statement.level)}`: {found}"
        if statement.example:
            yield example_text(level, statement.example)
        yield certificate_text(lesson, statement)
    if statement.claim:
        yield claim_text(lesson, statement)


def section(game: str) -> str:
    """Return the section about a game."""
    lesson = read_lesson(game)
    files = [f'```text title="{name}.txt"\n{text}```' for name, text in lesson.levels.items()]
    names = sorted({statement.level for statement in lesson.statements} - {*lesson.levels, ""})
    packed = [(name, gp.level(name)) for name in names]
    boards = [f"`{name}`, *{level.title}*:\n\n```text\n{level.start()}\n```" for name, level in packed]
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        for name, text in lesson.levels.items():
            Path(f"{name}.txt").write_text(text, encoding="utf-8")
        texts = [part for statement in lesson.statements for part in parts(lesson, statement)]
    clauses = f"The clauses are listed on [the page of the game](games/{game}.md)."
    head = f"## {gp.game(game).title}", f"*{lesson.notation}*", f"{lesson.lesson.strip()} {clauses}"
    return "\n\n".join([*head, *files, *boards, *texts])


def sections() -> str:
    """Return the sections of all games."""
    return "".join(f"\n{section(game)}\n" for game in GAMES)


if __name__ == "__main__":
    replace_generated(PAGE, sections())
