"""``kiebitz lab``: a small web that does not exist, to try things on."""

from typing import Annotated

import typer

app = typer.Typer(
    help="A small web that does not exist, on this machine only.", no_args_is_help=True, add_completion=False
)


@app.callback()
def lab() -> None:
    """A small web that does not exist, on this machine only."""


@app.command()
def serve(
    hosts: Annotated[int, typer.Option(min=1, help="How many hosts.")] = 20,
    pages: Annotated[int, typer.Option(min=1, help="Pages per host.")] = 50,
    seed: Annotated[int, typer.Option(help="The same seed makes the same web.")] = 1,
    port: Annotated[int, typer.Option(min=0, max=65_535, help="Port to listen on; 0: any.")] = 0,
    demo: Annotated[
        bool,
        typer.Option(
            "--demo",
            help="The demo's towns instead of a link graph; the other options but --port and --seed are ignored.",
        ),
    ] = False,
    misbehaving: Annotated[bool, typer.Option("--misbehaving", help="Also the hosts with bad manners.")] = False,
    tls: Annotated[bool, typer.Option("--tls", help="With --misbehaving: also those with bad certificates.")] = False,
    municipalities: Annotated[
        int,
        typer.Option(
            min=0,
            max=50,
            help="So many of the fifty municipalities with gazettes of every layout, instead of a link graph.",
        ),
    ] = 0,
    scripted: Annotated[
        bool, typer.Option("--scripted", help="With --municipalities: two more, whose pages need a browser.")
    ] = False,
    noise: Annotated[
        bool,
        typer.Option("--noise", help="With --municipalities: each view of a page differs in what does not matter."),
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Announce itself with one JSON object.")] = False,
) -> None:
    """Serve the lab until Ctrl-C; says how to crawl it."""
    from kiebitz.lab.serve import run
    from kiebitz.lab.server import Info, Ports
    from kiebitz.lab.world import Blueprint

    def ready(info: Info) -> None:
        if as_json:
            print(info.to_json(), flush=True)
            return
        print(f"serving {len(info.resolve.split(','))} names on loopback, port {info.port}. In another terminal:")
        print(f"  export KIEBITZ_RESOLVE='{info.resolve}'")
        if municipalities:
            print(f"  kiebitz source try {info.seeds[0]}")
            print(f"What is true of them: http://127.0.0.1:{info.control}/truth")
        else:
            print(f"  kiebitz crawl {' '.join(info.seeds[:3])} --scope any --delay 0.1")
        print("Ctrl-C ends it.", flush=True)

    web = Blueprint(hosts=hosts, pages=pages, seed=seed, misbehaving=misbehaving, tls=tls)
    if demo:
        web = Blueprint(demo=True, seed=seed)
    elif municipalities:
        web = Blueprint(municipalities=municipalities, scripted=scripted, noise=noise, seed=seed)
    run(web, ready, ports=Ports(port, 0))
