"""
Stage `judge`: trains what reads statements, pairs, requests, topics, prompts and relations: one encoder, a small head for each.

    python3 -m mneme_model.judge --start DIR --data DIR --statements FILE --out DIR [--from FILE] [--fold K/N] [--with-vectors]

With `--fold K/N` every N-th author (and kind of conversations) is left out and judged; the answers are written to
OUT/answers.jsonl, so that thresholds are chosen on authors nobody learned from. `--with-vectors` trains the vectors of
questions and passages in the same encoder, which shows what sharing one costs.
"""

import argparse
import json
import math
import random
from collections.abc import Iterable
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from . import tasks
from .bert import WIDTH, Encoder
from .conversations import Conversation, read_bench, read_own
from .encoder import Settings, batch_loss, drop_likely_answers, examples_of, measure, show
from .relations import relation_rows
from .tasks import LABELS, Row
from .text import Text, pad
from .weights import load_start

# Tokens in a step, over all tasks.
STEP_TOKENS = 12_000
# How much a task's loss counts.
COUNTS = {"keep": 1.0, "holds": 0.3, "pairs": 1.0, "entities": 0.5, "requests": 0.7, "what": 0.3, "topics": 0.7, "prompts": 0.7, "names": 0.5, "relations": 1.0, "standing": 0.5}
TWO_SIDED = ("pairs", "entities", "topics", "prompts", "relations")
# Has few rows, each with many answers: in smaller steps there are enough of them to learn from.
SMALL_STEPS = ("names",)


class Head(nn.Module):
    """Reads the first token and the mean of a span; of two spans, both means and how they differ."""

    def __init__(self, task: str) -> None:
        super().__init__()
        parts = 4 if task in TWO_SIDED else 2
        self.hidden = nn.Linear(parts * WIDTH, WIDTH)
        self.out = nn.Linear(WIDTH, len(LABELS[task]))
        self.dropout = nn.Dropout(0.1)

    def forward(self, read: Tensor) -> Tensor:
        return self.out(self.dropout(F.gelu(self.hidden(self.dropout(read))))).float()


class Judge(nn.Module):
    def __init__(self, encoder: Encoder) -> None:
        super().__init__()
        self.encoder = encoder
        self.heads = nn.ModuleDict({task: Head(task) for task in LABELS})

    def forward(self, task: str, rows: list[Row], device: str) -> Tensor:
        ids, mask = pad([row.ids for row in rows], device)
        states = self.encoder.states(ids, mask)
        # Sums up to each token: a span's mean is a difference.
        sums = F.pad(states.float().cumsum(1), (0, 0, 1, 0))
        place = [(number, start, end) for number, row in enumerate(rows) for start, end in row.spans]
        number, start, end = (torch.tensor(part, device=device) for part in zip(*place))
        means = (sums[number, end] - sums[number, start]) / (end - start).clamp(min=1).unsqueeze(-1)
        if task in TWO_SIDED:
            left, right = means[0::2], means[1::2]
            read = torch.cat([states[number[0::2], 0].float(), left, right, (left - right).abs()], -1)
        else:
            read = torch.cat([states[number, 0].float(), means], -1)
        return self.heads[task](read)


def targets(rows: list[Row], device: str) -> tuple[Tensor, Tensor]:
    shares = torch.tensor([share for row in rows for share in row.shares], device=device)
    weights = torch.tensor([weight for row in rows for weight in row.weights], device=device, dtype=torch.float)
    return shares, weights


def batches(rows: list[Row], tokens: int) -> list[list[Row]]:
    """Rows of like length together, in random order."""
    rows = sorted(rows, key=lambda row: len(row.ids) + random.random() * 16)
    found, at = [], 0
    while at < len(rows):
        end = at + 1
        while end < len(rows) and (end + 1 - at) * len(rows[end].ids) <= tokens and end - at < 96:
            end += 1
        found.append(rows[at:end])
        at = end
    random.shuffle(found)
    return found


