"""Documents: all published files that are neither records, pages of lists, index nor site."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator
from typing import Any

import generator.hosts
import generator.outputs
import generator.site
from generator.contract.artifact import (
    Artifact,
    Output,
    load_module,
    module_names,
    output_of,
)
from generator.feature import features, parts

#: The name of the index.
INDEX = "outputs.index"
_PACKAGES = {"outputs": generator.outputs, "hosts": generator.hosts, "site": generator.site}


def documents(
    hosts: Iterable[str], without: Container[str] = (), *, site: bool = False
) -> list[Output]:
    """The outputs that write documents, the index last, because it lists the others.

    `without` are features that the registry leaves out.  With `site`, the site has the sitemap and
    the page for missing files instead of `outputs`.
    """
    left_out = {*generator.outputs.LARGE, *(("sitemap", "missing") if site else ())}
    names = [f"outputs.{name}" for name in module_names(generator.outputs) if name not in left_out]
    names += [
        f"features.{of.name}"
        for of, module in parts("outputs", without)
        if hasattr(module, "render")
    ]
    names += [f"hosts.{name}" for name in dict.fromkeys(hosts)]
    names += ["site.sitemap"] if site else []
    return sorted(map(document, names), key=lambda out: out.name == INDEX)


def document(name: str) -> Output:
    """The output with a name such as `outputs.sitemap`: a package and a module, or `features` and a
    feature.
    """
    package, _, module = name.partition(".")
    if package == "features":
        feature = next(feature for feature in features() if feature.name == module)
        return output_of(name, feature.load("outputs"))
    return output_of(name, load_module(_PACKAGES[package], module))


def render_output(out: Output, inputs: Any) -> Iterator[Artifact]:
    """The artifacts of an output; `inputs` has attributes with the names of its inputs."""
    return out.render(**{name: getattr(inputs, name) for name in out.inputs})


def any_has_functions(hosts: Iterable[str]) -> bool:
    """Whether one of these hosts runs functions, and so the MCP server."""
    return any(getattr(load_module(generator.hosts, name), "FUNCTIONS", False) for name in hosts)


def all_hosts_redirect(hosts: Iterable[str]) -> bool:
    """Whether all of these hosts redirect the former paths of lists."""
    return all(getattr(load_module(generator.hosts, name), "REDIRECTS", False) for name in hosts)
