"""All benchmarks, one after the other, into benchmarks/RESULTS.md with the machine, versions and date.

python benchmarks/run.py [NAME ...]      those of these names alone; the others' results stay
"""

from __future__ import annotations

import argparse
import ast
import datetime
import importlib.metadata
import os
import platform
import re
import shutil
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent
RESULTS = HERE / "RESULTS.md"
EXTRA = {"shiftit_explore": [["--locked"]]}
"""Further runs of a benchmark, with these arguments."""
LONG = {"shiftit_explore": [["--large"]], "load": [["--minutes", "5", "--badges", "0", "--many", "0"]]}
"""And those that take minutes."""
SECTION = re.compile(r"^## (\w+)\n.*?(?=^## |\Z)", re.MULTILINE | re.DOTALL)


def names() -> list[str]:
    """The benchmarks: every script of this folder but this one."""
    return sorted(path.stem for path in HERE.glob("*.py") if path != Path(__file__))


def describe(name: str) -> str:
    """The first paragraph of a benchmark's docstring."""
    text = ast.get_docstring(ast.parse((HERE / f"{name}.py").read_text())) or ""
    return text.split("\n\n")[0].replace("\n", " ")


def answer(name: str, arguments: list[str]) -> str:
    """What a benchmark prints; its fault, if it fails."""
    command = [sys.executable, str(HERE / f"{name}.py"), *arguments]
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    print(ran.stdout, end="", flush=True)
    if ran.returncode and not ran.stdout.strip():
        return f"failed: {ran.stderr.strip().splitlines()[-1:]}"
    return ran.stdout.rstrip()


def section(name: str, long: bool) -> str:
    """A benchmark's part of the page."""
    runs: list[list[str]] = [[], *EXTRA.get(name, []), *(LONG.get(name, []) if long else [])]
    answers = []
    for arguments in runs:
        print(f"== {name} {' '.join(arguments)}".rstrip(), flush=True)
        answers.append(answer(name, arguments))
    when = datetime.datetime.now(datetime.UTC).strftime("%Y-%m-%d")
    shown = "\n".join(answers)
    return f"## {name}\n\n{describe(name)} ({when})\n\n```text\n{shown}\n```\n\n"


def first_line(command: list[str]) -> str:
    """What a program says of its version, when it is here."""
    if not shutil.which(command[0]):
        return f"{command[0]} is not here"
    ran = subprocess.run(command, capture_output=True, text=True, check=False)
    return (ran.stdout or ran.stderr).splitlines()[0]


def machine() -> str:
    """The processor, memory, versions and load."""
    cpu = platform.processor() or platform.machine()
    if Path("/proc/cpuinfo").exists():
        found = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text())
        cpu = found[1] if found else cpu
    packages = [f"{name} {importlib.metadata.version(name)}" for name in ("gridproof", "numba", "numpy")]
    load = f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "unknown"
    lines = [
        f"- {cpu}, {os.cpu_count()} cores; {platform.system()} {platform.release()}; load at the start {load}",
        f"- Python {platform.python_version()}, {', '.join(packages)}",
        f"- {first_line(['gcc', '--version'])}; {first_line(['spin', '-V'])}",
        f"- {datetime.datetime.now(datetime.UTC):%Y-%m-%d %H:%M} UTC",
    ]
    return "\n".join(lines)


def main() -> None:
    """Run them, and write the page."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(names()))
    parser.add_argument("--long", action="store_true", help="also what takes minutes")
    options = parser.parse_args()
    wished = options.names or names()
    if unknown := set(wished) - set(names()):
        parser.error(f"no benchmark {', '.join(sorted(unknown))}")
    old = RESULTS.read_text() if RESULTS.exists() else ""
    sections = {match[1]: match[0] for match in SECTION.finditer(old) if match[1] in names()}
    about = machine()
    for name in wished:
        sections[name] = section(name, options.long)
        parts = "".join(sections[one] for one in sorted(sections))
        RESULTS.write_text(f"# Benchmarks\n\nMade by `make bench`.\n\n{about}\n\n{parts}".rstrip() + "\n")


if __name__ == "__main__":
    main()
