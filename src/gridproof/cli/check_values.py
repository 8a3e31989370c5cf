"""`check` with `--for`, `--least` and `--set`: one formula for several values of parameters and of a level's numbers."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from gridproof.cli.certified_answer import CertifiedAnswer
from gridproof.cli.level_family import (
    MOST_LEVELS,
    Family,
    describe_values,
    is_open_range,
    parse_values,
    vary_level,
    verdict_row,
)
from gridproof.cli.level_results import results_of_questions
from gridproof.cli.options import is_missing, path_of_certificate
from gridproof.cli.output import (
    ExitStatus,
    answer_status,
    files_data,
    print_note,
    print_paragraph,
    print_result,
    report_error,
    save_trace,
)
from gridproof.cli.parallel_map import Workers
from gridproof.cli.progress import Progress
from gridproof.core.errors import GridproofError
from gridproof.core.limit import Budget, Limit
from gridproof.core.position import Level
from gridproof.prove.formula import Formula
from gridproof.prove.parameter import (
    Least,
    Values,
    check_parameter_names,
    direction_of,
    find_least,
    find_open_least,
)
from gridproof.prove.verdict import Verdict


class Case(NamedTuple):
    """A level and the values for which a formula is checked on it."""

    level_name: str
    level: Level
    """The level with `numbers`."""
    numbers: Values
    """The values of numbers of the level."""
    parameters: Values
    """The values in the formula."""

    @property
    def name(self) -> str:
        """The name of the level, with the values of its numbers."""
        return " ".join(filter(None, [self.level_name, describe_values(self.numbers)]))

    @property
    def values(self) -> dict[str, int]:
        """All values."""
        return {**self.numbers, **self.parameters}

    @property
    def label(self) -> str:
        """The name with all values."""
        return " ".join(filter(None, [self.name, describe_values(self.parameters)]))


class ValueQuestion(NamedTuple):
    """A formula with parameters, and how it is checked for their values."""

    text: str
    formula: Callable[[Values, Level], Formula]
    """Returns the formula for values on a level."""
    check: Callable[[Values, Level], None]
    """Raises GridproofError when the names in the formula mean nothing."""
    certified_verdict: Callable[
        [Values, Limit, Path | None, Level, Progress | None], CertifiedAnswer[Verdict] | GridproofError
    ]
    """Checks the formula within a limit, and writes a certificate if there is a file for it."""
    limit: Limit
    """The limit of each check; of an open search, the time is that of all."""


class ValueOptions(NamedTuple):
    """Options of the command."""

    parameters: Mapping[str, str]
    """Values of the names in the formula, as texts such as "1..50"."""
    numbers: Mapping[str, str]
    """Values of the level's numbers."""
    least: str | None
    workers: Workers
    json: bool

    @property
    def is_open(self) -> bool:
        """True if the values for --least have no end."""
        return is_open_range(self.parameters.get(self.least or "", ""))


def parse_assignments(option: str, texts: Iterable[str]) -> dict[str, str]:
    """Parse texts such as `T=1..50`; GridproofError when one has another form, or two have the same name."""
    found: dict[str, str] = {}
    for text in texts:
        name, equals, value = map(str.strip, text.partition("="))
        if not (name and equals and value):
            raise GridproofError(f"{option} {text!r}: write a name and its values, as in T=1..50 or T=2,4,8")
        if name in found:
            raise GridproofError(f"{option} {text!r}: {name} already has values")
        found[name] = value
    return found


