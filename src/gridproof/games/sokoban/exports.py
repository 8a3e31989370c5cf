"""Texts of Sokoban for other programs."""

EXPORTS = {"pddl": "gridproof.games.sokoban.formats.pddl"}
