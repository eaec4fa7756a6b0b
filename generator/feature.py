"""Features: what a registry can do without, each in a folder of its own.

The generator's own are the folders of `generator/features/`.  Another package adds one with an
entry point of the group `registry_generator.features`: its name is the feature's, its value the
package with the feature's modules (docs/extending.md).  The core asks for these modules, the
*parts* of the feature, by name, and imports no feature itself.
"""

from __future__ import annotations

import contextlib
import importlib.util
import pkgutil
import re
import sys
from collections.abc import Container, Iterator
from functools import cache
from importlib.machinery import PathFinder
from pathlib import Path
from types import ModuleType
from typing import Any, Generic, NamedTuple, TypeVar

from generator import PACKAGE

#: The group of the entry points of features that others publish.
GROUP = "registry_generator.features"
_OWN = "generator.features"
#: `NEEDS = ("diff", "tables")` at the beginning of a line, and a name in it.
_is_needs = re.compile(r"^NEEDS\b[^=\n]*=\s*[(\[]([^)\]]*)", re.MULTILINE)
_is_name = re.compile(r"""["'](\w+)["']""")


_Promised = TypeVar("_Promised")


class FeatureError(Exception):
    """A feature that is not of the generator failed; the message names it."""


class Feature(NamedTuple):
    """One feature: the package with its parts, and the folder of the package.

    `origin` is the distribution that it comes from, such as `example 1.0`; "" for the generator's.
    `needs` are the names of the features that it imports.
    """

    name: str
    package: str
    folder: Path
    parts: frozenset[str]
    origin: str = ""
    needs: tuple[str, ...] = ()

    def load(self, part: str = "") -> ModuleType:
        """A part of the feature, or the package itself.  Raises FeatureError."""
        with self.named():
            return importlib.import_module(f"{self.package}.{part}" if part else self.package)

    def claim(self, name: str, what: str, owners: dict[str, str]) -> None:
        """Make this feature the owner of a name, such as that of a field; `what` describes it.
        Raises FeatureError if it has one.
        """
        if name in owners:
            raise FeatureError(
                f"The feature {self.name} has the {what}, which {owners[name]} has too. "
                "Uninstall it."
            )
        owners[name] = self.name

    @contextlib.contextmanager
    def named(self) -> Iterator[None]:
        """Name this feature in exceptions, unless it is the generator's."""
        try:
            yield
        except Exception as error:
            if not self.origin or isinstance(error, FeatureError):
                raise
            raise FeatureError(_failure(self, error)) from error


@cache
def features() -> tuple[Feature, ...]:
    """All features by name, those of the generator first.  A feature that needs a missing feature
    is left out, with a line on standard error.  Raises FeatureError if two have one name.
    """
    own = [
        _feature(found.name, f"{_OWN}.{found.name}", PACKAGE / "features" / found.name)
        for found in pkgutil.iter_modules([str(PACKAGE / "features")])
        if found.ispkg
    ]
    found: dict[str, Feature] = {}
    for feature in (*own, *_installed()):
        first = found.setdefault(feature.name, feature)
        if first is not feature:
            raise FeatureError(
                f"Two features have the name {feature.name}: that of "
                f"{first.origin or 'the generator'} and that of {feature.origin}. Uninstall one "
                "of them."
            )
    while unmet := [one for one in found.values() if not found.keys() >= {*one.needs}]:
        for feature in unmet:
            missing = ", ".join(name for name in feature.needs if name not in found)
            print(
                f"The feature {feature.name} is left out: it needs {missing}, which is not here.",
                file=sys.stderr,
            )
        for feature in unmet:
            del found[feature.name]
    return tuple(found.values())


def _may_be_installed() -> bool:
    """Whether any metadata of distributions names the group: a look into files, which is quicker
    than to import and ask `importlib.metadata`.
    """
    if any(hasattr(f, "find_distributions") and f is not PathFinder for f in sys.meta_path):
        return True
    for place in map(Path, sys.path):
        if place.is_file():  # an archive
            return True
        for found in place.glob("*.*-info/entry_points.txt"):
            if GROUP in found.read_text("utf-8", "replace"):
                return True
    return False


