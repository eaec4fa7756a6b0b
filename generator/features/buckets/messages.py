"""Addresses and errors of stores as messages for users, without secrets."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import urlsplit

from generator import UserError
from generator.problems.diagnostic import printable

_is_scheme = re.compile(r"[a-z][a-z0-9+.-]*").fullmatch


class StoreError(UserError):
    """A store cannot be read or written; the text is for users and says what to do."""


class TooLarge(StoreError):
    """An object exceeds its allowed size."""


def display_url(url: str) -> str:
    """A URL for messages: without user, password and query."""
    scheme, mark, rest = url.partition("://")
    host, slash, path = rest.partition("/")
    plain = f"{scheme}{mark}{host.rpartition('@')[2]}{slash}{path}"
    return printable(re.split(r"[?#]", plain, maxsplit=1)[0]).rstrip("/")


def check_url(url: str) -> str:
    """The scheme of a store's URL. Raises StoreError if the URL is invalid."""
    scheme, mark, rest = url.partition("://")
    problem = None
    if not mark or not _is_scheme(scheme) or not rest.strip("/"):
        problem = "write it like s3://BUCKET or gs://BUCKET/FOLDER"
    elif "::" in url:
        problem = "an address within an address is not allowed"
    elif re.search(r"[?#*\[\]\s]|/\.\.?(?:/|$)", rest):
        problem = "it cannot have a space, `..`, or any of ? # * [ ]"
    if problem is not None:
        raise StoreError(f"{display_url(url)} is not the address of a bucket: {problem}")
    return scheme


def url_secrets(url: str) -> Iterator[str]:
    user, at, _ = urlsplit(url).netloc.rpartition("@")
    if at:
        yield user
        yield from user.split(":", 1)


def is_refused(error: Exception) -> bool:
    """Whether the condition of a request failed, or another request was writing the object."""
    return _code(error) in ("PreconditionFailed", "412", "ConditionalRequestConflict", "409")


def is_unsupported(error: Exception) -> bool:
    """Whether a store does not support conditions of requests."""
    return _code(error) in ("NotImplemented", "501", "InvalidArgument")


def _code(error: BaseException | None) -> str:
    """The error code of the store's protocol, or ""."""
    while error is not None:
        response = getattr(error, "response", None)
        if isinstance(response, dict):
            return str(response.get("Error", {}).get("Code", ""))
        if (code := getattr(error, "code", None)) is not None:
            return str(code)
        error = error.__cause__ or error.__context__
    return ""


def is_missing_bucket(error: Exception) -> bool:
    """Whether the bucket itself does not exist."""
    return _code(error) == "NoSuchBucket"


#: action -> its verb, and the permissions of S3 that it needs.
_PERMISSIONS = {
    "read": ("read or list", "s3:GetObject and s3:ListBucket"),
    "listed": ("list", "s3:ListBucket"),
    "written": ("write", "s3:PutObject"),
    "removed": ("remove", "s3:DeleteObject"),
}
#: Codes of stores that refuse a request, with the reason if the code says it.
_DENIED = {
    **dict.fromkeys(("401", "403", "AccessDenied", "Forbidden", "AllAccessDisabled"), ""),
    "InvalidAccessKeyId": "the store does not know this key",
    "SignatureDoesNotMatch": "the secret does not belong to the key",
    "ExpiredToken": "the session of the key has expired",
    "RequestTimeTooSkewed": "the clock of this machine is wrong",
}


def error_hint(error: Exception, action: str, *, s3: bool) -> str:
    """What to do after an error; `action` is a key of _PERMISSIONS."""
    name = type(error).__name__
    if name in ("NoCredentialsError", "PartialCredentialsError"):
        return (
            "Set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment, or run "
            "`aws configure`."
        )
    code = _code(error)
    if name == "PermissionError" or code in _DENIED:
        verb, needed = _PERMISSIONS[action]
        reason = _DENIED.get(code) or f"the key may not {verb} here"
        if not s3:
            return f"Access is denied: {reason}. Check the credentials and what they allow."
        return (
            f"Access is denied: {reason}. Its owner has to allow {needed} below this address."
            + " Without s3:ListBucket, S3 answers the same for a missing file." * (action == "read")
        )
    if is_missing_bucket(error):
        return "The bucket does not exist. Correct its name, or make the bucket first."
    if name == "FSTimeoutError":
        return "Try again; with a slow connection run `registry publish` with --connections 4."
    if name == "FileNotFoundError":
        return "It does not exist. Correct the address."
    return "Try again; what was there before is as it was."
