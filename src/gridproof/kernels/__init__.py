"""How kernels are compiled, and what they share: packed states, open addressing, chance."""
