"""A first lesson in Sokoban: pushing, corners, bombs."""

from gridproof.core.lesson import load_lesson

LESSON = load_lesson(__package__)
