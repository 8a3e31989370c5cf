"""A first lesson in 2048: sliding, merging, new tiles, the target."""

from gridproof.core.lesson import load_lesson

LESSON = load_lesson(__package__)
