"""A freshly built registry, and a host that serves a copy."""

from support.published import *  # noqa: F403