def list_cases(family: Family, options: ValueOptions, texts: tuple[str, ...]) -> list[Case]:
    """List all cases: each level with each value of its numbers, and of the parameters in a formula and definitions.

    GridproofError for wrong names and values, and for too many cases.
    """
    parameters, numbers = options.parameters, options.numbers
    if not family.levels:
        raise GridproofError("there is no level to check")
    check_parameter_names(parameters, texts, family.levels[0][1])
    if both := parameters.keys() & numbers.keys():
        raise GridproofError(f"{min(both)} cannot be both a parameter and a number of the level")
    open_size = MOST_LEVELS // len(family.levels)
    listed = [
        parse_values(f"--for {name}", text, open_size if name == options.least else 0)
        for name, text in parameters.items()
    ]
    cases = (
        Case(name, changed, chosen, dict(zip(parameters, values, strict=True)))
        for name, level in family.levels
        for changed, chosen in vary_level(level, numbers)
        for values in itertools.product(*listed)
    )
    found = [*itertools.islice(cases, MOST_LEVELS + 1)]
    if len(found) > MOST_LEVELS:
        raise GridproofError(f"these are more than {MOST_LEVELS:,} levels and values in all")
    return found


def check_cases(
    cases: list[Case],
    question: ValueQuestion,
    options: ValueOptions,
    saves: list[Path | None],
    proofs: list[Path | None],
) -> ExitStatus:
    """Check all cases and print a row for each; one that refuses the formula is an error.

    `saves` and `proofs` are the files of traces and of certificates, which workers write.
    """
    _check_formula(cases, question)
    asked = []
    for one, proof in zip(cases, proofs, strict=True):
        ask = functools.partial(
            question.certified_verdict, one.parameters, question.limit, proof and proof.absolute()
        )
        asked.append((one.label, one.level, ask))
    verdicts = results_of_questions(asked, options.workers, "Checking", "questions")
    rows, answers, refused, is_limit = _Rows(cases, options.json), list[bool | None](), False, False
    for case, found, save, proof in zip(cases, verdicts, saves, proofs, strict=True):
        if isinstance(found, GridproofError):
            report_error(case.label, found, options.json)
            refused = True
            continue
        if found.note:
            print_note(f"{case.label}: {found.note}")
        rows.print(case, found.answer, save, path_of_certificate(proof, found.certified))
        answers.append(found.answer.holds)
        is_limit = is_limit or is_missing(found.certified)
    if answers and not options.json:
        text = f"`{question.text}` holds for {answers.count(True)} of {len(answers):,} values"
        text += f"; no answer for {answers.count(None)}" if None in answers else ""
        print_paragraph(text, hanging=2)
    if refused:
        return ExitStatus.WRONG
    return ExitStatus.LIMIT if is_limit else answer_status(answers)


def print_least(cases: list[Case], question: ValueQuestion, options: ValueOptions) -> ExitStatus:
    """Print the least value of a parameter, or of a number of the level, for which the formula holds."""
    name = options.least or ""
    _check_formula(cases, question)
    rows, answers = _Rows(cases, options.json), list[bool | None]()
    for group in _groups(cases, name):
        least = _find(group, name, question, rows, options.is_open)
        holds = None if not least.is_known else least.place is not None
        sentence, data = _describe_least(group, name, question.text, least)
        level_name = group[0].level_name
        if options.json:
            print_result(level_name, group[0].level, data)
        else:
            where = f"{level_name}: " if cases[0].level_name != cases[-1].level_name else ""
            print_paragraph(where + sentence, hanging=2)
        answers.append(holds)
    return answer_status(answers)


def _check_formula(cases: list[Case], question: ValueQuestion) -> None:
    """Raise the first error of a formula, before any work, if its names mean nothing in all cases."""
    first: GridproofError | None = None
    for case in cases:
        try:
            question.check(case.parameters, case.level)
            return
        except GridproofError as error:
            first = first or error
    if first:
        raise first


def _groups(cases: list[Case], name: str) -> Iterator[list[Case]]:
    """Yield the cases that differ in one value alone, in the order of this value."""
    found: dict[tuple[object, ...], list[Case]] = {}
    for case in cases:
        others = [(key, value) for key, value in case.values.items() if key != name]
        found.setdefault((case.level_name, *others), []).append(case)
    yield from found.values()


