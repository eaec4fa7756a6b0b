"""Which IP addresses are on the public internet.

The blocks are those of the IANA registries of special-purpose addresses
(https://www.iana.org/assignments/iana-ipv4-special-registry, .../iana-ipv6-special-registry) in
which no website is.  Versions of Python differ in what they call global.
"""

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

_PRIVATE_4 = tuple(
    IPv4Network(block)
    for block in (
        "0.0.0.0/8",
        "10.0.0.0/8",
        "100.64.0.0/10",
        "127.0.0.0/8",
        "169.254.0.0/16",
        "172.16.0.0/12",
        "192.0.0.0/24",  # protocols of the IETF
        "192.0.2.0/24",  # documentation, like 198.51.100.0 and 203.0.113.0
        "192.88.99.0/24",  # 6to4
        "192.168.0.0/16",
        "198.18.0.0/15",  # benchmarks
        "198.51.100.0/24",
        "203.0.113.0/24",
        "224.0.0.0/4",  # multicast
        "240.0.0.0/4",  # reserved
    )
)
#: IPv6 addresses outside of this block are not assigned to hosts on the internet (RFC 4291 2.4).
_UNICAST_6 = IPv6Network("2000::/3")
_PRIVATE_6 = (
    IPv6Network("2001::/23"),  # protocols of the IETF
    IPv6Network("2001:db8::/32"),  # documentation, like 3fff::
    IPv6Network("2002::/16"),  # 6to4
    IPv6Network("3fff::/20"),
)
#: The addresses of IPv4 hosts in networks that only have IPv6 (RFC 6052).
_TRANSLATED = IPv6Network("64:ff9b::/96")


def is_public(address: str) -> bool:
    """Whether an IP address belongs to the public internet.  Raises ValueError if it is none."""
    ip: IPv4Address | IPv6Address = ip_address(address.partition("%")[0])
    if isinstance(ip, IPv6Address) and ip in _TRANSLATED:
        ip = IPv4Address(int(ip) & 0xFFFFFFFF)
    if isinstance(ip, IPv4Address):
        return not any(ip in block for block in _PRIVATE_4)
    return ip in _UNICAST_6 and not any(ip in block for block in _PRIVATE_6)
