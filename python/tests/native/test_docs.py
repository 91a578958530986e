"""`help()` of the native module prints the docstrings of its stub, which stand nowhere else."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from roundworks import _native, aead

STUB = ast.parse(Path(_native.__file__).with_name("_native.pyi").read_text(encoding="utf-8"))


def is_setter(method: ast.FunctionDef) -> bool:
    """Whether it sets a property, which the getter documents."""
    return any(isinstance(d, ast.Attribute) and d.attr == "setter" for d in method.decorator_list)


def documented() -> Iterator[tuple[str, Any, str | None]]:
    """Name, what it is at run time, its docstring in the stub; of overloads the last has one."""
    for node in STUB.body:
        if isinstance(node, ast.FunctionDef):
            yield node.name, getattr(_native, node.name), ast.get_docstring(node)
        if isinstance(node, ast.ClassDef) and hasattr(_native, node.name):
            member = getattr(_native, node.name)
            yield node.name, member, ast.get_docstring(node)
            methods = {m.name: m for m in node.body if isinstance(m, ast.FunctionDef) and not is_setter(m)}
            methods.pop("__new__", None)  # what member takes is said of the class
            for name, method in methods.items():
                yield f"{node.name}.{name}", getattr(member, name), ast.get_docstring(method)


@pytest.mark.parametrize(("name", "it", "text"), list(documented()), ids=lambda value: str(value)[:40])
def test_the_stub_and_help_say_the_same(name: str, it: Any, text: str | None) -> None:
    assert text, f"{name}: no docstring in _native.pyi"
    assert inspect.getdoc(it) == text


def test_every_name_of_the_module_is_in_the_stub() -> None:
    names = {name for name, _, _ in documented()}
    assert set(_native.__all__) <= names and len(names) > 60


def test_a_reader_of_help_sees_shapes_errors_and_how_to_call() -> None:
    text = inspect.getdoc(aead.Aegis128L.encrypt) or ""
    for said in ("nonce : Buffer, NONCE_BYTES", "ciphertext || tag", "Raises", "want 16 bytes, got 12"):
        assert said in text, said
    signature = str(inspect.signature(aead.Aegis128L.encrypt))
    assert signature == "(self, /, nonce, data, associated_data=None)"


def test_what_one_catches_comes_with_the_ciphers() -> None:
    from roundworks import errors

    for name in ("InvalidTag", "BackendUnavailable", "ResearchOnlyWarning", "UnknownName"):
        assert getattr(aead, name) is getattr(errors, name) and name in aead.__all__
