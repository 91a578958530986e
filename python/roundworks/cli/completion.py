"""roundworks completion, and the completions of a shell's request"""

from __future__ import annotations

import contextlib
import io
import os
import sys

import click
from click.shell_completion import (
    BashComplete,
    CompletionItem,
    FishComplete,
    ShellComplete,
    ZshComplete,
    add_completion_class,
    get_completion_class,
    split_arg_string,
)

VARIABLE = "_ROUNDWORKS_COMPLETE"

# Bash cuts its words at every colon and equals sign, and expects what follows the last of them: the
# line itself is sent, and what bash has already is taken from the front of each completion.
_BASH = """\
%(complete_func)s() {
    local response line
    response=$(COMP_LINE="${COMP_LINE:0:COMP_POINT}" COMP_BREAKS="$COMP_WORDBREAKS" \\
        %(complete_var)s=bash_complete "$1" 2>/dev/null) || return 0
    COMPREPLY=()
    while IFS= read -r line; do
        case $line in
            file,*|dir,*) compopt -o default -o bashdefault 2>/dev/null; COMPREPLY=() ;;
            plain,*) COMPREPLY+=("${line#plain,}") ;;
        esac
    done <<< "$response"
    return 0
}
complete -o nosort -F %(complete_func)s %(prog_name)s
"""


class Bash(BashComplete):
    """The words as bash cuts them: at every colon and equals sign."""

    source_template = _BASH

    def get_completion_args(self) -> tuple[list[str], str]:
        """The words before the last one, without the program, and the last one."""
        line = os.environ["COMP_LINE"]
        words = split_arg_string(line) + [""] * line.endswith((" ", "\t"))
        word = words[-1]
        # Of an option click completes the value alone, and so does bash.
        value = word.partition("=")[2] if word.startswith("--") else word
        breaks = os.environ.get("COMP_BREAKS", ":=")
        self.cut = max((value.rfind(mark) + 1 for mark in ":=" if mark in breaks), default=0)
        return words[1:-1], word

    def format_completion(self, item: CompletionItem) -> str:
        """Type and value in a line, without what bash has of the word already."""
        return f"{item.type},{str(item.value)[self.cut :]}"

    @staticmethod
    def _check_version() -> None:
        """Older ones complete too, in another order."""


class _Whole(ShellComplete):
    """For shells that expect the whole word, the option of ``--option=value`` too."""

    def get_completion_args(self) -> tuple[list[str], str]:
        words, word = super().get_completion_args()
        option, equals, _ = word.partition("=")
        self.front = option + equals if word.startswith("--") and equals else ""
        return words, word

    def format_completion(self, item: CompletionItem) -> str:
        item.value = f"{self.front}{item.value}"
        return super().format_completion(item)


class Zsh(_Whole, ZshComplete):
    """Completions of zsh, which expects the whole word."""


class Fish(_Whole, FishComplete):
    """Completions of fish, which expects the whole word."""

    # Names such as feistel256:2-0,1-1 hold commas.
    source_template = FishComplete.source_template.replace('split ","', 'split -m 1 ","')


SHELLS: dict[str, type[ShellComplete]] = {"bash": Bash, "zsh": Zsh, "fish": Fish}
for _shell in SHELLS.values():
    add_completion_class(_shell)


def respond(cli: click.Command, request: str) -> int:
    """The completions that a shell requests. Whatever goes wrong, nothing is said: it would land in the
    middle of the line."""
    shell, _, instruction = request.partition("_")
    kind = get_completion_class(shell)
    if kind is None or instruction not in ("complete", "source"):
        return 1
    said = io.StringIO()
    try:
        with contextlib.redirect_stdout(said), contextlib.redirect_stderr(io.StringIO()):
            one = kind(cli, {}, "roundworks", VARIABLE)
            if instruction == "source":
                text = one.source()
            else:
                one.ctx_args = {"obj": one.get_completion_args()[0]}  # for `names._before`
                text = one.complete()
        print(text)
        sys.stdout.flush()
    except BaseException:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        return 1
    return 0


@click.command("completion", epilog='Example: eval "$(roundworks completion bash)"')
@click.argument("shell", type=click.Choice(list(SHELLS)))
@click.pass_context
def command(ctx: click.Context, shell: str) -> None:
    """Print a script with which your shell completes the verbs, their options, and the names of ciphers,
    permutations, cores, measures, papers and tables. Install it once, for your shell:

    \b
    bash: add  eval "$(roundworks completion bash)"  to ~/.bashrc
    zsh:  add  eval "$(roundworks completion zsh)"   to ~/.zshrc, after compinit
    fish: roundworks completion fish > ~/.config/fish/completions/roundworks.fish
    """
    print(SHELLS[shell](ctx.find_root().command, {}, "roundworks", VARIABLE).source())
