"""Reasons why an engine does not answer a question."""

from __future__ import annotations

from gridproof.core.errors import GridproofError


class Refused(Exception):
    """Another engine must answer, for the reason in its text: a clause such as "the level is too large"."""


class Declined(GridproofError):
    """The one engine that was chosen does not take the question, for the reason in its text."""
