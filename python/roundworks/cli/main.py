"""The group of verbs. Each is imported when it is called, so `--help` answers at once."""

from __future__ import annotations

import importlib
import os
import sys

import click

from .. import __version__, extras
from ..errors import InvalidTag, RoundworksError

# verb -> what it does, in the order a newcomer meets them
_VERBS = {
    "list": "ciphers and back ends, each with its vectors run",
    "describe": "a cipher's sizes, its round as equations, its drawing",
    "bench": "software speed by message size and back end",
    "search": "every round structure of a class, counted exactly",
    "audit": "what a mode does wrong, shown by working forgeries",
    "bound": "active S-boxes, trails, collisions, bias, exact probabilities",
    "check": "a certificate of a bound, step by step",
    "cycles": "what a description costs on a CPU: latency, ports, registers",
    "fastest": "permutations of equal security, by their speed on this CPU",
    "sim": "a hardware core's bench, on Verilator or Icarus",
    "synth": "a hardware core's area and period on a cell library",
    "power": "a core's netlist while it works: leakage, internal, switching",
    "fpga": "a hardware core placed and routed on an FPGA",
    "hw-table": "a paper's table of parts or ciphers, on a cell library",
    "hw-estimate": "what searched structures cost, by their parts",
    "hw-report": "hardware in tables: area, clock, throughput, power, goals",
    "gpu": "messages up to a gibibyte on this CPU, and the rows of a GPU",
    "race": "every solver at the same questions, and what each takes",
    "reproduce": "the papers' tables, theirs beside ours",
    "report": "one page of all results",
    "seal": "a file or stream, encrypted and authenticated",
    "open": "what seal made, verified before it is released",
    "inspect": "what a sealed file says of itself, without the key",
    "keygen": "a key file for seal and open",
}

_EXAMPLE = """\b
Example:
  roundworks audit aether          # exits 1: forgeries, printed in full
  roundworks seal --key my.key report.pdf

\b
Exit codes: 0 done, 1 the answer is no, 2 wrong use or input/output."""


class Verbs(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(_VERBS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in _VERBS:
            return None
        command: click.Command = importlib.import_module(
            f"{__package__}.{name.replace('-', '_')}"
        ).command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Verbs"):
            formatter.write_dl(list(_VERBS.items()))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if args and not args[0].startswith("-") and args[0] not in _VERBS:
            raise click.UsageError(f"verb {args[0]!r}: not known; one of {', '.join(_VERBS)}", ctx)
        return super().resolve_command(ctx, args)


@click.group(
    cls=Verbs,
    help="The workbench for fast symmetric ciphers built on AES-like rounds.",
    epilog=_EXAMPLE,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 96},
)
@click.version_option(__version__, prog_name="roundworks")
@click.option(
    "--results", "results", type=click.Path(file_okay=False), metavar="DIR",
    help="Where rows are kept, and read alone. [~/.local/share/roundworks/results]",
)  # fmt: skip
def cli(results: str | None) -> None:
    if results:
        os.environ["ROUNDWORKS_RESULTS"] = results


def main() -> None:
    """Run, and turn every expected failure into one line and an exit code."""
    try:
        code = cli.main(prog_name="roundworks", standalone_mode=False)
        sys.stdout.flush()
    except click.exceptions.NoArgsIsHelpError as error:  # its message is the help
        print(error.format_message(), file=sys.stderr)
        code = 2
    except click.UsageError as error:
        where = f"; see `{error.ctx.command_path} --help`" if error.ctx else ""
        print(f"roundworks: error: {error.format_message().rstrip('.')}{where}", file=sys.stderr)
        code = 2
    except click.exceptions.Abort:
        print("roundworks: stopped", file=sys.stderr)
        code = 130
    except click.ClickException as error:
        print(f"roundworks: error: {error.format_message()}", file=sys.stderr)
        code = 2
    except InvalidTag as error:  # the answer is no
        print(f"roundworks: error: {error}", file=sys.stderr)
        code = 1
    except RoundworksError as error:
        print(f"roundworks: error: {error}", file=sys.stderr)
        code = 2
    except ModuleNotFoundError as error:
        advice = extras.advice(error.name or "")
        if advice is None:
            raise
        print(f"roundworks: error: {advice}", file=sys.stderr)
        code = 2
    except BrokenPipeError:  # the reader of a pipe has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        code = 0
    except MemoryError:
        print("roundworks: error: out of memory", file=sys.stderr)
        code = 2
    except OSError as error:
        print(
            f"roundworks: error: {error.filename or 'input/output'}: {error.strerror or error}",
            file=sys.stderr,
        )
        code = 2
    sys.exit(code or 0)
