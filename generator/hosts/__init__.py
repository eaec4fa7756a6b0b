"""Static hosts, one a module, all fed by the grammar's routes (see generator.contract.artifact).

A module is named like its host, with `_` for `-`: `github_pages` is the host `github-pages`.  It
has

    render      where there is anything: what belongs into the output
    LIMITS      what the host is known to take
    REDIRECTS   True where it leads from the lists of a former slug to those of the present one;
                elsewhere files say so
    RULES       where there is one, the file in the output that has a rule a line
    WAY_OUT     where there is one: how to have more than LIMITS
    BASE_URL    where a site needs `base_url`: why, and what to do
    outside     where there is more: what does not belong into the output, for `registry host NAME`
                to print or write; each file begins with a comment on how to install it.  Its
                parameters are declared like those of `render`.
"""

from __future__ import annotations

from typing import NamedTuple


class Limits(NamedTuple):
    """What a host is known to take on its free plan; None where it is not known."""

    files: int | None = None
    file_bytes: int | None = None
    rules: int | None = None
    directory_files: int | None = None  # directly in one folder
    bytes: int | None = None  # in all
