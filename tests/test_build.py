"""The building: the lock, the make targets, the wheel, and habits that a file can break."""

from __future__ import annotations

import importlib.metadata
import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

import gridproof

ROOT = Path(__file__).parent.parent
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
PIN = re.compile(r"([a-z0-9][a-z0-9-]*)==([0-9][A-Za-z0-9.]*)")


def tracked() -> list[Path]:
    if not (ROOT / ".git").exists():
        pytest.skip("no checkout: it is not known which files are the project's")
    names = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout.split("\0")
    return [ROOT / name for name in names if name and (ROOT / name).is_file()]


def pins() -> dict[str, str]:
    lines = (ROOT / "requirements/dev.txt").read_text(encoding="utf-8").splitlines()
    matches = [PIN.fullmatch(line) for line in lines if line and not line.startswith("#")]
    assert None not in matches, "the lock holds something besides versions"
    return {match[1]: match[2] for match in matches if match}


def make(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["make", *arguments], cwd=ROOT, capture_output=True, text=True, timeout=600, check=False
    )


def test_lock_has_versions_only() -> None:
    assert len(pins()) > 30


def test_lock_satisfies_the_project() -> None:
    extras = PROJECT["project"]["optional-dependencies"]
    locked = pins()
    for text in (*PROJECT["project"]["dependencies"], *extras["dev"], *extras["docs"]):
        wanted = Requirement(text)
        name = re.sub(r"[-_.]+", "-", wanted.name).lower()
        assert name in locked, f"make lock: {text} is not in the lock"
        assert wanted.specifier.contains(locked[name], prereleases=True), f"make lock: {text}"


def test_lock_is_for_the_oldest_python() -> None:
    """The first release of the oldest Python that is supported installs it, too, such as a distribution's own."""
    oldest = re.sub(r"[^0-9.]", "", PROJECT["project"]["requires-python"]) + ".0"
    needs = {name: importlib.metadata.metadata(name)["Requires-Python"] for name in pins()}
    newer = {name for name, need in needs.items() if need and not SpecifierSet(need).contains(oldest)}
    assert not newer, f"requirements/dev.txt cannot be installed with Python {oldest}"


def test_files_are_short() -> None:
    sources = [path for pattern in ("*.py", "*.js", "*.css") for path in (ROOT / "src").rglob(pattern)]
    lengths = {path.relative_to(ROOT): len(path.read_text(encoding="utf-8").splitlines()) for path in sources}
    assert {path: length for path, length in lengths.items() if length > 700} == {}  # a class stays whole


def test_folders_are_packages() -> None:
    """What has no `__init__.py` is seen neither by import-linter nor by the documentation."""
    folders = {path.parent for path in (ROOT / "src/gridproof").rglob("*.py")}
    assert [folder for folder in folders if not (folder / "__init__.py").exists()] == []


def test_project_has_no_absolute_paths() -> None:
    places = [r"/(?:root|work|opt|home/\w+|Users/\w+)/", re.escape(str(ROOT)), re.escape(f"{Path.home()}/")]
    pattern = re.compile("|".join(places).encode())
    found = {path.relative_to(ROOT): pattern.findall(path.read_bytes()) for path in tracked()}
    assert {path: hits for path, hits in found.items() if hits} == {}


def test_kernels_are_compiled_by_one_decorator() -> None:
    """A bare njit is not cached soundly: `kernels/compile.py` says why."""
    pattern = re.compile(r"@(numba\.)?n?jit|import n?jit|numba\.n?jit")
    found = [
        path for path in (ROOT / "src").rglob("*.py") if pattern.search(path.read_text(encoding="utf-8"))
    ]
    assert [path for path in found if path.parts[-2:] != ("kernels", "compile.py")] == []


def test_version_is_defined_once() -> None:
    assert PROJECT["project"]["version"] == gridproof.__version__
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    assert f"## [{gridproof.__version__}]" in changes or "## [Unreleased]" in changes


@pytest.mark.slow
@pytest.mark.parametrize(
    "target",
    [
        "demo",
        "test",
        "check",
        "test-all",
        "mutants",
        "docs",
        "bundle",
        "dist",
        "bench",
        "golden",
        "lock",
        "clean",
        "help",
        "setup",
    ],
)
def test_make_help_lists_targets(target: str) -> None:
    assert make(target, "--dry-run").returncode == 0
    assert f"make {target} " in make("help").stdout


