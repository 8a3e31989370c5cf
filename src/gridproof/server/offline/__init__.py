"""Play without the server: tables for pages, and reconciliation afterwards."""
