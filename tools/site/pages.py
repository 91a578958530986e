"""The pages of the site that are not in docs/: a hook of mkdocs (mkdocs.yml).

Documents elsewhere in the checkout, help texts, the C interface, the bibliography, and every data file or source that a
page links to. A link that leads to a file of the checkout leads to its page; one that leads nowhere fails the build.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any

import click
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

from roundworks import spec
from roundworks.cli.main import VERBS, cli

ROOT = Path(__file__).resolve().parent.parent.parent

# Page of the site: the document of the checkout that it shows.
PROJECT = {
    "project/architecture.md": "ARCHITECTURE.md",
    "project/contributing.md": "CONTRIBUTING.md",
    "project/security.md": "SECURITY.md",
    "project/changelog.md": "CHANGELOG.md",
    "project/spec.md": "spec/README.md",
    "project/peers.md": "crates/roundworks-peers/README.md",
}
CORES = {f"cores/{path.parent.name}.md": path for path in sorted(ROOT.glob("rtl/*/README.md"))}
KERNELS = {"kernels/index.md": ROOT / "kernels" / "README.md"} | {
    f"kernels/{path.parent.name}.md": path for path in sorted(ROOT.glob("kernels/*/README.md"))
}
DOCUMENTS = {"index.md": "README.md", **PROJECT} | {
    page: str(path.relative_to(ROOT)) for page, path in (CORES | KERNELS).items()
}
MODULES = (
    "roundworks.aead",
    "roundworks.permutations",
    "roundworks.reference",
    "roundworks.bounds",
    "roundworks.analysis.bounds",
    "roundworks.analysis.audit",
    "roundworks.prove",
    "roundworks.generate",
    "roundworks.rows",
    "roundworks.spec",
    "roundworks.studies",
    "roundworks.gpu.aead",
    "roundworks.gpu.device",
    "roundworks.errors",
)
LANGUAGES = {
    ".py": "python",
    ".toml": "toml",
    ".json": "json",
    ".sv": "systemverilog",
    ".h": "c",
    ".rs": "rust",
}

LINK = re.compile(r"(?<!!)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")
CITATION = re.compile(r"(?<![\[\w])\[([A-Z][A-Z0-9-]{2,})((?:, [^\]\n]+)?)\](?![(\[:])")
FENCE = re.compile(r"(^ *```.*?^ *```)", re.S | re.M)
CODE = re.compile(r"(^ *```.*?^ *```|`[^`\n]+`)", re.S | re.M)

_of_page: dict[str, str] = {}  # page of the site -> file of the checkout


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Fills the empty lists of the navigation, which the checkout decides."""
    lists: dict[str, Any] = {
        "Cores": [{path.parent.name: page} for page, path in CORES.items()],
        "Kernels": [
            {"Overview" if p == "kernels/index.md" else f.parent.name: p} for p, f in KERNELS.items()
        ],
        "Command line": ["cli/index.md", *({verb: f"cli/{verb}.md"} for verb in VERBS)],
        "Python": [{name: f"python/{name}.md"} for name in MODULES],
        "C": [{"Library": "c/roundworks.md"}, {"Header": "c/header.md"}],
        "Project": [{title(ROOT / name): page} for page, name in PROJECT.items()],
    }

    def filled(nav: list[Any]) -> list[Any]:
        return [
            {key: lists.pop(key) if value == [] else filled(value) if isinstance(value, list) else value}
            for entry in nav
            for key, value in entry.items()
        ]

    config.nav = filled(config.nav or [])
    assert not lists, f"mkdocs.yml: nav lacks {sorted(lists)}"
    return config


