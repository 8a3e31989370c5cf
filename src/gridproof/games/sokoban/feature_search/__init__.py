"""Sokoban by any solution: best-first search over features of the board, by macro moves.

A macro move brings one box over any number of squares, by pushes or, backwards, by pulls, while the
player walks as it likes. The search forwards projects positions to a few features, such as how many
boxes stand as a plan of the packing wants them, and how many regions the other boxes cut the floor into; each
combination of values is a cell, and all cells are served in turn. The search backwards is greedy. See Y. Shoham and J. Schaeffer,
"The FESS algorithm: A feature based approach to single-agent search" (IEEE Conference on Games 2020).
"""
