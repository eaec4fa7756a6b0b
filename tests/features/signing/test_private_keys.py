"""Private keys sign, whoever made them, and stay on the machine that builds."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from generator.features.signing.private_key import PrivateKey, new_key
from generator.published.content.records import read
from generator.published.history.provenance import moment
from generator.published.published import Options, Published
from generator.reader.signing import SigningError
from support import commands, registries

MESSAGE = b"a message"


def test_the_vectors_of_rfc_8032_hold() -> None:
    """Section 7.1, test 1."""
    import base64

    secret = bytes.fromhex("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60")
    public = bytes.fromhex("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a")
    signature = bytes.fromhex(
        "e5564300c360ac729086e2cc806e828a84877f1eb8e5d974d873e065224901555fb8821590a33bac"
        "c61e39701cf9b46bd25bf5f0595bbe24655141438e7a100b"
    )
    key = PrivateKey("ed25519-private:" + base64.b64encode(secret).decode())
    assert key.public == "ed25519:" + base64.b64encode(public).decode()
    assert key.sign(b"") == base64.b64encode(signature).decode()


def test_a_key_of_openssl_works() -> None:
    from cryptography.hazmat.primitives import serialization as form
    from cryptography.hazmat.primitives.asymmetric import ed25519, rsa

    private = ed25519.Ed25519PrivateKey.generate()
    plain = (form.Encoding.PEM, form.PrivateFormat.PKCS8, form.NoEncryption())
    assert PrivateKey(private.private_bytes(*plain).decode()).sign(MESSAGE)
    locked = private.private_bytes(*plain[:2], form.BestAvailableEncryption(b"x")).decode()
    other = rsa.generate_private_key(65537, 1024).private_bytes(*plain).decode()
    for none in ("", "x", "ed25519-private:", "ed25519-private:AAAA", locked, other, "A" * 20_000):
        with pytest.raises(SigningError, match="signing key is none"):
            PrivateKey(none)


def test_without_the_package_the_message_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cryptography.hazmat.primitives.asymmetric.ed25519", None)
    with pytest.raises(SigningError, match="pip install 'cryptography>=45,<51'"):
        new_key()


def test_a_private_key_does_not_leave_the_process(tmp_path: Path) -> None:
    """Workers on other machines get what they make files of, which is in a folder they share."""
    content = str(registries.write(tmp_path / "content", registries.SMALL))
    options = Options(signer=PrivateKey(new_key()))
    published = Published(read(content, moment(content, None)), options)
    assert published.__getstate__()["options"] == Options()


@pytest.mark.parametrize(("text", "message"), [("no key", "The signing key is none"), ("", "")])
def test_a_wrong_key_ends_a_build_and_an_empty_one_is_none(
    text: str, message: str, tmp_path: Path
) -> None:
    """A variable of a workflow is empty if there is no such secret."""
    content = registries.write(tmp_path / "content", registries.SMALL)
    words = ("build", "--no-site", "--content", content, "--out", tmp_path / "out")
    done = commands.run_forked(*words, env={"REGISTRY_SIGNING_KEY": text})
    assert (done.status, message in done.err) == (2 if text else 0, True)
    assert (tmp_path / "out").exists() == (not text)
