from __future__ import annotations

import importlib.util
import socket

import pytest

from gridproof.cli import serve

from .conftest import Run


def test_serve_names_missing_extra_and_its_installation(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
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
def test_serve_reports_host_without_listening(run: Run, option: str, value: str) -> None:
    answer = run("serve", "--port", "0", option, value)
    assert answer.status == 2
    assert value in answer.err


def test_serve_reports_port_in_use(run: Run) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        answer = run("serve", "--port", port)
    assert answer.status == 2
    assert port in answer.err
