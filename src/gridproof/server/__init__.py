"""Serve pages, REST and WebSockets over tables; only `gridproof serve` imports this package."""
