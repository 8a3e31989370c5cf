"""Report of `check --properties`: a line for each property of a file, as a test suite has it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from gridproof.cli.certified_answer import certify_verdict
from gridproof.cli.options import is_missing, path_of_certificate
from gridproof.cli.output import files_data, level_heading, print_note, print_paragraph, print_result
from gridproof.cli.progress import Progress
from gridproof.core.limit import Limit
from gridproof.core.position import Level
from gridproof.core.text import files
from gridproof.prove.check_properties import ANSWERS, PropertyResult, check_properties
from gridproof.prove.property_file import parse_properties
from gridproof.prove.verdict_certificate import VerdictQuestion
from gridproof.search.actors import Actors


class PropertyTask(NamedTuple):
    """The question for every property."""

    actors: Actors
    limit: Limit
    fair: list[str]
    coverage: bool
    json: bool


class PropertyAnswers(NamedTuple):
    """Answers of all properties: whether each is as expected, and whether a limit came before a certificate."""

    as_expected: list[bool | None]
    is_limit: bool


def count_properties(file: Path) -> int:
    """Return the number of properties of a file; ParseError if it has another form."""
    with files.locate_errors(file):
        return len(parse_properties(files.read_text(file)).properties)


def report_properties(
    name: str, level: Level, file: Path, task: PropertyTask, proofs: Sequence[Path | None]
) -> PropertyAnswers:
    """Check the properties of a file on a level, and print a line for each; write certificates to files, if there are any."""
    answers, is_limit = list[bool | None](), False
    with Progress(f"Checking {name}") as progress:
        results = check_properties(
            level, file, task.actors, task.limit, task.fair, progress, covers=task.coverage
        )
        for result, proof in zip(results, proofs, strict=True):
            fair = *task.fair, *result.subject.fair
            question = VerdictQuestion(level, result.verdict, task.actors, fair)
            certified, note = certify_verdict(question, proof, task.limit, progress)
            written = path_of_certificate(proof, certified)
            is_limit = is_limit or is_missing(certified)
            if note:
                print_note(f"{result.subject.name}: {note}")
            if task.json:
                data = _to_data(result) | files_data(None, written)
                print_result(name, level, data)
            else:
                if not answers:
                    print_paragraph(f"{level_heading(name, level)}:", hanging=2)
                _print(result, written)
            answers.append(result.as_expected)
    if not task.json:
        print_paragraph(_summarize(answers), indent=2)
    return PropertyAnswers(answers, is_limit)


def _to_data(result: PropertyResult) -> dict[str, Any]:
    """Return a result as JSON data."""
    subject, covered = result.subject, result.coverage
    data = {"property": subject.name} | result.verdict.to_dict() | {"formula": str(subject.formula)}
    data |= {"expected": subject.expected, "as_expected": result.as_expected}
    if subject.fair:
        data["fair"] = list(subject.fair)
    return data | ({"unused": covered.unused and [*map(str, covered.unused)]} if covered else {})


def _print(result: PropertyResult, proof: Path | None) -> None:
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
    if result.coverage:
        print_paragraph(str(result.coverage), width + 4, 2)
    if proof:
        print_paragraph(f"certificate in {proof}", width + 4)


def _summarize(answers: list[bool | None]) -> str:
    counts = {word: answers.count(answer) for answer, word in ANSWERS.items()}
    found = ", ".join(f"{count} {word}" for word, count in counts.items() if count)
    return f"{len(answers):,} {'property' if len(answers) == 1 else 'properties'}: {found}"
