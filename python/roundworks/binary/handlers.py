"""What does an instruction, by its name."""

from __future__ import annotations

from collections.abc import Callable

from .machine import DecodedInstruction, Processor

Handler = Callable[[Processor, DecodedInstruction], None]
HANDLERS: dict[str, Handler] = {}


def handler(*names: str) -> Callable[[Handler], Handler]:
    """Of the instructions with these names."""

    def keep(body: Handler) -> Handler:
        HANDLERS.update(dict.fromkeys(names, body))
        return body

    return keep
