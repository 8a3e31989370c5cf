"""How kernels are compiled, and what they share: packed states, open addressing, chance."""

import os

from gridproof.core.loading import without

_CONFIGURED = os.path.exists(".numba_config.yaml")

with without(
    "coverage", *(() if _CONFIGURED else ("yaml",))
):  # a quarter of the time that numba takes to load
    import numba  # noqa: F401  # to be loaded here
