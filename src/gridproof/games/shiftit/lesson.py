"""A first lesson in Shift It: rows, columns, connection, locked tiles."""

from gridproof.core.lesson import load_lesson

LESSON = load_lesson(__package__)
