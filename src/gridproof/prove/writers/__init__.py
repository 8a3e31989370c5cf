"""Writers of certificates: what a prover found, in the form that the checkers ask for."""
