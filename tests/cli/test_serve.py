from __future__ import annotations

import importlib.util
import socket

import pytest

from gridproof.cli import serve

from .conftest import Run


def test_what_is_missing_is_told_with_what_installs_it(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    found = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name: None if name in serve.REQUIREMENTS else found(name)
    )
    answer = run("serve")
    assert answer.status == 2
    assert "serve needs fastapi, orjson, uvicorn, websockets: pip install 'gridproof[web]'" in answer.err


@pytest.mark.parametrize(
    ("option", "value"),
    [
        ("--port", "70000"),
        ("--port", "-1"),
        ("--each", "0"),
        ("--processes", "0"),
        ("--processes", "65"),
        ("--host", "no such host"),
    ],
)
def test_where_it_cannot_listen_is_told(run: Run, option: str, value: str) -> None:
    answer = run("serve", "--port", "0", option, value)
    assert answer.status == 2
    assert value in answer.err


def test_a_port_that_is_taken_is_told(run: Run) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        answer = run("serve", "--port", port)
    assert answer.status == 2
    assert port in answer.err
