"""Tools for authors of games: the conformance kit `check_game`; `certify` and `grade` for packs."""

from gridproof.testing.conformance import check_game
from gridproof.testing.conformance.fault import NonConformance

__all__ = ["NonConformance", "check_game"]
