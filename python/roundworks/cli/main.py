"""The group of verbs. Each is imported when it is called, so `--help` is immediate."""

from __future__ import annotations

import importlib
import os
import sys
import traceback

import click
from click.shell_completion import CompletionItem

from .. import __version__, extras
from ..errors import InvalidTag, RoundworksError, printable, unknown
from .streams import give_up, keep_apart, say

# verb -> what it does, in the order a newcomer meets them
VERBS = {
    "list": "list ciphers and back ends, run their test vectors; list names",
    "describe": "print a cipher's sizes and its round as equations, draw it",
    "sheet": "print everything known of a cipher on one page",
    "analyse": "analyse a description for a minute, on one page",
    "bench": "measure software speed by message size and back end",
    "search": "search every round structure of a class, exactly",
    "decide": "decide whether a class has a round structure, and of what cost",
    "sums": "look for a round of sums with few F per block",
    "inner": "rank inner functions S . M . S by exact probability",
    "designs": "compare designs: security argument, F per block, speed",
    "audit": "audit a mode of operation; a finding is a working forgery",
    "bound": "bound active S-boxes, trails, collisions, bias, probabilities",
    "check": "check a certificate of a bound, step by step",
    "confirm": "compute stored bounds again by another solver",
    "generate": "generate constant-time code, its straight-line functions proven",
    "prove": "prove the compiled library equal to the descriptions",
    "cycles": "estimate a description's cycles on a CPU",
    "fastest": "rank permutations of equal security by speed on this CPU",
    "sim": "simulate a hardware core and compare it with the reference",
    "synth": "synthesise a hardware core: area and minimum clock period",
    "power": "estimate the power of a core while it encrypts",
    "fpga": "place and route a hardware core on an FPGA",
    "hw-table": "compute a paper's hardware table on a cell library",
    "hw-estimate": "estimate the hardware cost of searched structures",
    "hw-report": "print the stored hardware results as tables",
    "gpu": "measure long messages on this CPU, import the rows of a GPU",
    "trials": "try to break what must hold, and count the failures",
    "study": "print how far a study is, also while it runs",
    "results": "query stored rows and ledgers in SQL",
    "race": "time every solver on the same problem instances",
    "reproduce": "compute the papers' tables again, compare with the printed ones",
    "table": "print a paper's table with ours: LaTeX, CSV or Markdown",
    "report": "build the pages of all results",
    "seal": "encrypt and authenticate a file or stream",
    "open": "verify and decrypt what seal made",
    "inspect": "print the header of a sealed file, without the key",
    "keygen": "write a key file for seal and open",
    "completion": "print the completion script of bash, zsh or fish",
}

FAULT = os.EX_SOFTWARE
CODES = f"Exit codes: 0 done, 1 the answer is no, 2 wrong use or input/output, {FAULT} a bug."
_EXAMPLE = "Example: roundworks describe aegis-128l"


class Verbs(click.Group):
    """The verbs, each imported when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All verbs, in the order of `VERBS`."""
        return list(VERBS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        """A verb, imported here, with the exit codes below its help; None for a name that is none."""
        if name not in VERBS:
            return None
        command: click.Command = importlib.import_module(f"{__package__}.{name.replace('-', '_')}").command
        if "Exit codes:" not in (command.epilog or ""):
            command.epilog = f"{command.epilog}\n\n{CODES}"
        return command

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Without an import of every verb, which click would make."""
        options = click.Command.shell_complete(self, ctx, incomplete)
        verbs = [(name, text) for name, text in VERBS.items() if name.startswith(incomplete)]
        return [*(CompletionItem(name, help=text) for name, text in verbs), *options]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Every verb in a line of the help, without an import of any."""
        with formatter.section("Verbs"):
            formatter.write_dl(list(VERBS.items()))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """As click's, but an unknown verb is an error with the names that are meant."""
        if args and not args[0].startswith("-") and args[0] not in VERBS:
            raise unknown("verb", args[0], VERBS)
        return super().resolve_command(ctx, args)


@click.group(
    cls=Verbs,
    epilog=f"{_EXAMPLE}\n\n{CODES}",
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 96},
)
@click.version_option(__version__, prog_name="roundworks")
@click.option(
    "--results",
    "results",
    type=click.Path(file_okay=False),
    metavar="DIR",
    help="Store and read rows in DIR alone, not in your own folder.",
)
def cli(results: str | None) -> None:
    """The workbench for fast symmetric ciphers built on AES-like rounds."""
    if results:
        os.environ["ROUNDWORKS_RESULTS"] = results


# What python-sat makes of Ctrl-C inside a solver, in an exception of its own.
_INTERRUPTED = "Caught keyboard interrupt"


def main() -> None:
    """Run, and turn every expected failure into one line and an exit code."""
    keep_apart()
    if request := os.environ.get("_ROUNDWORKS_COMPLETE"):
        from .completion import respond

        sys.exit(respond(cli, request))
    try:
        code = cli.main(prog_name="roundworks", standalone_mode=False)
        sys.stdout.flush()
    except click.exceptions.NoArgsIsHelpError as error:  # its message is the help
        say(error.format_message())
        code = 2
    except click.exceptions.Abort:
        say("roundworks: stopped")
        code = 130
    except BrokenPipeError:  # the reader of a pipe has seen enough
        give_up(1)
        code = 0
    except Exception as error:
        if str(error) == _INTERRUPTED:
            say("roundworks: stopped")
            sys.exit(130)
        text = one_line(of_stream(error))
        if text is None:
            # Python's own code would be 1, which says "no" here.
            say(traceback.format_exc().rstrip("\n"))
            sys.exit(FAULT)
        say(f"roundworks: error: {text}")
        code = 1 if isinstance(error, InvalidTag) else FAULT if _ours(error) else 2
    sys.exit(code or 0)


def _ours(error: Exception) -> bool:
    """Whether what was generated is wrong: the user's files are not at fault."""
    from ..lower.proof import NotEqual  # slow to import, and wanted after an error alone

    return isinstance(error, NotEqual)


def of_stream(error: Exception) -> Exception:
    """The error of a print, which names no file, with the name of the stream: what is left for it cannot be written."""
    if isinstance(error, OSError) and error.filename is None:
        try:
            sys.stdout.flush()
            os.write(1, b"")
        except OSError as again:
            give_up(1)
            if again.errno == error.errno:
                return OSError(error.errno, error.strerror, "standard output")
    return error


def one_line(error: Exception) -> str | None:
    """What the user reads of an expected failure; None for a fault of the program."""
    text = _said(error)
    return None if text is None else printable(text)


def _said(error: Exception) -> str | None:
    match error:
        case click.UsageError():
            where = f"; see `{error.ctx.command_path} --help`" if error.ctx else ""
            return f"{error.format_message().rstrip('.')}{where}"
        case click.ClickException():
            return error.format_message()
        case RoundworksError():
            return str(error)
        case ModuleNotFoundError():
            return extras.advice(error.name or "")
        case MemoryError():
            return "out of memory"
        case OSError():
            return f"{error.filename or 'input/output'}: {error.strerror or error}"
    return None
