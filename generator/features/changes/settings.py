"""The key of registry.yaml that asks for every change."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from generator.model.settings.keys import Keys


class Publish(Keys):
    changes: Annotated[
        bool, Field(description="Whether every change of the history is published.")
    ] = False