def test_make_reports_too_old_python(tmp_path: Path) -> None:
    old = tmp_path / "python"
    old.write_text('#!/bin/sh\n[ "$1" = --version ] && echo Python 3.10.4\nexit 1\n')
    old.chmod(0o755)
    for python, reason in ((old, "is Python 3.10.4"), (tmp_path / "none", "there is no")):
        done = make("setup", f"PYTHON={python}", f"VENV={tmp_path / 'venv'}")
        assert done.returncode != 0
        assert "needs Python 3.11 or newer" in done.stderr
        assert reason in done.stderr
    assert not (tmp_path / "venv").exists()


@pytest.mark.slow
def test_import_contracts_hold() -> None:
    done = subprocess.run(
        [Path(sys.executable).parent / "lint-imports", "--no-logo", "--no-cache"],
        cwd=ROOT, capture_output=True, text=True, check=False, timeout=600,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout


@pytest.mark.slow
def test_wheel_has_all_files(tmp_path: Path) -> None:
    subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", tmp_path, ROOT],
        capture_output=True, check=True, timeout=600,
    )  # fmt: skip
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
        archive.extractall(tmp_path / "installed")
    package = ROOT / "src" / "gridproof"
    expected = {
        path.relative_to(ROOT / "src").as_posix() for path in tracked() if path.is_relative_to(package)
    }
    assert expected <= names
    assert {"gridproof/py.typed", "gridproof/core/trace.schema.json"} <= names
    assert any(name.startswith("gridproof/games/null/levels/") for name in names)
    assert any(name.endswith("licenses/LICENSE") for name in names)
    assert {name.split("/")[0] for name in names} == {
        "gridproof",
        f"gridproof-{gridproof.__version__}.dist-info",
    }
    code = "import gridproof as gp; print(gp.__file__, len(gp.levels_at('sokoban/first-steps')))"
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path / "installed", capture_output=True, text=True, check=True, timeout=600,
    )  # fmt: skip
    assert done.stdout.startswith(str(tmp_path))


@pytest.mark.long
def test_wheel_has_bundle_if_esbuild_is_there(tmp_path: Path) -> None:
    esbuild, copy = tmp_path / "esbuild", tmp_path / "copy"
    esbuild.write_text(
        "#!/usr/bin/env python3\nimport pathlib, sys\n"
        "(folder,) = [text[9:] for text in sys.argv if text.startswith('--outdir=')]\n"
        "pathlib.Path(folder).mkdir()\npathlib.Path(folder, 'app-ABCD1234.js').write_text('all modules')\n"
    )
    esbuild.chmod(0o755)
    ignore = shutil.ignore_patterns("__pycache__", "static_bundle", "levels", "games")
    shutil.copytree(ROOT / "src", copy / "src", ignore=ignore)
    for name in ("pyproject.toml", "hatch_build.py", "README.md", "LICENSE", ".gitignore"):
        shutil.copy(ROOT / name, copy)
    subprocess.run(
        [sys.executable, "-m", "build", "--no-isolation", "--outdir", tmp_path / "dist", copy],
        env={**os.environ, "ESBUILD": str(esbuild)}, capture_output=True, check=True, timeout=600,
    )  # fmt: skip
    (wheel,) = (tmp_path / "dist").glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if "static_bundle" in name}
    assert {Path(name).name for name in names} == {"app-ABCD1234.js", "manifest.json"}


@pytest.mark.slow
def test_template_game_can_be_copied(tmp_path: Path) -> None:
    """The first step of CONTRIBUTING.md: the copy, under its new name, is a game like any other."""
    template = ROOT / "src/gridproof/games/null"
    for path in template.rglob("*"):
        if path.is_file() and "__pycache__" not in path.parts:
            copy = tmp_path / "mine" / str(path.relative_to(template)).replace("null", "mine")
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_text(path.read_text(encoding="utf-8").replace("null", "mine"), encoding="utf-8")
    code = (
        "import sys, gridproof.games; gridproof.games.__path__.append(sys.argv[1]);"
        "import gridproof as gp, gridproof.testing; gridproof.testing.check_game(gp.game('mine'));"
        "print('mine' in gp.game_names(), gp.solve(gp.levels_at('mine/first/1')[0]).found)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, tmp_path], capture_output=True, text=True, check=False, timeout=600
    )
    assert done.stdout.split() == ["True", "True"], done.stderr
