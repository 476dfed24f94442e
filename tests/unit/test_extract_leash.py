import resource

import pytest

from kiebitz.extract.leash import set_limits
from kiebitz.extract.limits import DEFAULT


def test_limits_that_a_system_refuses_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on macOS, which has no limit of address space."""
    asked: list[int] = []

    def refuse_memory(kind: int, limit: tuple[int, int]) -> None:
        asked.append(kind)
        if kind == resource.RLIMIT_AS:
            raise ValueError("current limit exceeds maximum limit")

    monkeypatch.setattr(resource, "setrlimit", refuse_memory)
    assert set_limits(DEFAULT) == ["memory"]
    assert {resource.RLIMIT_CORE, resource.RLIMIT_FSIZE} <= set(asked)
