"""Tests of tasks on Ray; skipped where it is not (`make test-ray` brings it)."""

from __future__ import annotations

import contextlib
import math
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

import gridproof as gp
from gridproof.jobs import SystemFailure, Task, processes, run

from . import tasks
from .test_run import squares, task

os.environ["RAY_AUTH_MODE"] = "disabled"  # else Ray writes a token into the home folder
os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
ray = pytest.importorskip("ray", reason="`make test-ray` brings Ray")

pytestmark = [pytest.mark.long, pytest.mark.keeps_a_thread]
STORE = 80 * 1024 * 1024
"""Bytes of the object store of a node; by default it takes a share of the machine's memory."""


@contextlib.contextmanager
def short_folder() -> Iterator[None]:
    """Paths of sockets have about a hundred characters at most."""
    with (
        tempfile.TemporaryDirectory(dir="/tmp", ignore_cleanup_errors=True) as folder,
        pytest.MonkeyPatch.context() as patch,
    ):
        patch.setenv("RAY_TMPDIR", folder)
        yield


@pytest.fixture(autouse=True)
def _short_folder() -> Iterator[None]:
    """A folder of the test's own, in which it finds no other cluster."""
    with short_folder():
        yield


@pytest.fixture
def start_cluster() -> Iterator[Callable[..., Any]]:
    """Start a cluster with a head of some cores; other nodes can be added."""
    clusters = list[Any]()

    def start(cores: int, **options: Any) -> Any:
        clusters.append(start_head(cores, **options))
        return clusters[-1]

    yield start
    ray.shutdown()
    for cluster in clusters:
        cluster.shutdown()


def start_head(cores: int, **options: Any) -> Any:
    from ray.cluster_utils import Cluster

    head = {"num_cpus": cores, "object_store_memory": STORE, **options}
    return Cluster(initialize_head=True, head_node_args=head)


@pytest.fixture(scope="module")
def shared_cluster() -> Iterator[Any]:
    """A cluster for tests that end no node of it: to start one takes seconds."""
    with short_folder():
        cluster = start_head(2)
        yield cluster
        cluster.shutdown()


@pytest.fixture
def here(shared_cluster: Any) -> Iterator[None]:
    ray.init(shared_cluster.address, log_to_driver=False)
    yield
    ray.shutdown()


def test_ray_starts_and_ends_with_the_run() -> None:
    values = {result.key: result.value for result in run(squares(0, 1000), "ray")}
    assert values == {str(number): number * number for number in range(1000)}
    assert not ray.is_initialized()


@pytest.mark.usefixtures("here")
def test_ray_reports_errors_and_tries_again_only_what_the_system_lost(tmp_path: Path) -> None:
    wrong, once, always = (tmp_path / name for name in ("wrong", "once", "always"))
    all_tasks = [
        task("wrong", "refuse_with_note", str(wrong)),
        task("once", "die_once", str(once)),
        task("always", "die", str(always)),
        task("none", "nowhere"),
        task("broken", "break_down", 3),
        *squares(0, 20),
    ]
    found = {result.key: result for result in run(all_tasks, "ray")}
    assert {key: str(one.error) for key, one in found.items() if one.error} == {
        "wrong": "no level",
        "always": "its process died, perhaps because memory ran out (3 times)",
        "none": f"there is no function {tasks.__name__}:nowhere: module {tasks.__name__!r} has no attribute 'nowhere'",
        "broken": "Unreadable: 3 and 3",
    }
    assert isinstance(found["always"].error, SystemFailure)
    assert not isinstance(found["wrong"].error, SystemFailure)
    assert found["once"].value == "done"
    assert [found[str(number)].value for number in range(20)] == [number**2 for number in range(20)]
    counts = [len(log.read_text().splitlines()) for log in (wrong, once, always)]
    assert counts == [1, 2, processes.TRIES]


@pytest.mark.usefixtures("here")
def test_ray_limits_time_and_memory_of_each_task() -> None:
    limit = gp.Limit(seconds=1, memory=1 << 28)
    all_tasks = [
        task("late", "hang"),
        task("greedy", "take_memory", 2 << 30),
        task("fine", "take_memory", 1 << 20),
        task("limited", "count_until_stopped"),
    ]
    found = {result.key: result for result in run(all_tasks, "ray", limit)}
    assert str(found["late"].error) == "no answer in time"
    assert str(found["greedy"].error) == "not enough memory"
    assert found["fine"].value == 1 << 20
    assert found["limited"].value == (1, 1 << 28)


@pytest.mark.usefixtures("here")
def test_ray_ends_when_stop_is_set() -> None:
    stop = threading.Event()
    timer = threading.Timer(3.0, stop.set)
    timer.start()
    ended = list(run((task(number, "hang") for number in range(100)), "ray", gp.Limit(stop=stop)))
    timer.join()
    assert 1 <= len(ended) <= 4
    assert {str(result.error) for result in ended} == {"it was stopped"}


