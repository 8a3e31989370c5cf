"""Shortest and any solutions over any game."""
