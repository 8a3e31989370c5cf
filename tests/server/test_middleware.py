"""Tests of refused requests."""

from __future__ import annotations

import base64
import hashlib
import re
import time
from collections.abc import Iterator
from typing import Any

import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect
from tests.server.sites import HOST, Site

from gridproof.server.app import create_app
from gridproof.server.middleware import LARGEST_BODY, OWN_NAMES, POLICY
from gridproof.server.rate_limits import Bucket, Limits
from gridproof.store import GroupedStore

CORRIDOR = "#######\n#@ $ .#\n#######\n"
FEW = Limits(
    connections_each=2, sessions_each=3, messages_at_once=6, messages_each_second=0.01, requests_at_once=20,
    requests_each_second=0.01, text=200, trace=300, levels=2, jobs_each=1,
)  # fmt: skip


@pytest.fixture
def strict(url: str) -> Iterator[Site]:
    opened = Site(url, FEW)
    with opened.client:
        yield opened


@pytest.mark.slow
def test_answers_have_security_headers(site: Site) -> None:
    for path in ("/api/games", "/", "/static/nothing.js", "/api/nothing", "/api/openapi.json", "/nothing"):
        headers = site.client.get(path).headers
        policy = re.sub(r" 'sha256-[^']+'", "", headers["content-security-policy"])
        assert policy == POLICY
        assert "unsafe" not in POLICY
        assert headers["x-content-type-options"] == "nosniff"
        assert [name for name, _ in headers.multi_items()].count("content-security-policy") == 1


@pytest.mark.slow
def test_policy_of_page_allows_its_own_style_and_script_alone(site: Site) -> None:
    for path in ("/", "/open", "/nothing", f"/play/{site.begin(text=CORRIDOR)}"):
        answer = site.client.get(path)
        policy = dict(part.split(" ", 1) for part in answer.headers["content-security-policy"].split("; "))
        for kind in ("style", "script"):
            texts = re.findall(rf"<{kind}>(.*?)</{kind}>", answer.text, re.DOTALL)
            digests = [base64.b64encode(hashlib.sha256(text.encode()).digest()).decode() for text in texts]
            assert policy[f"{kind}-src"] == " ".join(
                ["'self'", *(f"'sha256-{digest}'" for digest in digests)]
            )
            assert digests
        assert not re.search(
            r"\sstyle=|\son\w+=",
            re.sub(r"<style>.*?</style>|<script>.*?</script>", "", answer.text, flags=re.DOTALL),
        )
    for path in ("/api/games", "/static/app.js", "/api/nothing"):
        assert site.client.get(path).headers["content-security-policy"] == POLICY


@pytest.mark.parametrize("origin", ["http://evil.example", "http://testserver.evil.example", "null", None])
def test_websocket_of_foreign_page_is_refused(site: Site, origin: str | None) -> None:
    name = site.begin(text=CORRIDOR)
    headers = {} if origin is None else {"origin": origin}
    with pytest.raises(WebSocketDisconnect), site.client.websocket_connect(f"/ws/{name}", headers=headers):
        pass


def test_post_of_foreign_page_is_refused(site: Site) -> None:
    answer = site.client.post(
        "/api/sessions", json={"text": CORRIDOR}, headers={"origin": "http://evil.example"}
    )
    assert (answer.status_code, answer.json()["error"]["code"]) == (403, "forbidden")


def test_unknown_host_name_is_refused(url: str) -> None:
    application = create_app(GroupedStore(url), names=OWN_NAMES)
    for host, status in (
        ("http://127.0.0.1", 200),
        ("http://localhost:80", 200),
        ("http://evil.example", 403),
    ):
        assert TestClient(application, host).get("/api/games").status_code == status


@pytest.mark.parametrize(
    "path",
    [
        "/static/../pyproject.toml",
        "/static/%2e%2e/files.py",
        "/static//etc/passwd",
        "/%2e%2e/%2e%2e/etc/passwd",
        "/static/index.html%00.js",
    ],
)
def test_request_path_never_reads_a_file(site: Site, path: str) -> None:
    answer = site.client.get(path)
    assert answer.status_code == 404 or "<!doctype html>" in answer.text.lower()
    assert "root:" not in answer.text


@pytest.mark.parametrize("text", ["/etc/passwd", "levels.xsb#1", "sokoban/first-steps", "-"])
def test_request_text_is_never_read_as_file_name(site: Site, text: str) -> None:
    answer = site.client.post("/api/sessions", json={"text": text})
    assert answer.status_code == 422


@pytest.mark.parametrize(
    ("asked", "status"),
    [
        ({}, 400), ({"pack": "sokoban/none"}, 404), ({"pack": "../x"}, 404), ({"pack": "sokoban/first-steps", "level": 99}, 400),
        ({"text": "x", "trace": {}}, 400), ({"text": 1}, 400), ({"pack": "x", "other": 1}, 400), ({"trace": "{"}, 422),
        ({"text": "#####\n#@.$#\n#..##\n#####"}, 422),
    ],
)  # fmt: skip
def test_request_errors_have_one_form(site: Site, asked: dict[str, object], status: int) -> None:
    answer = site.client.post("/api/sessions", json=asked)
    assert answer.status_code == status
    assert answer.json()["error"]["text"]


