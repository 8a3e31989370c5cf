"""Broken .slc texts, and exactly what is said about each."""

from __future__ import annotations

import pytest
from tests.games.sokoban.formats.test_slc import document, rows

from gridproof.core.errors import GridproofError, InvalidLevel, ParseError
from gridproof.core.text import recognition

ROW = "one of # @ + $ * . - _, a space, a number before one of them, or |"
NUMBER = "a whole number of at most 9 digits"
HEAD = "<SokobanLevels>\n<LevelCollection>\n"
IN_LEVEL = f"{HEAD}<Level Id='1'>\n"
ROOT_CHILDREN = "<Title> <Description> <Email> <Url> <Key> <Note> <LevelCollection>"
LAUGHS = '<!DOCTYPE l [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]>\n'

PARSE_ERRORS = {
    "no levels": ("<SokobanLevels/>", 1, 0, "no level in this text", "a level"),
    "an empty collection": (document(""), 1, 0, "no level in this text", "a level"),
    "truncated in a tag": ("<SokobanLevels>\n<Lev", 2, 1, "no XML: unclosed token", ""),
    "truncated in a level": (f"{IN_LEVEL}<L>@$.</L>\n", 5, 1, "no XML: no element found", ""),
    "truncated in the declaration": ("<?xml version='1.0'<SokobanLevels>", 1, 1, "no XML: unclosed token", ""),
    "words before": ("words <SokobanLevels/>", 1, 1, "no XML: syntax error", ""),
    "words behind": ("<SokobanLevels/>\nwords", 2, 1, "no XML: junk after document element", ""),
    "two roots": ("<SokobanLevels/><SokobanLevels/>", 1, 17, "no XML: junk after document element", ""),
    "marks that do not match": ("<SokobanLevels>\n</Level>", 2, 3, "no XML: mismatched tag", ""),
    "an attribute without quotes": ("<SokobanLevels>\n<Key Name=a>", 2, 11, "no XML: not well-formed (invalid token)", ""),
    "an attribute twice": (f"{HEAD}<Level Id='1' Id='2'/>", 3, 15, "no XML: duplicate attribute", ""),
    "a NUL": (f"{IN_LEVEL}<L>@\0$.</L>", 4, 5, "a NUL character", ""),
    "a control character": (f"{IN_LEVEL}<L>@\x07$.</L>", 4, 5, "no XML: not well-formed (invalid token)", ""),
    "a surrogate": ("<SokobanLevels>\ud800", 1, 16, "half of a surrogate pair, '\\ud800'", ""),
    "an ampersand": ("<SokobanLevels>\n<Title>Me & you</Title>", 2, 12, "no XML: not well-formed (invalid token)", ""),
    "an unknown entity": ("<SokobanLevels>\n<Title>&me;</Title>", 2, 8, "no XML: undefined entity", ""),
    "an entity of another file": (
        '<!DOCTYPE SokobanLevels SYSTEM "a.dtd">\n<SokobanLevels><Title>&me;</Title>',
        2, 23, "the entity &me; is not declared", "",
    ),
    "an entity": (f'<!DOCTYPE l [<!ENTITY a "ha">]>{document("")}', 1, 25, "an entity is declared", "no entities"),
    "a billion laughs": (f"{LAUGHS}<SokobanLevels>&b;</SokobanLevels>", 1, 25, "an entity is declared", "no entities"),
    "an entity that is a file": (
        '<!DOCTYPE l [<!ENTITY a SYSTEM "file:///etc/hostname">]>\n<SokobanLevels>&a;</SokobanLevels>',
        1, 54, "an entity is declared", "no entities",
    ),
    "a parameter entity": (
        '<!DOCTYPE l [<!ENTITY % a SYSTEM "b.dtd"> %a;]>\n<SokobanLevels/>',
        1, 41, "an entity is declared", "no entities",
    ),
    "another root": ("<levels><SokobanLevels/></levels>", 1, 1, "<levels>", "<SokobanLevels>"),
    "a level outside of a collection": ("<SokobanLevels>\n<Level/>", 2, 1, "<Level> in <SokobanLevels>", ROOT_CHILDREN),
    "a row outside of a level": (f"{HEAD}  <L>@$.</L>", 3, 3, "<L> in <LevelCollection>", "<Level>"),
    "an element inside a row": (f"{IN_LEVEL}<L><b>@</b></L>", 4, 4, "<b> in <L>", "text alone"),
    "names in another letter case": (f"{HEAD}<level/>", 3, 1, "<level> in <LevelCollection>", "<Level>"),
    "words among the levels": (f"{HEAD}<Level/> and\nmore", 3, 9, "text in <LevelCollection>", ""),
    "rows without marks": (f"{IN_LEVEL}#####", 4, 1, "text in <Level>", ""),
    "a foreign character": (f"{IN_LEVEL}<L>#@$x#</L>", 4, 7, "'x' in a row", ROW),
    "a tab": (f"{IN_LEVEL}<L>\t#@$.#</L>", 4, 4, "'\\t' in a row", ROW),
    "two lines in a row": (f"{IN_LEVEL}<L>#####\n#@$.#</L>", 4, 9, "'\\n' in a row", ROW),
    "a number without a character": (f"{IN_LEVEL}<L>@$.5</L>", 4, 7, "a number without a character", ROW),
    "an endless run": (f"{IN_LEVEL}<L>@$.</L><L> 999999999#</L>", 4, 15, "a row of more than 1000 cells", ""),
    "an enormous row": (f"{IN_LEVEL}<L>{'#' * 70_000}</L>", 4, 1004, "a row of more than 1000 cells", ""),
    "too many rows": (f"{IN_LEVEL}{'<L/>' * 1001}", 4, 4005, "a board of more than 1000 rows", ""),
    "bombs in words": (f"{HEAD} <Level Bombs='few'/>", 3, 2, "'few' is no number of bombs", NUMBER),
    "bombs twice": (
        f"{HEAD}<Level Bombs='1'><Key Name='Bombs'>2</Key></Level>", 3, 36, "the bombs are given twice", "",
    ),
    "a key without a name": ("<SokobanLevels>\n  <Key>a</Key>", 2, 3, "a <Key> with the Name ''", "a word"),
    "a key that is none": (f"{IN_LEVEL}<Key Name='a:b'>a</Key>", 4, 1, "a <Key> with the Name 'a:b'", "a word"),
}  # fmt: skip

