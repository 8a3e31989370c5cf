"""Why an engine does not answer a question."""

from __future__ import annotations


class Refused(Exception):
    """Another engine must answer, for the reason in its text."""


def because(engine: str, refusal: str) -> str:
    """What did the work, and why it was nothing faster."""
    return f"{engine}: {refusal}" if refusal else engine
