"""Quantifiers over the things of a level become conjunctions and disjunctions."""

from __future__ import annotations

import pytest

import gridproof as gp
from gridproof.prove.expansion import expand_things
from gridproof.prove.formula import Quantification, subformulas
from gridproof.prove.game_formulas import domains_of
from gridproof.prove.parsing import parse


@pytest.mark.parametrize(
    ("level", "text", "expanded"),
    [
        ("robots/duels/1", "forall r in robots: EF won(r)", "EF won(a) & EF won(b)"),
        ("robots/duels/1", "AG exists r in robots: won(r) | rotation(r) = 0",
         "AG (won(a) | rotation(a) = 0 | (won(b) | rotation(b) = 0))"),
        ("robots/duels/1", "exists r in robots: <<r>> F won(r)", "<<a>> F won(a) | <<b>> F won(b)"),
        ("robots/duels/1", "exists r in robots: F [r:rotate(90)]", "F [a:rotate(90)] | F [b:rotate(90)]"),
        ("robots/duels/1", "exists r in actors: e(r:rotate(90))",
         "e(a:rotate(90)) | (e(b:rotate(90)) | e(nature:rotate(90)))"),
        ("sokoban/first-steps/1", "forall (i, j) in depots: EF box(i,j)", "EF box(4,2)"),
        ("sokoban/first-steps/1", "forall (x,y) in boxes: AG box(x,y)", "AG box(2,2)"),
        ("sokoban/first-steps/1", "forall m in actions: EF e(m)",
         "EF e(up) & EF e(down) & (EF e(left) & (EF e(right) & EF e(bomb)))"),
        ("twenty48/standard/3", "forall n in tiles: EF max_tile = n",
         "EF max_tile = 2 & EF max_tile = 4 & (EF max_tile = 8 & EF max_tile = 16)"),
        ("twenty48/standard/3", "exists n in tiles: n > 4 & tile(n)",
         "false & tile(2) | false & tile(4) | (true & tile(8) | true & tile(16))"),
        ("shiftit/boards/1", "exists (x,y) in cells: EF at(t1,x,y)",
         "EF at(t1,0,1) | EF at(t1,1,1) | (EF at(t1,0,0) | EF at(t1,1,0))"),
        ("shiftit/boards/1", "forall t in tiles: exists u in tiles: p(t,u)",
         " & ".join(["(p(t1,t1) | p(t1,t2) | (p(t1,t3) | p(t1,t4)))", "(p(t2,t1) | p(t2,t2) | (p(t2,t3) | p(t2,t4)))",
                     "((p(t3,t1) | p(t3,t2) | (p(t3,t3) | p(t3,t4))) & (p(t4,t1) | p(t4,t2) | (p(t4,t3) | p(t4,t4))))"])),
        ("shiftit/boards/1", "forall t in tiles: exists u in tiles: p(t) & forall v in robots: q",
         None),
    ],
)  # fmt: skip
def test_quantifiers_are_expanded(level: str, text: str, expanded: str | None) -> None:
    formula = parse(text)
    if expanded is None:
        with pytest.raises(gp.ParseError, match="shiftit has no domain 'robots'"):
            expand_things(formula, gp.level(level))
        return
    found = expand_things(formula, gp.level(level))
    assert str(found) == expanded
    assert not any(isinstance(one, Quantification) for one in subformulas(found))


@pytest.mark.parametrize("name", [*gp.game_names(), "null"])
def test_domains_of_games_give_values_for_their_parameters(name: str) -> None:
    game = gp.game(name)
    levels = gp.levels_at(name)
    for domain in domains_of(game).values():
        things = next(filter(None, (list(domain.things(level)) for level in levels)))
        assert {len(thing) for thing in things} == {len(domain.parameters)}
        assert len(set(things)) == len(things)


def test_verdict_keeps_the_formula_as_it_is_written() -> None:
    verdict = gp.check("robots/duels/1", "AG forall r in robots: !won(r)")
    assert verdict.holds is False
    assert verdict.sentence() == "`AG (forall r in robots: !won(r))` does not hold at the start."
    assert "won(a) false, won(b) false" in str(verdict)
    assert verdict.more() is not None


@pytest.mark.parametrize(
    ("text", "column", "reason", "expected"),
    [
        ("exists x in boxes: box(x,x)", 13, "each of boxes is (x,y)", "exists (x,y) in boxes"),
        ("exists (x,y) in actors: won", 17, "each of actors is one actor", "exists x in actors: exists y in actors"),
        ("exists (x,x) in boxes: box(x,x)", 17, "two variables have the same name", ""),
        ("exists x in boks: won", 13, "sokoban has no domain 'boks'; did you mean boxes?",
         "actors, actions, squares, depots, boxes"),
        ("forall (x,y) in depots: exists (x,y) in depots: box(x,y)", 41, "x already stands for a value", "another name"),
        ("forall (x,y) in squares: EF at(x,z)", 29, "z is no number and no variable", "x, y"),
        ("exists m in actions: m", 22, "m stands for a value, and is no proposition", ""),
        ("exists m in actions: m = 1", 22, "m is up", "a number"),
        ("exists m in actions: e(m) & wun", 29, "sokoban has no proposition 'wun'; did you mean won?",
         "won, lost, ended, home, bombs, placed, at, box, valid"),
    ],
)  # fmt: skip
def test_wrong_quantifiers_are_refused(text: str, column: int, reason: str, expected: str) -> None:
    with pytest.raises(gp.ParseError) as caught:
        gp.check("sokoban/first-steps/1", text)
    error = caught.value
    assert (error.line, error.column, error.reason, error.expected) == (1, column, reason, expected)


@pytest.mark.slow
def test_large_quantifications_are_refused() -> None:
    text = "forall (a,b) in squares: forall (c,d) in squares: forall (e,f) in squares: box(a,b) | box(c,d) | box(e,f)"
    with pytest.raises(gp.GridproofError, match="more than 20,000 parts, with all definitions and things"):
        gp.check("sokoban/first-steps/5", text)


@pytest.mark.slow
def test_robots_exchange_is_named_by_nature() -> None:
    assert gp.check("robots/duels/2", "EF exists m in actions: e(m)", actors="all").holds


def test_tiles_of_shift_it_are_found_by_name() -> None:
    level = gp.level("shiftit/boards/3")
    assert gp.check(level, "forall t in tiles: exists (x,y) in cells: at(t,x,y)").holds
    assert gp.check(level, "AG forall (x,y) in cells: exists t in tiles: at(t,x,y)").holds
    for wrong in ("at(t9,0,0)", "at(t1,2,0)", "at(t1,x,0)"):
        with pytest.raises(gp.ParseError):
            gp.check(level, wrong)
