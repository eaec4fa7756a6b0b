"""What is said of stores: their addresses, without what is secret in them, and their errors."""

from __future__ import annotations

import re
from collections.abc import Iterator
from urllib.parse import urlsplit

from generator.problems.diagnostic import printable

_is_scheme = re.compile(r"[a-z][a-z0-9+.-]*").fullmatch


class StoreError(Exception):
    """A store cannot be read or written, said to a person with what to do."""


class TooLarge(StoreError):
    """An object has more bytes than it may."""


def shown(url: str) -> str:
    """A URL as messages name it: without user, password and query."""
    scheme, mark, rest = url.partition("://")
    host, slash, path = rest.partition("/")
    plain = f"{scheme}{mark}{host.rpartition('@')[2]}{slash}{path}"
    return printable(re.split(r"[?#]", plain, maxsplit=1)[0]).rstrip("/")


def checked(url: str) -> str:
    """The scheme.  Raises StoreError."""
    scheme, mark, rest = url.partition("://")
    wrong = None
    if not mark or not _is_scheme(scheme) or not rest.strip("/"):
        wrong = "it begins with s3://, gs:// or the like, and the bucket's name follows"
    elif "::" in url:
        wrong = "URLs within URLs are not taken"
    elif re.search(r"[?#*\[\]\s]|/\.\.?(?:/|$)", rest):
        wrong = "it has no query, no pattern, no blank and no `..`"
    if wrong is not None:
        raise StoreError(f"{shown(url)} is no address of a store: {wrong}")
    return scheme


def secrets(url: str) -> Iterator[str]:
    user, at, _ = urlsplit(url).netloc.rpartition("@")
    if at:
        yield user
        yield from user.split(":", 1)


def is_refused(error: Exception) -> bool:
    """Whether a condition of a request did not hold."""
    return _code(error) in ("PreconditionFailed", "412")


#: Error codes of stores, and HTTP statuses, after which the same request may succeed.
_TRANSIENT_CODES = {
    *("429", "500", "502", "503", "504"),
    *("InternalError", "RequestTimeout", "ServiceUnavailable", "SlowDown"),
    *("Throttling", "ThrottlingException", "TooManyRequests"),
    # Two writes of one object at a time; S3 asks to repeat the request.
    *("409", "ConditionalRequestConflict", "OperationAborted"),
}
#: Exceptions of Python, botocore, aiohttp and requests for a connection that broke or timed out, by
#: name: these packages are not imported here.
_TRANSIENT_ERRORS = {
    *("ConnectionError", "TimeoutError", "HTTPClientError", "ClientConnectionError"),
    *("ClientPayloadError", "IncompleteRead", "ResponseParserError"),
}


def is_transient(error: Exception) -> bool:
    """Whether the same request may succeed in a moment: the store was busy, or the connection
    broke.
    """
    if _code(error) in _TRANSIENT_CODES:
        return True
    cause: BaseException | None = error
    while cause is not None:
        if any(kind.__name__ in _TRANSIENT_ERRORS for kind in type(cause).__mro__):
            return True
        cause = cause.__cause__
    return False


def is_unknown(error: Exception) -> bool:
    """Whether a store does not know conditions of requests."""
    return _code(error) in ("NotImplemented", "501", "InvalidArgument")


def _code(error: BaseException | None) -> str:
    """What a store says is wrong, as its protocol has it."""
    while error is not None:
        said = getattr(error, "response", None)
        if isinstance(said, dict):
            return str(said.get("Error", {}).get("Code", ""))
        if (number := getattr(error, "code", None)) is not None:
            return str(number)
        error = error.__cause__ or error.__context__
    return ""


def hint(error: Exception) -> str:
    match type(error).__name__:
        case "NoCredentialsError" | "PartialCredentialsError":
            return (
                "Say who you are: AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment, "
                "or what else the AWS tools read."
            )
        case "PermissionError":
            return (
                "The credentials have to allow to list, read, write and remove below this address."
            )
        case "FileNotFoundError" | "NoSuchBucket":
            return "Is the bucket there, and is its name right? It has to be made before."
    return "Try again; what was there before is as it was."
