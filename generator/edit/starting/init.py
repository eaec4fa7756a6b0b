"""The files of a new registry (`registry init`), rendered from `templates/init/`.

The templates contain many `${{ }}`, so their own values are in `{= =}` and their blocks in `<% %>`.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit

from generator.feature import Hook, files
from generator.model.settings.colours import ACCENTS, accent_of
from generator.problems.extras import EXTRAS, FILE

if TYPE_CHECKING:
    from generator.edit.changes import Plan
    from generator.edit.starting.wheel import Requirements
    from generator.model.settings.registry import Settings
    from generator.model.symbols import Symbols

#: Host -> the secrets that it needs, and the command that publishes `build/` there.
HOSTS = {
    "github-pages": ((), ""),
    "gitlab-pages": ((), ""),
    "netlify": (
        ("NETLIFY_AUTH_TOKEN", "NETLIFY_SITE_ID"),
        "npx --yes netlify-cli@27.10.2 deploy --prod --no-build --dir build",
    ),
    "cloudflare": (
        ("CLOUDFLARE_API_TOKEN", "CLOUDFLARE_ACCOUNT_ID"),
        "npx --yes wrangler@4.80.0 deploy",
    ),
}

_DOMAINS = {
    ("github-pages", "github.com"): "github.io",
    ("gitlab-pages", "gitlab.com"): "gitlab.io",
}

#: The file with the digests of the files that the generator wrote.
NOTE = ".generator.json"
#: An action of a workflow, pinned to a commit and a version.
PIN = re.compile(rb"(uses: [\w./-]+)@([0-9a-f]{40} # v(\d+)\.(\d+)\.(\d+))(?=\r?$)", re.MULTILINE)

#: The branches that git and hosts make first.
_DEFAULT_BRANCHES = ("main", "master")

#: Registry to begin with -> its description.  Its records and its settings are in
#: `templates/init/examples/`.
EXAMPLES = {
    "investors": "Investors, the companies that they back, and the deals between them.",
    "tools": "Software tools, what they depend on, and who began them.",
    "recipes": "Recipes, and what is in them.",
}
#: Path -> template.
_FILES = {
    ".gitignore": "gitignore",
    "README.md": "readme.md",
    "content/registry.yaml": "registry.yaml",
}
_RECORDS = {
    "content/organizations/example-college.yaml": "content/organization.yaml",
    "content/programs/example-accelerator.yaml": "content/program.yaml",
    "content/projects/example-project.yaml": "content/project.yaml",
    "content/events/example-applications.yaml": "content/event.yaml",
}
_GITHUB = {".github/dependabot.yml": "github/dependabot.yml"}
_WORKFLOWS = ("check.yml", "comment.yml", "publish.yml")
_GITLAB = {".gitlab-ci.yml": "gitlab-ci.yml"}


class NewRegistry(NamedTuple):
    """The settings of a new registry.

    `repository` and `base_url` are URLs, "" if unknown; `host` is a key of HOSTS, `extras` are keys
    of EXTRAS.  `accent` is a key of ACCENTS, "" for one that the name decides.  `branch` is the one
    that is published.  `begin` is a key of EXAMPLES, "" for a record of each of the first kinds.
    """

    name: str
    repository: str
    host: str
    base_url: str
    generator: Requirements
    year: int
    extras: tuple[str, ...] = ()
    accent: str = ""
    branch: str = "main"
    begin: str = ""

    @property
    def ci(self) -> str:
        """The service that runs the workflows: "github", "gitlab" or, elsewhere, "none"."""
        if self.host == "gitlab-pages" or _is_gitlab(self.repository):
            return "gitlab"
        labels = forge_of(self.repository).split(".")
        return (
            "github"
            if self.host == "github-pages" or labels[0] == "" or "github" in labels
            else "none"
        )


def _parts(url: str) -> tuple[str, str]:
    try:
        parts = urlsplit(url)
    except ValueError:
        return "", ""
    return parts.hostname or "", parts.path


def _is_gitlab(url: str) -> bool:
    from generator.model.settings.site import is_gitlab  # imported here to keep start-up fast

    return is_gitlab(url)


def forge_of(repository: str) -> str:
    """The machine of a repository, such as codeberg.org; "" without a repository."""
    return _parts(repository)[0]


def host_named(text: str) -> str:
    """The key of HOSTS that a text names, like `GitHub Pages`; else the text."""
    return next((host for host in HOSTS if _plain(host) == _plain(text)), text)


def _plain(host: str) -> str:
    return re.sub(r"[\W_]+|(pages|workers)\W*$", "", host.lower())


def host_of(repository: str) -> str:
    """The pages of GitHub or GitLab if the repository is there, else Netlify."""
    if _parts(repository)[0] == "github.com":
        return "github-pages"
    return "gitlab-pages" if _is_gitlab(repository) else "netlify"


def can_publish(host: str, repository: str) -> bool:
    """Whether a host can publish a repository."""
    return (
        not _is_gitlab(repository)
        if host == "github-pages"
        else host != "gitlab-pages" or host_of(repository) != "github-pages"
    )


def base_url_of(host: str, repository: str) -> str:
    """The URL at which a host publishes a repository; "" if it cannot be known beforehand."""
    machine, path = _parts(repository)
    owner, _, name = path.strip("/").partition("/")
    if (host, machine) not in _DOMAINS or not owner or not name:
        return ""
    site = f"{owner.lower()}.{_DOMAINS[host, machine]}"
    return f"https://{site}" if name.lower() == site else f"https://{site}/{name}"


def branch_of(folder: str) -> str:
    """The default branch of the remote, else the current branch, else "main"."""
    from generator.published.history.provenance import run_git

    for name in ("refs/remotes/origin/HEAD", "HEAD"):
        found = run_git(folder, "symbolic-ref", "--quiet", "--short", name)
        if found:
            return found.decode(errors="replace").strip().removeprefix("origin/")
    return _DEFAULT_BRANCHES[0]


def repository_page(repository: str) -> str:
    """The URL of a repository's page, also from `git@github.com:OWNER/NAME.git`."""
    ssh = re.fullmatch(r"(?:ssh://)?git@([^:/\s]+)[:/](\S+)", repository)
    bare = re.fullmatch(r"(?:[a-z0-9-]+\.)+[a-z]+/\S+", repository)
    url = f"https://{ssh[1]}/{ssh[2]}" if ssh else f"https://{repository}" if bare else repository
    return url.rstrip("/").removesuffix(".git")


