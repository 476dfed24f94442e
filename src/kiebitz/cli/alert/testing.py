"""``kiebitz alert test``: can the receivers be reached?"""

from typing import Annotated

import typer

from kiebitz.cli.alert.speech import masked
from kiebitz.cli.console import clean, emit, next_step
from kiebitz.cli.session import opened, run_async, settings_of
from kiebitz.errors import DeliveryFailed, InputError, KiebitzError
from kiebitz.settings import Settings


def command(
    context: typer.Context,
    name: Annotated[str, typer.Argument(help="The saved search: its name or its id.")],
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object per channel.")] = False,
) -> None:
    """Send a test to every channel of a saved search."""
    run_async(test(settings_of(context), name, as_json=as_json))


async def test(settings: Settings, name: str, *, as_json: bool) -> None:
    from uuid import uuid4

    from kiebitz.deploy.alerting.channels import Channels
    from kiebitz.deploy.alerting.definition import named
    from kiebitz.model.announcement import Announcement

    async with opened(settings) as backend:
        search = await named(backend.state.alerts, name)
        now = backend.clock.utc()
        if not search.channels:
            hint = f"{next_step(settings, 'alert feed')} writes its feed"
            raise InputError(f"{search.name!r} has no channels", hint=hint)
        failures = 0
        async with Channels(settings, backend.clock) as channels:
            for channel in search.channels:
                error = ""
                try:
                    await channels.send(channel, Announcement(uuid4().hex, search, (), now, rehearsal=True))
                except KiebitzError as failure:
                    failures += 1
                    error = f"{failure} ({failure.hint})" if failure.hint else f"{failure}"
                if as_json:
                    emit({"channel": masked(channel), "sent": not error, "error": error})
                else:
                    print(f"{clean(masked(channel))}: {clean(error) or 'sent'}")
    if failures:
        raise DeliveryFailed(
            f"{failures} of {len(search.channels)} channels could not be reached", hint="correct them and test again"
        )
