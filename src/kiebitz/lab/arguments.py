"""The command line of the lab: a flag for each field of a blueprint, so that a blueprint can be handed to a child process."""

import argparse
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path

from kiebitz.lab.server import Ports
from kiebitz.lab.world import Blueprint

_HELP = {
    "hosts": "hosts of the link graph",
    "pages": "pages of each of its hosts",
    "seed": "the same seed makes the same web",
    "page_bytes": "size of a page of the graph",
    "crawl_delay": "what one host in ten asks for in robots.txt (seconds)",
    "dripping": "share of the graph's hosts that answer slowly (0 to 1)",
    "drip_seconds": "how long such a host takes for a page",
    "demo": "twelve towns with gazettes",
    "misbehaving": "hosts with bad manners",
    "tls": "among them those that need certificates",
    "municipalities": "how many of the fifty municipalities",
    "scripted": "two more municipalities, whose pages need a browser",
    "noise": "each view of a municipality's page differs in what does not matter",
}


def parser() -> argparse.ArgumentParser:
    found = argparse.ArgumentParser(prog="python -m kiebitz.lab", description="Serve a small web that does not exist.")
    for field in fields(Blueprint):
        flag, text = "--" + field.name.replace("_", "-"), _HELP[field.name]
        if isinstance(field.default, bool):
            found.add_argument(flag, action="store_true", help=text)
        else:
            found.add_argument(flag, type=type(field.default), default=field.default, help=f"{text} (%(default)s)")
    found.add_argument("--port", type=int, default=0, help="port of all hosts (0: any)")
    found.add_argument("--control", type=int, default=0, help="control port on 127.0.0.1 (0: any)")
    found.add_argument("--log", type=Path, default=None, help="write the access log to this file, as JSON lines")
    found.add_argument("--with-parent", action="store_true", help="end when standard input is closed")
    return found


def blueprint_of(given: argparse.Namespace) -> Blueprint:
    return Blueprint(**{field.name: getattr(given, field.name) for field in fields(Blueprint)})


def ports_of(given: argparse.Namespace) -> Ports:
    return Ports(given.port, given.control)


def flags(blueprint: Blueprint) -> Sequence[str]:
    """The blueprint as arguments; what is as usual is left out."""
    found: list[str] = []
    for field in fields(Blueprint):
        value = getattr(blueprint, field.name)
        if value != field.default:
            found += ["--" + field.name.replace("_", "-"), *([] if value is True else [str(value)])]
    return found
