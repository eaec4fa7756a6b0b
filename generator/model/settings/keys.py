"""Keys of registry.yaml that features add.

A class in the module `settings` of a feature adds its fields to the model of settings with the same
name: `Settings` has the keys of registry.yaml, `Publish` those below its key "publish".
"""

from __future__ import annotations

from typing import Self, TypeVar

from generator.feature import parts
from generator.kinds.models import Input

Model = TypeVar("Model", bound=Input)


class Keys(Input):
    """The base of a feature's keys.  Each has a default, and a description for editors:
    `key: Annotated[bool, Field(description="...")] = False`.
    """

    @classmethod
    def of(cls, settings: Input) -> Self:
        """The settings of a registry, as the model that has these keys."""
        assert isinstance(settings, cls)
        return settings


def with_keys(model: type[Model]) -> type[Model]:
    """A model of settings with the keys that features add, after its own.  Raises FeatureError if
    two have one key.
    """
    bases: list[type[Input]] = []
    owners = dict.fromkeys(model.model_fields, "the generator")
    for feature, module in parts("settings"):
        added: type[Input] | None = getattr(module, model.__name__, None)
        if added is None:
            continue
        with feature.named():
            if not issubclass(added, Keys):
                raise TypeError(f"{model.__name__} in its module settings is no subclass of Keys")
            for name in added.model_fields:
                feature.claim(name, f"key {name} of registry.yaml", owners)
        bases.insert(0, added)  # pydantic takes the fields of the last base first
    if not bases:
        return model
    return type(model.__name__, (*bases, model), {"__module__": model.__module__})
