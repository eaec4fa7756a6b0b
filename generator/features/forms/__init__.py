"""GitHub issue forms, and records made from the issues that people submit.

For people who do not use git.  Adds the commands `registry forms` and `registry submit`, the
workflow `submissions.yml` and the forms below `.github/ISSUE_TEMPLATE/`, which `registry init`
writes and `registry check` compares with the registry.  Start with `submit.py`.
"""
