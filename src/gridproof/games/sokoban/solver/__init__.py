"""Sokoban by fewest pushes or fewest moves: A* on pushes and bombs.

A state is the boxes and the player's region (for fewest pushes) or cell (for fewest moves). What
prunes: dead squares and exact distances of a single box by the side that the player stands on, the
cheapest matching of boxes and goals as the bound, and freeze deadlocks; while bombs are left, all
without the walls that they could still delete. For fewest pushes also PI-corrals, and a perimeter
of arrangements around the goal, found backwards by `pull_search`. The ideas are those of the
Sokoban programming community (see the wiki of sokobano.de) and of A. Junghanns and J. Schaeffer
("Sokoban: Enhancing general single-agent search methods", Artificial Intelligence 129, 2001).
"""
