"""Corruptions of certificate files, after which they prove nothing."""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any, NamedTuple


class File(NamedTuple):
    """A certificate."""

    header: dict[str, Any]
    texts: list[str]
    goal_text: str
    """A position of the level in which the goal holds."""

    def lines(self) -> list[str]:
        return [json.dumps(value) for value in (self.header, *self.texts)]

    def bytes(self) -> bytes:
        return "".join(f"{line}\n" for line in self.lines()).encode()

    def but(self, **changed: Any) -> File:
        return self._replace(header=self.header | changed)

    def listing(self, texts: list[str]) -> File:
        """The same header with other positions, as many as there are."""
        return self.but(positions=len(texts))._replace(texts=texts)


def read(path: Path, goal_text: str) -> File:
    lines = path.read_text().splitlines()
    return File(json.loads(lines[0]), [json.loads(line) for line in lines[1:]], goal_text)


def drop_text(file: File, random: Random) -> bytes:
    texts = list(file.texts)
    del texts[random.randrange(len(texts))]
    return file.listing(texts).bytes()


def change_text(file: File, random: Random) -> bytes:
    texts = list(file.texts)
    place = random.randrange(len(texts))
    text = texts[place]
    at = random.randrange(len(text))
    new = random.choice([letter for letter in "#@$.*+- ab0129\n\x00é" if letter != text[at]])
    texts[place] = random.choice([text[:at] + new + text[at + 1 :], text[:at] + text[at + 1 :], text + new])
    return file._replace(texts=texts).bytes()


def repeat_text(file: File, random: Random) -> bytes:
    return file.listing([*file.texts, random.choice(file.texts)]).bytes()


def change_count(file: File, random: Random) -> bytes:
    wrong = [-1, 0, len(file.texts) + 1, len(file.texts) - 1, 10**30, 1.5, True, None, str(len(file.texts))]
    return file.but(positions=random.choice(wrong)).bytes()


def change_starts(file: File, random: Random) -> bytes:
    starts: list[Any] = [
        [],
        [file.goal_text],
        [file.texts[0], file.goal_text],
        "",
        [None],
        [["x"]],
        [file.texts[0][:-1]],
    ]
    return file.but(starts=random.choice(starts)).bytes()


def add_goal(file: File, random: Random) -> bytes:
    texts = list(file.texts)
    texts.insert(random.randrange(len(texts) + 1), file.goal_text)
    return file.listing(texts).bytes()


def change_goal(file: File, random: Random) -> bytes:
    return file.but(
        goal=random.choice(["home", "!won", "never", "won &", "", None, "won(1,2)", "won" * 10**5])
    ).bytes()


def change_kind(file: File, random: Random) -> bytes:
    return file.but(kind=random.choice(["open", "", "CLOSED", None, "__import__", "os"])).bytes()


def add_lemma(file: File, random: Random) -> bytes:
    lemmas: list[Any] = [
        {"trap": [[1, 1], [2, 1], [2, 2]]}, {"freeze": [[2, 2]]}, {"trap": [[-1, 0]]}, {"trap": []}, {"freeze": [[99, 99]]},
        {"trap": [[1, 1], [1, 1]]}, {"frozen": [[1, 1]]}, {}, [], None, "trap", {"trap": {"x": 1}}, {"trap": [[1.0, 1.0]]},
        {"trap": [[True, 1]]}, {"trap": [[1, 1]], "frozen": [[1, 1]]}, {"trap": [[1, 1]], "freeze": [[1, 1]]}, {"trap": [[1, 1, 1]]},
    ]  # fmt: skip
    return file.but(lemmas=[*file.header["lemmas"], random.choice(lemmas)]).bytes()


def change_header(file: File, random: Random) -> bytes:
    key = random.choice(list(file.header))
    if random.random() < 0.3:
        return File({name: value for name, value in file.header.items() if name != key}, *file[1:]).bytes()
    if random.random() < 0.2:
        return file.but(**{f"{key}s": 1}).bytes()
    value = random.choice(
        [1.0, {}, {"a": []}, False, [[]], [1], "\ud800", 10**5000 // 7 if key == "x" else -7]
    )
    return file.but(**{key: value}).bytes()


def change_version(file: File, random: Random) -> bytes:
    changes: list[dict[str, Any]] = [
        {"version": 2}, {"version": True}, {"version": "1"}, {"gridproof": "trace"}, {"gridproof": 1},
    ]  # fmt: skip
    return file.but(**random.choice(changes)).bytes()


def change_game(file: File, random: Random) -> bytes:
    return file.but(
        game=random.choice(
            ["chess", "", "../x", "null", "shiftit" if file.header["game"] != "shiftit" else "null"]
        )
    ).bytes()


def change_level(file: File, random: Random) -> bytes:
    levels = [
        "#####\n#@$.#\n#####\n",
        "",
        "x",
        "robots 1x1",
        file.header["level"] * 2,
        file.header["level"][: random.randrange(9)],
    ]
    return file.but(level=random.choice(levels)).bytes()


def change_actors(file: File, random: Random) -> bytes:
    return file.but(
        actors=random.choice(["nobody", [], ["nobody"], [None], ["None"], [1], "None", {}, 0])
    ).bytes()


def add_line(file: File, random: Random) -> bytes:
    lines = [line.encode() for line in file.lines()]
    wrong = [
        b"", b"null", b"[]", b"17", b"{", b'"', b"[" * 200_000, b'"' + b"x" * 10**6 + b'"', b"\xff\xfe", b"1" * 10_000,
        b"{}", b'["a"]', b'"\\ud800"', b'"\\u0000"', b'""',
    ]  # fmt: skip
    lines.insert(random.randrange(len(lines) + 1), random.choice(wrong))
    return b"\n".join(lines) + b"\n"


def truncate(file: File, random: Random) -> bytes:
    data = file.bytes()
    return data[: random.randrange(len(data) - 1)]


def swap_lines(file: File, random: Random) -> bytes:
    lines = file.lines()
    place = random.randrange(1, len(lines))
    lines[0], lines[place] = lines[place], lines[0]
    return "".join(f"{line}\n" for line in lines).encode()


CORRUPTIONS: list[Callable[[File, Random], bytes]] = [
    drop_text, change_text, repeat_text, change_count, change_starts, add_goal, change_goal, change_kind,
    add_lemma, change_header, change_version, change_game, change_level, change_actors,
    add_line, truncate, swap_lines,
]  # fmt: skip


def damage_gzip(file: File, random: Random) -> bytes:
    data = bytearray(gzip.compress(file.bytes(), mtime=0))
    if random.random() < 0.5:
        return bytes(data[: random.randrange(len(data))])
    data[random.randrange(10, len(data))] ^= 1 << random.randrange(8)
    return bytes(data)


def corrupt_files(files: list[File], number: int, seed: int) -> Iterator[tuple[str, str, bytes]]:
    """Yield so many corrupt certificates: the corruption, a name for the file, and its bytes."""
    random = Random(seed)
    for count in range(number):
        file = random.choice(files)
        if count % 10 == 9:
            yield "damage_gzip", "certificate.gz", damage_gzip(file, random)
        else:
            corrupt = CORRUPTIONS[count % len(CORRUPTIONS)]
            yield corrupt.__name__, "certificate", corrupt(file, random)
