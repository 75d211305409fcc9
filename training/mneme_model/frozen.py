"""
Stage `frozen`: trains heads while the judge stays as it is. Needs NumPy and a minute of one core, no GPU: for a task that is new
or has new data between two trainings of the whole judge, which does better.

    python3 -m mneme_model.frozen --states DIR --model DIR [--write]

Prints how well each author is judged by heads trained on the others; `--write` replaces the heads in the model's folder.
"""

import argparse
import hashlib
import json
from pathlib import Path

import numpy as np

WIDTH, MOST = 384, 127
# Epochs, rate and dropout by task; `prompts` goes on from the head that there is.
SETTINGS = {"prompts": (4, 5e-4, 0.1), "standing": (20, 3e-4, 0.2)}
LABELS = {"prompts": ["helps", "not"], "standing": ["never", "rarely", "often", "always"]}
SPANS = {"prompts": 2, "standing": 1}
BATCH, SMOOTHING, DECAY = 256, 0.05, 0.01
# What a prompt of a conversation counts beside one of a home, which was written for the purpose.
OF_CONVERSATION = 0.5


def gelu(x: np.ndarray) -> np.ndarray:
    return 0.5 * x * (1 + np.tanh(0.7978845608 * (x + 0.044715 * x**3)))


def gelu_slope(x: np.ndarray) -> np.ndarray:
    t = np.tanh(0.7978845608 * (x + 0.044715 * x**3))
    return 0.5 * (1 + t) + 0.5 * x * (1 - t * t) * 0.7978845608 * (1 + 3 * 0.044715 * x * x)


def new_head(inputs: int, labels: int) -> list[np.ndarray]:
    choice = np.random.default_rng(1)
    hidden = choice.normal(0, 1 / np.sqrt(inputs), (inputs, WIDTH)).astype(np.float32)
    out = choice.normal(0, 1 / np.sqrt(WIDTH), (WIDTH, labels)).astype(np.float32)
    return [hidden, np.zeros(WIDTH, np.float32), out, np.zeros(labels, np.float32)]


def chances(head: list[np.ndarray], inputs: np.ndarray) -> np.ndarray:
    scores = gelu(inputs @ head[0] + head[1]) @ head[2] + head[3]
    powers = np.exp(scores - scores.max(1, keepdims=True))
    return powers / powers.sum(1, keepdims=True)


