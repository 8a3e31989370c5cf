"""Texts to values and back: files, lines, grids of characters, packs, recognition of formats, level lookup."""
