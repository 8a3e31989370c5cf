"""Proofs: formulas, certificates, exact values, forced wins; every answer can be checked by the rules."""