def train(head: list[np.ndarray], inputs: np.ndarray, shares: np.ndarray, weights: np.ndarray, task: str) -> list[np.ndarray]:
    """Adam with a rate that rises for a sixteenth of the steps and then falls to nothing."""
    epochs, rate, dropout = SETTINGS[task]
    head = [part.copy() for part in head]
    choice = np.random.default_rng(1)
    first, second = [np.zeros_like(part) for part in head], [np.zeros_like(part) for part in head]
    steps, step = epochs * -(-len(inputs) // BATCH), 0
    for _ in range(epochs):
        order = choice.permutation(len(inputs))
        for at in range(0, len(order), BATCH):
            rows = order[at : at + BATCH]
            read = inputs[rows] * (choice.random(inputs[rows].shape) > dropout) / (1 - dropout)
            target = shares[rows] * (1 - SMOOTHING) + SMOOTHING / shares.shape[1]
            before = read @ head[0] + head[1]
            kept = (choice.random(before.shape) > dropout) / (1 - dropout)
            hidden = gelu(before) * kept
            scores = hidden @ head[2] + head[3]
            powers = np.exp(scores - scores.max(1, keepdims=True))
            error = (powers / powers.sum(1, keepdims=True) - target) * (weights[rows] / weights[rows].sum())[:, None]
            back = (error @ head[2].T) * kept * gelu_slope(before)
            step += 1
            now = rate * min(1, step / (steps / 16)) * max(0, 1 - step / steps)
            for place, slope in enumerate((read.T @ back, back.sum(0), hidden.T @ error, error.sum(0))):
                first[place] = 0.9 * first[place] + 0.1 * slope
                second[place] = 0.999 * second[place] + 0.001 * slope**2
                change = (first[place] / (1 - 0.9**step)) / (np.sqrt(second[place] / (1 - 0.999**step)) + 1e-8)
                head[place] -= (now * (change + (DECAY * head[place] if place in (0, 2) else 0))).astype(np.float32)
    return head


def read_heads(folder: Path) -> tuple[dict, dict[str, list[np.ndarray]]]:
    manifest, packed, at = json.loads((folder / "model.json").read_text()), (folder / "heads.bin").read_bytes(), 0
    heads = {}
    for task in manifest["tasks"]:
        inputs, labels = task["inputs"], len(task["labels"])
        floats = np.frombuffer(packed, np.float32, 2 * WIDTH + labels * WIDTH + labels, at)
        scale, bias, out, last = np.split(floats, [WIDTH, 2 * WIDTH, 2 * WIDTH + labels * WIDTH])
        rows = np.frombuffer(packed, np.int8, WIDTH * inputs, at + floats.nbytes).reshape(WIDTH, inputs)
        at += floats.nbytes + rows.nbytes
        heads[task["task"]] = [(rows * scale[:, None]).T.astype(np.float32), bias, out.reshape(labels, WIDTH).T, last]
    return manifest, heads


def write_heads(folder: Path, manifest: dict, heads: dict[str, list[np.ndarray]]) -> None:
    known = {task["task"]: task for task in manifest["tasks"]}
    for task in LABELS:
        known.setdefault(task, {"task": task, "inputs": heads[task][0].shape[0], "labels": LABELS[task], "spans": SPANS[task]})
    packed = b""
    for task in known:
        hidden, bias, out, last = heads[task]
        scale = np.maximum(np.abs(hidden).max(0) / MOST, 1e-12).astype(np.float32)
        packed += b"".join(np.ascontiguousarray(part, np.float32).tobytes() for part in (scale, bias, out.T, last))
        packed += np.rint(hidden.T / scale[:, None]).astype(np.int8).tobytes()
    manifest["tasks"] = list(known.values())
    manifest["heads"] |= {"bytes": len(packed), "sha256": hashlib.sha256(packed).hexdigest()}
    (folder / "heads.bin").write_bytes(packed)
    (folder / "model.json").write_text(json.dumps(manifest, indent=2) + "\n")


def rank_share(scores: np.ndarray, truth: np.ndarray) -> float:
    """The share of pairs, one true and one not, in the right order."""
    ranks = np.empty(len(scores))
    ranks[np.argsort(scores, kind="stable")] = np.arange(len(scores))
    return float((ranks[truth].mean() - (truth.sum() - 1) / 2) / (~truth).sum())


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--states", type=Path, required=True)
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--write", action="store_true")
    values = parser.parse_args()
    manifest, heads = read_heads(values.model)
    for task in SETTINGS:
        rows = [json.loads(line) for line in (values.states / f"{task}.jsonl").read_text().splitlines()]
        inputs = np.fromfile(values.states / f"{task}.f32", np.float32).reshape(len(rows), -1)
        shares, groups = np.array([row["share"] for row in rows], np.float32), np.array([row["group"] for row in rows])
        weights = np.array([1 if task != "prompts" or group.startswith("home") else OF_CONVERSATION for group in groups], np.float32)
        start = heads[task] if task == "prompts" else new_head(inputs.shape[1], len(LABELS[task]))
        authors = [group for group in sorted(set(groups)) if task != "prompts" or group.startswith("home")]
        truth = shares[:, 0] > 0.5 if task == "prompts" else shares[:, 2:].sum(1) > 0.5
        for author in authors:
            held = groups == author
            found = chances(train(start, inputs[~held], shares[~held], weights[~held], task), inputs[held])
            score = found[:, 0] if task == "prompts" else found @ np.arange(found.shape[1])
            print(f"{task}, {author} by the others: {rank_share(score, truth[held]):.3f} of pairs in the right order", flush=True)
        heads[task] = train(start, inputs, shares, weights, task)
    if values.write:
        write_heads(values.model, manifest, heads)


if __name__ == "__main__":
    main()
