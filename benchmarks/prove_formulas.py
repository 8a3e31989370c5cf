"""Formulas of CTL and LTL on the whole space of a 3x3 board of Shift It, beside pyModelChecking and Storm.

181,440 positions, 2.18 million edges. Seconds are processor time on one core, warm, medians of several runs; the
graph is there, for all. pyModelChecking answers CTL on the same graph; Storm (stormpy) answers LTL on it as an MDP,
and of CTL what is one of its probabilities. What is not installed is said: `pip install -r requirements/peers.txt`.

    python benchmarks/prove_formulas.py [--runs N] [--seconds S]

`--seconds` is what a peer gets for a formula, by the clock, before it is given up.
"""

from __future__ import annotations

import argparse
import contextlib
import functools
import importlib
import importlib.util
import multiprocessing
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

os.environ["GRIDPROOF_CORES"] = "1"
sys.path.insert(0, str(Path(__file__).parent))

from shiftit_explore import board

import gridproof as gp
from gridproof.search.export import write_graph
from gridproof.search.space import StateSpace

CTL = {
    "AG EF AG !won": ('Pmin=? [ G !"won" ]', "A G (E F (A G (not won)))"),
    "AG (near -> EX EF home)": ("", "A G (near --> (E X (E F home)))"),
    "A[!home U EX near]": ("", "A ((not home) U (E X near))"),
    "EG AF near": ("", "E G (A F near)"),
    "AX AX EF home": ("", "A X (A X (E F home))"),
}
"""Formulas, what Storm is asked where it can be, and how pyModelChecking writes them."""
LTL = {
    "G F home": 'Pmin=? [ G F "home" ]',
    "F G near": 'Pmin=? [ F G "near" ]',
    "G (near -> F home)": 'Pmin=? [ G (!"near" | (F "home")) ]',
    "home U near": 'Pmin=? [ "home" U "near" ]',
    "G F e(RM(0,left))": "",
    "G ([RM(0,left)] -> X (near | !near))": "",
}
WISHED = {"graph": 0.15, "CTL": 0.2, "LTL": 1.0}


def measure(work: Callable[[], Any], runs: int) -> tuple[float, Any]:
    """The median of processor seconds, after a first run that is not counted, and the answer."""
    answer, seconds = work(), []
    for _ in range(runs):
        begin = time.process_time()
        work()
        seconds.append(time.process_time() - begin)
    return statistics.median(seconds), answer


@contextlib.contextmanager
def files_of(space: StateSpace) -> Iterator[Path]:
    """The explicit files of the space's graph."""
    with tempfile.TemporaryDirectory() as folder:
        yield write_graph(space, Path(folder) / "graph.tra")[0]


def storm(path: Path, questions: list[str], told: Any) -> None:
    """Storm's answers, each with its seconds: in a process of its own."""
    stormpy = importlib.import_module("stormpy")
    model = stormpy.build_model_from_explicit(str(path), str(path.with_suffix(".lab")))
    (start,) = model.initial_states
    for question in questions:
        (parsed,) = stormpy.parse_properties(question)
        begin = time.process_time()
        answer = stormpy.model_checking(model, parsed, only_initial_states=True).get_value(start)
        told.send((time.process_time() - begin, answer > 0.5))


def pymodelchecking(path: Path, questions: list[str], told: Any) -> None:
    """The answers of pyModelChecking, each with its seconds: in a process of its own."""
    logic, kripke = (importlib.import_module(f"pyModelChecking{name}") for name in (".CTL", ""))
    rows = [line.split() for line in path.read_text().splitlines()[1:]]
    lines = path.with_suffix(".lab").read_text().splitlines()[3:]
    labels = {int(number): set(names) for number, *names in map(str.split, lines)}
    edges = {(int(row[0]), int(row[2])) for row in rows}
    structure = kripke.Kripke(R=edges, S0=[0], L={source: labels.get(source, set()) for source, _ in edges})
    parser = logic.Parser()
    for question in questions:
        begin = time.process_time()
        holding = logic.modelcheck(structure, parser(question))
        told.send((time.process_time() - begin, 0 in holding))


def beside(
    peer: Callable[..., None], module: str, path: Path, questions: list[str], seconds: float
) -> dict[str, str]:
    """What a peer says to each question that it gets, and in how many seconds."""
    asked = [question for question in questions if question]
    if importlib.util.find_spec(module) is None:
        return dict.fromkeys(asked, f"{module} is not here")
    ours, theirs = multiprocessing.Pipe()
    process = multiprocessing.get_context("spawn").Process(target=peer, args=(path, asked, theirs))
    process.start()
    theirs.close()
    answers = {}
    for question in asked:
        try:
            answers[question] = (
                "{:8.3f} s, {}".format(*ours.recv()) if ours.poll(seconds) else f"none in {seconds:.0f} s"
            )
        except EOFError:
            answers[question] = "it failed"
        if not answers[question].endswith(("True", "False")):
            break
    process.kill()
    process.join()
    return answers


def main() -> None:
    """Measure, and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=300)
    options = parser.parse_args()
    space = gp.explore(board(3, 3, False, "far"))
    seconds, graph = measure(space.graph, options.runs)
    print(
        f"{space.states:,} positions, {len(graph):,} edges: built in {seconds:.3f} s ({WISHED['graph']} wished)"
    )
    with files_of(space) as path:
        by_python = beside(
            pymodelchecking, "pyModelChecking", path, [item[1] for item in CTL.values()], options.seconds
        )
        by_storm = beside(
            storm, "stormpy", path, [item[0] for item in CTL.values()] + list(LTL.values()), options.seconds
        )
    asked = [("CTL", text, *questions) for text, questions in CTL.items()]
    asked += [("LTL", text, question, "") for text, question in LTL.items()]
    for logic, text, for_storm, for_python in asked:
        seconds, verdict = measure(functools.partial(gp.check, space, text), options.runs)
        print(f"{logic} {text:38} {seconds:6.3f} s, {verdict.holds} ({WISHED[logic]} wished)", flush=True)
        for name, answer in (
            ("stormpy", by_storm.get(for_storm)),
            ("pyModelChecking", by_python.get(for_python)),
        ):
            if answer:
                print(f"    {name:38} {answer}")


if __name__ == "__main__":
    main()
