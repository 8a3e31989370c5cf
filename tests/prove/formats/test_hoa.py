"""Automata in HOA: those of formulas, read back, and random ones against their meaning, on random levels of all games."""

from __future__ import annotations

import itertools
import re
from pathlib import Path
from random import Random
from typing import NamedTuple

import pytest
from tests.prove.twins import Played, atoms_of, components, random_formula, small_level, truth

import gridproof as gp
from gridproof.prove.formats.export import GraphExport
from gridproof.prove.formats.hoa import violations
from gridproof.prove.formats.hoa_reader import parse_automaton, read_violations
from gridproof.prove.formula import Formula, Truth, negate
from gridproof.prove.logic import Logic, logic_of
from gridproof.prove.tableau import automaton_of

# -- automata of formulas


def compare_with_formula(seed: int, count: int) -> None:
    """Read the automata of violations of some formulas back, and compare the verdicts with those of the formulas."""
    random = Random(seed)
    level = small_level(random)
    played, space = Played(level), gp.explore(level)
    for _ in range(count):
        formula = random_formula(Logic.LTL, played, random, random.randint(1, 4))
        claim = negate(parse_automaton("\n".join(violations(formula)), "violations"))
        wanted = gp.check(space, formula)
        verdict = gp.check(level, claim)
        where = f"seed {seed}: {formula}"
        assert verdict.holds is wanted.holds is truth(formula, logic_of(formula), "all", played), where
        assert (verdict.trace is None) is verdict.holds, where
        if verdict.trace:
            verdict.trace.replay()
        few = gp.Limit(states=random.randint(played.starts, len(played.positions)))
        assert gp.check(level, claim, limit=few).holds in (None, wanted.holds), where


@pytest.mark.slow
def test_violations_read_back_give_same_verdicts() -> None:
    for seed in range(3):
        compare_with_formula(seed, 3)


@pytest.mark.long
def test_many_violations_read_back_give_same_verdicts() -> None:
    for seed in range(100, 250):
        compare_with_formula(seed, 10)


# -- random automata


class Arc(NamedTuple):
    """An edge of a random automaton: the letters that it takes, as sets of propositions by number."""

    source: int
    letters: frozenset[int]
    """Bits of the propositions that hold."""
    target: int
    sets: frozenset[int]


class Drawn(NamedTuple):
    """A random automaton and its text."""

    arcs: list[Arc]
    starts: list[int]
    sets: frozenset[int]
    """The acceptance sets that must be seen again and again."""
    text: str


def draw_label(random: Random, count: int, aliases: dict[str, frozenset[int]]) -> tuple[str, frozenset[int]]:
    """A random label as text, and the letters that it takes."""
    every = frozenset(range(1 << count))
    kind = random.random()
    if kind < 0.4 and count:
        number = random.randrange(count)
        return str(number), frozenset(one for one in every if one >> number & 1)
    if kind < 0.5:
        return ("t", every) if random.random() < 0.7 else ("f", frozenset())
    if kind < 0.6 and aliases:
        name = random.choice(sorted(aliases))
        return name, aliases[name]
    one, letters = draw_label(random, count, aliases)
    if kind < 0.75:
        return f"!({one})", every - letters
    two, others = draw_label(random, count, aliases)
    return (f"({one}) & ({two})", letters & others) if kind < 0.9 else (f"({one} | {two})", letters | others)


def draw_automaton(random: Random, propositions: list[str]) -> Drawn:
    """A random automaton, with labels on states, on edges, or implicit ones; acceptance on states and edges."""
    count, states, sets = len(propositions), random.randint(1, 4), random.randint(0, 3)
    starts = random.sample(range(states), random.randint(1, states))
    wanted = frozenset(random.sample(range(sets), random.randint(0, sets)))
    condition = " & ".join(f"Inf({one})" for one in wanted) or "t"
    lines = ["HOA: v1 /* a /* nested */ comment */", 'name: "random \\" one"', f"States: {states}"]
    lines += [f"Start: {one}" for one in starts]
    lines.append(" ".join([f"AP: {count}", *(f'"{one}"' for one in propositions)]))
    aliases: dict[str, frozenset[int]] = {}
    for name in ("@a", "@b-1"):
        text, letters = draw_label(random, count, aliases)
        aliases[name] = letters
        lines.append(f"Alias: {name} {text}")
    lines += [f"Acceptance: {sets} {condition}", "properties: trans-acc", "--BODY--"]
    arcs: list[Arc] = []
    for state in random.sample(range(states), states):
        body, found = draw_state(random, state, (states, sets, count), aliases)
        lines += body
        arcs += found
    return Drawn(arcs, starts, wanted, "\n".join([*lines, "--END--", ""]))


