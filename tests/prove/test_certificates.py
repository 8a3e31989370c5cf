"""Tests of certificates: written for impossible goals, verified by the rules alone, refused when corrupted."""

from __future__ import annotations

import gc
import importlib
import json
import tracemalloc
from pathlib import Path
from random import Random
from typing import IO, Any

import pytest
from tests.prove import corruption
from tests.prove.corruption import File

import gridproof as gp
from gridproof.core.text.files import open_atomic
from gridproof.games.sokoban.grid import Grid
from gridproof.prove import certificate_file
from gridproof.prove.certify import certify

STUCK = "@.\n $# #\n  .\n $  #\n# ##\n"
TWO_BOXES = "#######\n#@    #\n# $$  #\n#  #..#\n#######\n"
WON = "#######\n#@----#\n#-----#\n#--#**#\n#######\nBombs: 0\n"
NEVER_TWO = "Bombs: 1\n\n####\n#@$#\n#  #\n#.##\n####\n"
ROBOTS = "robots 3x1\na: rule=A rotation=0\nboard:\na . A\n"


def level(text: str) -> gp.Level:
    (found,) = gp.read(text)
    return found


def certificate(path: Path, text: str, goal: str, actors: str | None = None) -> gp.Verified:
    found = certify(level(text), path, goal, actors)
    assert found.holds
    answer = gp.verify(path)
    assert answer.positions == found.positions
    return answer


@pytest.mark.parametrize(
    ("text", "goal", "kind"),
    [
        ("#######\n#@    #\n#$ $  #\n#  #..#\n#######\n", "won", "pushes"),
        ("#######\n#@    #\n#$ $  #\n#  #..#\n#######\n", "bombs = 1", "closed"),
        ("Bombs: 1\n\n#######\n#@#   #\n#$#$  #\n#  #..#\n#######\n", "won", "pushes"),
        ("2048 2x2 target=64\n", "won", "closed"),
        ("2048 2x2\n2 2\n4 0\n", "tile(64)", "closed"),
        ("shiftit 2x2\nbrrb rryy\nggrr roor\n", "!won", "closed"),
    ],
)
def test_certificate_of_impossible_level_holds(tmp_path: Path, text: str, goal: str, kind: str) -> None:
    (found,) = gp.read(text)
    made = certify(found, tmp_path / "certificate", goal)
    if made.holds is False:
        assert gp.solve(found, goal=goal).found
        assert not (tmp_path / "certificate").exists()
        return
    answer = gp.verify(tmp_path / "certificate")
    assert (answer.holds, answer.reason, answer.positions) == (True, "", made.positions)
    assert answer.statement is not None
    assert (answer.statement.level, answer.statement.kind) == (found, kind)


def test_gzipped_certificate_is_equal(tmp_path: Path) -> None:
    plain, packed = tmp_path / "plain", tmp_path / "packed.gz"
    for path in (plain, packed):
        assert certificate(path, "2048 2x2 target=64\n", "won").holds
    assert gp.verify(plain)[:3] == gp.verify(packed)[:3]
    assert packed.stat().st_size < plain.stat().st_size / 2


def test_certificate_is_not_written_when_reachable_or_at_limit(tmp_path: Path) -> None:
    path = tmp_path / "certificate"
    for text, goal in (("#####\n#@$.#\n#####\n", "won"), ("#####\n#@$.#\n#####\n", "placed = 1")):
        reachable = certify(level(text), path, goal)
        assert (reachable.holds, str(reachable)) == (False, "no certificate: the goal can be reached")
    stopped = certify(level(TWO_BOXES), path, "bombs = 1", limit=gp.Limit(states=5))
    assert (stopped.holds, stopped.stopped_by) == (None, "states")
    assert str(stopped).startswith("no certificate: the limit of positions was reached")
    assert not path.exists()
    with pytest.raises(gp.GridproofError, match=r"nowhere.file: there is no folder .*nowhere$"):
        certify(level(TWO_BOXES), tmp_path / "nowhere" / "file")


