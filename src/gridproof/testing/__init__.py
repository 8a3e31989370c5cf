"""For authors of games: `check_game`, the conformance kit; `certify` and `grade` for their packs."""

from gridproof.testing.conformance import check_game
from gridproof.testing.conformance.fault import NonConformance

__all__ = ["NonConformance", "check_game"]
