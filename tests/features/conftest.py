"""Registries of different shapes, and windows of one Chromium."""

from support.sites import *  # noqa: F403
