"""What Shift It adds to what is proved while one plays: its actions are shifts."""

from gridproof.prove.badge import Manner

MANNER = Manner(actions="shifts")
