"""Where the data lies that others wrote: the conformance suites here, the rest beside the repository, if it is there."""

from pathlib import Path

import pytest

CONFORMANCE = Path(__file__).parent / "data" / "conformance"
SHARED = Path(__file__).resolve().parents[2] / "shared" / "data"
needs_shared = pytest.mark.skipif(not SHARED.is_dir(), reason=f"no shared data at {SHARED}")
