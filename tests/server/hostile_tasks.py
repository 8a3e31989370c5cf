"""Work that means no good, as other processes find it."""

import os
import time


def for_ever(*_: object) -> None:
    """Heeds no limit."""
    time.sleep(600)


def greedy(*_: object) -> int:
    """Takes all memory."""
    return len(bytearray(1 << 30))


def gone(*_: object) -> None:
    """Ends its process."""
    os._exit(1)


def fine(*_: object) -> str:
    """Does what it should."""
    return "done"
