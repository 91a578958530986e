"""Instructions on general registers, on numbers and forms. [INTEL-SDM]"""

from . import arithmetic, flow, moves

__all__ = ["arithmetic", "flow", "moves"]
