"""The browser leaves nothing behind that tests of others would stumble over, in whatever order they run."""

from __future__ import annotations

import subprocess
import sys

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.long]

IN_A_BROWSER = "tests/browser/test_analysis.py::test_analysis_reports_unreadable_text"
WITH_A_LOOP = (
    "tests/server/test_jobs.py::test_job_is_stopped_when_nobody_polls_it",
    "tests/terminal/test_animation.py",
)


def test_event_loop_can_be_used_between_browser_tests(chromium: object) -> None:
    asked = [f"{IN_A_BROWSER}[desktop]", *WITH_A_LOOP, f"{IN_A_BROWSER}[phone]"]
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *asked]
    run = subprocess.run(command, check=False, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout
    assert "skipped" not in run.stdout
