"""Kernels: built for the host and for devices, counted, and run where there is a GPU.

What g++, nvcc and nvdisasm leave in ``build/gpu/`` is found again by the content of all it was made
from. Nothing here needs a GPU but ``device``.
"""

from .. import extras

extras.want(__name__, "jsonschema_rs", "numpy")