def _find(group: list[Case], name: str, question: ValueQuestion, rows: _Rows, is_open: bool) -> Least:
    """Find the least value; in an open search, all questions share the time of the limit."""
    budget, limit = Budget(question.limit), question.limit

    def ask(place: int) -> bool | None:
        case = group[place]
        within = budget.remaining_limit() if is_open else limit
        with Progress(f"Checking {case.label}") as progress:
            found = question.certified_verdict(case.parameters, within, None, case.level, progress)
        if isinstance(found, GridproofError):
            raise GridproofError(f"{case.label}: {found}")
        verdict = budget.charge(found.answer)
        rows.print(case, verdict, None, None)
        return verdict.holds

    find = find_open_least if is_open else find_least
    return find(len(group), ask, _direction(group, name, question))


def _direction(group: list[Case], name: str, question: ValueQuestion) -> int | None:
    """Return how the formula changes with a parameter; None where that is not proved, or some value cannot be used."""
    if name not in group[0].parameters:  # a number of the level
        return None
    try:
        return direction_of([question.formula(one.parameters, one.level) for one in group])
    except GridproofError:
        return None


def _describe_least(group: list[Case], name: str, text: str, least: Least) -> tuple[str, dict[str, object]]:
    """Return the answer as a sentence, and as JSON data."""
    values, it = [one.values[name] for one in group], f"`{text}`"
    below = values[least.place - 1] if least.place else None
    if least.refuted is not None:
        below = None if least.refuted < 0 else values[least.refuted]
    found = None if least.place is None else values[least.place]
    others = {key: value for key, value in group[0].values.items() if key != name}
    known = {"least": found if least.is_known else None, "below": below, "known": least.is_known}
    data: dict[str, object] = {"formula": text, "values": others, "parameter": name, **known}
    fails = "" if below is None else f"; it does not for {name} = {below}"
    where = f"{describe_values(others)}: " if others else ""
    if found is None:
        return f"{where}{it} holds for no {name} from {values[0]} to {values[-1]}", data
    if least.is_known and below is None:
        return f"{where}{it} holds for {name} = {found}, the smallest value", data
    if least.is_known:
        return f"{where}{name} = {found} is the least value for which {it} holds{fails}", data
    if least.refuted is not None:
        none = "" if below is None else f"{it} holds for no {name} from {values[0]} to {below}; "
        return f"{where}{none}no answer for {name} = {found}", data
    sentence = (
        f"{where}the least {name} for which {it} holds is unknown: no answer for {name} = {found}{fails}"
    )
    return sentence if least.most is None else f"{sentence}, and it does for {values[least.most]}", data


class _Rows:
    """Rows of a table: the verdict for each case, and its trace."""

    def __init__(self, cases: list[Case], json: bool) -> None:
        self._has_names = len({case.level_name for case in cases}) > 1
        self._width = max(len(self._label(case)) for case in cases)
        self._json = json

    def _label(self, case: Case) -> str:
        return case.label if self._has_names else describe_values(case.values)

    def print(self, case: Case, verdict: Verdict, save: Path | None, proof: Path | None) -> None:
        """Print the verdict and the trace of a case, and its certificate; write the trace to a file if there is one."""
        written = files_data(save_trace(verdict.trace, save), proof)
        if self._json:
            values = {"values": case.values}
            print_result(case.name, case.level, values, verdict.to_dict(), {"more": []}, written)
            return
        print_paragraph(verdict_row(self._label(case), self._width, verdict), hanging=self._width + 2)
        for remark in verdict.remarks:
            print_paragraph(remark, self._width + 2, 2)
        if verdict.trace and verdict.trace.steps:
            actions = case.level.game.own_format.join_actions(verdict.trace)
            print_paragraph(actions, self._width + 2, 2)
        if proof:
            print_paragraph(f"certificate in {proof}", self._width + 2, 2)
