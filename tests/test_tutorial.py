"""The tutorials "your own puzzle" and "your own kernel" show the example package as it is, every line of it."""

from __future__ import annotations

import itertools
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
EXAMPLE = ROOT / "examples" / "lights_out"
PAGES = "".join(
    (ROOT / "docs" / f"your-own-{what}.md").read_text(encoding="utf-8") for what in ("puzzle", "kernel")
)
BLOCK = re.compile(r'^```\w+ title="([^"]+)"\n(.*?)^```$', re.MULTILINE | re.DOTALL)
SHOWN = [(match[1], match[2]) for match in BLOCK.finditer(PAGES)]
FILES = [path for path in sorted(EXAMPLE.glob("src/*/**/*.*")) if path.parent.name != "__pycache__"]
WHOLE = ["pyproject.toml", *(str(path.relative_to(EXAMPLE)) for path in FILES if path.name != "py.typed")]


def lines(text: str) -> list[str]:
    return [line for line in text.splitlines() if line]


@pytest.mark.parametrize("name", WHOLE)
def test_tutorial_shows_every_file_completely(name: str) -> None:
    parts = [text for title, text in SHOWN if title == name]
    assert lines("".join(parts)) == lines((EXAMPLE / name).read_text(encoding="utf-8"))


@pytest.mark.parametrize(("name", "text"), SHOWN, ids=itertools.count())
def test_tutorial_listings_agree_with_files(name: str, text: str) -> None:
    assert text in (EXAMPLE / name).read_text(encoding="utf-8")
