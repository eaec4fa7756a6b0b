"""Which IP addresses are on the internet."""

from __future__ import annotations

import pytest

from generator.model.checks.addresses import is_public

PRIVATE = """
    127.0.0.1 127.8.8.8 0.0.0.0 10.1.2.3 172.16.0.1 192.168.1.1 169.254.169.254 100.64.0.1 224.0.0.1
    240.0.0.1 255.255.255.255 192.0.2.1 198.18.0.1 ::1 :: fe80::1%eth0 fd00::1 ff02::1 fec0::1
    ::ffff:127.0.0.1 ::ffff:10.0.0.1 64:ff9b::7f00:1 64:ff9b::a00:1 2002:7f00:1:: 2001:db8::1
    ::127.0.0.1 192.0.0.1 192.0.0.9 192.0.0.170 192.88.99.1 3fff::1 3fff:fff:ffff::1 5f00::1
    2001::1 64:ff9b:1::1 100::1
"""


@pytest.mark.parametrize("address", PRIVATE.split())
def test_private_addresses(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize(
    "address", ["1.1.1.1", "2606:4700::1111", "64:ff9b::101:101", "192.0.1.1", "3ffe::1"]
)
def test_public_addresses(address: str) -> None:
    assert is_public(address)
