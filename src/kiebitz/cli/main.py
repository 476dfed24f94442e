"""The command ``kiebitz``: its verbs, its errors, its exit codes.

Exit codes: 0 done · 1 unexpected · 2 wrong usage · 3 bad input · 4 not found · 5 busy or conflict · 6 home unusable ·
7 nothing could be fetched · 130 interrupted.
"""

import json
import os
import sys
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from kiebitz import __version__
from kiebitz.errors import KiebitzError

VERBS = (
    "crawl",
    "submit",
    "run",
    "stop",
    "status",
    "runs",
    "urls",
    "retry",
    "show",
    "title",
    "export",
    "read",
    "search",
    "suggest",
    "text",
    "index",
    "settings",
    "doctor",
    "up",
    "source",
    "schedule",
    "coverage",
    "changes",
    "alert",
    "lab",
)


class Verbs(TyperGroup):
    """Imports the file of a verb when it is called: start-up is part of the price of a crawl."""

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ARG002 -- click's signature
        return list(VERBS)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:  # noqa: ARG002
        if cmd_name not in VERBS:
            return None
        module = import_module(f"kiebitz.cli.{cmd_name}")
        verb: typer.Typer | None = getattr(module, "app", None)
        if verb is None:
            verb = typer.Typer(add_completion=False, rich_markup_mode=None)
            verb.command()(module.command)
        command = typer.main.get_command(verb)
        command.name = cmd_name
        return command


app = typer.Typer(
    name="kiebitz",
    cls=Verbs,
    help="Watch public websites, collect what is new, and keep it.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _version(wanted: bool) -> None:
    if wanted:
        print(f"kiebitz {__version__}")
        raise typer.Exit


@app.callback()
def options(
    context: typer.Context,
    home: Annotated[
        Path | None,
        typer.Option(help="Folder with everything Kiebitz keeps (KIEBITZ_HOME).", show_default="~/.kiebitz"),
    ] = None,
    version: Annotated[  # noqa: ARG001 -- the callback prints it
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    context.obj = {"home": home} if home else {}


def main() -> None:
    try:
        code = app(standalone_mode=False)
        sys.stdout.flush()
    except KiebitzError as error:
        sys.exit(_report(error))
    except typer.Abort:
        sys.exit(130)
    except KeyboardInterrupt:
        print("interrupted", file=sys.stderr)
        sys.exit(130)
    except (BrokenPipeError, SystemExit) as error:
        if not isinstance(error.__context__ or error, BrokenPipeError):
            raise
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # who read us (head, less) has seen enough
        sys.exit(0)
    except OSError as error:
        print(f"kiebitz: cannot write the answer: {error.strerror or error}", file=sys.stderr)
        os._exit(1)  # nothing more can be flushed
    except Exception as error:
        usage = getattr(error, "show", None)
        if usage is None:
            raise
        usage()
        sys.exit(getattr(error, "exit_code", 2))
    sys.exit(code if isinstance(code, int) else 0)


def _report(error: KiebitzError) -> int:
    if "--json" in sys.argv:
        fields = {"code": error.code, "message": str(error), "hint": error.hint, "retryable": error.retryable}
        print(json.dumps({"error": fields}, ensure_ascii=False))
    else:
        print(f"kiebitz: {error}", file=sys.stderr)
        if error.hint:
            print(f"  next: {error.hint}", file=sys.stderr)
    return error.exit_code


if __name__ == "__main__":
    main()