# --- checks of single answers; ValueError says what is wrong and what to write --------------------


def checked_name(name: str) -> str:
    """The name of a registry, for which a check has no warning.  Raises ValueError."""
    from generator.model.checks.texts import check_html

    _check("name", name)
    for fault in check_html(name, ("name",)):
        raise ValueError(f"{fault.message}: {fault.hint}")
    return name


def checked_base_url(url: str) -> str:
    """The URL of a registry; "" if unknown.  Raises ValueError."""
    if url:
        _check("base_url", url)
    return url


def checked_repository(text: str) -> str:
    """The URL of a repository's page; "" if there is none yet.  Raises ValueError."""
    url = repository_page(text.strip())
    if not url:
        return ""
    if re.fullmatch(r"[\w.-]+/[\w.-]+", url):
        raise ValueError(f'"{text}" has no host: write the whole address, like '
                         f"https://github.com/{url}")  # fmt: skip
    _check("repository", url)
    machine, path = _parts(url)
    on_gitlab = _is_gitlab(url)
    if machine == "www.github.com":
        raise ValueError(f"write {url.replace('www.', '', 1)}")
    if machine == "github.com" or on_gitlab:
        parts = path.strip("/").split("/-/")[0].split("/")
        parts = parts if on_gitlab else parts[:2]
        page = f"https://{url.split('://')[1].partition('/')[0]}/{'/'.join(parts)}"
        if len(parts) < 2 or not all(re.fullmatch(r"[\w.-]+", part) for part in parts):
            raise ValueError(f'"{text}" is not a repository: write https://{machine}/OWNER/NAME')
        if url.removeprefix("http:") != page.removeprefix("https:") and url != page:
            raise ValueError(f'"{text}" is a page inside a repository: write {page}')
    return url


