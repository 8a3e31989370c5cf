"""Report of `check --properties`: a line for each property of a file, as a test suite has it."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from gridproof.cli.output import level_heading, print_paragraph, print_result
from gridproof.cli.progress import Progress
from gridproof.core.limit import Limit
from gridproof.core.position import Level
from gridproof.prove.check_properties import ANSWERS, PropertyResult, check_properties
from gridproof.search.actors import Actors


class PropertyTask(NamedTuple):
    """The question for every property."""

    actors: Actors
    limit: Limit
    fair: list[str]
    json: bool


def report_properties(name: str, level: Level, file: Path, task: PropertyTask) -> list[bool | None]:
    """Check the properties of a file on a level, and print a line for each; return whether each is as expected."""
    answers = list[bool | None]()
    with Progress(f"Checking {name}") as progress:
        results = check_properties(level, file, task.actors, task.limit, task.fair, progress)
        for result in results:
            if task.json:
                subject = {"property": result.subject.name}, {"formula": str(result.subject.formula)}
                expected = {"expected": result.subject.expected, "as_expected": result.as_expected}
                print_result(name, level, subject[0], result.verdict.to_dict(), subject[1], expected)
            else:
                if not answers:
                    print_paragraph(f"{level_heading(name, level)}:", hanging=2)
                _print(result)
            answers.append(result.as_expected)
    if not task.json:
        print_paragraph(_summarize(answers), indent=2)
    return answers


def _print(result: PropertyResult) -> None:
    width, verdict, formula = max(map(len, ANSWERS.values())), result.verdict, result.subject.formula
    text = f"{result.subject.name}: {verdict.sentence(f'`{formula}`')}"
    if verdict.holds is None:
        text += f" {verdict.work}"
    print_paragraph(f"{ANSWERS[result.as_expected]:{width}}  {text}", indent=2, hanging=width + 4)
    for remark in verdict.remarks:
        print_paragraph(remark, width + 4)
    if result.as_expected is False and verdict.trace is not None:
        actions = verdict.trace.level.game.own_format.join_actions(verdict.trace) or "at the start"
        print_paragraph(f"{verdict.shows}: {actions}", width + 4, 2)


def _summarize(answers: list[bool | None]) -> str:
    counts = {word: answers.count(answer) for answer, word in ANSWERS.items()}
    found = ", ".join(f"{count} {word}" for word, count in counts.items() if count)
    return f"{len(answers):,} {'property' if len(answers) == 1 else 'properties'}: {found}"
