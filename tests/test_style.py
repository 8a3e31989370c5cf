"""House style: modules and classes have the field's names (CONTRIBUTING.md, "Words")."""

from __future__ import annotations

import ast
import re
import subprocess
from collections import Counter
from pathlib import Path

import grimp
import networkx
import pytest

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "gridproof"
TESTS = (ROOT / "tests", ROOT / "examples")
SUBJECT_LENGTH = 72
SUBJECTS_SINCE = "2026-11-24T00:00:00Z"
"""Older commits were made before the rule."""
TERMS = {
    "matching",
    "packing",
    "parsing",
    "pruning",
    "recording",
    "sampling",
    "work_sharing",
    "thread_tuning",
    "ranked_seed",
}
"""Nouns and terms of the field that look like participles."""
PARTICIPLE = re.compile(r"(ing|ed|known|kept|made|told|shown)$")
CLAUSE = re.compile(r"(What|Whether|How|Where|Who|Of|As|So|Those|That|By|In|Done)\b")
"""First words of docstrings that do not say what a thing does or is."""
TEST_CLAUSE = re.compile(
    r"test_(a(?!_star)|an|the|it|its|their|there|that|those|each|every|some|no|nobody|nothing|none|one(?!_line)|only"
    r"|what|which|who|whose|whoever|whether|when|where|how|as|so|of|at|by|in|on|with|without|after|before)_"
)
"""First words of tests that do not name the subject; A* and `one_line` are subjects."""
REPLACED = re.compile(r"(House|Lobby|Doors|Guest|Lookout|Teller|Manner|Asked|Wish|Made|Purse|Seat|Keeper)$")
"""Words for classes that the table in CONTRIBUTING.md replaces."""


def _names(path: Path, keyword: str) -> list[str]:
    """Return the names of all classes (`class`) or functions (`def`) of a file; to parse it takes longer."""
    return re.findall(rf"^ *(?:async )?{keyword} (\w+)", path.read_text(encoding="utf-8"), re.MULTILINE)


def test_modules_are_not_named_by_participles() -> None:
    names = {path.stem for path in SOURCE.rglob("*.py") if path.parent.name != "versions"}
    assert {name for name in names if PARTICIPLE.search(name)} - TERMS == set()


def test_classes_have_the_words_of_the_glossary() -> None:
    classes = {
        f"{path.relative_to(SOURCE)}: {name}"
        for path in SOURCE.rglob("*.py")
        for name in _names(path, "class")
        if REPLACED.search(name)
    }
    assert classes == set()


def test_classes_of_one_room_have_different_names() -> None:
    """The documents' own classes (`document/`) keep the documents' spellings."""
    names = Counter(
        (_room(path), name)
        for path in SOURCE.rglob("*.py")
        if "document" not in path.parts
        for name in _names(path, "class")
    )
    assert {name for name, count in names.items() if count > 1} == set()


def _room(path: Path) -> str:
    parts = path.relative_to(SOURCE).parts
    return "/".join(parts[:2]) if parts[0] == "games" else parts[0]


@pytest.mark.slow
def test_modules_have_no_import_circles() -> None:
    """Imports inside functions and those for types count, too."""
    imports = grimp.build_graph("gridproof", cache_dir=None)
    graph = networkx.DiGraph(
        (module, imported)
        for module in imports.modules
        for imported in imports.find_modules_directly_imported_by(module)
    )
    circles = [sorted(part) for part in networkx.strongly_connected_components(graph) if len(part) > 1]
    assert circles == []


@pytest.mark.long
def test_docstrings_begin_with_a_verb_or_a_noun() -> None:
    texts = {
        f"{path.relative_to(SOURCE)}:{node.lineno} {node.value.value.splitlines()[0]}"
        for path in SOURCE.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Expr)
        and isinstance(node.value, ast.Constant)
        and isinstance(node.value.value, str)
        and CLAUSE.match(node.value.value)
    }
    assert texts == set()


def test_patterns_repeat_no_groups_possessively() -> None:
    """CPython before 3.11.5 matches `(?:x)*+` wrongly (gh-106052); `(?>(?:x)*)` means the same."""
    repeated = re.compile(r"(^|\))[*+?]\+")  # at first in a part of an f-string
    possible = re.compile(r"[*+?]\+")
    literals = (
        (path.name, node.value)
        for path in SOURCE.rglob("*.py")
        if possible.search(text := path.read_text(encoding="utf-8"))
        for node in ast.walk(ast.parse(text))
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    )
    assert [name for name, text in literals if repeated.search(text)] == []


def test_names_of_tests_begin_with_their_subject() -> None:
    names = {
        f"{path.relative_to(ROOT)}: {name}"
        for folder in TESTS
        for path in folder.rglob("test_*.py")
        for name in _names(path, "def")
        if TEST_CLAUSE.match(name)
    }
    assert names == set()


def test_subjects_of_commits_are_short() -> None:
    command = ["git", "log", "--no-merges", f"--since={SUBJECTS_SINCE}", "--format=%s"]
    try:
        log = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("git has no history here")
    assert [subject for subject in log.stdout.splitlines() if len(subject) > SUBJECT_LENGTH] == []
