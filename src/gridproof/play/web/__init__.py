"""The browser's server: pages, REST and WebSockets over headless tables; only `gridproof serve` imports it."""
