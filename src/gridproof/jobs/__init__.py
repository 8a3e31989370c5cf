"""Work beside the caller, in worker processes."""
