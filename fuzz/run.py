"""Fuzz the readers of texts: each either answers or raises a GridproofError for any text.

python -m fuzz.run [READER ...] [--runs N] [--keep FOLDER]    all readers, or those of these names
python -m fuzz.run READER --replay FILE                       one input once more, with its traceback
python -m fuzz.run --list                                     the names

Inputs begin with the texts of the project's own packs and are mutated by bytes and by words. A tenth of them is
guided by coverage: those that reach new code are kept in FOLDER/READER and taken up again by the next run. To
measure coverage slows a reader about tenfold, so the other nine tenths are mutants of what is kept, read without.
An input that raises another error, or that takes over 20 seconds or 2 GB, is left in FOLDER/READER-faults, one
for each place in the code.
"""

from __future__ import annotations

import argparse
import faulthandler
import importlib
import os
import random
import re
import resource
import signal
import subprocess
import sys
import time
import traceback
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from gridproof.core.errors import GridproofError

LONGEST = 4096
"""Bytes of an input: long texts are the business of benchmarks/hostile_text.py."""
SECONDS = 20
MEGABYTES = 2048
GUIDED = 0.1
"""The share of inputs that is guided by coverage."""
WORDS = re.compile(r"\w+|\s+|.", re.DOTALL)
DONE = re.compile(r"number_of_executed_units: (\d+)")


def text_of(data: bytes) -> str:
    """The text that an input is; bytes that are no UTF-8 become lone surrogates."""
    return data.decode("utf-8", "surrogateescape")


# -- one reader, in a process of its own


def fuzz_guided(name: str, runs: int, folder: Path) -> None:
    """Fuzz one reader guided by coverage in this process, which ends with it."""
    atheris: Any = importlib.import_module("atheris")
    with atheris.instrument_imports(include=["gridproof"]):
        from fuzz.readers import readers

        reader = readers()[name]
        for sample in reader.samples:  # so that what it imports late is instrumented, too
            read(reader.read, sample)
    found, faults = folder / name, folder / f"{name}-faults"
    for needed in (found, faults):
        needed.mkdir(parents=True, exist_ok=True)
    for number, sample in enumerate(reader.samples):
        (found / f"sample-{number}").write_text(sample, encoding="utf-8")
    arguments = [
        sys.argv[0],
        f"-runs={runs}",
        f"-max_len={LONGEST}",
        f"-timeout={SECONDS}",
        f"-rss_limit_mb={MEGABYTES}",
        f"-artifact_prefix={faults}{os.sep}",
        "-print_final_stats=1",
        "-verbosity=0",
        str(found),
    ]
    atheris.Setup(
        arguments,
        lambda data: check(reader.read, data, faults),
        custom_mutator=lambda data, most, seed: mutate_input(
            data, most, seed, reader.samples, atheris.Mutate
        ),
    )
    atheris.Fuzz()


def blind(name: str, runs: int, folder: Path) -> None:
    """Read mutants of what the guided part has kept."""
    from fuzz.readers import readers

    reader, faults = readers()[name], folder / f"{name}-faults"
    kept = [file.read_bytes() for file in sorted((folder / name).iterdir())]
    seed = random.randrange(1 << 32)
    rng = random.Random(seed)
    print(f"seed {seed}", flush=True)
    faulthandler.enable()
    resource.setrlimit(resource.RLIMIT_AS, (MEGABYTES << 20, MEGABYTES << 20))
    data = b""

    def too_slow(*_: object) -> None:
        (faults / f"slow-{hash(data):x}").write_bytes(data)
        raise SystemExit(f"an input takes over {SECONDS} seconds")

    signal.signal(signal.SIGALRM, too_slow)
    for _ in range(runs):
        data = rng.choice(kept)
        for _ in range(rng.choice((1, 1, 2, 4))):
            change = partial(splice, rng, rng.choice(kept))
            data = mutate_input(data, LONGEST, rng.getrandbits(32), reader.samples, change)
        signal.alarm(SECONDS)
        check(reader.read, data, faults)
    signal.alarm(0)
    print(f"number_of_executed_units: {runs}")


def splice(rng: random.Random, other: bytes, data: bytes, most: int) -> bytes:
    """An input with some of its bytes left out, doubled, replaced, or exchanged for those of another."""
    at, end = sorted((rng.randint(0, len(data)), rng.randint(0, len(data))))
    end = min(end, at + rng.choice((0, 1, 1, 4, 64)))
    start = rng.randint(0, len(other))
    new = rng.choice((b"", rng.randbytes(1), data[at:end] * 2, other[start : start + rng.choice((1, 4, 64))]))
    return (data[:at] + new + data[end:])[:most]


