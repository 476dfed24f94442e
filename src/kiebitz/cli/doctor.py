"""``kiebitz doctor``: is this machine fit, and is this home sound?"""

from typing import Annotated

import typer

from kiebitz.cli.console import emit
from kiebitz.cli.session import run_async, settings_of

UNSOUND = 6


def command(
    context: typer.Context,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object per line.")] = False,
) -> int:
    """Check the machine, the home, its databases and a sample of the stored pages. Changes nothing."""
    from kiebitz.deploy.diagnosis import examine

    findings = run_async(examine(settings_of(context)))
    for finding in findings:
        if as_json:
            emit(finding)
        else:
            print(f"{'ok  ' if finding.ok else 'FAIL'}  {finding.subject:<12} {finding.detail}")
            if finding.hint:
                print(f"      next: {finding.hint}")
    return 0 if all(finding.ok for finding in findings) else UNSOUND