def _check(field: str, value: str) -> None:
    """Raise ValueError if registry.yaml cannot have this value."""
    from generator.dialect import values
    from generator.edit.changes import Refused

    record = {"name": "R", "description": "R", field: value}
    try:
        _settings(values.record(record).encode("utf-8", "surrogatepass"))
    except Refused as error:
        raise ValueError(str(error)) from None


def plan(folder: str, start: NewRegistry) -> Plan:
    """The files of a new registry in a folder, which need not exist.

    Files that already have the right bytes are left out.  Raises Refused if a value is invalid or
    another file is in the way.
    """
    from generator.edit.changes import FileChange, Plan, Refused, read
    from generator.model.examples import COMMENT

    example = _example(start.begin) if start.begin else {}
    values = {
        **start._asdict(),
        "accents": ACCENTS,
        "accent": ACCENTS[start.accent] if start.accent else accent_of(start.name),
        "ci": start.ci,
        "deploy": HOSTS[start.host][1],
        "example": COMMENT,
        "workflows": _workflows(),
        "description": EXAMPLES.get(start.begin, ""),
        "kinds": example.pop("settings.yaml", b"").decode(),
        "folders": list(dict.fromkeys(path.partition("/")[0] for path in example)),
    }
    templates = _FILES if start.begin else _FILES | _RECORDS
    files = {path: _render(name, values) for path, name in templates.items()}
    files |= {f"content/{path}": data for path, data in example.items()}
    if start.extras:
        lines = [EXTRAS[extra] for extra in sorted(set(start.extras))]
        files[FILE] = _render("extra.txt", {"lines": lines})
    settings = _settings(files["content/registry.yaml"])
    files |= _editor_files(start, settings, files)
    files |= machinery_with_note(start.host, start.ci, settings, start.generator)
    present = set()
    if os.path.isdir(folder):
        present = {path for path, data in files.items() if read(folder, path) == data}
    taken = [path for path in files if path not in present and _in_the_way(folder, path)]
    if "content/registry.yaml" not in present and os.path.lexists(os.path.join(folder, "content")):
        taken = ["content/", *(path for path in taken if not path.startswith("content/"))]
    if taken:
        raise Refused(
            f"{folder} has files in the way: {', '.join(taken)}. Nothing is overwritten: move them "
            "elsewhere, or choose another folder"
        )
    return Plan(
        [FileChange(path, None, files[path]) for path in sorted(files.keys() - present)], []
    )


def _example(name: str) -> dict[str, bytes]:
    """The records and the settings of a registry of EXAMPLES, by path."""
    from generator.contract.templates import template_folder

    folder = template_folder() / "init" / "examples" / name
    found = sorted(folder.rglob("*.yaml"))
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in found}


def _in_the_way(folder: str, path: str) -> bool:
    parts = path.split("/")
    above = (os.path.join(folder, *parts[:length]) for length in range(1, len(parts)))
    return os.path.lexists(os.path.join(folder, path)) or any(
        os.path.lexists(parent) and (os.path.islink(parent) or not os.path.isdir(parent))
        for parent in above
    )


def _render(name: str, values: Mapping[str, Any]) -> bytes:
    from generator.contract.templates import environment

    templates = environment().overlay(
        block_start_string="<%",
        block_end_string="%>",
        variable_start_string="{=",
        variable_end_string="=}",
        comment_start_string="<#",
        comment_end_string="#>",
    )
    return templates.get_template(f"init/{name}.j2").render(values).encode()


def _workflows() -> list[str]:
    folders = files("templates/init/github")
    added = (path.stem for folder in folders for path in folder.glob("*.yml.j2"))
    return sorted([*_WORKFLOWS, *added])


