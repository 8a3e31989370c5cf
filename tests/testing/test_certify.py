"""`certify` keeps certificates that win, and makes missing ones."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gridproof.core.errors import ParseError
from gridproof.core.limit import Limit
from gridproof.core.text.level_lookup import certificate_file, read_certificates
from gridproof.testing.certify import certify, main

PACK = "title: Short\n.@o\ntitle: Long\n@......o\n"


@pytest.fixture
def pack(tmp_path: Path) -> Path:
    path = tmp_path / "some.null"
    path.write_text(PACK)
    return path


def steps(path: Path, number: int) -> list[str]:
    return [step["action"] for step in read_certificates(certificate_file(path))[number]]


def write(path: Path, *certificates: list[str]) -> None:
    data = [
        {"level": number, "steps": [{"action": action} for action in actions]}
        for number, actions in enumerate(certificates, 1)
    ]
    certificate_file(path).write_text(json.dumps(data))


def test_certify_adds_missing_certificates(pack: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["null", str(pack)]) == 0
    assert capsys.readouterr().out.splitlines() == ["1 Short: solved, 1 action", "2 Long: solved, 4 actions"]
    assert steps(pack, 1) == ["right"]
    assert len(steps(pack, 2)) == 4


def test_certify_keeps_winning_certificates(pack: Path) -> None:
    write(pack, ["left", "right", "right"], ["left"])
    assert list(certify(pack, "null")) == ["1 Short: kept, 3 actions", "2 Long: solved, 4 actions"]
    assert steps(pack, 1) == ["left", "right", "right"]


def test_certify_replaces_certificates_that_do_not_win(pack: Path) -> None:
    write(pack, ["left"])  # legal, but no win
    assert next(certify(pack, "null")) == "1 Short: solved, 1 action"


def test_certify_skips_level_at_time_limit(pack: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["null", str(pack), "--seconds", "0"]) == 1
    assert "2 Long: no certificate" in capsys.readouterr().out
    assert 2 not in read_certificates(certificate_file(pack))


def test_certify_skips_level_at_state_limit(pack: Path) -> None:
    lines = list(certify(pack, "null", limit=Limit(states=4)))
    assert lines == ["1 Short: solved, 1 action", "2 Long: no certificate"]


@pytest.mark.parametrize("text", ["{", "[1]", '[{"level": 1}]', "3"])
def test_certify_names_broken_certificate_file(
    pack: Path, text: str, capsys: pytest.CaptureFixture[str]
) -> None:
    certificate_file(pack).write_text(text)
    with pytest.raises(ParseError, match=r"some\.null\.certificates\.json does not hold certificates"):
        list(certify(pack, "null"))
    assert main(["null", str(pack)]) == 2
    assert "some.null.certificates.json" in capsys.readouterr().err
