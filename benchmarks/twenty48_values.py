"""Values of 2048: best probabilities of a tile, and questions about paths on 2x3; some beside Storm, where stormpy is here.

Seconds by the clock and of all cores together, kernels compiled before; `memory` is the most that the process has held. Storm
reads the same process from a file of explicit transitions that is made before, by the rules and up to the same symmetry, and solves it by value iteration.

    python benchmarks/twenty48_values.py [--large] [--storm PYTHON]

`--large` goes on to 512 and 1024 on 3x3, and to 16 on 4x4. `--storm` names a Python that has stormpy.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from fractions import Fraction
from pathlib import Path
from typing import Any, TextIO

import numpy as np

import gridproof as gp

STORM = """
import sys, time
import stormpy
folder = sys.argv[1]
begin, used = time.perf_counter(), time.process_time()
model = stormpy.build_model_from_explicit(folder + "/model.tra", folder + "/model.lab")
built = time.perf_counter()
for question in sys.argv[2:]:
    start, used = time.perf_counter(), time.process_time()
    (formula,) = stormpy.parse_properties(question)
    value = stormpy.model_checking(model, formula).get_value(model.initial_states[0])
    end = time.perf_counter()
    print(f"Storm, {question}: {model.nr_states:,} states: read in {built - begin:.2f} s, solved in {end - start:.2f} s ({time.process_time() - used:.2f} s of cores), {value:.9f}")
"""

QUESTIONS = {
    "Pmax=? [F<=30 won]": 'Pmax=? [F<=31 "goal"]',
    "Pmin=? [F<=30 won]": 'Pmin=? [F<=31 "goal"]',
    "Pmax=? [F=24 won]": 'Pmax=? [F=25 "goal"]',
}
"""Questions on 2x3 to 64, and the same for Storm, which draws the start in a step of its own."""


def level(width: int, height: int, tile: int) -> gp.Level:
    """An empty board, by the classic rule."""
    return gp.read(f"2048 {width}x{height} spawn=classic target={tile}\n")[0]


def told(width: int, height: int, tile: int) -> str:
    """The figures of one board."""
    begin, used = time.perf_counter(), time.process_time()
    found = gp.value(level(width, height, tile))
    clock, cores = time.perf_counter() - begin, time.process_time() - used
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return (
        f"{width}x{height} to {tile:4}: {found.states:11,} positions, {clock:6.1f} s ({cores:.1f} s of cores), "
        f"{memory:5.0f} MB, best {found.best:.9f}"
    )


def answered(question: str) -> str:
    """The figures of a question on 2x3 to 64, where no symmetric positions are merged."""
    begin, used = time.perf_counter(), time.process_time()
    found = gp.value(level(2, 3, 64), question)
    clock, cores = time.perf_counter() - begin, time.process_time() - used
    (bounds,) = found.answers.values()
    return (
        f"{question}: {found.states:,} positions, {clock:.2f} s ({cores:.2f} s of cores), "
        f"{float(bounds.middle):.9f} within {bounds.error:.0e}"
    )


def ask_storm(python: str, size: tuple[int, int, int], questions: Iterable[str]) -> None:
    """Print the figures of Storm; `python` is a Python that has stormpy."""
    there = subprocess.run([python, "-c", "import stormpy"], capture_output=True, check=False)
    if there.returncode:
        print("stormpy is not here")
        return
    with tempfile.TemporaryDirectory() as folder:
        write_explicit(Path(folder), *size)
        command = [python, "-c", STORM, folder, *questions]
        ran = subprocess.run(command, capture_output=True, text=True, check=False)
        print(ran.stdout.strip() or ran.stderr.strip()[-200:], flush=True)


def write_explicit(folder: Path, width: int, height: int, tile: int) -> None:
    """The same by the rules, up to symmetry, as explicit transitions and labels; a goal is followed by itself.

    State 0 draws the start, the others are numbered as they are found.
    """
    board = level(width, height, tile)
    numbers: dict[tuple[int, ...], int] = {}
    positions: list[Any] = []
    cells = np.arange(width * height).reshape(height, width)
    images = [tuple(image.ravel()) for one in (cells, cells[:, ::-1]) for image in (one, np.rot90(one, 2))]

    def number(position: Any) -> int:
        key = min(tuple(position.cells[cell] for cell in image) for image in images)
        if key not in numbers:
            numbers[key] = len(numbers) + 1
            positions.append(position)
        return numbers[key]

    goals = []
    with (folder / "model.tra").open("w") as file:
        file.write("mdp\n")
        write_choice(file, 0, 0, board.starts(), number)
        for row, position in enumerate(positions, 1):
            if position.won:
                goals.append(row)
            actions = () if position.won else position.actions()
            for choice, action in enumerate(actions):
                write_choice(file, row, choice, position.outcomes(action), number)
            if not actions:
                file.write(f"{row} 0 {row} 1\n")
    with (folder / "model.lab").open("w") as file:
        file.write("#DECLARATION\ninit goal\n#END\n0 init\n")
        file.writelines(f"{row} goal\n" for row in goals)


def write_choice(
    file: TextIO, row: int, choice: int, outcomes: Iterable[Any], number: Callable[[Any], int]
) -> None:
    """The transitions of one action."""
    chances: dict[int, Fraction] = {}
    for outcome in outcomes:
        target = number(outcome.position)
        chances[target] = chances.get(target, Fraction()) + outcome.probability
    file.writelines(f"{row} {choice} {target} {float(chances[target])!r}\n" for target in sorted(chances))


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--large", action="store_true")
    parser.add_argument("--storm", default=sys.executable)
    options = parser.parse_args()
    told(2, 3, 64)  # compiles
    print(told(2, 4, 128), flush=True)
    ask_storm(options.storm, (2, 4, 128), ['Pmax=? [F "goal"]'])
    answered("Pmax=? [F<=30 won]")  # compiles
    for question in QUESTIONS:
        print(answered(question), flush=True)
    ask_storm(options.storm, (2, 3, 64), QUESTIONS.values())
    for tile in (8, 16) if options.large else (8,):
        print(told(4, 4, tile), flush=True)
    for tile in (256, 512, 1024) if options.large else (256,):
        print(told(3, 3, tile), flush=True)


if __name__ == "__main__":
    main()
