"""Why an engine did not use a kernel."""

from __future__ import annotations


class NoKernel(Exception):
    """The rules must do the work, for the reason in its text."""


def because(engine: str, refusal: str) -> str:
    """What did the work, and why it was nothing faster."""
    return f"{engine}: {refusal}" if refusal else engine
