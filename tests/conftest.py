"""Names of test cases are the same in every process, also where a case is made of bytes with a time in them."""

import pytest


def pytest_make_parametrize_id(config: pytest.Config, val: object, argname: str) -> str | None:
    return f"{argname}-{len(val)}-bytes" if isinstance(val, bytes) else None
