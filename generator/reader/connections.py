"""Connections to one host, each of which can be cut while it is waited at.

Requests run in threads; a `Call` is what several of them may take together, and `working` says for
which of them a thread works.
"""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

if TYPE_CHECKING:
    from urllib3 import PoolManager

PARALLEL = 8


class RemoteError(Exception):
    """A host gives no answer that can be used; the text is for a person."""


class Call:
    """The seconds and bytes that one `read` may still take, and the connections it waits at."""

    def __init__(self, seconds: float, most: int):
        self.seconds, self.until = seconds, time.monotonic() + seconds
        self.bytes = most
        self.slots = threading.Semaphore(PARALLEL)
        self.connections: set[Any] = set()

    @property
    def left(self) -> float:
        """Seconds."""
        return self.until - time.monotonic()

    def late(self, url: str) -> RemoteError:
        return RemoteError(f"{url} takes longer than {self.seconds:g} seconds.")

    def end(self) -> None:
        """Nothing more is waited for: who reads gets an error."""
        self.until = 0.0
        for connection in list(self.connections):
            if isinstance(there := connection.sock, socket.socket):
                with contextlib.suppress(OSError):
                    socket.socket.shutdown(there, socket.SHUT_RDWR)


#: The call that a thread works for.
working = threading.local()


def pool_of(base: str) -> PoolManager:
    """Connections to the host, through the proxy that the environment names for it; each can be cut
    while it is waited at.
    """
    pool = _plain_pool(base)
    classes: dict[str, Any] = {}
    for scheme, kind in pool.pool_classes_by_scheme.items():

        class Cut(kind.ConnectionCls):  # type: ignore[name-defined,misc]
            def connect(self) -> None:
                working.call.connections.add(self)
                super().connect()

            def getresponse(self) -> Any:
                call = working.call
                call.connections.add(self)
                if call.left <= 0:
                    raise TimeoutError
                return super().getresponse()

        class Pool(kind):  # type: ignore[valid-type,misc]
            ConnectionCls = Cut

            def _put_conn(self, connection: Any) -> None:
                working.call.connections.discard(connection)
                super()._put_conn(connection)

        classes[scheme] = Pool
    pool.pool_classes_by_scheme = classes
    return pool


def _plain_pool(base: str) -> PoolManager:
    from urllib.request import getproxies, proxy_bypass

    import urllib3

    host = urlsplit(base)
    proxies = {} if proxy_bypass(str(host.hostname)) else getproxies()
    proxy = proxies.get(host.scheme) or proxies.get("all")
    if not proxy:
        return urllib3.PoolManager(maxsize=PARALLEL)
    try:
        return urllib3.ProxyManager(
            proxy if "://" in proxy else f"http://{proxy}", maxsize=PARALLEL
        )
    except (urllib3.exceptions.HTTPError, ValueError) as error:
        raise RemoteError(
            "The proxy that the environment names is none: http://host:port is asked for."
        ) from error
