"""Published registries, served like a host with a query tier."""

from support.served import *  # noqa: F403
