"""Imports at the start of the program."""

from __future__ import annotations

import subprocess
import sys

import pytest

HEAVY = {"numpy", "numba", "textual", "fastapi", "sqlalchemy"}


def modules_after(program: str) -> set[str]:
    """Return the modules that a program imports in a fresh interpreter."""
    code = f"{program}\nimport sys; print(*sys.modules, file=sys.stderr)"
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=600
    )
    return set(done.stderr.split())


def test_import_loads_no_heavy_packages_and_no_submodules() -> None:
    loaded = modules_after("import gridproof")
    assert not HEAVY & loaded
    assert {name for name in loaded if name.startswith("gridproof")} == {"gridproof"}


def test_reading_and_playing_load_nothing_heavy() -> None:
    program = "import gridproof as gp; gp.read('#####\\n#@$.#\\n#####\\n'); gp.Session, gp.Trace"
    assert not HEAVY & modules_after(program)


@pytest.mark.slow
@pytest.mark.parametrize("arguments", ["games", "--help", "solve null/first/2 --minimise any"])
def test_small_commands_load_nothing_heavy(arguments: str) -> None:
    program = (
        f"import sys\nsys.argv = ['gridproof', *{arguments!r}.split()]\nfrom gridproof.cli import main\n"
    )
    loaded = modules_after(f"{program}try: main()\nexcept SystemExit: pass")
    assert not (HEAVY | {"rich.console", "jsonschema", "pydantic", "psutil"}) & loaded


@pytest.mark.slow
def test_kernels_load_no_optional_modules_of_numba() -> None:
    loaded = modules_after("import gridproof.kernels.compile")
    assert "numba" in loaded
    assert not {"coverage", "yaml"} & loaded
