"""Several server processes at one address."""
