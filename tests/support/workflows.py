"""Workflow steps run by bash as CI runs them, with fake commands that record their calls in place
of those that use the network.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import yaml

from support.commands import EPOCH, ROOT, Done, program
from support.transcripts import Shell

#: The first line of a comment about a change.
MARK = "<!-- registry-diff -->\n"
#: Addresses that hosts request and commands provide.
SECRETS = {
    "netlify": ("NETLIFY_AUTH_TOKEN", "NETLIFY_SITE_ID"),
    "cloudflare": ("CLOUDFLARE_API_TOKEN", "CLOUDFLARE_ACCOUNT_ID"),
}
#: How a runner starts the shell of a step (docs.github.com, "Workflow syntax",
#: jobs.<job_id>.steps[*].shell).
_SHELLS = {"bash": ("bash", "--noprofile", "--norc", "-eo", "pipefail"), None: ("bash", "-e")}
_EXPRESSION = re.compile(r"\$\{\{\s*(.*?)\s*\}\}")


class Step(NamedTuple):
    """A step with `run`: its text, its shell, and `env` unevaluated."""

    run: str
    shell: tuple[str, ...]
    env: dict[str, str]


class Call(NamedTuple):
    """A call of a recorded command, and the environment that it saw."""

    tool: str
    arguments: list[str]
    environment: dict[str, str]


class Ran(NamedTuple):
    """How a step ended, its output and calls, and the runner's files after it."""

    status: int
    out: str
    err: str
    calls: list[Call]
    outputs: dict[str, str]
    summary: str


def load(text: str | bytes) -> dict[str, Any]:
    """A workflow; `on` is not a boolean."""
    loaded: dict[Any, Any] = yaml.safe_load(text)
    return {"on" if key is True else key: value for key, value in loaded.items()}


def steps(text: str | bytes) -> dict[str, Step]:
    """`job/name` (for an action: its name) -> each step that runs a shell."""
    workflow = load(text)
    shell = workflow.get("defaults", {}).get("run", {}).get("shell")
    jobs = workflow.get("jobs") or {"": workflow["runs"]}
    return {
        f"{job}/{step.get('name', step.get('id'))}".lstrip("/"): Step(
            step["run"], _SHELLS[step.get("shell", shell)], step.get("env", {})
        )
        for job, does in jobs.items()
        for step in does["steps"]
        if "run" in step
    }


class Runner:
    """A runner whose workspace is a folder; `tools` and the runner's files are beside it."""

    def __init__(self, workspace: Path, kept: Path):
        self.workspace, self.temp, self.tools = workspace, kept / "temp", kept / "tools"
        #: Variables of the tests' environment that a step sees.
        self.inherited = {"PYTHONPATH": str(ROOT)}
        self.temp.mkdir(parents=True)
        self.tools.mkdir()
        python = f'exec {sys.executable} "$@"'
        called = f'exec {" ".join(program("ci_tool"))} "${{0##*/}}" "$@"'
        scripts = dict.fromkeys(("pip", "npx", "gh", "venv"), f"#!/bin/sh\n{called}\n") | {
            # As pip installs it: modules of the workspace are not imported.
            "registry": f"#!{sys.executable}\nfrom generator.__main__ import main\nmain()\n",
            "python": f"#!/bin/sh\n{python}\n",
        }
        for name, text in scripts.items():
            (self.tools / name).write_text(text)
            (self.tools / name).chmod(0o755)

    def run(self, step: Step, values: Mapping[str, str] | None = None, **env: str) -> Ran:
        """Run a step, with values for the expressions in its `env`.  Raises if its text has an
        expression or an expression has no value; secrets are empty without one.
        """
        assert "${{" not in step.run, "an expression in a script is a script of whoever fills it"

        def value_of(found: re.Match[str]) -> str:
            known = values or {}
            return known.get(found[1], "") if found[1].startswith("secrets.") else known[found[1]]

        given = {name: _EXPRESSION.sub(value_of, str(value)) for name, value in step.env.items()}
        return self.script(step.run, step.shell, **given, **env)

    def script(self, text: str, shell: tuple[str, ...] = _SHELLS["bash"], **env: str) -> Ran:
        """Run a text by a shell, in the workspace and without this environment."""
        kept = {name: self.temp.parent / name.lower() for name in ("CALLS", "OUTPUT", "SUMMARY")}
        for file in kept.values():
            file.write_text("")
        (self.temp.parent / "script").write_text(text)
        done = subprocess.run(
            [*shell, str(self.temp.parent / "script")],
            cwd=self.workspace,
            env={
                "PATH": f"{self.tools}{os.pathsep}{os.environ['PATH']}",
                "HOME": str(self.temp.parent),
                "LC_ALL": "C.UTF-8",
                "SOURCE_DATE_EPOCH": EPOCH,
                "GIT_CONFIG_GLOBAL": os.devnull,
                "TOOLS": str(self.tools),
                "CALLS": str(kept["CALLS"]),
                "RUNNER_TEMP": str(self.temp),
                "GITHUB_OUTPUT": str(kept["OUTPUT"]),
                "GITHUB_STEP_SUMMARY": str(kept["SUMMARY"]),
                **self.inherited,
                **env,
            },
            capture_output=True,
            timeout=300,
            check=False,
        )
        outputs = dict(line.split("=", 1) for line in kept["OUTPUT"].read_text().splitlines())
        calls = [Call(*json.loads(line)) for line in kept["CALLS"].read_text().splitlines()]
        return Ran(
            done.returncode,
            done.stdout.decode(),
            done.stderr.decode(),
            calls,
            outputs,
            kept["SUMMARY"].read_text("utf-8"),
        )


