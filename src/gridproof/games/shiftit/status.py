"""Words of Shift It for the proof status: its actions are shifts."""

from gridproof.prove.position_status import StatusNotes

STATUS = StatusNotes(actions="shifts")
