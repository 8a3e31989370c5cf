"""Browser tests leave no running event loop for other tests."""

from __future__ import annotations

import re
import subprocess
import sys

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.long]

IN_A_BROWSER = "tests/browser/test_analysis.py::test_analysis_reports_unreadable_text"
WITH_A_LOOP = (
    "tests/server/test_jobs.py::test_job_is_stopped_when_nobody_polls_it",
    "tests/terminal/test_animation.py",
)


@pytest.mark.long
def test_event_loop_can_be_used_between_browser_tests(chromium: object) -> None:
    asked = [f"{IN_A_BROWSER}[desktop]", *WITH_A_LOOP, f"{IN_A_BROWSER}[phone]"]
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *asked]
    run = subprocess.run(command, check=False, capture_output=True, text=True)
    assert run.returncode == 0, run.stdout
    assert not re.search(r"\d skipped", run.stdout)
