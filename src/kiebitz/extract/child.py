"""The inside of the sandbox: ``python -m kiebitz.extract.child PARENT LIMITS`` reads documents from a pipe, one by one.

Its standard input and output are the pipes. They are moved away at the start, so that nothing a library prints gets
between the frames. It answers every document it survives; what it does not survive, the other side notices.
"""

import json
import os
import sys

from kiebitz.extract.frames import read_frame, write_frame
from kiebitz.extract.leash import allow_cpu, die_with, set_limits
from kiebitz.extract.limits import ReadLimits
from kiebitz.extract.reading import read
from kiebitz.model.text import Text, TextState, to_json


def main(arguments: list[str]) -> int:
    parent, written = arguments
    limits = ReadLimits(*json.loads(written))
    die_with(int(parent))
    requests, answers = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    silence = os.open(os.devnull, os.O_RDWR)
    for standard in (0, 1, 2):
        os.dup2(silence, standard)
    write_frame(answers, json.dumps(set_limits(limits)).encode())
    while (header := read_frame(requests)) is not None:
        content = read_frame(requests)
        if content is None:
            break
        content_type, url = json.loads(header)
        allow_cpu(limits.cpu_seconds)
        text, is_exhausted = _read(content, content_type, url, limits)
        del content
        write_frame(answers, _answer(text, limits))
        if is_exhausted:
            return 0  # who has run out of memory once is not trusted with the next document
    return 0


def _read(content: bytes, content_type: str, url: str, limits: ReadLimits) -> tuple[Text, bool]:
    try:
        return read(content, content_type, url, limits), False
    except MemoryError:
        reason = f"it needs more than {limits.memory // 1_000_000:,} MB of memory"
        return Text(TextState.TOO_LARGE, reason=reason), True
    except RecursionError:
        return Text(TextState.TOO_LARGE, reason="it is nested without end"), True
    except Exception as error:  # noqa: BLE001 -- whatever a reader stumbles over costs one document
        return Text(TextState.CRASHED, reason=f"the reader failed: {type(error).__name__}: {error}"[:300]), True


def _answer(text: Text, limits: ReadLimits) -> bytes:
    try:
        answer = to_json(text)
    except MemoryError:
        answer = b""
    if answer and len(answer) <= limits.output_bytes:
        return answer
    reason = f"its text has more than {limits.output_bytes:,} bytes"
    return to_json(Text(TextState.TOO_LARGE, title=text.title, pages=text.pages, reason=reason))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
