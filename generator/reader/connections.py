"""Connections to one host that another thread can cut while they wait.

Requests run in threads. The requests of one `Remote.read` share a `Call`.
"""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit
from weakref import WeakSet

from generator.reader.answers import ClientError

if TYPE_CHECKING:
    from urllib3 import PoolManager

MAX_CONNECTIONS = 8


class RemoteError(ClientError):
    """A host sends no usable answer; the text is for users."""


class Call:
    """The time and bytes left for one `Remote.read`."""

    def __init__(self, seconds: float, max_bytes: int):
        self.seconds, self.deadline = seconds, time.monotonic() + seconds
        self.bytes = max_bytes
        self.slots = threading.Semaphore(MAX_CONNECTIONS)

    @property
    def seconds_left(self) -> float:
        """Seconds until the call ends."""
        return self.deadline - time.monotonic()

    def timeout_error(self, url: str) -> RemoteError:
        return RemoteError(f"{url} takes longer than {self.seconds:g} seconds.")

    def cancel(self, connections: Iterable[Any]) -> None:
        """Stop all requests: threads that wait for an answer get an error."""
        self.deadline = 0.0
        for connection in list(connections):
            if isinstance(sock := connection.sock, socket.socket):
                with contextlib.suppress(OSError):
                    socket.socket.shutdown(sock, socket.SHUT_RDWR)


def connection_pool(base: str) -> tuple[PoolManager, WeakSet[Any]]:
    """A connection pool for the host, through the proxy of the environment, and its connections,
    which other threads can cut.

    Raises RemoteError if the proxy is not a URL.
    """
    pool, connections = _plain_pool(base), WeakSet[Any]()
    classes: dict[str, Any] = {}
    for scheme, pool_class in pool.pool_classes_by_scheme.items():

        class Cut(pool_class.ConnectionCls):  # type: ignore[name-defined,misc]
            def connect(self) -> None:
                connections.add(self)
                super().connect()

        classes[scheme] = type("Pool", (pool_class,), {"ConnectionCls": Cut})
    pool.pool_classes_by_scheme = classes
    return pool, connections


def _plain_pool(base: str) -> PoolManager:
    from urllib.request import getproxies, proxy_bypass

    import urllib3

    parts = urlsplit(base)
    proxies = {} if proxy_bypass(str(parts.hostname)) else getproxies()
    proxy = proxies.get(parts.scheme) or proxies.get("all")
    if not proxy:
        return urllib3.PoolManager(maxsize=MAX_CONNECTIONS)
    try:
        return urllib3.ProxyManager(
            proxy if "://" in proxy else f"http://{proxy}", maxsize=MAX_CONNECTIONS
        )
    except (urllib3.exceptions.HTTPError, ValueError) as error:
        raise RemoteError(
            "The proxy in the environment is not valid. Write http://host:port."
        ) from error