def _installed() -> Iterator[Feature]:
    if not _may_be_installed():
        return
    from importlib.metadata import entry_points

    for point in sorted(entry_points(group=GROUP), key=lambda point: point.name):
        origin = f"{point.dist.name} {point.dist.version}" if point.dist else point.value
        try:
            spec = importlib.util.find_spec(point.value)
        except (ImportError, ValueError):
            spec = None
        if spec is None or not spec.submodule_search_locations:
            raise FeatureError(
                f"The feature {point.name} ({origin}) has no package {point.value}. Install "
                f"{origin.partition(' ')[0]} again, or uninstall it."
            )
        yield _feature(point.name, point.value, Path(spec.submodule_search_locations[0]), origin)


def _feature(name: str, package: str, folder: Path, origin: str = "") -> Feature:
    parts = frozenset(found.name for found in pkgutil.iter_modules([str(folder)]))
    return Feature(name, package, folder, parts, origin, _needs(folder / "__init__.py"))


def _needs(file: Path) -> tuple[str, ...]:
    """`NEEDS` in the source of a feature's package, which is not imported; () without it."""
    try:
        found = _is_needs.search(file.read_text("utf-8"))
    except (OSError, ValueError):  # importing the package will tell
        return ()
    return tuple(_is_name.findall(found[1])) if found else ()


#: A part -> the module that has its names in a feature without that part; "" is the package.
_BESIDE = {"addresses": "", "checks": "settings"}


def parts(name: str, left_out: Container[str] = ()) -> Iterator[tuple[Feature, ModuleType]]:
    """The features that have a part, such as "outputs", with this part."""
    for feature in features():
        module = name if name in feature.parts else _BESIDE.get(name)
        if module in {"", *feature.parts} and feature.name not in left_out:
            yield feature, feature.load(module or "")


def publishing() -> tuple[str, ...]:
    """The features that publish something, which a registry may leave out."""
    named = {"outputs", "views", "routes", "tools"}
    return tuple(feature.name for feature in features() if named & feature.parts)


class Hook(Generic[_Promised]):
    """What a part of features may have under a name, and its type: `for found in HOOK` gives that
    of each feature that has it.

    `takes` are the names of a function's parameters, as docs/extending.md promises them.  A feature
    of another package with a function that does not take them is refused by its name.
    """

    def __init__(self, part: str, name: str, takes: str = ""):
        self.part, self.name, self.takes = part, name, takes

    def __iter__(self) -> Iterator[_Promised]:
        return self.without(())

    def without(self, left_out: Container[str]) -> Iterator[_Promised]:
        """Those of features that a registry does not leave out."""
        for feature, module in parts(self.part, left_out):
            found = getattr(module, self.name, None)
            if found is not None:
                if feature.origin and self.takes:
                    with feature.named():
                        self._check(found)
                yield found

    def _check(self, found: Any) -> None:
        """Raises TypeError if what a feature has cannot be called so."""
        from inspect import signature

        try:
            signature(found).bind(*self.takes.split(", "))
        except TypeError as error:
            says = f"it has no {self.part}.{self.name}({self.takes}): {error}"
            raise TypeError(says) from None


def files(name: str) -> Iterator[Path]:
    """The files or folders with a name in the folders of features, such as "templates"."""
    for feature in features():
        path = feature.folder / name
        if path.exists():
            yield path


def describe_failure(error: BaseException) -> str | None:
    """A message for an exception that a feature raised which is not of the generator; else None."""
    if isinstance(error, FeatureError):
        return str(error)
    from traceback import extract_tb

    with contextlib.suppress(FeatureError):
        raised = [frame.filename for frame in extract_tb(error.__traceback__)]
        for feature in features() if raised else ():
            if feature.origin and any(_is_in(file, feature.folder) for file in raised):
                return _failure(feature, error)
    return None


def _is_in(file: str, folder: Path) -> bool:
    return Path(file).is_relative_to(folder)


def _failure(feature: Feature, error: BaseException) -> str:
    from traceback import extract_tb

    frames = extract_tb(error.__traceback__)
    inside = [frame for frame in frames if _is_in(frame.filename, feature.folder)]
    where = f" in {inside[-1].filename}, line {inside[-1].lineno}" if inside else ""
    return (
        f"The feature {feature.name} ({feature.origin}) failed{where}: "
        f"{type(error).__name__}: {error}\n"
        f"Tell its authors, or uninstall {feature.origin.partition(' ')[0]}."
    )
