"""``kiebitz alert send``: deliver what is due."""

import asyncio
import signal
from typing import Annotated

import typer

from kiebitz.cli.console import emit
from kiebitz.cli.session import opened, run_async, settings_of
from kiebitz.settings import Settings


def command(
    context: typer.Context,
    watch: Annotated[bool, typer.Option("--watch", help="Go on until interrupted.")] = False,
    failed: Annotated[bool, typer.Option("--failed", help="Try those again that were given up.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Answer with one JSON object.")] = False,
) -> None:
    """Send what the saved searches have found and nobody was told: now, or whenever it is due."""
    run_async(send(settings_of(context), watch=watch, failed=failed, as_json=as_json))


async def send(settings: Settings, *, watch: bool, failed: bool, as_json: bool) -> None:
    from kiebitz.deploy.alerting.channels import Channels
    from kiebitz.deploy.alerting.sending import Sender, SendingPace

    async with opened(settings) as backend, Channels(settings, backend.clock) as channels:
        alerts = backend.state.alerts
        if failed:
            for search in await alerts.searches():
                await alerts.revive(search.id, backend.clock.utc())
        sender = Sender(alerts, channels, backend.clock, SendingPace(retry_seconds=settings.retry_delay))
        tally = await sender.watch(_interrupted()) if watch else await sender.send_due()
    if as_json:
        emit({"sent": tally.sent, "deferred": tally.deferred, "failed": tally.failed})
    else:
        print(f"{tally.sent} sent, {tally.deferred} to be tried again, {tally.failed} given up")


def _interrupted() -> asyncio.Event:
    """Set by a signal: what is being sent is settled first."""
    stop = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, stop.set)
    return stop
