"""Checkers of certificates: one for each kind, by the rules alone."""