class Workspace(Runner):
    """A runner that works in a registry."""

    def moved(self, base_url: str) -> None:
        """Change the registry's base URL."""
        settings = self.workspace / "content/registry.yaml"
        lines = settings.read_text("utf-8").splitlines()
        kept = [line for line in lines if not line.startswith("base_url:")]
        settings.write_text("\n".join([*kept, f"base_url: {base_url}", ""]), "utf-8")

    def steps(self, name: str) -> dict[str, Step]:
        return steps((self.workspace / ".github/workflows" / name).read_bytes())


#: The values of expressions, unless a step says others.
VALUES = {
    "github.token": "token", "github.repository": "o/r", "github.repository_owner": "o",
    "github.event.repository.default_branch": "main", "inputs.first": "",
    "github.event.workflow_run.head_branch": "patch",
    "github.event.workflow_run.head_repository.owner.login": "fork",
    "github.event.workflow_run.head_sha": "a" * 40,
}  # fmt: skip


class StepShell(Shell):
    """A shell that also runs steps of workflows, by these commands:

    workspace HOST [gitlab]     goes to a new registry for a host; without one, to an empty folder
    step check.yml check/Check  a step; name=value are values of expressions and variables
    action Build out=build      a step of action.yml with inputs
    job pages FIRST=true        a job of .gitlab-ci.yml

    They print calls of fake commands with their variables after `+`, what the step prints, and its
    outputs and summary.  GITHUB is the file of the fake GitHub, TEMP the runner's folder.
    """

    def __init__(self, folder: Path, made: Callable[[str, str], Path], **names: object):
        super().__init__(folder, **names)
        self.made, self.outside = made, folder
        self.github = folder / "github.json"
        self.github.write_text('{"pulls": [], "comments": {}, "issues": []}')
        self.programs |= {
            "workspace": self._workspace, "step": self._step, "action": self._action,
            "job": self._job,
        }  # fmt: skip

    def _workspace(self, arguments: list[str], _: object) -> Done:
        number = len([*self.outside.glob("runner*")])
        self.folder = self.outside / f"workspace{number}"
        if arguments:
            code = "gitlab" if arguments[1:] else "github"
            source = self.made(arguments[0], f"https://{code}.com/o/r")
            shutil.copytree(source, self.folder, symlinks=True)
        else:
            self.folder.mkdir()
        self.runner = Workspace(self.folder, self.outside / f"runner{number}")
        self.names |= {
            "HERE": str(self.folder), "TEMP": str(self.runner.temp), "GITHUB": str(self.github),
            "PYTHON": sys.executable, "CODE": str(ROOT),
        }  # fmt: skip
        return Done(0, "", "")

    def _step(self, arguments: list[str], _: object) -> Done:
        file, name, *given = arguments
        own = self.folder / ".github/workflows" / file
        path = own if own.exists() else ROOT / ".github/workflows" / file
        return self._ran(steps(path.read_bytes())[name], given, VALUES)

    def _action(self, arguments: list[str], _: object) -> Done:
        name, *given = arguments
        text = (ROOT / "action.yml").read_bytes()
        inputs = {f"inputs.{key}": str(i["default"]) for key, i in load(text)["inputs"].items()}
        command = self.runner.temp / "registry/bin/registry"
        if name not in ("lock", "Install") and not command.exists():
            command.parent.mkdir(parents=True)
            command.symlink_to(self.runner.tools / "registry")
        inputs |= {"steps.python.outputs.python-path": str(self.runner.tools / "venv"),
                   "runner.temp": "/t"}  # fmt: skip
        return self._ran(steps(text)[name], [f"inputs.{pair}" for pair in given], inputs)

    def _ran(self, step: Step, given: Sequence[str], values: Mapping[str, str]) -> Done:
        pairs = dict(pair.split("=", 1) for pair in given)
        env = {name: value for name, value in pairs.items() if name.isupper()}
        own = {name: value for name, value in pairs.items() if not name.isupper()}
        ran = self.runner.run(
            step, {**values, **own}, GITHUB=str(self.github), GITHUB_ACTION_PATH=str(ROOT), **env
        )
        return self._done(ran)

    def _job(self, arguments: list[str], _: object) -> Done:
        name, *given = arguments
        does = job((self.folder / ".gitlab-ci.yml").read_bytes(), name)
        script = "\n".join([*does.get("before_script", ()), *does["script"]])
        return self._done(self.runner.script(script, **dict(pair.split("=", 1) for pair in given)))

    def _done(self, ran: Ran) -> Done:
        parts = [
            *map(_shown, ran.calls),
            ran.out.removesuffix("\n"),
            *(f"{name}={value}" for name, value in ran.outputs.items()),
            *(["the summary is:", ran.summary.removesuffix("\n")] if ran.summary else ()),
        ]  # fmt: skip
        return Done(ran.status, "".join(f"{part}\n" for part in parts if part), ran.err)


def _shown(call: Call) -> str:
    env = (f"{name}={value}" for name, value in sorted(call.environment.items()))
    return " ".join(["+", *env, call.tool, *call.arguments])


def job(pipeline: str | bytes, name: str) -> dict[str, Any]:
    """A job of .gitlab-ci.yml with the keys of the jobs that it extends."""
    jobs = yaml.safe_load(pipeline)
    above = jobs[name].get("extends", [])
    bases = [above] if isinstance(above, str) else above
    return {key: value for each in (*bases, name) for key, value in jobs[each].items()}


def change(folder: Path, before: str, after: str) -> None:
    """Change the text of the project in a new registry."""
    record = folder / "content/projects/example-project.yaml"
    text = record.read_text("utf-8")
    assert before in text
    record.write_text(text.replace(before, after), "utf-8")


def asked(ran: Ran) -> list[tuple[str, list[str]]]:
    return [(call.tool, call.arguments) for call in ran.calls]
