"""``kiebitz alert``: searches that are saved, and tell what is new. One file per verb."""

import typer

from kiebitz.cli.alert import adding, feeding, listing, removing, sending, testing

app = typer.Typer(
    help="Save searches, and be told what is new.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
)
app.command("add")(adding.command)
app.command("list")(listing.listed)
app.command("show")(listing.shown)
app.command("remove")(removing.command)
app.command("test")(testing.command)
app.command("feed")(feeding.command)
app.command("send")(sending.command)
