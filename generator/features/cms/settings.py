"""The key `cms` of registry.yaml."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import AfterValidator, Field, ValidationInfo
from pydantic_core import PydanticCustomError

from generator.kinds.marks import Before
from generator.kinds.models import Input
from generator.kinds.types import Line, Url
from generator.model.settings.keys import Keys


class Cms(Input):
    """How records are edited in the browser.  Without `auth` and `app_id` people sign in with a
    token.
    """

    auth: Annotated[
        Url | None, Field(description="For GitHub: the address of the OAuth relay for signing in.")
    ] = None
    app_id: Annotated[
        Line | None,
        Field(description="For GitLab: the id of the OAuth application for signing in."),
    ] = None
    review: Annotated[bool, Field(description="Whether each change becomes a pull request.")] = True
    folders: Annotated[
        bool,
        Field(description="Whether records are in folders below the folder of their collection."),
    ] = True


def _read(value: Any) -> Any:
    return {True: Cms(), False: None}[value] if isinstance(value, bool) else value


def _check(value: Any, info: ValidationInfo) -> Any:
    if value is not None and info.data.get("repository", value) is None:
        raise PydanticCustomError("cms", "needs repository: the address where the records are kept")
    return value


class Settings(Keys):
    cms: Annotated[
        Cms | None,
        Before(_read, bool | Cms | None),
        AfterValidator(_check),
        Field(description="Editing of records in the browser, at /admin/."),
    ] = None
