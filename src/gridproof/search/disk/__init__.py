"""Exploration larger than memory: breadth-first, layer by layer, with the layers in files."""