def draw_state(
    random: Random, state: int, sizes: tuple[int, int, int], aliases: dict[str, frozenset[int]]
) -> tuple[list[str], list[Arc]]:
    """The lines of a state and its edges."""
    states, sets, count = sizes

    def some_sets() -> frozenset[int]:
        return frozenset(random.sample(range(sets), random.randint(0, sets)) if random.random() < 0.5 else ())

    def braces(inside: frozenset[int]) -> str:
        return f" {{{' '.join(map(str, inside))}}}" if inside else ""

    style, own = random.choice(("state", "edge", "implicit")), some_sets()
    text, letters = draw_label(random, count, aliases)
    head = f"State: [{text}] {state}" if style == "state" else f"State: {state}"
    lines, arcs = [head + ' "named"' * (random.random() < 0.3) + braces(own)], list[Arc]()
    for number in range(1 << count if style == "implicit" else random.randint(0, 3)):
        target, here = random.randrange(states), some_sets()
        if style == "implicit":
            letters = frozenset({number})
        elif style == "edge":
            text, letters = draw_label(random, count, aliases)
        lines.append(f"{f'[{text}] ' if style == 'edge' else ''}{target}{braces(here)}")
        arcs.append(Arc(state, letters, target, own | here))
    return lines, arcs


def is_some_path_accepted(drawn: Drawn, propositions: list[Formula], played: Played) -> bool:
    """Whether the product has a component that can be reached and has all sets."""

    def value(one: Formula, number: int) -> bool:
        return one.value if isinstance(one, Truth) else played.atom(one, number)

    letter = [
        sum(value(one, number) << bit for bit, one in enumerate(propositions))
        for number in range(len(played.positions))
    ]
    nodes = list(itertools.product(range(played.starts), drawn.starts))
    rows: dict[tuple[int, int], list[tuple[int, int]]] = {}
    while nodes:
        if (node := nodes.pop()) in rows:
            continue
        rows[node] = [
            (after, arc.target) for arc in arcs_at(drawn, node, letter) for after in played.after(node[0])
        ]
        nodes += rows[node]
    for component in components(rows):
        inside = set(component)
        seen = [
            arc.sets
            for node in component
            for arc in arcs_at(drawn, node, letter)
            if any((after, arc.target) in inside for after in played.after(node[0]))
        ]
        if seen and drawn.sets <= frozenset().union(*seen):
            return True
    return False


def arcs_at(drawn: Drawn, node: tuple[int, int], letter: list[int]) -> list[Arc]:
    return [arc for arc in drawn.arcs if arc.source == node[1] and letter[node[0]] in arc.letters]


def compare_random_automata(seed: int, count: int) -> list[bool]:
    random = Random(seed)
    level = small_level(random)
    played, found = Played(level), list[bool]()
    for _ in range(count):
        known = [*dict.fromkeys(atoms_of(played, random))]
        propositions = random.sample(known, random.randint(0, 3))
        drawn = draw_automaton(random, [*map(str, propositions)])
        accepted = is_some_path_accepted(drawn, propositions, played)
        verdict = gp.check(level, negate(parse_automaton(drawn.text, "random")))
        assert verdict.holds is not accepted, (seed, drawn.text)
        found.append(accepted)
    return found


def test_random_automata_accept_what_their_texts_say() -> None:
    found = [one for seed in range(4) for one in compare_random_automata(seed, 6)]
    assert 4 < found.count(True) < 20


@pytest.mark.long
def test_many_random_automata_accept_what_their_texts_say() -> None:
    for seed in range(100, 250):
        compare_random_automata(seed, 20)


# -- the format

HEAD = 'HOA: v1\nStart: 0\nAP: 2 "won" "home"\nAcceptance: 1 Inf(0)\n'
BODY = "--BODY--\nState: 0\n[!0] 0 {0}\n--END--\n"


def test_deterministic_automaton_with_states_that_accept() -> None:
    text = 'HOA: v1 States: 2 Start: 0 acc-name: Buchi Acceptance: 1 Inf(0) AP: 1 "won" --BODY-- State: 0 [!0] 0 [0] 1 State: 1 {0} [t] 1 --END--'
    verdict = gp.check("null/first/1", negate(parse_automaton(text, "f.hoa")))
    assert (verdict.holds, verdict.sentence()) == (False, "Some path is accepted by f.hoa.")
    assert "won true" in "\n".join(verdict.trace_lines())


def test_automaton_without_start_accepts_nothing() -> None:
    text = f"{HEAD}{BODY}".replace("Start: 0\n", "")
    verdict = gp.check("null/first/1", negate(parse_automaton(text, "empty.hoa")))
    assert verdict.sentence() == "No path is accepted by empty.hoa."


