"""Improvement of solutions by search in the vicinity of their arrangements of boxes."""
