"""Best probabilities of a tile in 2048, of all positions up to symmetry; 2x4 to 128 beside Storm, where stormpy is here.

Seconds by the clock and of all cores together, kernels compiled before; `memory` is the most that the process has held. Storm
builds the same process from a PRISM file of explicit transitions that is written before, without symmetry, and solves it by value iteration.

    python benchmarks/twenty48_values.py [--large] [--storm PYTHON]

`--large` goes on to 512 and 1024. `--storm` names a Python that has stormpy.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np

import gridproof as gp

STORM = """
import sys, time
import stormpy
folder = sys.argv[1]
begin, used = time.perf_counter(), time.process_time()
model = stormpy.build_sparse_model_from_explicit(folder + "/model.tra", folder + "/model.lab")
built = time.perf_counter()
(formula,) = stormpy.parse_properties('Pmax=? [F "goal"]')
value = stormpy.model_checking(model, formula).at(model.initial_states[0])
end = time.perf_counter()
print(f"{model.nr_states:10,} states: read in {built - begin:.2f} s, solved in {end - built:.2f} s ({time.process_time() - used:.2f} s of cores), {value:.9f}")
"""


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


def write_explicit(folder: Path, width: int, height: int, tile: int) -> int:
    """The same as explicit transitions and labels, by the graph of positions; how many there are.

    Goals and positions without an action are followed by themselves; position 0 draws the start.
    """
    space = gp.explore(level(width, height, tile))
    graph, goal = space.graph(), space.values(f"tile({tile})")
    sources = np.repeat(np.arange(space.states), np.diff(graph.offsets))
    kept = ~goal[sources]
    rows, actions, targets = sources[kept], graph.actions[kept].astype(np.int64), graph.targets[kept]
    keys, place = np.unique((rows * 4 + actions) * (space.states + 1) + targets, return_inverse=True)
    weights = np.bincount(place, graph.weights[kept].astype(np.float64)) / graph.whole
    choices, targets = keys // (space.states + 1), keys % (space.states + 1)
    rows = choices // 4
    new = np.ones(len(rows), np.int64)
    new[1:] = choices[1:] != choices[:-1]
    number = np.cumsum(new)
    first = number[np.searchsorted(rows, rows)]
    still = np.setdiff1d(np.arange(space.states), rows)
    table = np.column_stack(
        [np.append(rows, still), np.append(number - first, 0 * still), np.append(targets, still)]
    )
    chances = np.append(weights, np.ones(len(still)))
    order = np.argsort(table[:, 0], kind="stable")
    with (folder / "model.tra").open("w") as file:
        file.write("mdp\n")
        for start in level(width, height, tile).starts():
            file.write(f"0 0 {space.number(start.position) + 1} {float(start.probability)!r}\n")
        for part in np.array_split(order, len(order) // 100_000 + 1):
            lines = zip(table[part, 0] + 1, table[part, 1], table[part, 2] + 1, chances[part], strict=True)
            file.writelines(
                f"{row} {choice} {target} {chance:.17g}\n" for row, choice, target, chance in lines
            )
    with (folder / "model.lab").open("w") as file:
        file.write("#DECLARATION\ninit goal\n#END\n0 init\n")
        file.writelines(f"{number + 1} goal\n" for number in np.flatnonzero(goal))
    return int(space.states)


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--large", action="store_true")
    parser.add_argument("--storm", default=sys.executable)
    options = parser.parse_args()
    told(2, 3, 64)  # compiles
    print(told(2, 4, 128), flush=True)
    with tempfile.TemporaryDirectory() as folder:
        there = subprocess.run([options.storm, "-c", "import stormpy"], capture_output=True, check=False)
        if there.returncode:
            print("stormpy is not here")
        else:
            write_explicit(Path(folder), 2, 4, 128)
            ran = subprocess.run(
                [options.storm, "-c", STORM, folder], capture_output=True, text=True, check=False
            )
            print(f"Storm, 2x4 to 128: {ran.stdout.strip() or ran.stderr.strip()[-200:]}", flush=True)
    for tile in (256, 512, 1024) if options.large else (256,):
        print(told(3, 3, tile), flush=True)


if __name__ == "__main__":
    main()
