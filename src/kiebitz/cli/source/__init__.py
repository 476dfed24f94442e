"""``kiebitz source``: the websites that are watched. One file per verb."""

import typer

from kiebitz.cli.source import adding, editing, importing, judging, listing, offering, removing, trying, writing

app = typer.Typer(
    help="Say what is watched, and see how it is doing.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
)
app.command("try")(trying.command)
app.command("add")(adding.command)
app.command("list")(listing.listed)
app.command("show")(listing.shown)
app.command("verdicts")(judging.command)
app.command("edit")(editing.command)
app.command("remove")(removing.command)
app.command("import")(importing.command)
app.command("export")(writing.command)
app.command("catalogue")(offering.command)
