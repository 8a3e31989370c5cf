"""Certificates of the kind "pushes": a listed position stands for all that a walk without pushes leads to."""