def title(path: Path) -> str:
    """The first heading of a document, which is its first line."""
    return path.read_text(encoding="utf-8").split("\n", 1)[0].removeprefix("# ")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Adds the documents from outside docs/, the pages of verbs and modules, and quoted files."""
    _of_page.clear()
    for file in files.documentation_pages():
        _of_page[file.src_uri] = f"docs/{file.src_uri}"
    _of_page.update(DOCUMENTS)
    for page, name in DOCUMENTS.items():
        files.append(File.generated(config, page, content=(ROOT / name).read_text(encoding="utf-8")))
    for page, text in generated():
        files.append(File.generated(config, page, content=text))
    for name in sorted(linked_sources()):
        page = f"source/{name}.md"
        _of_page[page] = name
        files.append(File.generated(config, page, content=source_page(name)))
    for name in ("site.css", "iframe-worker.js"):
        asset = str(Path(__file__).parent / name)
        files.append(File.generated(config, f"assets/{name}", abs_src_path=asset))
    return files


def on_post_build(config: MkDocsConfig) -> None:
    """The crates' documentation, from `cargo doc`; and no page of a server's errors."""
    site = Path(config.site_dir)
    (site / "404.html").unlink(missing_ok=True)
    shutil.copytree(
        Path(os.environ.get("CARGO_TARGET_DIR", "target")) / "doc", site / "rust", dirs_exist_ok=True
    )


def generated() -> Iterator[tuple[str, str]]:
    """Pages made from code and data."""
    yield "bibliography.md", bibliography()
    yield "rust.md", RUST
    header = "crates/roundworks-capi/include/roundworks.h"
    yield "c/header.md", f"# roundworks.h\n\n```c\n{(ROOT / header).read_text(encoding='utf-8')}```\n"
    manual = ROOT / "crates" / "roundworks-capi" / "install" / "roundworks.3"
    text = subprocess.run(
        ["mandoc", "-T", "markdown", manual], check=True, capture_output=True, text=True
    ).stdout
    body = re.sub(r"^#", "##", "\n".join(text.split("\n")[2:]), flags=re.M)
    yield "c/roundworks.md", f"# roundworks(3)\n\n{body}"
    for name in MODULES:
        yield f"python/{name}.md", f"::: {name}\n"
    root = click.Context(cli, info_name="roundworks", max_content_width=10_000)
    rows = "".join(f"| [`{verb}`]({verb}.md) | {text} |\n" for verb, text in VERBS.items())
    yield "cli/index.md", help_page(root) + f"\n## Verbs\n\n| verb | purpose |\n|---|---|\n{rows}"
    for verb in VERBS:
        command = cli.get_command(root, verb)
        assert command is not None
        yield (
            f"cli/{verb}.md",
            help_page(click.Context(command, root, info_name=verb, max_content_width=10_000)),
        )


RUST = """# Rust

The crates' documentation is made by rustdoc:

| crate | content |
|---|---|
| <a href="rust/roundworks/index.html">roundworks</a> | ciphers, MACs, permutations and hash functions, `no_std` |
| <a href="rust/roundworks_files/index.html">roundworks-files</a> | sealed files |
| <a href="rust/roundworks_gpu/index.html">roundworks-gpu</a> | the ciphers on a GPU |
| <a href="rust/roundworks_search/index.html">roundworks-search</a> | word-wise searches |
| <a href="rust/roundworks_lrat/index.html">roundworks-lrat</a> | a checker of proofs of unsatisfiability |
"""


def bibliography() -> str:
    """Every entry of the bibliography as a page, in Markdown."""
    lines = ["# Bibliography\n"]
    for key, entry in spec.bibliography().items():
        facts = [", ".join(entry.authors), entry.where, entry.date, entry.note]
        link = f" <{entry.url}>" if entry.url else ""
        said = ". ".join(fact for fact in facts if fact)
        lines.append(f"## {key} {{ #{key.lower()} }}\n\n*{entry.title}*. {said}.{link}\n")
    return "\n".join(lines)


def help_page(context: click.Context) -> str:
    """The help of a command: what `--help` prints, as a page."""
    command = context.command
    usage = " ".join([context.command_path, *command.collect_usage_pieces(context)])
    lines = [
        f"# {context.command_path}",
        "```",
        usage,
        "```",
        *paragraphs(command.help or ""),
        "## Options",
        "",
    ]
    for parameter in command.get_params(context):
        if (record := parameter.get_help_record(context)) and record[1]:
            lines += [f"`{record[0]}`", f":   {escaped(record[1])}", ""]
    example, _, codes = (command.epilog or "").replace("\b\n", "").partition("Exit codes:")
    lines += ["", "## Examples", "", "```sh", re.sub(r"^Example:\s*", "", example.strip()), "```", ""]
    lines += ["## Exit codes", "", codes.strip().capitalize(), ""]
    return "\n".join(lines)


def paragraphs(text: str) -> Iterator[str]:
    """Paragraphs of a help text in Markdown; one that starts with \\b keeps its lines."""
    for paragraph in text.strip().split("\n\n"):
        if paragraph.startswith("\b\n"):
            yield f"\n```text\n{paragraph[2:]}\n```\n"
        else:
            yield f"\n{escaped(' '.join(paragraph.split()))}\n"


def escaped(text: str) -> str:
    """Help is plain text, but for code in backticks and names of documents."""

    def plain(part: str) -> str:
        part = re.sub(r"([<>*_\[\]])", r"\\\1", part)
        return re.sub(r"docs/([a-z/-]+\.md)", r"[\1](../\1)", part)

    return "".join(part if part.startswith("`") else plain(part) for part in re.split(r"(`[^`]+`)", text))


def targets(text: str, of: str) -> Iterator[tuple[str, str]]:
    """Links of a document to files of the checkout: as written, and from the root."""
    for match in LINK.finditer(FENCE.sub("", text)):
        address = match[2].partition("#")[0]
        if address and not re.match(r"[a-z]+:", address):
            yield match[2], os.path.normpath(str(PurePosixPath(of).parent / address))


def linked_sources() -> set[str]:
    """Files of the checkout that documents link to and that have no page; each gets one."""
    pages = set(_of_page.values())
    sources = set()
    for name in pages:
        for written, target in targets((ROOT / name).read_text(encoding="utf-8"), name):
            path = ROOT / target
            if not path.exists():
                raise PluginError(f"{name}: {written}: no such file")
            page = f"{target}/README.md" if path.is_dir() else target
            if page not in pages:
                sources.add(target)
    return sources


def source_page(name: str) -> str:
    """A file quoted as a page, or the list of a folder's files."""
    path = ROOT / name
    if path.is_dir():
        inside = sorted(f"{name}/{each.name}" for each in path.iterdir())
        return f"# {name}\n\n" + "".join(f"- `{each}`\n" for each in inside)
    return f"# {name}\n\n```{LANGUAGES.get(path.suffix, 'text')}\n{path.read_text(encoding='utf-8')}\n```\n"


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Turns links to files into links to their pages, and citations into links to the bibliography."""
    here = page.file.src_uri
    if here in ("index.md", "rust.md"):  # a section of one page
        page.meta["hide"] = ["navigation"]
    of = _of_page.get(here)
    if here.startswith("source/") or here == "c/header.md":
        return markdown
    known = set(spec.bibliography())
    by_file = {file: each for each, file in _of_page.items()}

    def relative(target: str) -> str:
        return os.path.relpath(target, PurePosixPath(here).parent)

    def link(match: re.Match[str]) -> str:
        address, _, anchor = match[2].partition("#")
        if of is None or not address or re.match(r"[a-z]+:", address):
            return match[0]
        target = os.path.normpath(str(PurePosixPath(of).parent / address))
        to = by_file.get(target) or by_file.get(f"{target}/README.md") or f"source/{target}.md"
        return f"[{match[1]}]({relative(to)}{'#' + anchor if anchor else ''})"

    def citation(match: re.Match[str]) -> str:
        if match[1] not in known or here == "bibliography.md":
            return match[0]
        return f"[\\[{match[1]}{match[2]}\\]]({relative('bibliography.md')}#{match[1].lower()})"

    linked = "".join(p if FENCE.fullmatch(p) else LINK.sub(link, p) for p in FENCE.split(markdown))
    return "".join(p if CODE.fullmatch(p) else CITATION.sub(citation, p) for p in CODE.split(linked))
