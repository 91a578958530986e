"""Ledgers: what a long computation has decided, so that a later run computes only what is missing.

A ledger is one SQLite file in WAL mode with one writer, which a lock makes sure of; others may read it
meanwhile. It has studies, and their units of work: each is *claimed* while it is computed, then *done* with
its rows, or *failed* with the reason. A unit is found again by its key, a digest of what is to be computed and
of the code that computes it. A transaction holds a unit together with its rows: after a kill, a full disk or a
loss of power a unit is done with all of them, or is computed again.
"""

from .reader import kept_rows as kept_rows
from .reader import noted as noted
from .reader import reading as reading
from .reader import statuses as statuses
from .writer import Ledger as Ledger
from .writer import key_of as key_of
