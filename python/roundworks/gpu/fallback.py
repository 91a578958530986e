"""The CPU in place of a GPU, where somebody asked for it: with a warning, and the same bytes."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

from ..errors import DeviceMemoryError, DeviceUnavailable


class OnCpuWarning(UserWarning):
    """There is no GPU, or not enough of one, and the CPU that was asked for does the work."""


class WithFallback:
    """A cipher on a GPU whose calls go to the CPU where the GPU cannot do them: one call where
    memory is too little, all further ones where anything else is missing."""

    __slots__ = ("_name", "_on_cpu", "_on_gpu")

    def __init__(self, name: str, on_gpu: Any, on_cpu: Callable[[], Any]) -> None:
        self._name, self._on_gpu, self._on_cpu = name, on_gpu, on_cpu

    @classmethod
    def made(cls, name: str, on_gpu: Callable[[], Any], on_cpu: Callable[[], Any]) -> Any:
        """Of what makes either; the CPU's own class where there is no GPU."""
        try:
            return cls(name, on_gpu(), on_cpu)
        except DeviceUnavailable as error:
            _warn(name, error, 4)
            return on_cpu()

    def __getattr__(self, what: str) -> Any:
        found = getattr(self._on_gpu, what)
        if not callable(found):
            return found

        def call(*args: Any, **named: Any) -> Any:
            try:
                return getattr(self._on_gpu, what)(*args, **named)
            except DeviceUnavailable as error:
                _warn(self._name, error, 3)
                cpu = self._on_cpu()
                if not isinstance(error, DeviceMemoryError):
                    self._on_gpu = cpu
                return getattr(cpu, what)(*args, **named)

        return call


def _warn(name: str, error: DeviceUnavailable, depth: int) -> None:
    text = str(error).partition(";")[0]
    warnings.warn(f"{name} on the CPU: {text}", OnCpuWarning, stacklevel=depth)
