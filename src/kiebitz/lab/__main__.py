"""``python -m kiebitz.lab``: serve a lab and print, as one line of JSON, what a client must know."""

import sys

from kiebitz.errors import KiebitzError
from kiebitz.lab.arguments import blueprint_of, parser, ports_of
from kiebitz.lab.serve import run


def main() -> int:
    given = parser().parse_args()
    try:
        run(
            blueprint_of(given),
            lambda info: print(info.to_json(), flush=True),
            ports=ports_of(given),
            log_file=given.log,
            with_parent=given.with_parent,
        )
    except KiebitzError as error:
        print(f"{error}\n{error.hint}", file=sys.stderr)
        return error.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main())
