"""Proofs that a core's round is the recorded round of its description.

The definition is made from the recording alone, by `hardware.definitions`, and shares nothing with
what wrote the SystemVerilog.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence

from ..hardware.generate.definitions import Text, layer, model, recorded
from ..reference import Matrix, Recording, Sbox

Bits = dict[str, list[str]]  # port -> its wires, bit 0 first
Make = Callable[[Text, Bits], Mapping[str, Sequence[str]]]
_PIN = re.compile(r"(\w+)(?:\[(\d+)\])?")


def definition(make: Make) -> Callable[[Sequence[str], Sequence[str]], str]:
    """For `equivalence.prove_recorded`: `make` gets the wires of the inputs and gives those of every
    output, bit 0 first."""

    def blif(inputs: Sequence[str], outputs: Sequence[str]) -> str:
        text, ports = Text(), Bits()
        for name in inputs:
            port, index = _pin(name)
            wires = ports.setdefault(port, [])
            wires += [""] * (index + 1 - len(wires))
            wires[index] = name
        made = make(text, ports)
        return model(text, inputs, {name: made[port][i] for name in outputs for port, i in [_pin(name)]})

    return blif


def of_round(recording: Recording, ports: Mapping[str, str], outputs: Mapping[str, str]) -> Make:
    """The recorded words of each letter at a port: ``{"S": "state_i", "C": "constants_i"}``, and
    ``{"S'": "state_o"}``."""

    def make(text: Text, bits: Bits) -> Mapping[str, Sequence[str]]:
        words = {}
        for name, node in recording.inputs.items():
            letter, number = _word(name)
            if letter not in ports:  # an update is recorded with key and nonce, and takes neither
                continue
            words[node] = word_of(bits[ports[letter]], number, recording.graph.nodes[node].bits)
        return evaluated(text, recording, words, outputs)

    return make


def of_layer(one: Sbox | Matrix) -> Make:
    """A layer between data_i and data_o."""
    return lambda text, bits: {"data_o": layer(text, one, bits["data_i"][::-1])[::-1]}


def of_fused_round(recording: Recording, fed: Sequence[int]) -> Make:
    """The recorded round and keystream, of the block B ^ (Z & M); feeds are added to words `fed`."""

    def make(text: Text, bits: Bits) -> Mapping[str, Sequence[str]]:
        nodes, words = recording.graph.nodes, dict[int, list[str]]()

        def port(name: str, number: int, node: int) -> list[str]:
            return word_of(bits[name], number, nodes[node].bits)

        blocks = []
        for name, node in recording.inputs.items():
            letter, number = _word(name)
            if letter == "S":
                words[node] = port("state_i", number, node)
            else:
                blocks.append((number, node))
        z = [recording.outputs[f"Z{i}"] for i in range(len(blocks))]
        recorded(text, recording.graph, words, z)
        for number, node in blocks:
            masked = map(text.both, words[z[number]], port("stream_i", number, node))
            words[node] = [
                text.total(pair) for pair in zip(port("block_i", number, node), masked, strict=True)
            ]
        made = evaluated(text, recording, words, {"S'": "state_o", "Z": "keystream_o"})
        size = nodes[z[0]].bits
        for at, i in enumerate(fed):
            for bit in range(size):
                place = size * i + bit
                made["state_o"][place] = text.total((made["state_o"][place], bits["feed_i"][size * at + bit]))
        return made

    return make


def evaluated(
    text: Text, recording: Recording, words: dict[int, list[str]], outputs: Mapping[str, str]
) -> dict[str, list[str]]:
    """Output port -> its wires, from the words of the inputs, the highest bit first."""
    recorded(text, recording.graph, words, list(recording.outputs.values()))
    made: dict[str, list[str]] = {}
    for letter, port in outputs.items():
        count = sum(_word(name)[0] == letter for name in recording.outputs)
        made[port] = [
            wire for i in range(count) for wire in reversed(words[recording.outputs[f"{letter}{i}"]])
        ]
    return made


def word_of(wires: Sequence[str], number: int, bits: int) -> list[str]:
    """Word `number` of a port, the highest bit first."""
    return list(wires[bits * number : bits * (number + 1)])[::-1]


def _word(name: str) -> tuple[str, int]:
    letter = name.rstrip("0123456789")
    return letter, int(name[len(letter) :])


def _pin(name: str) -> tuple[str, int]:
    result = _PIN.fullmatch(name)
    assert result is not None, name
    return result[1], int(result[2] or 0)