def machinery_with_note(
    host: str, ci: str, settings: Settings, generator: Requirements
) -> dict[str, bytes]:
    """The files that `registry upgrade` renews, and NOTE with their digests."""
    from generator.contract.lock import schema_text
    from generator.hosts import cloudflare, netlify

    secrets, deploy = HOSTS[host]
    named = [settings.repository.branch] if settings.repository else []
    values = {
        "branches": sorted({*named, *_DEFAULT_BRANCHES}),
        "host": host,
        "secrets": secrets,
        "deploy": deploy,
        "requirements": generator.requirements,
        "extras": EXTRAS,
    }
    github = _GITHUB | {f".github/workflows/{name}": f"github/{name}" for name in _workflows()}
    of_service = {"github": github, "gitlab": _GITLAB}.get(ci, {})
    templates = {**of_service, "requirements.txt": "requirements.txt"}
    files = {path: _render(name, values) for path, name in templates.items()}
    if host in ("netlify", "cloudflare"):
        artifacts = netlify.outside() if host == "netlify" else cloudflare.outside(settings)
        files |= {artifact.path[1:]: artifact.data for artifact in artifacts}
    files |= generator.files
    digests = {path: digest(data) for path, data in sorted(files.items())}
    return {**files, NOTE: schema_text({"host": host, "ci": ci, "files": digests}).encode()}


def digest(data: bytes) -> str:
    """The SHA-256 of a file without the pins of its actions, because Dependabot renews them."""
    from hashlib import sha256

    return sha256(PIN.sub(rb"\1", data)).hexdigest()


def _settings(raw: bytes) -> Settings:
    """The settings in the bytes of registry.yaml.  Raises Refused with its problems."""
    from generator.dialect.examine import examine
    from generator.edit.changes import Refused
    from generator.kinds import built_in
    from generator.kinds.rules import names_in
    from generator.model.settings.registry import settings_model
    from generator.model.validate import read_model
    from generator.problems.diagnostic import printable

    kinds = names_in(examine(raw).data, built_in())
    settings, faults, _ = read_model(raw, settings_model(kinds))
    if settings is None:
        problems = (": ".join(filter(None, (fault.message, fault.hint))) for fault in faults)
        raise Refused(printable("; ".join(problems)))
    return settings


def _symbols(settings: Settings, rendered: Mapping[str, bytes]) -> Symbols:
    from generator.model.link import link
    from generator.model.settings.own_fields import record_model
    from generator.model.validate import read_model

    grammar = settings.grammar()
    kinds = grammar.kinds
    records: dict[str, dict[str, Any]] = {name: {} for name in kinds.referred}
    for path, raw in rendered.items():
        collection, _, file = path.removeprefix("content/").partition("/")
        if collection in records:
            model = read_model(raw, record_model(kinds[collection]))[0]
            records[collection][file.removesuffix(".yaml")] = model
    return link(settings, grammar, records, {})


FILES: Hook[Callable[[Symbols], Mapping[str, bytes]]] = Hook("repository", "files", "symbols")


def feature_files(symbols: Symbols) -> dict[str, bytes]:
    """The files that features write into a repository, by path."""
    return {path: data for make in FILES for path, data in make(symbols).items()}


def _editor_files(
    start: NewRegistry, settings: Settings, rendered: Mapping[str, bytes]
) -> dict[str, bytes]:
    from generator.contract.lock import schema_text
    from generator.edit.starting.files import SETTINGS, editor_settings, schemas

    symbols = _symbols(settings, rendered)
    files = {
        path: data
        for path, data in feature_files(symbols).items()
        if start.ci == "github" or not path.startswith(".github/")
    }
    files |= schemas(symbols)
    layout = {"[yaml]": {"editor.insertSpaces": True, "editor.tabSize": 2}}
    files[SETTINGS] = editor_settings(
        "content", symbols.grammar.kinds, schema_text(layout).encode()
    )
    files[".vscode/extensions.json"] = schema_text(
        {"recommendations": ["redhat.vscode-yaml"]}
    ).encode()
    return files
