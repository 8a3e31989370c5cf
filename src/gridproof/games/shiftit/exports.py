"""Texts of Shift It for other programs."""

EXPORTS = {"fodot": "gridproof.games.shiftit.claims.fodot"}
