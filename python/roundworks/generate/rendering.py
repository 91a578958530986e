"""Files of templates, in any language."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

import jinja2


def rendered(templates: Mapping[str, str], context: Mapping[str, Any]) -> dict[str, str]:
    """Files by name, of templates by name."""
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("roundworks.generate", "templates"),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["hex"] = c_bytes
    return {
        file: _without_unused(environment.get_template(name).render(context))
        for file, name in templates.items()
    }


_HELPER = re.compile(r"\n(?:/\*[^\n]*\*/\n)?static inline [^\n;]*?\b(\w+)\([^\n]*\)\n\{\n.*?\n\}\n", re.S)


def _without_unused(text: str) -> str:
    """Without the small C functions that nothing here calls: clang warns of them."""
    defined = [match[1] for match in _HELPER.finditer(text)]
    called = {name for name in defined if len(re.findall(rf"\b{name}\(", text)) > defined.count(name)}
    text = _HELPER.sub(lambda match: match[0] if match[1] in called else "\n", text)
    return re.sub(r"\n#if [^\n]*\n#endif\n", "\n", text)


def c_bytes(data: bytes) -> str:
    """The bytes as the elements of a C array: ``0x00, 0xff``."""
    return ", ".join(f"0x{byte:02x}" for byte in data)
