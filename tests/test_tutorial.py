"""The tutorials "your own puzzle" and "your own kernel" show the example package as it is, every line of it."""

from __future__ import annotations

import itertools
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
EXAMPLE = ROOT / "examples" / "lights_out"
PUZZLE, KERNEL = (
    (ROOT / "docs" / f"your-own-{what}.md").read_text(encoding="utf-8") for what in ("puzzle", "kernel")
)
BLOCK = re.compile(r'^```\w+ title="([^"]+)"\n(.*?)^```$', re.MULTILINE | re.DOTALL)
SHOWN = [(match[1], match[2]) for match in BLOCK.finditer(PUZZLE + KERNEL)]
FILES = [path for path in sorted(EXAMPLE.glob("src/*/**/*.*")) if path.parent.name != "__pycache__"]
WHOLE = [
    "pyproject.toml",
    "README.md",
    "tests/test_lights_out.py",
    *(str(path.relative_to(EXAMPLE)) for path in FILES if path.name != "py.typed"),
]


def lines(text: str) -> list[str]:
    return [line for line in text.splitlines() if line]


@pytest.mark.parametrize("name", WHOLE)
def test_tutorial_shows_every_file_completely(name: str) -> None:
    parts = [text for title, text in SHOWN if title == name]
    assert lines("".join(parts)) == lines((EXAMPLE / name).read_text(encoding="utf-8"))


@pytest.mark.parametrize(("name", "text"), SHOWN, ids=itertools.count())
def test_tutorial_listings_agree_with_files(name: str, text: str) -> None:
    assert text in (EXAMPLE / name).read_text(encoding="utf-8")


def run(*arguments: str, folder: Path, site: Path) -> str:
    """Run Python in a folder with the packages of a site folder first, and return what it prints."""
    paths = [str(site), os.environ.get("PYTHONPATH", "")]
    own = {name: value for name, value in os.environ.items() if name != "PYTEST_ADDOPTS"}  # of this run
    environment = {**own, "PYTHONPATH": os.pathsep.join(filter(None, paths))}
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    return done.stdout


@pytest.mark.long  # a package is built
def test_tutorial_alone_makes_a_package_that_passes_its_tests(tmp_path: Path) -> None:
    folder, site = tmp_path / "lights-out", tmp_path / "site"
    for match in BLOCK.finditer(PUZZLE):
        path = folder / match[1]
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("a", encoding="utf-8") as file:
            file.write(match[2])
    tree = re.search(r"^```text\nlights-out/\n(.*?)^```$", PUZZLE, re.MULTILINE | re.DOTALL)
    assert tree
    named = re.findall(r"^ +(\w[\w.]*\.\w+)", tree[1], re.MULTILINE)
    assert sorted(named) == sorted(path.name for path in folder.rglob("*.*"))
    target = ["--quiet", "--no-build-isolation", "--no-deps", "--no-index", "--target", str(site)]
    run("-m", "pip", "install", *target, ".", folder=folder, site=site)
    where = run(
        "-c", "import gridproof_lights_out as lights; print(lights.__file__)", folder=folder, site=site
    )
    assert Path(where.strip()).parent == site / "gridproof_lights_out"
    tested = run("-m", "pytest", "-p", "no:cacheprovider", "-p", "no:randomly", folder=folder, site=site)
    assert "2 passed" in tested
    assert "warning" not in tested.lower()