def test_error_of_broken_level_lists_its_clauses(site: Site) -> None:
    answer = site.client.post("/api/sessions", json={"text": "#####\n#@.$#\n#..##\n#####", "game": "sokoban"})
    assert answer.json()["error"]["problems"][0]["code"].startswith("K")


def test_request_sizes_are_limited(strict: Site) -> None:
    post = strict.client.post
    assert post("/api/sessions", json={"text": CORRIDOR * 20}).status_code == 413
    assert post("/api/sessions", json={"text": "@o\n\n@o\n\n@o\n", "game": "null"}).status_code == 413
    assert post("/api/sessions", json={"trace": "x" * 400}).status_code == 413
    assert post("/api/sessions", content=b"x" * (LARGEST_BODY + 1)).status_code == 413

    def endless() -> Iterator[bytes]:
        for _ in range(40):
            yield b" " * (LARGEST_BODY // 20)

    assert post("/api/sessions", content=endless()).status_code >= 400


def test_new_sessions_are_limited(strict: Site) -> None:
    for _ in range(3):
        strict.begin(text=CORRIDOR)
    answer = strict.client.post("/api/sessions", json={"text": CORRIDOR})
    assert (answer.status_code, answer.json()["error"]["code"]) == (429, "limit")


def test_requests_are_limited(strict: Site) -> None:
    statuses = [strict.client.get("/api/health").status_code for _ in range(30)]
    assert statuses[0] == 200
    assert statuses[-1] == 429
    assert strict.client.get("/static/theme.js").status_code == 200  # a page is always whole
    assert strict.client.get("/").status_code == 200
    assert strict.client.get("/play/x").status_code == 429  # it opens a session


@pytest.mark.slow
def test_page_of_session_has_no_board_above_the_rate(strict: Site) -> None:
    name = strict.begin(text=CORRIDOR)
    pages = [strict.client.get(f"/play/{name}") for _ in range(30)]
    assert {page.headers["content-type"] for page in pages} == {"text/html; charset=utf-8"}
    assert (pages[0].status_code, "data-first" in pages[0].text) == (200, True)
    assert (pages[-1].status_code, "data-first" in pages[-1].text) == (429, False)
    assert pages[-1].headers["retry-after"] == "1"
    assert strict.client.get("/api/health").status_code == 429  # they count together


def test_connections_and_messages_are_limited(strict: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("gridproof.server.connection.PAUSE", 0)
    name = strict.begin(text=CORRIDOR)
    with strict.page(name) as page, strict.page(name):
        with strict.client.websocket_connect(f"/ws/{name}", headers={"origin": HOST}) as third:
            assert third.receive()["code"] == 4429
        answers = [page.say(type="ping")["type"] for _ in range(6)]
        assert answers == ["answer"] * 6
        assert (
            page.say(type="ping")["code"] == "rate"
        )  # told by its number, or the page would wait for an answer
        page.socket.send_text("no message")
        refused = page.wait_for("error")
        assert (refused["code"], "ref" in refused) == ("rate", False)


def test_connection_to_unknown_session_is_closed_with_code(site: Site) -> None:
    with site.client.websocket_connect("/ws/nobody", headers={"origin": HOST}) as socket:
        assert socket.receive()["code"] == 4404


def test_connection_is_closed_when_message_is_no_json_object(site: Site) -> None:
    with site.page(site.begin(text=CORRIDOR)) as page:
        page.socket.send_text("[" * 5000)
        page.wait_for("people")
        assert page.socket.receive()["code"] == 4400


def test_bucket_fills_with_time() -> None:
    now = [0.0]
    bucket = Bucket(2, 3, lambda: now[0])
    assert [bucket.take() for _ in range(4)] == [True, True, True, False]
    now[0] = 0.5
    assert [bucket.take() for _ in range(2)] == [True, False]


def test_job_is_polled_until_done(site: Site) -> None:
    client = site.client
    asked = client.post("/api/jobs", json={"text": "@.o\n", "game": "null"})
    assert asked.status_code == 202
    name = asked.json()["id"]
    while not (job := client.get(f"/api/jobs/{name}").json())["done"]:
        time.sleep(0.01)
    assert (job["result"]["found"], job["result"]["cost"]) == (True, 1)
    assert client.delete(f"/api/jobs/{name}").status_code == 204
    assert client.get(f"/api/jobs/{name}").status_code == 404


def test_malformed_hosts_and_origins_are_refused(url: str) -> None:
    client = TestClient(create_app(GroupedStore(url), names=OWN_NAMES), "http://localhost")
    for headers in ({"host": "["}, {"origin": "http://["}):
        assert client.get("/api/games", headers=headers).status_code == 403


def test_host_names_are_compared_without_case_and_port(url: str) -> None:
    application = create_app(GroupedStore(url), names=["Play.Example.org", "a.example, b.example"])
    for host in ("play.example.org", "PLAY.example.org:80", "a.example", "b.example.", "play.example.org."):
        assert TestClient(application).get("/api/games", headers={"host": host}).status_code == 200
    assert TestClient(application).get("/api/games", headers={"host": "c.example"}).status_code == 403


def test_connections_are_counted_before_session_lookup(strict: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    name = strict.begin(text=CORRIDOR)
    counted: list[int] = []
    access = strict.context.registry.access

    async def record(asked: str) -> Any:
        counted.append(strict.context.connections.total())
        return await access(asked)

    monkeypatch.setattr(strict.context.registry, "access", record)
    with strict.page(name):
        assert counted == [1]