@pytest.mark.usefixtures("here")
def test_ray_takes_tasks_in_batches_when_there_is_work_for_them() -> None:
    taken = list[Task]()

    def noted() -> Iterator[Task]:
        for one in squares(0, 1_000_000):
            taken.append(one)
            yield one

    results = run(noted(), "ray")
    first = [next(results) for _ in range(2000)]
    assert len({result.key for result in first}) == 2000
    assert len(taken) < 100_000
    results.close()


@pytest.mark.usefixtures("here")
def test_ray_tasks_of_lost_batches_are_tried_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """A task that ends the Ray worker itself costs no other task."""
    monkeypatch.setattr("gridproof.jobs.ray_cluster.LARGEST_BATCH", 4)
    killer = task("killer", "kill_parent")
    found = {result.key: result for result in run([*squares(0, 40), killer, *squares(40, 80)], "ray")}
    assert str(found.pop("killer").error).startswith("Ray lost it 3 times: ")
    assert {key: result.value for key, result in found.items()} == {
        str(number): number**2 for number in range(80)
    }


def test_ray_loses_and_repeats_nothing_when_nodes_come_and_go(start_cluster: Callable[..., Any]) -> None:
    cluster = start_cluster(1)
    nodes = [cluster.add_node(num_cpus=1, object_store_memory=STORE) for _ in range(3)]
    cluster.wait_for_nodes()
    ray.init(cluster.address, log_to_driver=False)
    keys = Counter[str]()
    for result in run((task(number, "square", number, seconds=0.04) for number in range(1000)), "ray"):
        keys[result.key] += 1
        assert result.value == int(result.key) ** 2
        if len(keys) == 300:
            cluster.remove_node(nodes[1], allow_graceful=False)
        if len(keys) == 500:
            cluster.add_node(num_cpus=1, object_store_memory=STORE)
    assert keys == Counter(map(str, range(1000)))


PROGRAM = """
import sys
import gridproof as gp
if __name__ == "__main__":
    where, function, *arguments = sys.argv[1:]
    tasks = (gp.jobs.Task(str(number), function, (*arguments, number)) for number in range(-1, 50))
    try:
        for result in gp.jobs.run(tasks, where):
            print(result.key, result.error or result.value, flush=True)
    except gp.GridproofError as error:
        print(error)
"""
"""A driver in a process of its own: Ray's client, and what Ctrl-C ends, leave nothing in ours."""


def start_driver(folder: Path, *arguments: str) -> subprocess.Popen[str]:
    program = folder / "program.py"
    program.write_text(PROGRAM)
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, str(program), *arguments]
    return subprocess.Popen(
        command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def test_ray_client_runs_tasks_of_a_distant_cluster(
    start_cluster: Callable[..., Any], tmp_path: Path
) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    start_cluster(2, ray_client_server_port=port)
    out, _ = start_driver(tmp_path, f"ray://127.0.0.1:{port}", "math:isqrt").communicate(timeout=300)
    found = dict(line.split(" ", 1) for line in out.splitlines())
    assert found.pop("-1") == "isqrt() argument must be nonnegative"
    assert found == {str(number): str(math.isqrt(number)) for number in range(50)}


def test_ray_solves_levels_into_a_folder(tmp_path: Path) -> None:
    out = tmp_path / "results"
    command = [sys.executable, "-m", "gridproof", "solve", "null/first", "--where", "ray", "--out", str(out)]
    assert subprocess.run(command, check=False, timeout=300, capture_output=True).returncode == 0
    names = gp.dataset(out).table()["level"].to_pylist()
    assert sorted(names) == [f"null/first/{number}" for number in range(1, len(names) + 1)]
    assert len(names) == len(gp.levels_at("null/first"))


def test_ray_refuses_address_without_a_cluster(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RAY_CLIENT_INITIAL_CONNECTION_TIMEOUT_S", "1")  # Ray tries three times, 35 s in all
    out, _ = start_driver(tmp_path, "ray://127.0.0.1:1", "math:isqrt").communicate(timeout=300)
    assert out.startswith("no Ray cluster at ray://127.0.0.1:1: ")
    assert len(out.splitlines()) == 1


def test_ray_work_ends_at_ctrl_c(tmp_path: Path) -> None:
    driver = start_driver(tmp_path, "ray", f"{tasks.__name__}:write_pid", str(tmp_path))
    while len(found := list(tmp_path.glob("*.pid"))) < 2:
        assert driver.poll() is None
        time.sleep(0.05)
    driver.send_signal(signal.SIGINT)
    assert "KeyboardInterrupt" in driver.communicate(timeout=120)[1]
    deadline = time.monotonic() + 60
    while any(psutil.pid_exists(int(path.stem)) for path in found):
        assert time.monotonic() < deadline
        time.sleep(0.05)