def train(judge: Judge, text: Text, rows: dict[str, list[Row]], vectors: list, settings: Settings) -> None:
    encoder = list(judge.encoder.parameters())
    heads = list(judge.heads.parameters())
    judge.encoder.words.weight.requires_grad = bool(vectors)
    optimizer = torch.optim.AdamW([{"params": encoder, "lr": settings.rate}, {"params": heads, "lr": 10 * settings.rate}], weight_decay=0.01)
    epochs = [plan(rows, text, vectors, settings) for _ in range(settings.epochs)]
    steps = sum(map(len, epochs))
    warm = max(1, steps // 16)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: min(1, (step + 1) / warm) * max(0.0, 1 - step / steps))
    for number, epoch in enumerate(epochs):
        total: dict[str, list[float]] = {}
        for task, batch in epoch:
            judge.train()
            if task == "vectors":
                loss = batch_loss(judge.encoder, judge.encoder, text, batch, settings)
            else:
                with torch.autocast(settings.device, dtype=torch.bfloat16):
                    scores = judge(task, batch, settings.device)
                shares, weights = targets(batch, settings.device)
                shares = shares * 0.95 + 0.05 / shares.shape[1]
                loss = -((F.log_softmax(scores, -1) * shares).sum(-1) * weights).sum() / weights.sum().clamp(min=1) * COUNTS[task]
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(judge.parameters(), 1.0)
            optimizer.step()
            schedule.step()
            total.setdefault(task, []).append(loss.item())
        print(f"  epoch {number + 1}: " + ", ".join(f"{task} {sum(one) / len(one):.3f}" for task, one in total.items()), flush=True)


def plan(rows: dict[str, list[Row]], text: Text, vectors: list, settings: Settings) -> list[tuple[str, list]]:
    """The steps of an epoch: batches of all tasks in random order. Pairs and records are also read the other way round."""
    steps: list[tuple[str, list]] = []
    for task, own in rows.items():
        known = list(own)
        if task == "entities":
            known += [tasks.turned(text, row) for row in own]
        if task == "pairs":
            update = LABELS["pairs"].index("update")
            known += [tasks.turned(text, row) for row in own if row.shares[0][update] == 0 and row.weights[0] == 1]
        tokens = STEP_TOKENS if task in ("keep", "holds") else STEP_TOKENS // (8 if task in SMALL_STEPS else 2)
        steps += [(task, batch) for batch in batches(known, tokens)]
    if vectors:
        random.shuffle(vectors)
        steps += [("vectors", vectors[at : at + settings.batch]) for at in range(0, len(vectors) - settings.batch + 1, settings.batch)]
    random.shuffle(steps)
    return steps


@torch.no_grad()
def answers(judge: Judge, task: str, rows: list[Row], device: str) -> list[tuple[Row, list[list[float]]]]:
    judge.eval()
    found = []
    for batch in batches(rows, 40_000):
        with torch.autocast(device, dtype=torch.bfloat16):
            chances = judge(task, batch, device).softmax(-1).tolist()
        for row in batch:
            own, chances = chances[: len(row.shares)], chances[len(row.shares) :]
            found.append((row, own))
    return found


def report(task: str, found: list[tuple[Row, list[list[float]]]]) -> None:
    """By author: the share of right answers; for `keep` precision and recall at several thresholds."""
    if not found:
        return
    by_group: dict[str, list[tuple[list[float], list[float]]]] = {}
    for row, chances in found:
        for shares, weight, chance in zip(row.shares, row.weights, chances):
            if weight > 0:
                by_group.setdefault(row.group, []).append((shares, chance))
    everything = [one for group in by_group.values() for one in group]
    if task == "keep":
        for threshold in (0.4, 0.5, 0.6, 0.7, 0.8):
            print(f"  keep, at {threshold}: all {rates(everything, threshold)}   " + "  ".join(f"{name} {rates(one, threshold)}" for name, one in sorted(by_group.items())))
        return
    right = {name: sum(share[chance.index(max(chance))] > 0 for share, chance in one) / len(one) for name, one in by_group.items()}
    print(f"  {task}: " + "  ".join(f"{name} {share:.3f} of {len(by_group[name])}" for name, share in sorted(right.items())), flush=True)
    table = [[0] * len(LABELS[task]) for _ in LABELS[task]]
    for share, chance in everything:
        table[share.index(max(share))][chance.index(max(chance))] += 1
    print("    " + "; ".join(f"{name} → {' '.join(map(str, line))}" for name, line in zip(LABELS[task], table)), flush=True)
    if task == "relations":
        for threshold in (0.4, 0.5, 0.6, 0.7, 0.8, 0.9):
            print(f"    at {threshold}: {stated(everything, range(len(LABELS[task]) - 1), threshold)}", flush=True)
        print("    by family, at 0.6: " + "; ".join(f"{name} {stated(everything, [at], 0.6)}" for at, name in enumerate(LABELS[task][:-1])), flush=True)


def stated(rows: list[tuple[list[float], list[float]]], labels: Iterable[int], threshold: float) -> str:
    """Precision and recall of what has at least this chance."""
    labels = list(labels)
    found = [(share[at] > 0, chance[at] >= threshold) for share, chance in rows for at in labels]
    right = sum(true and taken for true, taken in found)
    return f"{right / max(1, sum(taken for _, taken in found)):.2f}/{right / max(1, sum(true for true, _ in found)):.2f}"


def rates(rows: list[tuple[list[float], list[float]]], threshold: float) -> str:
    """Precision and recall with kinds, then recall of what is worth keeping under any kind."""
    right = wrong = missed = kept_any = worth = 0
    for shares, chance in rows:
        kind = 1 + max(range(len(chance) - 1), key=lambda one: chance[1 + one])
        kept, good = 1 - chance[0] > threshold, shares[kind] > 0
        right += kept and good
        wrong += kept and not good
        missed += shares[0] == 0 and not (kept and good)
        worth += shares[0] == 0
        kept_any += shares[0] == 0 and kept
    return f"{right / max(1, right + wrong):.2f}/{right / max(1, right + missed):.2f} ({kept_any / max(1, worth):.2f})"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--start", type=Path, required=True)
    parser.add_argument("--from", dest="weights", type=Path, help="weights of the encoder stage to start from")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--bench", type=Path)
    parser.add_argument("--statements", type=Path, required=True)
    parser.add_argument("--unseen", type=Path, help="statements of writers that are only judged")
    parser.add_argument("--fold", default="", help="K/N: leave out every N-th author, beginning with the K-th")
    parser.add_argument("--only", default="", help="tasks, separated by commas")
    parser.add_argument("--with-vectors", action="store_true")
    parser.add_argument("--seeds", default="1", help="one training each, then the mean of their weights")
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--rate", type=float, default=1e-4)
    parser.add_argument("--out", type=Path, required=True)
    values = parser.parse_args()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    text = Text(values.start)
    own = read_own(values.data / "conversations")
    rows = all_rows(text, values.data, values.statements, own)
    if values.only:
        rows = {task: rows[task] for task in values.only.split(",")}
    known, judged, held_kinds = split(rows, values.fold)
    if values.unseen is not None:
        judged["unseen"] = [row for row in tasks.keep_rows(text, values.unseen) if row.task == "keep"]
    print({task: len(one) for task, one in known.items()}, "left out:", {task: len(one) for task, one in judged.items()}, flush=True)
    vectors = []
    if values.with_vectors:
        vectors = [example for conversation in own if conversation.kind not in held_kinds for example in examples_of(conversation)]
        drop_likely_answers(load_start(values.start).to(device), text, vectors, device)
    states = []
    for seed in map(int, values.seeds.split(",")):
        random.seed(seed)
        torch.manual_seed(seed)
        encoder = load_start(values.start)
        if values.weights is not None:
            encoder.load_state_dict({name: value.float() for name, value in torch.load(values.weights, map_location="cpu").items()})
        torch.manual_seed(1)
        judge = Judge(encoder).to(device)
        torch.manual_seed(seed)
        train(judge, text, known, vectors, Settings(seed, values.epochs, values.rate, 256, device, 0.0, 0.0))
        states.append({name: value.float().cpu().clone() for name, value in judge.state_dict().items()})
        if seed != int(values.seeds.split(",")[-1]) or len(states) > 1:
            print(f"seed {seed}")
            for task, one in judged.items():
                report("keep" if task == "unseen" else task, answers(judge, "keep" if task == "unseen" else task, one, device))
    judge.load_state_dict({name: torch.stack([state[name] for state in states]).mean(0) for name in states[0]})
    values.out.mkdir(parents=True, exist_ok=True)
    print(f"mean of {len(states)}")
    with (values.out / "answers.jsonl").open("w") as file:
        for task, one in judged.items():
            found = answers(judge, "keep" if task == "unseen" else task, one, device)
            print(f" {task}")
            report("keep" if task == "unseen" else task, found)
            for row, chances in found:
                line = {"task": task, "key": row.key, "group": row.group, "shares": row.shares, "weights": row.weights}
                file.write(json.dumps({**line, "chances": [[round(one, 4) for one in each] for each in chances]}) + "\n")
    if values.with_vectors and values.bench is not None:
        judged_conversations = [conversation for conversation in own if conversation.kind in held_kinds]
        judged_conversations += read_bench(values.bench / "coding", "bench-coding") + read_bench(values.bench / "daily", "bench-daily")
        show("vectors", measure(judge.encoder, text, judged_conversations, device))
    torch.save({name: value.half().cpu() for name, value in judge.state_dict().items()}, values.out / "judge.pt")


def all_rows(text: Text, data: Path, statements: Path, own: list[Conversation]) -> dict[str, list[Row]]:
    rows: dict[str, list[Row]] = {}
    for row in tasks.keep_rows(text, statements):
        rows.setdefault(row.task, []).append(row)
    for task in ("pairs", "entities"):
        rows[task] = tasks.pair_rows(text, data / task, task)
    rows["pairs"] += tasks.made_pair_rows(text, data / "pairs") + tasks.ordinary_pair_rows(text, own)
    rows["requests"] = tasks.request_rows(text, data / "requests")
    rows["what"] = tasks.what_rows(text, data / "requests")
    rows["topics"] = tasks.topic_rows(text, data / "topics")
    rows["prompts"] = tasks.prompt_rows(text, own) + tasks.home_prompt_rows(text, data / "prompts")
    rows["standing"] = tasks.standing_rows(text, data / "standing")
    for row in relation_rows(text, data / "relations"):
        rows.setdefault(row.task, []).append(row)
    return rows


def split(rows: dict[str, list[Row]], fold: str) -> tuple[dict[str, list[Row]], dict[str, list[Row]], set[str]]:
    """Without a fold everything is learned from and nothing judged."""
    if not fold:
        return rows, {}, set()
    first, count = map(int, fold.split("/"))
    held: set[str] = set()
    for task in rows:
        groups = sorted({row.group for row in rows[task]})
        # Kinds of conversations are left out together in all tasks; authors of one task by its own list.
        step = count if len(groups) >= count else math.inf
        held |= {f"{task}:{group}" for number, group in enumerate(groups) if (number % count == first if step == count else number == first % len(groups))}
    kinds = {one.split(":")[1] for one in held if one.startswith(("prompts:", "keep:"))}

    def is_held(row: Row) -> bool:
        return f"{row.task}:{row.group}" in held or (row.task in ("keep", "holds", "prompts") and row.group in kinds)

    known = {task: [row for row in one if not is_held(row)] for task, one in rows.items()}
    judged = {task: [row for row in one if is_held(row) and not row.key.startswith("renamed:")] for task, one in rows.items()}
    return known, judged, kinds


if __name__ == "__main__":
    main()
