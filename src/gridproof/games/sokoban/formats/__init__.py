"""The text formats of the Sokoban world: XSB, SLC, and solutions as LURD."""
