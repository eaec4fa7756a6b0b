"""A fake CI command, named by its first argument, that records its call in the file CALLS; `gh`
also answers for the repository described in the file GITHUB.
"""

from __future__ import annotations

import json
import os
import re
import sys
from pathlib import Path
from typing import Any

_KEPT = re.compile(r"GH_TOKEN|NETLIFY_\w+|CLOUDFLARE_\w+|PIP_\w+")


def gh(arguments: list[str]) -> None:
    """`gh api` for pull requests, comments and issues: {"pulls": […], "comments": {number: […]},
    "issues": […]}.
    """
    assert arguments.pop(0) == "api"
    options: dict[str, list[str]] = {}
    path = ""
    while arguments:
        word = arguments.pop(0)
        if word in ("--silent", "--paginate"):
            options[word] = []
        elif word.startswith("--"):
            options.setdefault(word, []).append(arguments.pop(0))
        else:
            path = word
    github: dict[str, Any] = json.loads(Path(os.environ["GITHUB"]).read_bytes())
    method = options.get("--method", ["GET"])[0]
    if re.fullmatch(r"repos/o/r/pulls", path) and method == "GET":
        asked = dict(field.split("=", 1) for field in options["--raw-field"])
        assert asked.keys() == {"state", "head"}
        owner, _, branch = asked["head"].partition(":")
        answer = [
            pull
            for pull in github["pulls"]
            if pull["state"] == asked["state"]
            and pull["head"]["ref"] == branch
            and pull["head"]["user"]["login"] == owner
        ]
    elif (listed := re.fullmatch(r"repos/o/r/issues/(\d+)/comments", path)) and method == "GET":
        answer = github["comments"].get(listed[1], [])
    elif path == "repos/o/r/issues" and method == "GET":
        assert options["--raw-field"] == ["state=open", "creator=github-actions[bot]"]
        answer = [issue for issue in github["issues"] if issue["state"] == "open"]
    else:
        (field,) = options["--field"]
        told = dict(said.split("=", 1) for said in options.get("--raw-field", ()))
        body = Path(field.removeprefix("body=@")).read_text("utf-8", "replace")
        assert len(body) <= 65_536, "body is too long (maximum is 65536 characters)"
        if method == "POST" and (listed := re.fullmatch(r"repos/o/r/issues/(\d+)/comments", path)):
            comments = github["comments"].setdefault(listed[1], [])
            user = {"login": "github-actions[bot]"}
            comments.append({"id": 1000 + len(comments), "user": user, "body": body})
        elif method == "POST" and path == "repos/o/r/pulls":
            head = {"ref": told.pop("head"), "user": {"login": "o"}}
            pull = {"number": 100 + len(github["pulls"]), "state": "open", "head": head}
            github["pulls"].append({**pull, **told, "body": body})
        elif method == "POST" and path == "repos/o/r/issues":
            number = 100 + len(github["issues"])
            github["issues"].append({"number": number, "state": "open", **told, "body": body})
        elif method == "PATCH" and (known := re.fullmatch(r"repos/o/r/issues/(\d+)", path)):
            (issue,) = [one for one in github["issues"] if one["number"] == int(known[1])]
            issue.update(told, body=body)
        elif method == "PATCH" and (known := re.fullmatch(r"repos/o/r/pulls/(\d+)", path)):
            (pull,) = [pull for pull in github["pulls"] if pull["number"] == int(known[1])]
            pull.update(told, body=body)
        else:
            changed = re.fullmatch(r"repos/o/r/issues/comments/(\d+)", path)
            assert method == "PATCH" and changed, (method, path)
            every = [comment for of in github["comments"].values() for comment in of]
            (comment,) = [comment for comment in every if comment["id"] == int(changed[1])]
            comment["body"] = body
        Path(os.environ["GITHUB"]).write_text(json.dumps(github))
        return
    import jq

    for value in jq.compile(options["--jq"][0]).input_value(answer).all():
        print(value)


def main() -> None:
    name, *arguments = sys.argv[1:]
    environment = {key: value for key, value in os.environ.items() if _KEPT.fullmatch(key)}
    with open(os.environ["CALLS"], "a", encoding="utf-8") as calls:
        calls.write(json.dumps([name, arguments, environment]) + "\n")
    if os.environ.get(f"FAILS_{name.upper()}"):
        sys.exit(f"{name} cannot")
    if name == "gh":
        gh(arguments)
    elif name == "venv":  # Python was called to create an environment
        assert arguments[:2] == ["-m", "venv"], arguments
        made = Path(arguments[2], "bin")
        made.mkdir(parents=True)
        for tool in ("pip", "registry"):
            (made / tool).symlink_to(Path(os.environ["TOOLS"], tool))


main()
