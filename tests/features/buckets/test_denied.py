"""A private bucket, a missing bucket and a missing object have each their own message."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from generator.features.buckets.store import Store, StoreError, error_hint
from support import commands, registries
from support.stores import MOST, S3, disturbed

#: What reads a store.
READS: dict[str, Callable[[Store], object]] = {
    "get": lambda store: store.get("/a", MOST),
    "read": lambda store: store.read("/a", MOST),
    "names": lambda store: store.names(""),
    "folders": lambda store: store.folders(""),
}


def s3_error(kind: type[Exception], code: str) -> Exception:
    """An exception of s3fs for an answer with this code."""
    error, cause = kind("told"), Exception("of botocore")
    cause.response = {"Error": {"Code": code}}  # type: ignore[attr-defined]
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(
    ("error", "action", "hint"),
    [
        (s3_error(PermissionError, "AccessDenied"), "read", "s3:GetObject and s3:ListBucket "),
        (s3_error(PermissionError, "403"), "read", "S3 answers the same for a missing file"),
        (s3_error(PermissionError, "403"), "listed", "s3:ListBucket below"),
        (s3_error(PermissionError, "403"), "written", "s3:PutObject below"),
        (s3_error(PermissionError, "403"), "removed", "s3:DeleteObject below"),
        (s3_error(PermissionError, "AccessDenied"), "listed", "denied: the key may not list here"),
        (s3_error(OSError, "AccessDenied"), "read", "denied: the key may not read or list here"),
        (s3_error(OSError, "401"), "written", "denied: the key may not write here"),
        (s3_error(PermissionError, "InvalidAccessKeyId"), "read", "does not know this key"),
        (s3_error(PermissionError, "SignatureDoesNotMatch"), "written", "secret does not belong"),
        (s3_error(OSError, "ExpiredToken"), "read", "has expired"),
        (s3_error(FileNotFoundError, "NoSuchBucket"), "read", "The bucket does not exist"),
        (s3_error(FileNotFoundError, "NoSuchKey"), "read", "It does not exist. Correct"),
    ],
)
def test_the_hint_names_the_missing_permission(error: Exception, action: str, hint: str) -> None:
    assert hint in error_hint(error, action, s3=True)


@pytest.mark.slow
@pytest.mark.parametrize("name", READS)
def test_a_private_bucket_is_not_a_missing_bucket(
    s3: S3, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(StoreError, match="The bucket does not exist"):
        READS[name](Store("s3://no-such-bucket/registry"))
    with disturbed(s3.base, lambda method, path, number: 403) as address:
        monkeypatch.setenv("AWS_ENDPOINT_URL", address)
        with pytest.raises(StoreError, match=r"Access is denied: the key may not .* s3:"):
            READS[name](Store(s3.url))


@pytest.mark.slow
def test_a_build_for_a_missing_bucket_ends_before_it_builds(s3: S3, tmp_path: Path) -> None:
    content = registries.write(tmp_path / "content", registries.api_alone())
    words = ("build", "--content", content, "--out", "s3://no-such-bucket/registry", "--no-site")
    done = commands.run_forked(*words, imported=("s3fs",), cwd=tmp_path)
    assert done.status == 2 and "The bucket does not exist" in done.err, done
    assert "this is the first publish" not in done.err and "Built" not in done.out
