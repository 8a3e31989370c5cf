"""Agents: players by name, demos, co-players, and evaluation over many games, data sets of their games."""
