"""Kernels: their compilation, and their common parts: packed states, open addressing, chance."""

import os

from gridproof.core.lazy_import import hide_modules

_CONFIGURED = os.path.exists(".numba_config.yaml")

# They take a quarter of the time that numba takes to load.
with hide_modules("coverage", *(() if _CONFIGURED else ("yaml",))):
    import numba  # noqa: F401  # to be loaded here
