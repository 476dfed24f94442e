"""A process that ends with its parent, has limits, and says which limits this system could not set."""

import os
import signal
import sys
import threading
import time

from kiebitz.extract.limits import ReadLimits

_IS_LINUX = sys.platform.startswith("linux")
_PR_SET_PDEATHSIG = 1
_PR_SET_NO_NEW_PRIVS = 38
_FILES = 64


def die_with(parent: int) -> None:
    """Linux ends us with our parent; elsewhere a thread looks every second (pdfium lets other threads run)."""
    if _IS_LINUX:
        _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        _prctl(_PR_SET_NO_NEW_PRIVS, 1)
        if os.getppid() != parent:
            os._exit(1)
        return

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(1)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def die_with_parent() -> None:
    """For a program that we start: between fork and exec."""
    if _IS_LINUX:
        _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)


def _prctl(option: int, value: int) -> None:
    import ctypes

    ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def set_limits(limits: ReadLimits) -> list[str]:
    """For the life of this process. Which of them this system does not have."""
    try:
        import resource
    except ImportError:
        return ["memory", "CPU", "files"]
    missing = []
    wanted = (
        ("memory", "RLIMIT_AS", limits.memory),
        ("core dumps", "RLIMIT_CORE", 0),
        ("new files", "RLIMIT_FSIZE", 0),
        ("open files", "RLIMIT_NOFILE", _FILES),
    )
    for name, constant, value in wanted:
        try:
            resource.setrlimit(getattr(resource, constant), (value, value))
        except (AttributeError, ValueError, OSError):
            missing.append(name)
    _ignore("SIGXFSZ")
    return missing


def _ignore(name: str) -> None:
    if hasattr(signal, name):
        signal.signal(getattr(signal, name), signal.SIG_IGN)


def allow_cpu(seconds: int) -> None:
    """From now on; the process is ended by SIGXCPU when it has used them up."""
    try:
        import resource
    except ImportError:
        return
    used = resource.getrusage(resource.RUSAGE_SELF)
    soft = int(used.ru_utime + used.ru_stime) + max(1, seconds) + 1
    try:
        resource.setrlimit(resource.RLIMIT_CPU, (soft, resource.getrlimit(resource.RLIMIT_CPU)[1]))
    except (ValueError, OSError):
        return
