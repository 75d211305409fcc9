"""Reads the packaged model and its vocabulary, for stages that go on from them without the starting weights or `tokenizers`."""

import json
import math
import re
import unicodedata
from pathlib import Path

import numpy as np
import torch

from .bert import HEADS, INNER, LAYERS, POSITIONS, VOCABULARY, WIDTH, Encoder

# The kernel's softmax is to the base of 2 and has no scale of its own: the exported query weights carry both.
QUERY_SCALE = math.log2(math.e) / math.sqrt(WIDTH // HEADS)
SHAPES = {"qkv": (WIDTH, 3 * WIDTH), "out": (WIDTH, WIDTH), "up": (WIDTH, INNER), "down": (INNER, WIDTH)}


class Reader:
    def __init__(self, file: Path) -> None:
        self.bytes, self.at = file.read_bytes(), 0

    def take(self, kind: type, count: int) -> np.ndarray:
        part = np.frombuffer(self.bytes, kind, count, self.at)
        self.at += part.nbytes
        return part


def read_encoder(folder: Path, layers: str) -> Encoder:
    """The words and a set of layers of an exported model, as floats."""
    words, source, state = Reader(folder / "words.bin"), Reader(folder / f"{layers}.bin"), {}
    scale = words.take(np.float32, VOCABULARY)
    state["words.weight"] = words.take(np.int8, VOCABULARY * WIDTH).reshape(VOCABULARY, WIDTH) * scale[:, None]
    state["positions.weight"] = source.take(np.float32, POSITIONS * WIDTH).reshape(POSITIONS, WIDTH)
    state["norm.weight"], state["norm.bias"] = source.take(np.float32, WIDTH), source.take(np.float32, WIDTH)
    for number in range(LAYERS):
        for name, (inputs, outputs) in SHAPES.items():
            smooth, scale, bias = source.take(np.float32, inputs), source.take(np.float32, outputs), source.take(np.float32, outputs).copy()
            source.take(np.int32, outputs)
            numbers = source.take(np.int8, inputs * outputs).reshape(outputs // 8, inputs // 4, 8, 4).transpose(1, 3, 0, 2).reshape(inputs, outputs)
            weight = numbers * scale * smooth[:, None]
            if name == "qkv":
                weight[:, :WIDTH] /= QUERY_SCALE
                bias[:WIDTH] /= QUERY_SCALE
            state[f"layers.{number}.{name}.weight"], state[f"layers.{number}.{name}.bias"] = weight.T, bias
        for name in ("norm1", "norm2"):
            for part in ("weight", "bias"):
                state[f"layers.{number}.{name}.{part}"] = source.take(np.float32, WIDTH)
    encoder = Encoder()
    encoder.load_state_dict({name: torch.tensor(np.ascontiguousarray(value)) for name, value in state.items()})
    return encoder


class PackagedText:
    """WordPiece with the vocabulary of `assets/embeddings`; gives the ids that `text.Text` gives."""

    def __init__(self, folder: Path) -> None:
        manifest, table = json.loads((folder / "minilm-static.json").read_text()), Reader(folder / "minilm-static.bin")
        table.take(np.float32, manifest["tokens"])
        starts = table.take(np.int32, manifest["tokens"] + 1)
        table.take(np.int32, manifest["hashSlots"])
        pieces = table.take(np.uint8, manifest["textBytes"]).tobytes().decode()
        self.pieces = {pieces[start:end]: number for number, (start, end) in enumerate(zip(starts, starts[1:]))}
        self._spelt: dict[str, list[int]] = {}
        self.first, self.last, self.unknown = (self.pieces[name] for name in ("[CLS]", "[SEP]", "[UNK]"))

    def ids(self, text: str, max_tokens: int = 512) -> list[int]:
        kept = "".join(one for one in unicodedata.normalize("NFD", text) if unicodedata.category(one) not in ("Mn", "Cf", "Cc", "Co", "Cs") or one in "\t\n\r")
        words = re.findall(r"[^\W_]+|[^\s\w]|_", kept.lower())
        return [self.first, *[one for word in words for one in self.spelt(word)][: max_tokens - 2], self.last]

    def spelt(self, word: str) -> list[int]:
        known = self._spelt.get(word)
        if known is None:
            known = self._spelt[word] = self.spell(word)
        return known

    def spell(self, word: str) -> list[int]:
        ids, start = [], 0
        while start < len(word):
            end = next((end for end in range(len(word), start, -1) if ("##" if start else "") + word[start:end] in self.pieces), None)
            if end is None:
                return [self.unknown]
            ids.append(self.pieces[("##" if start else "") + word[start:end]])
            start = end
        return ids
