"""Work beside the caller: in worker processes, or on a Ray cluster."""

from gridproof.jobs.run import Run, run
from gridproof.jobs.task import Result, SystemFailure, Task

__all__ = ["Result", "Run", "SystemFailure", "Task", "run"]
