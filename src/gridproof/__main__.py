"""`python -m gridproof`: the command line."""

from gridproof.cli import main

if __name__ == "__main__":  # worker processes import this module again
    main()
