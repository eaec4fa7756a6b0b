"""Requests that the development server accepts, by their headers."""

from __future__ import annotations

import pytest

from generator.serve.callers import Callers


@pytest.mark.parametrize(
    ("host", "origin", "others", "status"),
    [
        ("127.0.0.1:8000", None, (), None),
        ("localhost:8000", None, (), None),
        ("LocalHost", None, (), None),
        ("[::1]:8000", None, (), None),
        # A tunnel may end at another port.
        ("localhost:9999", None, (), None),
        # The server's own pages, under any of its names.
        ("127.0.0.1:8000", "http://127.0.0.1:8000", (), None),
        ("127.0.0.1:8000", "http://localhost:8000", (), None),
        ("localhost", "http://localhost", (), None),
        # DNS rebinding: a page of evil.example, which by now leads here, asks as if it were its
        # own.
        ("evil.example:8000", None, (), 421),
        ("evil.example:8000", "http://evil.example:8000", (), 421),
        ("localhost.evil.example", None, (), 421),
        ("127.0.0.1.evil.example:8000", None, (), 421),
        ("127.0.0.2:8000", None, (), 421),
        ("", None, (), 421),
        ("localhost:8000,evil.example", None, (), 421),
        ("localhost@evil.example", None, (), 421),
        ("localhost:8000:1", None, (), 421),
        ("localhost:x", None, (), 421),
        ("localhost\n", None, (), 421),
        ("[::2]:8000", None, (), 421),
        # Pages of other sites.
        ("127.0.0.1:8000", "https://evil.example", (), 403),
        ("127.0.0.1:8000", "http://localhost:3000", (), 403),
        ("127.0.0.1:8000", "http://localhost", (), 403),
        ("127.0.0.1:8000", "http://localhost:8000.evil.example", (), 403),
        ("127.0.0.1:8000", "http://evil.example/http://localhost:8000", (), 403),
        ("127.0.0.1:8000", "null", (), 403),
        ("127.0.0.1:8000", "", (), 403),
        ("127.0.0.1:8000", "file://", (), 403),
        ("127.0.0.1:8000", "chrome-extension://localhost:8000", (), 403),
        # Allowed sites, with a certain port or with any.
        ("registry.test", None, ("registry.test",), None),
        ("registry.test:8000", "https://registry.test", ("Registry.Test",), None),
        ("127.0.0.1:8000", "http://localhost:5173", ("localhost:5173",), None),
        ("127.0.0.1:8000", "http://localhost:5174", ("localhost:5173",), 403),
        ("registry.test:81", None, ("registry.test:80",), 421),
        ("other.registry.test", None, ("registry.test",), 421),
        ("registry.test", "https://evil.example", ("registry.test",), 403),
    ],
)
def test_the_headers_decide_who_is_answered(
    host: str, origin: str | None, others: tuple[str, ...], status: int | None
) -> None:
    refusal = Callers(others).find_refusal(
        {"Host": host} | ({} if origin is None else {"Origin": origin})
    )
    assert (refusal.status if refusal else None) == status


def test_a_refusal_says_how_to_allow_it() -> None:
    refusal = Callers().find_refusal({"Host": "registry.test:81"})
    page = Callers().find_refusal({"Host": "localhost:8000", "Origin": "http://localhost:5173"})
    assert refusal and refusal.detail.endswith("--allow-host registry.test:81")
    assert page and page.detail.endswith("--allow-host localhost:5173")


def test_without_a_host_nothing_is_answered() -> None:
    refusal = Callers().find_refusal({})
    assert refusal is not None and refusal.status == 421
