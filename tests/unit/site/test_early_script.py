"""The inline script of pages, and the policy that allows it."""

from __future__ import annotations

import base64
import hashlib

from generator.grammar import headers
from generator.site.theme import Theme


def test_the_policy_allows_the_inline_script() -> None:
    digest = hashlib.sha256(Theme("en").early.encode()).digest()
    # After `make bundle` EARLY_SCRIPT may need another value: this one.
    assert base64.b64encode(digest).decode() == headers.EARLY_SCRIPT
    assert f"script-src 'self' 'sha256-{headers.EARLY_SCRIPT}';" in headers.BASE_POLICY


def test_the_inline_script_ends_with_its_element() -> None:
    assert "</" not in Theme("en").early and "<!--" not in Theme("en").early