class WhenWritten:
    """A stop that is set as soon as a file is there."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def is_set(self) -> bool:
        return any(self._folder.iterdir())


def test_stopped_certify_leaves_no_file(tmp_path: Path) -> None:
    limit = gp.Limit(stop=WhenWritten(tmp_path))
    stopped = certify(level(STUCK), tmp_path / "certificate.gz", limit=limit)
    assert (stopped.holds, stopped.stopped_by) == (None, "stop")
    assert not any(tmp_path.iterdir())


def test_position_and_actors_are_certified(tmp_path: Path) -> None:
    robots = gp.levels_at("robots/yards/2")[0]
    path = tmp_path / "certificate"
    found = certify(robots, path, "won(b)", ("a",))
    answer = gp.verify(path)
    assert found.holds
    assert answer.holds
    assert json.loads(path.read_text().splitlines()[0])["actors"] == ["a"]
    moved = robots.start().outcomes(robots.start().actions()[0])
    assert certify(next(iter(moved)).position, path, "won(b)", ("a",)).holds
    assert gp.verify(path).holds


def test_certificate_is_refused_when_it_names_an_unknown_actor_among_others(tmp_path: Path) -> None:
    path = tmp_path / "certificate"
    assert certify(gp.levels_at("robots/yards/2")[0], path, "won(b)", ("a",)).holds
    reason = gp.verify(rewritten(path, '"actors": ["a"]', '"actors": ["a", "nobody"]')).reason
    assert reason.startswith("line 1: one level, a start, and actors: null, all or of a, b")


def test_certificate_may_list_more_positions_in_any_order(tmp_path: Path) -> None:
    path = tmp_path / "certificate"
    certificate(path, TWO_BOXES, "bombs = 1")
    file = corruption.read(path, WON)
    path.write_bytes(file.listing(sorted(file.texts)).bytes())
    assert gp.verify(path).holds
    certificate(tmp_path / "other", "#######\n#@    #\n# $$  #\n#  #..#\n#######\n", "bombs = 1")
    pushed = certify(
        gp.position("#######\n#-----#\n#@$---#\n#--#*.#\n#######\nBombs: 0\n"), tmp_path / "two", "bombs = 1"
    )
    assert pushed.holds


def test_verify_refuses_number_that_is_too_long(tmp_path: Path) -> None:
    path = tmp_path / "proof"
    path.write_text(f'{{"version": {"1" * 6000}}}\n')
    assert gp.verify(path).reason == "line 1: damaged: a number that is too long"


def test_verify_names_another_version(tmp_path: Path) -> None:
    path = tmp_path / "certificate"
    certificate(path, TWO_BOXES, "bombs = 1")
    reason = gp.verify(rewritten(path, '"version": 1', '"version": 2')).reason
    assert reason == "line 1: version 1 of certificates is read, not 2"


def test_verify_names_first_wrong_position(tmp_path: Path) -> None:
    path = tmp_path / "certificate"
    certificate(path, TWO_BOXES, "bombs = 1")
    file = corruption.read(path, WON)
    texts = [text for text in file.texts if text != file.texts[1]]
    path.write_bytes(file.listing(texts).bytes())
    answer = gp.verify(path)
    assert not answer.holds
    assert answer.reason.startswith("line 2: ")
    assert answer.reason.endswith(f" leads to a position that is not listed:\n{file.texts[1]}")
    path.write_bytes(file.but(goal="at(5,1)").bytes())
    first = next(number for number, text in enumerate(file.texts, 2) if text.splitlines()[1][5] in "@+")
    assert gp.verify(path).reason.startswith(f"line {first}: at(5,1) holds here:")
    path.write_bytes(file.bytes().replace(b"\\n#", b"\\n #", 3))
    assert gp.verify(path).reason.startswith("line 1: ")


@pytest.mark.parametrize("name", ["nothing", ".", "a\0b"])
def test_verify_refuses_unreadable_files(tmp_path: Path, name: str) -> None:
    with pytest.raises(gp.GridproofError):
        gp.verify(tmp_path / name)


@pytest.mark.parametrize("change", [{"game": "null"}, {"starts": ["#"]}, {"goal": "bombs = 0"}])
def test_verify_closes_damaged_file(
    change: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path, opened, open_path = tmp_path / "certificate", list[IO[Any]](), Path.open

    def record(self: Path, *args: Any, **options: Any) -> IO[Any]:
        opened.append(open_path(self, *args, **options))
        return opened[-1]

    certificate(path, STUCK, "won")
    path.write_bytes(corruption.read(path, "").but(**change).bytes())
    monkeypatch.setattr(Path, "open", record)
    gc.disable()
    try:
        assert not gp.verify(path).holds
        assert opened
        assert all(file.closed for file in opened)
    finally:
        gc.enable()


@pytest.fixture
def files(tmp_path: Path) -> list[File]:
    """Small certificates of each kind, and a position with the goal of each."""
    found = []
    for text, goal, won in (
        (STUCK, "won", "@*---\n--#-#\n--*--\n----#\n#-##-\nBombs: 0\n"),
        ("2048 2x2\n2 2\n4 0\n", "tile(64)", "2048 2x2\n64 2\n4 0\n"),
        ("2048 2x2\n2 2\n4 0\n", "won", "2048 2x2 target=2048\n2048 2\n4 0\n"),
    ):
        certificate(tmp_path / "made", text, goal)
        found.append(corruption.read(tmp_path / "made", won))
    return found


def refuses(files: list[File], tmp_path: Path, number: int, seed: int) -> None:
    for what, name, data in corruption.corrupt_files(files, number, seed):
        path = tmp_path / name
        path.write_bytes(data)
        answer = gp.verify(path)
        assert not answer.holds, what
        assert answer.reason.startswith("line "), what


@pytest.mark.slow
@pytest.mark.usefixtures("only_new_garbage")
def test_corrupted_certificate_is_refused(files: list[File], tmp_path: Path) -> None:
    refuses(files, tmp_path, 4 * len(corruption.CORRUPTIONS), seed=1)


@pytest.mark.slow
def test_thousand_corrupted_certificates_are_refused(files: list[File], tmp_path: Path) -> None:
    refuses(files, tmp_path, 1000, seed=2)


def test_certificate_is_written_atomically(tmp_path: Path) -> None:
    path = tmp_path / "file.gz"
    with pytest.raises(ZeroDivisionError), open_atomic(path, packed=True) as file:
        file.write(f"{1 / 0}")
    assert not list(tmp_path.iterdir())
    with pytest.raises(gp.GridproofError), open_atomic(path) as file:
        file.write("\ud800")
    assert not list(tmp_path.iterdir())


def test_corruptions_change_the_certificate(files: list[File]) -> None:
    for spoil in corruption.CORRUPTIONS:
        assert all(spoil(file, Random(number)) != file.bytes() for file in files for number in range(9)), (
            spoil
        )


def test_verifier_is_short() -> None:
    for module in ("prove/verify.py", "prove/certificate_file.py", "games/sokoban/certificate/check.py"):
        assert len((Path(gp.__file__).parent / module).read_text().splitlines()) <= 150, module
    for path in (Path(gp.__file__).parent / "prove/checkers").glob("*.py"):
        assert len(path.read_text().splitlines()) <= 260, path


def rewritten(path: Path, old: str, new: str) -> Path:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    return path


@pytest.mark.parametrize("key", ['"goal": "won", ', '"level": "", ', '"gridproof": "certificate", '])
def test_duplicate_key_is_refused(tmp_path: Path, key: str) -> None:
    path = tmp_path / "one"
    assert certificate(path, STUCK, "won").holds
    answer = gp.verify(rewritten(path, "{", "{" + key))
    assert (answer.holds, answer.reason) == (
        False,
        f"line 1: damaged: the key {key.split(':', maxsplit=1)[0]} is there twice".replace('"', "'"),
    )


def test_duplicate_key_of_lemma_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "one"
    assert certificate(path, STUCK, "won").holds
    lemma = '"lemmas": [{"trap": [[0, 0]], "trap": [[1, 1]]}, '
    assert "'trap' is there twice" in gp.verify(rewritten(path, '"lemmas": [', lemma)).reason


def test_certificate_is_bound_to_a_level(tmp_path: Path) -> None:
    path = tmp_path / "one"
    assert certificate(path, STUCK, "won").holds
    assert gp.verify(path, level(STUCK)).holds
    other = gp.verify(path, level(TWO_BOXES))
    assert (other.holds, other.reason.split(":")[:2]) == (
        False,
        ["line 1", " it covers another level, or not all starts"],
    )
    wrong: Any = 13
    with pytest.raises(gp.GridproofError, match=r"^a level is needed, not int$"):
        gp.verify(path, wrong)


def test_certificate_is_bound_to_all_starts_of_a_level(tmp_path: Path) -> None:
    path, board = tmp_path / "one", level("2048 2x2 target=64\n")
    assert certify(board, path, "won").holds
    assert gp.verify(path, board).holds
    assert certify(board.start(), path, "won").holds
    assert gp.verify(path).holds
    assert gp.verify(path, board).holds is False


def room(size: int, path: Path, kind: str = "pushes", bombs: int = 0) -> Path:
    """A certificate of one position in an empty room, with a box in a corner."""
    rows = [[" "] * size for _ in range(size)]
    for number in range(size):
        rows[0][number] = rows[-1][number] = rows[number][0] = rows[number][-1] = "#"
    rows[1][1], rows[3][3], rows[size - 2][size - 2] = "$", "@", "."
    found = level(f"Bombs: {bombs}\n\n" + "".join(f"{''.join(row)}\n" for row in rows))
    start = found.start().text()
    header = {"gridproof": "certificate", "version": 1, "game": "sokoban", "level": found.text(), "starts": [start],
              "goal": "won", "actors": None, "positions": 1, "kind": kind, "lemmas": []}  # fmt: skip
    path.write_text(f"{json.dumps(header)}\n{json.dumps(start)}\n")
    return path


@pytest.mark.parametrize(("kind", "bombs"), [("pushes", 0), ("pushes", 1), ("closed", 0)])
def test_verify_of_large_room_uses_memory_of_its_cells_only(tmp_path: Path, kind: str, bombs: int) -> None:
    path = room(250, tmp_path / "room", kind, bombs)
    tracemalloc.start()
    try:
        assert gp.verify(path).holds is (kind == "pushes" and not bombs)
        _, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert most < 250 * 250 * 200  # the bits of each cell would be 500 MB


@pytest.mark.parametrize(
    ("limit", "why"), [({"states": 16}, "states"), ({"memory": 1}, "memory"), ({"seconds": 0}, "seconds")]
)
def test_limit_ends_verify_without_answer(tmp_path: Path, limit: dict[str, Any], why: str) -> None:
    path = tmp_path / "one"
    assert certificate(path, STUCK, "won").holds
    assert gp.verify(path, limit=gp.Limit(states=17, seconds=60)).holds
    answer = gp.verify(path, limit=gp.Limit(**limit))
    assert (answer.holds, answer.reason) == (
        None,
        f"the limit of {why} was reached before the end",
    )


class Count:
    """A stop that is never set, and counts how often it is looked at."""

    looks = 0

    def is_set(self) -> bool:
        self.looks += 1
        return False


@pytest.mark.slow
@pytest.mark.parametrize("part", ["squares", "lemmas", "starts", "goal", "level"])
def test_verify_looks_at_its_limit_in_each_part_of_a_certificate(part: str, tmp_path: Path) -> None:
    path, counts = room(100, tmp_path / "room"), list[int]()
    header, start = map(json.loads, path.read_text().splitlines())
    changes: dict[str, dict[str, Any]] = {
        "squares": {"lemmas": [{"trap": [[x, y] for y in range(100) for x in range(100)]}]},
        "lemmas": {"lemmas": [{"freeze": [[1, 1]]}] * 9},
        "starts": {"starts": [start] * 9},
        "goal": {"goal": "bombs = 5"},
        "level": {"level": f"{header['level']}\n" * 9},
    }
    for change in ({}, {}, changes[part]):
        path.write_text(f"{json.dumps(header | change)}\n{json.dumps(start)}\n")
        stop = Count()
        gp.verify(path, limit=gp.Limit(stop=stop))
        counts.append(stop.looks)
    _, plain, changed = counts  # the first of a process looks once more, when it loads what it needs
    assert changed >= plain + 2


def test_memory_limit_ends_verify_while_a_lemma_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = room(150, tmp_path / "room")
    header, start = map(json.loads, path.read_text().splitlines())
    header["lemmas"] = [{"trap": [[x, y] for y in range(150) for x in range(150)]}]
    path.write_text(f"{json.dumps(header)}\n{json.dumps(start)}\n")
    read: list[int] = []
    to_places = Grid.to_places

    def count(grid: Grid, cells: Any) -> int:
        read.append(1)
        return to_places(grid, cells)

    monkeypatch.setattr(Grid, "to_places", count)
    monkeypatch.setattr("gridproof.core.limit.memory_in_use", lambda: 10**9 * (len(read) > 6))
    monkeypatch.setattr("gridproof.core.limit._MEMORY_INTERVAL", 0)
    answer = gp.verify(path, limit=gp.Limit(memory=10**8))
    assert (answer.holds, answer.reason) == (None, "the limit of memory was reached before the end")
    assert len(read) == 7


def test_stop_ends_verify_during_a_walk(tmp_path: Path) -> None:
    class Later:
        looks = 0

        def is_set(self) -> bool:
            self.looks += 1
            return self.looks > 5

    answer = gp.verify(room(300, tmp_path / "room"), limit=gp.Limit(stop=Later()))
    assert (answer.holds, answer.reason) == (
        None,
        "the limit of stop was reached before the end",
    )


def test_file_changed_during_verify_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "one"
    assert certificate(path, TWO_BOXES, "bombs = 1").holds
    header, *texts = path.read_text().splitlines(keepends=True)
    before = [header, *reversed(texts)]  # so that positions are read before something leads to them
    read_texts = certificate_file.CertificateFile.read_texts

    for lines in (before[:-1], [header, before[2], before[1], *before[3:]], [*before, before[-1]]):

        def read_and_change(self: Any, positions: int, lines: list[str] = lines) -> None:
            read_texts(self, positions)
            path.write_text("".join(lines))

        path.write_text("".join(before))
        monkeypatch.setattr(certificate_file.CertificateFile, "read_texts", read_and_change)
        answer = gp.verify(path)
        assert not answer.holds
        assert answer.reason.endswith("the file changed while it was read")


def test_garbage_collection_is_paused_during_verify(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    certificate(tmp_path / "one", "2048 2x2 target=64\n", "won")
    collects: list[bool] = []
    checker = importlib.import_module("gridproof.prove.verify")
    monkeypatch.setattr(checker, "_check_closed", lambda *_: collects.append(gc.isenabled()))
    assert gp.verify(tmp_path / "one").holds
    assert collects == [False]
    assert gc.isenabled()


def test_caches_of_rules_are_cleared_after_verify(tmp_path: Path) -> None:
    robots = gp.levels_at("robots/yards/2")[0]
    assert certify(robots, tmp_path / "one", "won(b)", ("a",)).holds
    said = gp.verify(tmp_path / "one").statement
    assert said is not None
    assert "walk_cache" not in vars(said.level)
    next(iter(said.starts)).successors("a")
    assert "walk_cache" in vars(said.level)


def test_verify_refuses_other_types() -> None:
    wrong: Any = 3
    with pytest.raises(gp.GridproofError, match=r"^a file \(str or Path\) is needed, not int$"):
        gp.verify(wrong)


@pytest.mark.parametrize(("kind", "text"), [("ctlx", "'ctlx'"), (None, "None"), (["closed"], "['closed']")])
def test_unknown_kind_is_named_with_the_known_ones(kind: Any, text: str, tmp_path: Path) -> None:
    path = tmp_path / "proof"
    for formula in ("AG !won", "AG EF won"):
        gp.certify("sokoban/first-steps/1", path, formula=formula)
        header, *rest = path.read_text().splitlines()
        path.write_text("\n".join([json.dumps(json.loads(header) | {"kind": kind}), *rest]))
        reason = gp.verify(path).reason
        assert reason.startswith(f"line 1: the kind {text} is not known; the kinds are closed, coalition, ")
        assert ", pushes, " in reason
