"""For authors of games: `check_game`, the conformance kit, and recorded playthroughs."""

from gridproof.testing.conformance import check_game
from gridproof.testing.conformance.fault import NonConformance

__all__ = ["NonConformance", "check_game"]
