"""Write ``engine/vocabularies/`` from the publishers' files.

``python -m tests.tools.make_vocabularies FOLDER``: the folder holds ``r50k_base.tiktoken.xz``,
``cl100k_base.tiktoken.xz``, ``o200k_base.tiktoken.xz``, ``qwen3.tokenizer.json.xz`` and
``deepseek-v3.tokenizer.json.xz``. Each is checked against the hash of the publisher's file.
"""

from __future__ import annotations

import base64
import hashlib
import json
import lzma
import sys
from pathlib import Path

from engine.catalog import FOLDER, write_table
from engine.standins import from_standins

SHA256 = {
    "r50k_base.tiktoken": "306cd27f03c1a714eca7108e03d66b7dc042abe8c258b44c199a7ed9838dd930",
    "cl100k_base.tiktoken": "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7",
    "o200k_base.tiktoken": "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d",
    "qwen3.tokenizer.json": "aeb13307a71acd8fe81861d94ad54ab689df773318809eed3cbe794b4492dae4",
    "deepseek-v3.tokenizer.json": (
        "621ac2e32d0dba658404412318818aaa8ce8cda492e59830109d8da6b517fb41"
    ),
}
# The special tokens that tiktoken 0.14 registers (tiktoken_ext/openai_public.py).
OPENAI_SPECIAL = {
    "r50k_base": {"<|endoftext|>": 50256},
    "cl100k_base": {
        "<|endoftext|>": 100257,
        "<|fim_prefix|>": 100258,
        "<|fim_middle|>": 100259,
        "<|fim_suffix|>": 100260,
        "<|endofprompt|>": 100276,
    },
    "o200k_base": {"<|endoftext|>": 199999, "<|endofprompt|>": 200018},
}


def publishers_file(folder: Path, name: str) -> bytes:
    """The uncompressed file, checked."""
    data = lzma.decompress((folder / f"{name}.xz").read_bytes())
    if hashlib.sha256(data).hexdigest() != SHA256[name]:
        raise SystemExit(f"{name} is not the publisher's file.")
    return data


def write(name: str, tokens: list[bytes], added: list[list[object]]) -> None:
    """Both files of one table."""
    (FOLDER / f"{name}.table").write_bytes(write_table(tokens))
    rows = ",\n".join(json.dumps(row, ensure_ascii=False) for row in added)
    (FOLDER / f"{name}.added.json").write_text(f"[\n{rows}\n]\n", "utf-8")


def openai(folder: Path, source: str, name: str) -> None:
    """A rank table; its ids are its ranks, from 0 without gaps."""
    lines = publishers_file(folder, f"{source}.tiktoken").splitlines()
    rows = [line.split() for line in lines]
    assert [int(rank) for _, rank in rows] == list(range(len(rows)))
    added = [[i, content, True, False] for content, i in OPENAI_SPECIAL[source].items()]
    write(name, [base64.b64decode(token) for token, _ in rows], added)


def hugging_face(folder: Path, name: str, first_id: int) -> None:
    """A tokenizer.json whose merges, in order, make its ids, in order."""
    file = json.loads(publishers_file(folder, f"{name}.tokenizer.json"))
    by_id = sorted((i, text) for text, i in file["model"]["vocab"].items() if i >= first_id)
    tokens = [from_standins(text) for _, text in by_id]
    assert [i for i, _ in by_id] == list(range(first_id, first_id + len(by_id)))
    merges = [m.split(" ") if isinstance(m, str) else m for m in file["model"]["merges"]]
    assert ["".join(pair) for pair in merges] == [text for _, text in by_id[256:]]
    assert None not in tokens
    flags = ("special", "normalized")
    for token in file["added_tokens"]:
        assert not (token["single_word"])
        assert not (token["lstrip"])
        assert not (token["rstrip"])
    added = [[t["id"], t["content"], *(t[flag] for flag in flags)] for t in file["added_tokens"]]
    write(name, [token for token in tokens if token is not None], added)


def main(folder: Path) -> None:
    """All tables."""
    openai(folder, "r50k_base", "gpt2")
    openai(folder, "cl100k_base", "cl100k_base")
    openai(folder, "o200k_base", "o200k_base")
    hugging_face(folder, "qwen3", 0)
    hugging_face(folder, "deepseek-v3", 3)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
