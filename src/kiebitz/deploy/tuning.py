"""What the process asks of the machine before it crawls: memory that stays, few collections, enough open files."""

import gc
import sys

M_TRIM_THRESHOLD, M_TOP_PAD, M_MMAP_THRESHOLD = -1, -2, -3
FILES = 4096


def keep_parser_memory() -> None:
    """The C library (glibc) gives a page's tree back to the kernel after every page; keeping it saves a quarter of the CPU."""
    if not sys.platform.startswith("linux"):
        return
    import ctypes

    mallopt = getattr(ctypes.CDLL(None), "mallopt", None)
    if mallopt is not None:  # musl has none
        mallopt(M_MMAP_THRESHOLD, 32 << 20)  # the most glibc accepts
        mallopt(M_TRIM_THRESHOLD, 512 << 20)
        mallopt(M_TOP_PAD, 16 << 20)


def calm_collector() -> None:
    """What was imported stays; cycles are rare on the crawl path."""
    gc.freeze()
    gc.set_threshold(50_000, 20, 100)


def allow_open_files() -> None:
    """Hundreds of hosts are hundreds of sockets; the usual soft limit is 1,024, on macOS 256."""
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = FILES if hard == resource.RLIM_INFINITY else min(FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def tune() -> None:
    keep_parser_memory()
    allow_open_files()
    calm_collector()
