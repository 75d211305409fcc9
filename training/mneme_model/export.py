"""
Stage `export`: writes a trained model as the files that src/encoder and src/judge read.

    python3 -m mneme_model.export --start DIR --weights FILE --judge FILE --data DIR --statements FILE --version NAME --out DIR

Weights become 8-bit numbers. Inputs of a matrix are smoothed first: a channel with large values is divided and the weights
that meet it are multiplied by the same factor. How large a channel gets is measured on texts of the data. The vectors and
the judge have layers of their own and one table of words between them.
"""

import argparse
import hashlib
import json
import math
import random
from pathlib import Path

import numpy as np
import torch

from .bert import HEADS, WIDTH, Encoder
from .conversations import read_own
from .judge import TWO_SIDED, Judge, all_rows
from .tasks import LABELS, NOT_PACKAGED, Row
from .text import Text
from .weights import load_start

SMOOTHING = 0.6
# Of a signed byte.
MOST = 127
# The kernel adds 8 products of 7 by 8 bits in 16 bits: the positive (or negative) weights among them must stay below 32767 / 127.
MOST_IN_GROUP = 254
MAX_TOKENS = 256
MATRICES = ("qkv", "out", "up", "down")
CALIBRATED, RECORDED = 400, 20


def activations(encoder: Encoder, rows: list[list[int]]) -> dict[tuple[int, str], np.ndarray]:
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
        for ids in rows:
            encoder(torch.tensor([ids]), torch.ones(1, len(ids), dtype=torch.bool))
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


def joined(parts: list[np.ndarray]) -> bytes:
    return b"".join(np.ascontiguousarray(part).tobytes() for part in parts)


def pack_words(words: np.ndarray) -> bytes:
    scale = np.maximum(np.abs(words).max(1) / MOST, 1e-12)
    return joined([scale.astype(np.float32), np.rint(words / scale[:, None]).astype(np.int8)])


def pack_layers(encoder: Encoder, tops: dict[tuple[int, str], np.ndarray]) -> bytes:
    state = {name: value.float().numpy() for name, value in encoder.state_dict().items()}
    parts = [state["positions.weight"], state["norm.weight"], state["norm.bias"]]
    for number in range(len(encoder.layers)):
        for name in MATRICES:
            weight, bias = state[f"layers.{number}.{name}.weight"].T.copy(), state[f"layers.{number}.{name}.bias"].copy()
            if name == "qkv":
                # The kernel's softmax is to the base of 2 and has no scale of its own.
                weight[:, :WIDTH] *= math.log2(math.e) / math.sqrt(WIDTH // HEADS)
                bias[:WIDTH] *= math.log2(math.e) / math.sqrt(WIDTH // HEADS)
            parts += pack_matrix(weight, bias, tops[number, name])
        parts += [state[f"layers.{number}.{name}.{part}"] for name in ("norm1", "norm2") for part in ("weight", "bias")]
    return joined(parts)


def pack_heads(judge: Judge) -> tuple[bytes, list[dict]]:
    """Head after head: scales, bias, the last layer and its bias as floats, then the first layer as 8-bit rows."""
    parts, described = [], []
    for task, labels in LABELS.items():
        if task in NOT_PACKAGED:
            continue
        head = judge.heads[task]
        weight = head.hidden.weight.detach().numpy()
        scale = np.maximum(np.abs(weight).max(1) / MOST, 1e-12).astype(np.float32)
        floats = [scale, head.hidden.bias.detach().numpy(), head.out.weight.detach().numpy(), head.out.bias.detach().numpy()]
        parts += [part.astype(np.float32) for part in floats] + [np.rint(weight / scale[:, None]).astype(np.int8)]
        described.append({"task": task, "inputs": weight.shape[1], "labels": labels, "spans": 2 if task in TWO_SIDED else 1})
    return joined(parts), described


@torch.no_grad()
def record(encoder: Encoder, judge: Judge, text: Text, texts: list[str], rows: list[Row]) -> dict:
    """What the float32 model answers: the kernel must come close to it."""
    vectors = [{"text": one, "vector": [round(x, 5) for x in encoder(*text.batch([one], "cpu", MAX_TOKENS))[0].tolist()]} for one in texts]
    read = []
    for row in rows:
        chances = judge(row.task, [row], "cpu").softmax(-1)
        read.append({"task": row.task, "ids": row.ids, "spans": row.spans, "chances": [[round(x, 4) for x in each] for each in chances.tolist()]})
    return {"vectors": vectors, "read": read}


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--start", type=Path, required=True)
    parser.add_argument("--weights", type=Path, required=True, help="of the encoder stage")
    parser.add_argument("--judge", type=Path, required=True, help="of the judge stage, trained from these weights")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--statements", type=Path, required=True)
    parser.add_argument("--version", required=True, help="part of every vector's id")
    parser.add_argument("--out", type=Path, required=True)
    values = parser.parse_args()
    encoder, text = load_start(values.start).eval(), Text(values.start)
    encoder.load_state_dict(read_state(values.weights))
    judge = Judge(load_start(values.start)).eval()
    judge.load_state_dict(read_state(values.judge))
    if not torch.equal(judge.encoder.words.weight, encoder.words.weight):
        raise SystemExit("The judge was trained with other words than the encoder's: train it with --from and these weights.")
    choice = random.Random(1)
    own = read_own(values.data / "conversations")
    passages = choice.sample([one for conversation in own for one in conversation.passages], CALIBRATED + RECORDED)
    rows = all_rows(text, values.data, values.statements, own)
    seen = {task: choice.sample(one, min(len(one), CALIBRATED // 4)) for task, one in rows.items()}
    files = {
        "words": pack_words(encoder.words.weight.detach().float().numpy()),
        "vectors": pack_layers(encoder, activations(encoder, [text.ids(one, MAX_TOKENS) for one in passages[:CALIBRATED]])),
        "judge": pack_layers(judge.encoder, activations(judge.encoder, [row.ids for one in seen.values() for row in one])),
    }
    files["heads"], described = pack_heads(judge)
    values.out.mkdir(parents=True, exist_ok=True)
    manifest = {"name": "mneme", "version": values.version, "maxTokens": MAX_TOKENS}
    for name, packed in files.items():
        (values.out / f"{name}.bin").write_bytes(packed)
        manifest[name] = {"file": f"{name}.bin", "bytes": len(packed), "sha256": hashlib.sha256(packed).hexdigest()}
        print(f"{name}.bin: {len(packed)} bytes, SHA-256 {manifest[name]['sha256']}")
    manifest["tasks"] = described
    (values.out / "model.json").write_text(json.dumps(manifest, indent=2) + "\n")
    recorded = record(encoder, judge, text, passages[CALIBRATED:], [row for task, one in seen.items() if task not in NOT_PACKAGED for row in one[:12]])
    (values.out / "recorded.json").write_text(json.dumps(recorded))


def read_state(file: Path) -> dict[str, torch.Tensor]:
    return {name: value.float() for name, value in torch.load(file, map_location="cpu").items()}


if __name__ == "__main__":
    main()