def read(reader: Callable[[str], object], text: str) -> None:
    """Read a text, which may be refused."""
    try:
        reader(text)
    except GridproofError as error:
        str(error)


def check(reader: Callable[[str], object], data: bytes, faults: Path) -> None:
    """Read an input; one that raises another error is kept, the first of each place in the code."""
    try:
        read(reader, text_of(data))
    except Exception as error:
        frame = traceback.extract_tb(error.__traceback__)[-1]
        file = faults / f"{type(error).__name__}-{Path(frame.filename).stem}-{frame.lineno}"
        if not file.exists():
            file.write_bytes(data)
            print(f"{type(error).__name__}: {str(error)[:100]} ({frame.filename}:{frame.lineno})", flush=True)


def mutate_input(
    data: bytes, most: int, seed: int, samples: tuple[str, ...], mutate: Callable[[bytes, int], bytes]
) -> bytes:
    """An input changed: by bytes, or by words that are left out, doubled, swapped, or come from a sample."""
    rng = random.Random(seed)
    if rng.random() < 0.5:
        return mutate(data, most)
    words = WORDS.findall(text_of(data))
    others = WORDS.findall(rng.choice(samples)) or [""]
    for _ in range(rng.choice((1, 1, 2, 4))):
        at, end = sorted((rng.randint(0, len(words)), rng.randint(0, len(words))))
        piece = words[at : min(end, at + 8)]
        start = rng.randrange(len(others))
        new = rng.choice(
            ([], piece * rng.randint(2, 9), piece[::-1], others[start : start + rng.randint(1, 8)])
        )
        words[at : at + len(piece)] = new
    return "".join(words).encode("utf-8", "surrogateescape")[:most]


# -- all readers, one after the other


def run(name: str, runs: int, folder: Path) -> tuple[str, bool]:
    """Fuzz one reader in a process of its own; what is to be said, and whether it held."""
    faults = folder / f"{name}-faults"
    known = set(faults.iterdir()) if faults.exists() else set()
    began = time.monotonic()
    count, complaints = 0, list[str]()
    guided_runs = min(runs, max(1, round(GUIDED * runs)))
    for way, number in (("guided", guided_runs), ("blind", runs - guided_runs)):
        command = [
            sys.executable,
            "-m",
            "fuzz.run",
            name,
            "--runs",
            str(number),
            "--keep",
            str(folder),
            "--here",
            way,
        ]
        ran = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        said = ran.stdout.decode("utf-8", "replace")
        done = DONE.search(said) if not ran.returncode else None
        count += int(done[1]) if done else 0
        if not done:
            complaints += [f"    {way}, did not finish:", *(f"    {line}" for line in said.splitlines()[-5:])]
    new = sorted(set(faults.iterdir()) - known) if faults.exists() else []
    lines = [f"{name:24} {count:>9,} inputs in {time.monotonic() - began:.0f} s, {len(new)} faults"]
    lines += [f"    python -m fuzz.run {name} --replay {file}" for file in new]
    return "\n".join(lines + complaints), not new and not complaints


def replay(name: str, file: Path) -> None:
    """Read one input once more; an error of another kind is raised as it comes."""
    from fuzz.readers import readers

    try:
        print(repr(readers()[name].read(text_of(file.read_bytes())))[:1000])
    except GridproofError as error:
        print(f"{type(error).__name__}: {str(error)[:1000]}")


def main() -> int:
    """Do what is asked for; 1 when a reader has a fault."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("readers", nargs="*", metavar="READER")
    parser.add_argument("--runs", type=int, default=1_000_000, help="inputs for each reader")
    parser.add_argument("--keep", type=Path, default=Path(".fuzz"), metavar="FOLDER")
    parser.add_argument("--replay", type=Path, metavar="FILE")
    parser.add_argument("--list", action="store_true", help="the names of the readers")
    parser.add_argument("--here", choices=("guided", "blind"), help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.here:  # before anything is imported: what the guided part imports is instrumented
        {"guided": fuzz_guided, "blind": blind}[options.here](options.readers[0], options.runs, options.keep)
        return 0

    from fuzz.readers import readers

    if unknown := set(options.readers) - set(readers()):
        parser.error(f"no reader {', '.join(sorted(unknown))}: there are {', '.join(readers())}")
    names = options.readers or list(readers())
    if options.list:
        print("\n".join(names))
    elif options.replay:
        replay(names[0], options.replay)
    else:
        held = True
        for name in names:
            said, fine = run(name, options.runs, options.keep)
            print(said, flush=True)
            held = held and fine
        return 0 if held else 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
