"""From SystemVerilog to cycles, area, delay and power. Returns values, prints and stores nothing.

Every tool runs in a process of its own: one that dies takes nothing with it. What it leaves in
``build/hw/`` is found again by the content of all it was made from.
"""

from .. import extras

extras.want(__name__, "jsonschema_rs", "numpy")
