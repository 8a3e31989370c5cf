"""Checker of the kind "trace": a path that decides a formula, replayed by the rules.

Each line is `[TEXT, ACTION, LABEL]`: a position, what is done there, and the label of its outcome. The last one is
`[TEXT, null, ""]`. With a `loop`, the path goes on for ever as from the position of that number, which the last one
equals; if it is the last one itself, no action is possible there. Without, the formula is decided whatever follows.
"""

from __future__ import annotations

from typing import Any

from gridproof.core.position import Position
from gridproof.core.text.phrases import short_repr
from gridproof.prove import evaluate
from gridproof.prove.certificate import position_of
from gridproof.prove.certificate_file import CertificateFile, Defect, locate_defect
from gridproof.prove.checkers.fairness import acts_of
from gridproof.prove.checkers.statements import FormulaStatement
from gridproof.prove.checkers.word import Word, is_satisfied
from gridproof.prove.formula import QUANTIFIERS, Coalition, Formula, Unary, negate, subformulas
from gridproof.prove.logic import Logic, path_question


def path_formula(said: FormulaStatement) -> Formula | None:
    """Return the formula of LTL that one path from a start must satisfy to prove a statement; None if none can."""
    found = path_question(said.formula, said.paths, len(said.starts))
    return found[0] if found and found[1] is said.holds else None


def excluded_formula(said: FormulaStatement) -> Formula | None:
    """Return the formula of LTL that no path from a start may satisfy if a statement is true; None if it is of another form."""
    formula, truth = said.formula, said.holds
    if said.logic is Logic.LTL:
        return (negate(formula) if truth else formula) if truth is (said.paths == "all") else None
    while isinstance(formula, Unary) and formula.operator == "!":
        formula, truth = formula.operand, not truth
    if not said.holds and len(said.starts) > 1:
        return None
    match formula:
        case Unary("A", path) if truth and not _is_quantified(path):
            return negate(path)
        case Unary("E", path) if not truth and not _is_quantified(path):
            return path
    return None


def _is_quantified(formula: Formula) -> bool:
    return any(
        isinstance(one, Coalition) or getattr(one, "operator", "") in QUANTIFIERS
        for one in subformulas(formula)
    )


def check(said: FormulaStatement, listed: CertificateFile, positions: int) -> None:
    """Check a certificate; Defect at the first thing that is wrong."""
    formula = path_formula(said)
    if formula is None:
        raise Defect(1, f"no single path proves this: {said.claim}")
    word = _read_word(said, listed, positions)
    with locate_defect(1):
        if not is_fair(said, word):
            raise Defect(1, "the loop is not fair, or without one, a fair path may not go on")
    if not is_satisfied(formula, word, said.who):
        raise Defect(1, f"the path does not prove it: {said.claim}")


def _read_word(said: FormulaStatement, listed: CertificateFile, positions: int) -> Word:
    """Read and replay the path; Defect at the first line that is wrong."""
    path, actions, line, label = list[Position[Any]](), list[str | None](), 1, ""
    for line, value in listed.read_lines(positions):
        if not isinstance(value, list) or len(value) != 3 or (actions and actions[-1] is None):
            raise Defect(
                line, f"{short_repr(value)} is not a position, an action and a label, or follows the end"
            )
        with locate_defect(line):
            before = path[-1] if path else None
            position = (
                _replay(before, actions[-1], label, said.who) if before else position_of(said.level, value[0])
            )
            if position.text() != value[0] or not (before or position in said.starts):
                raise Defect(line, f"this position does not follow, or is no start:\n{value[0]}")
        path.append(position)
        actions.append(value[1])
        label = value[2]
    if not path or actions[-1] is not None or label != "":
        raise Defect(line, "the path does not end here")
    return _word(path, actions, said)


def _replay(before: Position[Any], text: Any, label: Any, who: tuple[str | None, ...]) -> Position[Any]:
    for actor in who:
        for action in before.actions(actor):
            if str(action) == text:
                return before.outcome(action, label).position
    raise before.refusal(text)


def _word(path: list[Position[Any]], actions: list[str | None], said: FormulaStatement) -> Word:
    last, loop = len(path) - 1, said.loop
    if loop is None:
        return Word(path, actions, None)
    if loop == last:
        if any(path[-1].actions(actor) for actor in said.who):
            raise Defect(1, "the last position has actions, and is followed by others than itself")
        return Word(path, actions, loop)
    if not 0 <= loop < last or path[loop] != path[-1]:
        raise Defect(1, f"the last position is not that of number {loop}")
    return Word(path[:-1], actions[:-1], loop)


def is_fair(said: FormulaStatement, word: Word) -> bool:
    """Return whether a path is fair, or without a loop, is sure to go on fairly."""
    acts = acts_of(said.level, said.fair)
    if word.loop is None:  # any beginning can go on with all acts, but not with all formulas
        return all(act.formula is None for act in acts)
    loop = word.positions[word.loop :]
    possible = [
        frozenset(str(action) for actor in said.who for action in position.actions(actor))
        for position in loop
    ]
    return all(
        any(evaluate.holds(act.formula, position, said.who) for position in loop)
        if act.formula
        else not act.is_broken(possible, word.actions[word.loop :])
        for act in acts
    )
