"""Files from a Hugging Face repository by name, and the reference for an uploaded file.

Only the two text files of a tokenizer are fetched, anonymously and bounded in size and time;
nothing of a repository is ever run.
"""

from __future__ import annotations

import re
import time
from typing import Literal

from engine.limits import TOKENIZER_FILE_BYTES
from pages.reference.answers import ReferenceRefused
from pages.reference.hf_reference import HuggingFaceReference

RepositoryFile = Literal["tokenizer.json", "tokenizer_config.json"]

# A name alone (gpt2) or owner/name, in the letters that the hub allows.
_NAME = re.compile(r"(?!.*(?:--|\.\.))\w[\w.-]{0,95}(?:/\w[\w.-]{0,95})?", re.ASCII)
_REFUSED = (401, 403, 404)


class HubError(Exception):
    """A repository's file could not be had; the message is one sentence for the user."""


def fetch(
    repository: str,
    file: RepositoryFile = "tokenizer.json",
    *,
    revision: str = "main",
    seconds: float = 20.0,
    endpoint: str | None = None,
) -> bytes:
    """The bytes of a file of a public repository on Hugging Face.

    Args:
        repository: as in its address, such as ``Qwen/Qwen3-8B``.
        file: which file.
        revision: a branch, tag or commit.
        seconds: the time after which the download is given up.
        endpoint: another address of the hub.

    Raises:
        HubError: if there is no network, no such file, or too much of it.
    """
    repository = repository.strip().removeprefix("https://huggingface.co/").strip("/")
    if not _NAME.fullmatch(repository):
        raise HubError(f"{repository!r} is no name of a repository, such as Qwen/Qwen3-8B.")
    from httpx2 import HTTPError

    try:
        return _download(repository, file, revision, seconds, endpoint)
    except (HTTPError, OSError) as error:
        raise HubError(
            f"Hugging Face cannot be reached from here ({type(error).__name__}), so {repository} "
            "cannot be loaded by name; upload its tokenizer.json instead."
        ) from None


def _download(
    repository: str, file: str, revision: str, seconds: float, endpoint: str | None
) -> bytes:
    from huggingface_hub import get_session, hf_hub_url

    deadline = time.monotonic() + seconds
    address = hf_hub_url(repository, file, revision=revision, endpoint=endpoint)
    received = bytearray()
    with get_session().stream("GET", address, timeout=seconds, follow_redirects=True) as response:
        if response.status_code in _REFUSED:
            raise HubError(
                f"{repository} has no public {file}: the name may be misspelled, the repository "
                "may ask for an account, or its tokenizer may be of an older kind."
            )
        response.raise_for_status()
        for chunk in response.iter_bytes():
            received += chunk
            if len(received) > TOKENIZER_FILE_BYTES:
                raise HubError(f"{file} of {repository} is larger than {_megabytes()} MB.")
            if time.monotonic() > deadline:
                raise HubError(f"{file} of {repository} did not arrive within {seconds:g} seconds.")
    return bytes(received)


def _megabytes() -> int:
    return TOKENIZER_FILE_BYTES // 1_000_000


def reference_of_file(data: bytes) -> HuggingFaceReference:
    """The reference for the bytes of a tokenizer.json that somebody uploaded.

    The library reads it when it is first asked, and what it then refuses is ``ReferenceRefused``.

    Raises:
        ReferenceRefused: if the file is too large or no UTF-8.
    """
    if len(data) > TOKENIZER_FILE_BYTES:
        raise ReferenceRefused(f"the file is larger than {_megabytes()} MB")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise ReferenceRefused(f"the file is not UTF-8 at byte {error.start}") from None
    return HuggingFaceReference(lambda: text)