INVALID_LEVELS = {
    "a level without rows": ("<Level/>", "K2-no-player: there is no player; K3-no-box: there is no box"),
    "two players": (
        f"<Level>{rows('@$.', '@')}</Level>",
        "K2-many-players at (0, 1): another player; the first is at (0, 0)",
    ),
    "counts": (f"<Level>{rows('@$.', '$')}</Level>", "K3-counts: there are 2 boxes and 1 depot"),
    "negative bombs": (
        f'<Level Bombs="-1">{rows("@$.")}</Level>',
        "K2-bombs at -1: the number of bombs is negative",
    ),
}


@pytest.mark.clause("K21")
@pytest.mark.parametrize("name", PARSE_ERRORS)
def test_broken_text_is_refused_with_its_place(name: str) -> None:
    text, line, column, reason, expected = PARSE_ERRORS[name]
    with pytest.raises(GridproofError) as caught:
        recognition.read(text)
    error = caught.value
    assert isinstance(error, ParseError)
    assert (error.reason, error.line, error.column, error.expected) == (reason, line, column, expected)


@pytest.mark.clause("K2", "K3", "K21")
@pytest.mark.parametrize("name", INVALID_LEVELS)
def test_invalid_level_is_refused_with_all_problems(name: str) -> None:
    text, problems = INVALID_LEVELS[name]
    with pytest.raises(InvalidLevel) as caught:
        recognition.read(document(f"\n<Level>{rows('@$.')}</Level>\n\n{text}"))
    assert str(caught.value) == f"level 2 at line 4: {problems}"
