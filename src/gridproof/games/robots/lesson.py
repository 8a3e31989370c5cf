"""A first lesson in Robots: walking, turning, belts, wrecks, hints, exchanges, the race."""

from gridproof.core.lesson import load_lesson

LESSON = load_lesson(__package__)
