"""What all tests share: level files of other people, and how hard hypothesis tries."""

from __future__ import annotations

import gc
import os
import shutil
import signal
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from tests.leaks import list_checkout, list_resources, wait_until_released
from tests.measurement import USUAL, Clock
from tests.packs import Late

from gridproof.core import limit, registry
from gridproof.core.game import Game

SHARED_FILES = (
    "Microban_155.xsb",
    "Microban_III.xsb",
    "Sasquatch_50.xsb",
    "Takaken.slc",
    "XSokoban_90.xsb",
    "Yoshio_Murase_Handmade_54.xsb",
    "boxoban_hard_000.xsb",
    "boxoban_medium_valid_000.xsb",
    "boxoban_unfiltered_test_000.xsb",
    "microban.slc",
)
"""Level files of other people: read where they lie, never copied into the project."""

ROOM = os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", tempfile.gettempdir())
"""Where failed tests' folders can be looked at. Pytest inside pytest uses it, too: Chromium's socket needs a short path."""

_kept = tempfile.TemporaryDirectory(prefix="gridproof-tests-", dir=ROOM)
os.environ["GRIDPROOF_STORE"] = f"sqlite:///{_kept.name}/store.sqlite"  # tests never write a person's (T4)

_temporary = tempfile.TemporaryDirectory(prefix="gridproof-tests-", dir=ROOM)
os.chmod(_temporary.name, 0o755)  # a database's user reads there
os.environ["TMPDIR"] = tempfile.tempdir = _temporary.name  # what is left there is a test's
_checkout = list_checkout()

signal.signal(signal.SIGINT, signal.default_int_handler)  # ignored in the background, by children too

gc.set_threshold(100_000, 20, 100)  # to look for garbage among all that tests keep took a tenth of their time

SAME = bool(os.environ.get("CI"))
"""Whether every run has the same examples, so that a change is judged by itself and not by luck."""

for _name, _examples in (("fast", 20), ("usual", USUAL), ("thorough", 2000)):
    settings.register_profile(
        _name,
        deadline=None,
        max_examples=_examples,
        derandomize=SAME and _name != "thorough",
        suppress_health_check=[HealthCheck.too_slow],  # so may be the machine
    )


def pytest_configure(config: pytest.Config) -> None:
    """Fewer examples where slow tests are left out, unless HYPOTHESIS_PROFILE says how many."""
    usual = "fast" if config.getoption("markexpr").endswith("not slow") else "usual"
    settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", usual))


def pytest_itemcollected(item: pytest.Item) -> None:
    """What is long is slow."""
    if item.get_closest_marker("long"):
        item.add_marker("slow")


def _shared_folder() -> Path:
    named = os.environ.get("GRIDPROOF_LEVELS")
    return Path(named) if named else Path(__file__).parents[2] / "shared" / "levels"


def _missing() -> list[str]:
    folder = _shared_folder()
    return [name for name in SHARED_FILES if not (folder / name).is_file()]


@pytest.fixture(scope="session")
def shared_levels() -> Path:
    """The folder of other people's level files (GRIDPROOF_LEVELS, or shared/levels beside the checkout)."""
    folder = _shared_folder()
    if not any(folder.glob("*.*")):
        pytest.skip(f"{len(SHARED_FILES)} level files are not there: set GRIDPROOF_LEVELS to their folder")
    return folder


@pytest.fixture(params=SHARED_FILES)
def shared_level_file(request: pytest.FixtureRequest) -> Path:
    """Each of other people's level files in turn."""
    path = _shared_folder() / str(request.param)
    if not path.is_file():
        pytest.skip(f"{path.name} is not there: set GRIDPROOF_LEVELS to its folder")
    return path


@pytest.fixture(autouse=True)
def leaks(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fail a test that leaves a thread, a child process, a socket or a file behind."""
    before = list_resources()
    yield
    gc.unfreeze()  # what a server in this process has frozen: `pause_gc` would count it each time
    if request.node.get_closest_marker("keeps_a_thread"):
        return  # a library's, which it keeps for the whole process
    left = wait_until_released(before)
    assert not left, f"the test leaves behind: {', '.join(sorted(left))}"


@pytest.fixture(autouse=True)
def _no_high_scores(monkeypatch: pytest.MonkeyPatch) -> None:
    """No high score of another test."""
    monkeypatch.setattr("gridproof.core.session._HIGH_SCORES", {})


@pytest.fixture(autouse=True)
def _no_earlier_solutions(monkeypatch: pytest.MonkeyPatch) -> None:
    """Solve as in a new process, where no engine has answered yet."""
    monkeypatch.setattr("gridproof.search.solve._solved", set())


@pytest.fixture
def close_stores(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Close each store that a test has opened, with its connections and the thread of its writer."""
    from gridproof.store import Store

    stores: list[Store] = []
    open_store = Store.__init__

    def note(self: Store, *arguments: Any, **named: Any) -> None:
        open_store(self, *arguments, **named)
        stores.append(self)

    monkeypatch.setattr(Store, "__init__", note)
    yield
    for store in stores:
        store.close()


@pytest.fixture
def register(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Game], None]]:
    """Registers a game for the time of a test, even under the name of another one."""
    loaders = dict(registry._loaders())

    def add(game: Game) -> None:
        loaders[game.name] = lambda: game
        registry.game.cache_clear()

    monkeypatch.setattr(registry, "_loaders", lambda: loaders)
    yield add
    registry.game.cache_clear()


@pytest.fixture(scope="session")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with its tables: to make them takes longer than most tests."""
    from gridproof.store import Store

    file = tmp_path_factory.mktemp("store") / "empty.sqlite"
    Store(f"sqlite:///{file}").close()
    return file


@pytest.fixture
def url(empty: Path, tmp_path: Path) -> str:
    """The address of a store of the test's own."""
    return f"sqlite:///{shutil.copy(empty, tmp_path / 'store.sqlite')}"


@pytest.fixture
def only_new_garbage() -> Iterator[None]:
    """Garbage is looked for among what the test makes, not among all that tests before it have kept."""
    gc.freeze()
    yield
    gc.collect()
    gc.unfreeze()


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The clock that limits look at, for the test to put forward."""
    instead = Clock()
    monkeypatch.setattr(limit, "time", instead)
    return instead


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Fail where files were left in the checkout; and let all that is kept end with the process, without looking for garbage."""
    gc.freeze()
    if list_checkout() - _checkout and not hasattr(session.config, "workerinput"):
        session.exitstatus = pytest.ExitCode.TESTS_FAILED


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say how many level files of other people were skipped."""
    if left := list_checkout() - _checkout:
        terminalreporter.write_line(f"the tests leave behind: {', '.join(sorted(left))}")
    missing = _missing()
    if missing:
        terminalreporter.write_line(
            f"{len(missing)} of {len(SHARED_FILES)} level files of other people were skipped "
            "(GRIDPROOF_LEVELS says where they are)"
        )


@pytest.hookimpl(tryfirst=True)
def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> None:
    """Make those parameters that are made late."""
    for name, value in pyfuncitem.funcargs.items():
        if isinstance(value, Late):
            pyfuncitem.funcargs[name] = value.make()
