"""
Stage `export`: packs trained weights for src/encoder/kernel/encoder.c and records vectors that CI reproduces.

    python3 -m mneme_model.export --start DIR --weights FILE --texts FILE --version NAME --out DIR

Each input channel of a matrix is divided by a factor, and its weights are multiplied by it, so that large activations do
not eat the 7 bits of the others. The factors come from the largest activations seen on the first 400 lines of the
calibration texts; vectors of the next 20 lines are recorded. The folder is what `embedding.builtin.model` names.
"""

import argparse
import hashlib
import json
import math
from pathlib import Path

import numpy as np
import torch

from .bert import HEADS, WIDTH, Encoder
from .text import Text
from .weights import load_start

SMOOTHING = 0.6
# Of a signed byte.
MOST = 127
# The kernel adds 8 products of 7 by 8 bits in 16 bits: the positive (or negative) weights among them must stay below 32767 / 127.
MOST_IN_GROUP = 254
MAX_TOKENS = 256
MATRICES = ("qkv", "out", "up", "down")


def activations(encoder: Encoder, text: Text, texts: list[str]) -> dict[tuple[int, str], np.ndarray]:
    """The largest input of every channel of every matrix."""
    seen: dict[tuple[int, str], torch.Tensor] = {}
    hooks = []
    for number, layer in enumerate(encoder.layers):
        for name in MATRICES:

            def note(_module, inputs, key=(number, name)):
                top = inputs[0].abs().flatten(0, -2).max(0).values
                seen[key] = top if key not in seen else torch.maximum(seen[key], top)

            hooks.append(getattr(layer, name).register_forward_pre_hook(note))
    with torch.no_grad():
        for one in texts:
            encoder(*text.batch([one], "cpu", MAX_TOKENS))
    for hook in hooks:
        hook.remove()
    return {key: value.numpy() for key, value in seen.items()}


def pack_matrix(weight: np.ndarray, bias: np.ndarray, top: np.ndarray) -> list[np.ndarray]:
    """`weight` is K x N. Returns what the kernel's `Dense` points to, in its order."""
    K, N = weight.shape
    factor = np.maximum(top, 1e-3) ** SMOOTHING / np.maximum(np.abs(weight).max(1), 1e-6) ** (1 - SMOOTHING)
    factor /= np.exp(np.log(factor).mean())
    scaled = weight * factor[:, None]
    # The eight weights that meet in one 16-bit sum: k, k+1 (or k+2, k+3) of four neighbouring groups of four.
    groups = scaled.reshape(K // 16, 4, 2, 2, N).transpose(0, 2, 1, 3, 4).reshape(K // 8, 8, N)
    in_group = np.maximum(np.clip(groups, 0, None).sum(1), np.clip(-groups, 0, None).sum(1)).max(0)
    scale = np.maximum(np.maximum(np.abs(scaled).max(0) / MOST, in_group / MOST_IN_GROUP), 1e-12)
    numbers = np.clip(np.rint(scaled / scale), -MOST, MOST).astype(np.int8)
    laid_out = numbers.reshape(K // 4, 4, N // 8, 8).transpose(2, 0, 3, 1)
    return [
        (1 / factor).astype(np.float32),
        scale.astype(np.float32),
        bias.astype(np.float32),
        numbers.astype(np.int32).sum(0).astype(np.int32),
        np.ascontiguousarray(laid_out),
    ]


def pack(encoder: Encoder, tops: dict[tuple[int, str], np.ndarray]) -> bytes:
    state = {name: value.float().numpy() for name, value in encoder.state_dict().items()}
    words = state["words.weight"]
    scale = np.maximum(np.abs(words).max(1) / MOST, 1e-12)
    parts = [scale.astype(np.float32), np.rint(words / scale[:, None]).astype(np.int8), state["positions.weight"]]
    parts += [state["norm.weight"], state["norm.bias"]]
    for number in range(len(encoder.layers)):
        for name in MATRICES:
            weight, bias = state[f"layers.{number}.{name}.weight"].T.copy(), state[f"layers.{number}.{name}.bias"].copy()
            if name == "qkv":
                # The kernel's softmax is to the base of 2 and has no scale of its own.
                weight[:, :WIDTH] *= math.log2(math.e) / math.sqrt(WIDTH // HEADS)
                bias[:WIDTH] *= math.log2(math.e) / math.sqrt(WIDTH // HEADS)
            parts += pack_matrix(weight, bias, tops[number, name])
        parts += [state[f"layers.{number}.{name}.{part}"] for name in ("norm1", "norm2") for part in ("weight", "bias")]
    return b"".join(np.ascontiguousarray(part).tobytes() for part in parts)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--start", type=Path, required=True)
    parser.add_argument("--weights", type=Path, help="of the encoder stage; without it the starting weights are packed")
    parser.add_argument("--texts", type=Path, required=True, help="calibration texts, one a line")
    parser.add_argument("--version", required=True, help="part of every vector's id")
    parser.add_argument("--out", type=Path, required=True)
    values = parser.parse_args()
    encoder, text = load_start(values.start).eval(), Text(values.start)
    if values.weights is not None:
        encoder.load_state_dict({name: value.float() for name, value in torch.load(values.weights, map_location="cpu").items()})
    texts = values.texts.read_text(encoding="utf8").splitlines()
    packed = pack(encoder, activations(encoder, text, texts[:400]))
    values.out.mkdir(parents=True, exist_ok=True)
    (values.out / "encoder.bin").write_bytes(packed)
    weights = {"file": "encoder.bin", "bytes": len(packed), "sha256": hashlib.sha256(packed).hexdigest()}
    manifest = {"name": "mneme", "version": values.version, "maxTokens": MAX_TOKENS, "weights": weights}
    (values.out / "model.json").write_text(json.dumps(manifest, indent=2) + "\n")
    with torch.no_grad():
        recorded = [{"text": one, "vector": [round(x, 5) for x in encoder(*text.batch([one], "cpu", MAX_TOKENS))[0].tolist()]} for one in texts[400:420]]
    (values.out / "recorded.json").write_text(json.dumps(recorded))
    print(f"encoder.bin: {len(packed)} bytes, SHA-256 {weights['sha256']}")


if __name__ == "__main__":
    main()
