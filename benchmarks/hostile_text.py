"""Time and memory of readers for hostile texts; the targets are 1 s and 100 MB for each MiB.

Every reader meets every shape, each in a process of its own that has everything loaded: processor seconds and the
growth of the memory at its peak, both for each MiB (short texts that mean much count as one MiB). The worst shape
of each reader is shown, and what is over the limits. Names of readers as arguments: those alone, with every shape;
--mib N: texts of N MiB.
"""

from __future__ import annotations

import argparse
import contextlib
import itertools
import multiprocessing
import resource
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from multiprocessing.connection import Connection
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).parent.parent))  # what is fuzzed

from fuzz.readers import Reader, readers

from gridproof.core.errors import GridproofError

MIB = 1024 * 1024
SECONDS, MEGABYTES = 1.0, 100.0
"""Limits for each MiB."""
CUT_OFF = 60
"""Processor seconds for each MiB after which a reader is given up."""
ROOM = 6 << 30
"""Bytes of address space."""


# -- shapes


def repeat(piece: str, before: str = "", after: str = "") -> Callable[[int], str]:
    """A piece as often as it fits between a beginning and an end."""
    return lambda size: before + piece * ((size - len(before) - len(after)) // len(piece)) + after


def nest(opening: str, closing: str, before: str = "", after: str = "") -> Callable[[int], str]:
    """Brackets as deep as they go."""

    def make(size: int) -> str:
        depth = (size - len(before) - len(after)) // (len(opening) + len(closing))
        return before + opening * depth + closing * depth + after

    return make


def count_up(piece: str, before: str = "", after: str = "") -> Callable[[int], str]:
    """Pieces with growing numbers for their {}."""

    def make(size: int) -> str:
        pieces, room = [], size - len(before) - len(after)
        for number in itertools.count():
            pieces.append(piece.replace("{}", str(number)))
            room -= len(pieces[-1])
            if room < 0:
                return before + "".join(pieces[:-1]) + after
        return ""

    return make


def short(text: str) -> Callable[[int], str]:
    """A text that is not long, but may mean much."""
    return lambda size: text


S = "structure S : ShiftItVoc { "
TRACE = '{"format": "gridproof-trace", "version": 1, "game": "null", "level": "@.o\\n", "start": "@.o\\n", '

ANY: Mapping[str, Callable[[int], str]] = {
    "newlines": repeat("\n"),
    "spaces": repeat(" "),
    "spaces, then x": repeat(" ", after="x"),
    "tabs and newlines": repeat("\t\n"),
    "one letter": repeat("a"),
    "words": repeat("ab "),
    "words in lines": repeat("ab\n"),
    "digits": repeat("7"),
    "numbers": repeat("2 "),
    "numbers in lines": repeat("2 4\n"),
    "semicolons": repeat(";"),
    "lines of a semicolon": repeat(";\n"),
    "keys": count_up("k{}: v\n"),
    "one key": repeat("title: v\n"),
    "colons": repeat(":"),
    "dashes": repeat("-"),
    "hashes": repeat("#"),
    "lines of a hash": repeat("#\n"),
    "open brackets": repeat("("),
    "brackets": nest("(", ")"),
    "square brackets": nest("[", "]"),
    "braces": nest("{", "}"),
    "objects": nest('{"a":', "}"),
    "quotation marks": repeat('"'),
    "open comment": repeat("*", before="/*"),
    "comments": repeat("/**/"),
    "half comments": repeat("/*"),
    "slashes": repeat("//"),
    "lines of slashes": repeat("//\n"),
    "elements": nest("<a>", "</a>"),
    "tags": repeat("<"),
    "foreign letters": repeat("\u00e9\u4e16"),
    "lone surrogates": repeat("\ud800"),
    "carriage returns": repeat("\r"),
    "no-break spaces": repeat("\u00a0"),
    "a NUL at the end": repeat("a", after="\0"),
}

SHIFTIT: Mapping[str, Callable[[int], str]] = {
    "tiny levels": repeat("shiftit 1x1\nr\n"),
    "tiny levels, keys": repeat("shiftit 1x1\na: b\nr\n"),
    "tiny levels, names": repeat("shiftit 1x1\nr\nnames: a\n"),
    "headers": repeat("shiftit 1x1\n"),
    "large levels": repeat("shiftit 64x64\n" + ("r " * 64 + "\n") * 64),
    "keys of a level": count_up("k{}: v\n", before="shiftit 1x1\n", after="r\n"),
    "names": count_up("n{} ", before="shiftit 2x1\nr g\nnames: ", after="\n"),
    "a wide row": repeat("r ", before="shiftit 4096x1\n"),
    "blank names": repeat("names:\n"),
    "comments at the end": repeat(";\n", before="shiftit 1x1\nr\nnames: a\n"),
    "names and spaces": repeat("names: \n \n"),
}
STRUCTURE: Mapping[str, Callable[[int], str]] = {
    "one number": repeat("0;", before=S + "Time = {", after="} }"),
    "numbers of a type": count_up("{};", before=S + "Time = {", after="} }"),
    "names of a type": count_up("a{};", before=S + "Tile = {", after="} }"),
    "strings of a type": count_up('"{}";', before=S + "Colour = {", after="} }"),
    "characters": repeat("'a';", before=S + "Colour = {", after="} }"),
    "positions": count_up("a->P({},0);", before=S + "Init_GetPos<ct> = {", after="} }"),
    "places of tiles": count_up("a{}->P({},0);", before=S + "Init_GetPos<ct> = {", after="} }"),
    "places without an end": count_up("a{}->P({},0);", before=S + "Init_GetPos<ct> = {"),
    "moves": count_up("{}->RM(0,left);", before=S + "MoveAt = {", after="} }"),
    "sides": count_up("{},S(a,up),red;", before=S + "Reach = {", after="} }"),
    "wrong rows": count_up("{},{};", before=S + "Won = {", after="} }"),
    "ragged rows": repeat("1,2,3;1;", before=S + "F[int] = {", after="} }"),
    "several values": count_up("0->{};", before=S + "Next = {", after="} }"),
    "total": count_up("a{};", before=S + "GetPos = {} Init_GetPos = {} Time = {0..99} Tile = {", after="} }"),
    "total product": count_up(
        "{};", before=S + "Time = {0..9999} Tile = {", after="} Reach = {} GetPos = {} }"
    ),
    "total, numbers": count_up("{};", before=S + "GetPos = {} XCo = {0..99} Time = {", after="} }"),
    "many arguments": repeat("1,", before=S + "Won = { ", after="1 } }"),
    "symbols": count_up("F{}[int]={};", before=S, after="}"),
    "symbols of one row": count_up("F{}[int]={1} ", before=S, after="}"),
    "unknown symbols": count_up("Tiel{}={1} ", before=S, after="}"),
    "one symbol": repeat("Won={} ", before=S, after="}"),
    "types": count_up("T{},", before=S + "F[", after="int] = {} }"),
    "paths": repeat("a::", before=S, after="F = {} }"),
    "using": repeat("using vocabulary V ", before=S, after="}"),
    "calls": nest("P(", ")", before=S + "F[int] = ", after=" }"),
    "open calls": repeat("P(", before=S + "F[int] = "),
    "rows of deep calls": repeat("P(" * 40 + "1" + ")" * 40 + ";", before=S + "F[int] = {", after="} }"),
    "wide calls": repeat("1,", before=S + "F[int] = { P(", after="1) } }"),
    "structures": repeat(S + "}\n"),
    "boards": repeat(
        S + 'XCo={0} YCo={0} Tile={a} IsLocked={} Init_GetPos={a->P(0,0)} Init_Colouring_Full={a->"r"} }\n'
    ),
    "titles": repeat("// title: a\n", after=S + "}"),
    "a comment without its end": repeat("* ", before=S + "/*"),
    "comments inside": repeat("/**/", before=S, after="}"),
    "a string without its end": repeat("a ", before=S + 'F[int] = { "'),
    "half strings": repeat('"a\n', before=S + "F[int] = { "),
    "apostrophes": repeat("'", before=S + "F[int] = { "),
    "apostrophes behind a name": repeat("'", before=S + "F[int] = { a"),
    "points": repeat(".", before=S + "F[int] = { "),
    "digits of a number": repeat("9", before=S + "F[int] = { "),
    "digits with points": repeat("1.", before=S + "F[int] = { "),
    "signs": repeat("-", before=S + "F[int] = { "),
    "underscores": repeat("_", before=S + "F[int] = { "),
    "foreign signs": repeat("@", before=S),
    "semicolons inside": repeat(";", before=S + "F[int] = {"),
    "a long range": short(S + "Time = {0..999999; } }"),
    "many long ranges": short("".join(S + "".join(f"F{n}[int]={{0..999999}} " for n in range(200)) + "}")),
    "ranges": repeat("0..9999;", before=S + "Time = {", after="} }"),
    "ranges of characters": repeat("'a'..'\uffff';", before=S + "Colour = {", after="} }"),
    "other blocks": repeat("theory T : V { }\n", after=S + "}"),
    "blocks of blocks": nest("{", "}", before="theory T : V ", after=S + "}"),
    "a block without its end": repeat("{ a ", before="vocabulary V "),
    "open comments in a block": repeat("/*a", before="theory T : V { "),
    "vocabularies": count_up("vocabulary V{} { type A }\n", after=S + "}"),
}
SOKOBAN: Mapping[str, Callable[[int], str]] = {
    "tiny boards": repeat("#####\n#@$.#\n#####\n\n"),
    "boards of a row": repeat("#@$.#\n\n"),
    "broken boards": repeat("#@\n\n"),
    "titles of boards": count_up("; {}\n#####\n#@$.#\n#####\n"),
    "large boards": lambda size: large_board(300) * max(1, size // (300 * 301)),
    "the largest board": lambda size: large_board(1000),
    "as many boxes as can be": lambda size: "\n".join(
        ["#" * 1000, "#@", *["#" + "$." * 250] * 997, "#" * 1000]
    ),
    "the most walls": lambda size: "\n".join(["#" * 1000] * 999 + ["#" * 996 + "@$.#"]),
    "floor alone": repeat("-" * 1000 + "\n"),
    "walls alone": repeat("#" * 1000 + "\n"),
    "boxes alone": repeat("$" * 1000 + "\n"),
    "players alone": repeat("@" * 1000 + "\n"),
    "rows in a row": repeat("#|"),
    "run lengths": repeat("1000#|"),
    "few run lengths": short("1000#|" * 1000),
    "many run lengths": short(("1000#|" * 999 + "1000#\n\n") * 9),
    "lines of run lengths": repeat("1000#\n"),
    "boards of run lengths": repeat("1000#|" * 9 + "20#@$.\n\n"),
    "run lengths of a solution": repeat("999999r"),
    "few run lengths of a solution": short("999999r"),
    "zeros": repeat("0", before="#", after="#"),
    "a solution": repeat("rLuD"),
    "bombs": repeat("!"),
    "notes": repeat("Comment:\na\nComment-End:\n"),
    "an open comment": repeat("a\n", before="Comment:\n"),
    "levels in XML": repeat(
        "<Level Id='a'><L>#####</L><L>#@$.#</L><L>#####</L></Level>",
        before="<SokobanLevels><LevelCollection>",
        after="</LevelCollection></SokobanLevels>",
    ),
    "rows in XML": repeat(
        "<L>#</L>",
        before="<SokobanLevels><LevelCollection><Level Id='a'>",
        after="</Level></LevelCollection></SokobanLevels>",
    ),
    "notes in XML": repeat("<Note>a</Note>", before="<SokobanLevels>", after="</SokobanLevels>"),
    "lines in XML": repeat("\n", before="<SokobanLevels><Note>", after="</Note></SokobanLevels>"),
    "references in XML": repeat("&#10;", before="<SokobanLevels><Note>", after="</Note></SokobanLevels>"),
    "attributes in XML": count_up(
        "a{}='' ", before="<SokobanLevels><LevelCollection ", after="/></SokobanLevels>"
    ),
    "an open element": repeat("a ", before="<SokobanLevels "),
    "an open text": repeat("a\n", before="<SokobanLevels><Note>"),
}
ROBOTS: Mapping[str, Callable[[int], str]] = {
    "tiny boards of robots": repeat(
        "robots 4x1\na: rule=A rotation=0\nb: rule=A rotation=0\nboard:\na A b B\n\n"
    ),
    "headers of robots": repeat("robots 1x1\n"),
    "a wide board": repeat(". ", before="robots 1000x1\nboard:\n"),
    "rows of a board": repeat(". . .\n", before="robots 3x1000\na: rule=A rotation=0\nboard:\n"),
    "the largest board of robots": lambda size: (
        "robots 1000x1000\na: rule=A rotation=0\nb: rule=A rotation=0\nboard:\n"
        + "a A b B "
        + ". " * 996
        + "\n"
        + ("? " * 1000 + "\n") * 999
    ),
    "robots": repeat("a: rule=A rotation=0\n", before="robots 3x3\n"),
    "keys of robots": count_up("; k{}: v\n", before="robots 3x3\n"),
    "blank lines between": repeat("\n", before="robots 1x1\n"),
}
TWENTY48: Mapping[str, Callable[[int], str]] = {
    "tiny boards of numbers": repeat("2 2\n2 2\n\n"),
    "headers of numbers": repeat("2048 4x4\n\n"),
    "options": repeat("spawn=spec ", before="2048 4x4 "),
    "keys of numbers": count_up("k{}: v\n", before="2048 4x4\n"),
    "a row of numbers": repeat("2 ", before="2048 4x4\n"),
    "long numbers": repeat("9" * 100 + " ", before="2048 4x4\n"),
    "a column of numbers": repeat("2\n", before="2048 1x9\n"),
}
OTHERS: Mapping[str, Callable[[int], str]] = {
    "rows of null": repeat("@.o\n"),
    "a row of null": repeat(".", before="@", after="o\n"),
    "walkers": repeat("@"),
    "commas": repeat("a,"),
    "arguments": repeat("1,", before="won(", after="1)"),
    "spaces in a goal": repeat(" ", before="won", after="x"),
    "exclamation marks": repeat("! "),
    "steps": repeat('{"action": "right"},', before=TRACE + '"steps": [', after='{"action": "right"}]}'),
    "broken steps": repeat('{"action": 1},', before=TRACE + '"steps": [', after='{"action": 1}]}'),
    "formless steps": repeat("1,", before=TRACE + '"steps": [', after="1]}"),
    "empty steps": repeat("{},", before=TRACE + '"steps": [', after="{}]}"),
    "labels": repeat('{"action": "hop", "label": "x"},', before=TRACE + '"steps": [', after="{}]}"),
    "a long action": repeat("a", before=TRACE + '"steps": [{"action": "', after='"}]}'),
    "unknown keys": count_up('"k{}": 1,', before=TRACE, after='"steps": []}'),
    "a wrong level": repeat("\\n", before='{"format": "gridproof-trace", "version": 1, "game": "null", "level": "',
                              after='", "start": "", "steps": []}'),
    "long numbers in JSON": repeat("9", before='{"loop": ', after="}"),
    "fractions in JSON": repeat("1e400,", before='{"steps": [', after="1]}"),
    "strings of a list": repeat('"",', before="[", after='""]'),
    "walks": repeat("a:walk(1,0) "),
    "moves of a list": repeat("RM(0,left),"),
}  # fmt: skip
OWN = {"shiftit": {**SHIFTIT, **STRUCTURE}, "sokoban": SOKOBAN, "robots": ROBOTS, "twenty48": TWENTY48}
SHAPES = {name: shape for shapes in (ANY, OTHERS, *OWN.values()) for name, shape in shapes.items()}


def large_board(side: int) -> str:
    """A square board of boxes and depots, a blank line behind it."""
    wall, row = "#" * side, "#" + "$." * ((side - 4) // 2) + "-" * (side % 2) + "  #"
    first = "#@" + "-" * (side - 3) + "#"
    return "\n".join([wall, first, *[row] * (side - 3), wall]) + "\n\n"


# -- measuring


def peak() -> float:
    """MB of memory at the peak since the last call; since the beginning, where the system cannot tell."""
    try:
        found = next(line for line in Path("/proc/self/status").read_text().splitlines() if "VmHWM" in line)
        Path("/proc/self/clear_refs").write_text("5")
        return int(found.split()[1]) / 1024
    except (OSError, StopIteration):
        unit = 1 if sys.platform == "darwin" else 1024
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit / MIB


def measure(reader: Reader, text: str, mib: float, answer: Connection) -> None:
    """Read a text in this process and send seconds, MB and the error of another kind, if one is raised."""
    seconds = int(CUT_OFF * mib) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_AS, (ROOM, ROOM))
    peak()
    before, began, fault = peak(), time.process_time(), ""
    try:
        reader.read(text)
    except GridproofError as error:
        str(error)
    except Exception as error:  # noqa: BLE001  # the fault that is looked for
        fault = f"{type(error).__name__}: {str(error)[:60]}"
    answer.send((time.process_time() - began, peak() - before, fault))


class Result(NamedTuple):
    """What a reader takes for each MiB of a shape."""

    reader: str
    shape: str
    seconds: float
    megabytes: float
    fault: str

    @property
    def fine(self) -> bool:
        """True if it is within the limits."""
        return self.seconds <= SECONDS and self.megabytes <= MEGABYTES and not self.fault

    def __str__(self) -> str:
        figures = f"{self.seconds:7.3f} s {self.megabytes:7.1f} MB"
        return f"{self.reader:24} {self.shape:32} {figures}  {self.fault}".rstrip()


def measure_apart(reader: Reader, shape: str, size: int) -> Result:
    """Let a reader read a shape in a process of its own."""
    text = SHAPES[shape](size)
    mib = max(1.0, len(text.encode("utf-8", "surrogatepass")) / MIB)
    context = multiprocessing.get_context("fork")  # everything is loaded already
    ours, theirs = context.Pipe(duplex=False)
    process = context.Process(target=measure, args=(reader, text, mib, theirs))
    process.start()
    theirs.close()
    try:
        seconds, megabytes, fault = ours.recv()
    except EOFError:
        seconds, megabytes, fault = CUT_OFF * mib, 0.0, "given up"
    process.join()
    return Result(reader.name, shape, seconds / mib, megabytes / mib, fault)


def shapes_for(name: str) -> list[str]:
    """The shapes that a reader meets: those of other games only where formats are recognised."""
    own = OWN.get(name.partition("/")[0], {})
    return list(SHAPES) if name == "formats" else [*ANY, *OTHERS, *own]


def results(name: str, shapes: list[str], size: int) -> Iterator[Result]:
    """What a reader takes for these shapes, or for all that it meets."""
    reader = readers()[name]
    for sample in reader.samples:  # so that everything is loaded
        with contextlib.suppress(GridproofError):
            reader.read(sample)
    return (measure_apart(reader, shape, size) for shape in shapes or shapes_for(name))


def main() -> None:
    """Print the worst of each reader, and what is over the limits."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="READER")
    parser.add_argument("--mib", type=int, default=1, help="MiB of each text")
    parser.add_argument("--shape", action="append", choices=SHAPES, metavar="SHAPE", help="this shape alone")
    options = parser.parse_args()
    count, wrong = 0, []
    for name in options.names or readers():
        own = []
        for result in results(name, options.shape, options.mib * MIB):
            own.append(result)
            if options.names:
                print(result, flush=True)
        count += len(own)
        wrong += [result for result in own if not result.fine]
        if not options.names:
            print(max(own, key=lambda result: result.seconds), flush=True)
            print(max(own, key=lambda result: result.megabytes), flush=True)
    print(
        f"{count} texts of {options.mib} MiB; over {SECONDS:g} s or {MEGABYTES:g} MB for each MiB: {len(wrong)}"
    )
    print(*wrong, sep="\n")


if __name__ == "__main__":
    main()