REFUSED = [
    (HEAD.replace("v1", "v2") + BODY, 1, "version v2 of HOA is not supported"),
    (HEAD.replace("Inf(0)", "Fin(0)") + BODY, 4, "only Büchi and generalised Büchi acceptance is supported"),
    (HEAD.replace("1 Inf(0)", "2 Inf(0)|Inf(1)") + BODY, 4, "only Büchi and generalised Büchi acceptance is supported"),
    (HEAD.replace("Inf(0)", "Inf(!0)") + BODY, 4, "only Büchi and generalised Büchi acceptance is supported"),
    (HEAD.replace("Inf(0)", "f") + BODY, 4, "only Büchi and generalised Büchi acceptance is supported"),
    (HEAD.replace("Inf(0)", "Inf(1)") + BODY, 4, "there is no acceptance set 1: there are 1"),
    (HEAD.replace("Acceptance: 1 Inf(0)\n", "") + BODY, 1, "the header has no Acceptance:"),
    (HEAD + "Start: 0 & 1\n" + BODY, 5, "alternating automata are not supported"),
    (HEAD + "Fairness: 3\n" + BODY, 5, "Fairness: is not supported, and may change what is accepted"),
    (HEAD + "States: 1\nStates: 1\n" + BODY, 6, "States: is there twice"),
    (HEAD + "Alias: @a @b\n" + BODY, 5, "@b is not defined before"),
    (HEAD + "Alias: @a 0\nAlias: @a 1\n" + BODY, 6, "@a is defined twice"),
    (HEAD.replace("AP: 2", "AP: 3") + BODY, 3, "3 propositions are announced, and 2 follow"),
    (HEAD.replace('"home"', '"won"') + BODY, 3, "two propositions have the same name"),
    (HEAD.replace('"home"', '"F home"') + BODY, 3, "'F home' is no proposition"),
    (HEAD.replace('"home"', '"home &"') + BODY, 3, "the formula ends too early"),
    (HEAD + BODY.replace("[!0]", "[2]"), 7, "there is no proposition 2: there are 2"),
    (HEAD + BODY.replace("{0}", "{1}"), 7, "there is no acceptance set 1: there are 1"),
    (HEAD + "States: 1\n" + BODY.replace("] 0", "] 1"), 8, "there is no state 1: there are 1"),
    (HEAD + BODY.replace("[!0] 0", "0"), 6, "state 0 has 1 edges without labels"),
    (HEAD + BODY.replace("State: 0", "State: [t] 0"), 6, "state 0 has a label, and its edges have labels, too"),
    (HEAD + BODY.replace("{0}\n", "{0}\n0\n"), 8, "this edge has no label, and others of its state have one"),
    (HEAD + BODY.replace("--END--", "State: 0 --END--"), 8, "state 0 is there twice"),
    (HEAD + BODY.replace("--END--", "--ABORT--"), 8, "'--ABORT--' cannot stand here"),
    (HEAD + BODY.replace("--END--\n", ""), 8, "the automaton ends too early"),
    (HEAD + BODY + HEAD + BODY, 9, "another automaton begins here"),
    (HEAD + "/* " + BODY, 5, "this comment does not end"),
    (HEAD + BODY.replace("!0", "!" * 200 + "0"), 0, "a label is nested too deeply: more than 100 operators"),
    (HEAD + BODY.replace("] 0", "] 5000"), 0, "the automaton is too large: more than 4,096 states"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "line", "reason"), REFUSED)
def test_reader_refuses_text_with_line(text: str, line: int, reason: str, tmp_path: Path) -> None:
    path = tmp_path / "wrong.hoa"
    path.write_text(text)
    with pytest.raises(gp.GridproofError, match=re.escape(reason)) as error:
        read_violations(path)
    assert getattr(error.value, "line", 0) == line


@pytest.mark.slow
def test_label_with_too_many_disjuncts_is_refused() -> None:
    names = [f'"at({number})"' for number in range(40)]
    label = " & ".join(f"({number} | {number + 20})" for number in range(20))
    head = HEAD.replace('AP: 2 "won" "home"', f"AP: 40 {' '.join(names)}")
    with pytest.raises(gp.GridproofError, match="a label is too large: more than 1,024 disjuncts"):
        parse_automaton(head + BODY.replace("!0", label), "large")


def test_names_of_propositions_are_those_of_the_level() -> None:
    claim = negate(parse_automaton(HEAD.replace('"home"', '"hame"') + BODY, "wrong"))
    with pytest.raises(gp.ParseError, match="null has no proposition 'hame'") as error:
        gp.check("null/first/1", claim)
    assert (error.value.line, error.value.column) == (3, 14)
    assert str(error.value).startswith("wrong: line 3")


def test_automaton_is_no_part_of_a_formula() -> None:
    claim = negate(parse_automaton(HEAD + BODY, "part.hoa"))
    with pytest.raises(gp.GridproofError, match="an automaton is no part of a formula"):
        gp.check("null/first/1", claim, "some")


def test_actions_are_labels_of_edges(tmp_path: Path) -> None:
    level = gp.level("null/first/2")
    export = GraphExport(level, tmp_path / "walk.hoa", ["G (home -> [right])"])
    _, never = export.write(gp.explore(level))
    assert gp.check(level, read_violations(never)).holds is gp.check(level, "G (home -> [right])").holds


def test_automaton_of_accepted_formula_is_its_own() -> None:
    found = parse_automaton(HEAD + BODY, "own.hoa")
    assert automaton_of(found) is found.automaton
    assert (str(negate(found)), found) == ("!accepted(own.hoa)", parse_automaton(HEAD + BODY, "own.hoa"))
