"""
Stage `tail`: trains the heads `names` and `relations` with last layers of their own, which go on from the packaged judge's
states after the fourth layer. Needs PyTorch and one core, no GPU.

    python3 -m mneme_model.tail --model ../assets/model --vocabulary ../assets/embeddings --data data --hold AUTHOR [--save FILE]

Leaves an author out and prints precision and recall of the relations between the names of their messages, by least chance.
Has no export: what was measured so far (training/README.md) is not good enough to write edges by.
"""

import argparse
import copy
import random
from dataclasses import dataclass
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from .bert import LAYERS, WIDTH, Encoder
from .made import made_messages
from .packaged import PackagedText, read_encoder
from .relations import INVERSE, MOST_OTHERS, Message, names_by_place, read_messages, renamed, rows_of
from .tasks import FAMILIES, LABELS, Row

# Layers that stay the judge's.
KEPT = LAYERS - 2
EPOCHS, BATCH, RATE, HEAD_RATE, DROPOUT, SMOOTHING = 12, 16, 2e-4, 1e-3, 0.1, 0.05
# How many times a message is read with names of other messages, in turn with the message as it was written.
RENAMED_TIMES = 2
EVERY_PAIR = 10_000
NAMES_COUNT = 0.5
# A subject has one of these at a time.
SINGLE = ("works for", "lives in", "married to")


@dataclass
class Example:
    """A message in one pass: the states that the kept layers leave, and the rows of both tasks."""

    ids: list[int]
    names: Row | None
    relations: Row | None
    states: Tensor


class Head(nn.Module):
    def __init__(self, inputs: int, labels: int) -> None:
        super().__init__()
        self.hidden, self.out, self.dropout = nn.Linear(inputs, WIDTH), nn.Linear(WIDTH, labels), nn.Dropout(DROPOUT)

    def forward(self, read: Tensor) -> Tensor:
        return self.out(self.dropout(F.gelu(self.hidden(self.dropout(read)))))


class Tail(nn.Module):
    def __init__(self, encoder: Encoder) -> None:
        super().__init__()
        self.layers = nn.ModuleList(copy.deepcopy(layer) for layer in list(encoder.layers)[KEPT:])
        self.heads = nn.ModuleDict({"names": Head(2 * WIDTH, len(LABELS["names"])), "relations": Head(6 * WIDTH, len(LABELS["relations"]))})

    def forward(self, examples: list[Example]) -> tuple[Tensor, Tensor]:
        """Scores of every word of the messages, then of every pair: the first token, both names, how they differ, the words between them, their product."""
        x = nn.utils.rnn.pad_sequence([one.states for one in examples], batch_first=True)
        mask = torch.arange(x.shape[1])[None] < torch.tensor([len(one.ids) for one in examples])[:, None]
        for layer in self.layers:
            x = layer(x, mask)
        sums = F.pad(x.cumsum(1), (0, 0, 1, 0))
        mean = lambda at, start, end: (sums[at, end] - sums[at, start]) / (end - start).clamp(min=1).unsqueeze(-1)
        at, start, end = spans_of([(number, *span) for number, one in enumerate(examples) if one.names for span in one.names.spans], 3)
        names = self.heads["names"](torch.cat([x[at, 0], mean(at, start, end)], -1))
        pairs = [(number, *left, *right) for number, one in enumerate(examples) if one.relations for left, right in zip(one.relations.spans[0::2], one.relations.spans[1::2])]
        at, *ends = spans_of(pairs, 5)
        left, right = mean(at, ends[0], ends[1]), mean(at, ends[2], ends[3])
        first, last = torch.minimum(ends[1], ends[3]), torch.maximum(ends[0], ends[2])
        between = mean(at, first, torch.maximum(first, last))
        return names, self.heads["relations"](torch.cat([x[at, 0], left, right, (left - right).abs(), between, left * right], -1))


def spans_of(places: list[tuple[int, ...]], width: int) -> tuple[Tensor, ...]:
    return torch.tensor(places, dtype=torch.long).view(-1, width).unbind(1)


@torch.no_grad()
def read_states(encoder: Encoder, ids: list[int]) -> Tensor:
    tokens = torch.tensor([ids])
    x = encoder.norm(encoder.words(tokens) + encoder.positions(torch.arange(len(ids))))
    for layer in list(encoder.layers)[:KEPT]:
        x = layer(x, torch.ones_like(tokens, dtype=torch.bool))
    return x[0]


def example_of(encoder: Encoder, text: PackagedText, message: Message, choice: random.Random, author: str, others: int) -> Example:
    rows = {row.task: row for row in rows_of(text, message, choice, author, "", 1.0, others)}
    ids = next(iter(rows.values())).ids
    return Example(ids, rows.get("names"), rows.get("relations"), read_states(encoder, ids))


def loss_of(scores: Tensor, rows: list[Row]) -> Tensor:
    if not rows:
        return scores.sum()
    shares, weights = torch.tensor([share for row in rows for share in row.shares]), torch.tensor([weight for row in rows for weight in row.weights])
    shares = shares * (1 - SMOOTHING) + SMOOTHING / shares.shape[1]
    return -((F.log_softmax(scores, -1) * shares).sum(-1) * weights).sum() / weights.sum().clamp(min=1)


def train(tail: Tail, messages: list[list[Example]], epochs: int) -> None:
    groups = [{"params": tail.layers.parameters(), "lr": RATE}, {"params": tail.heads.parameters(), "lr": HEAD_RATE}]
    optimizer = torch.optim.AdamW(groups, weight_decay=0.01)
    steps = epochs * -(-len(messages) // BATCH)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: min(1, (step + 1) / (steps / 16)) * max(0.0, 1 - step / steps))
    tail.train()
    for epoch in range(epochs):
        examples = [forms[(epoch + number) % len(forms)] for number, forms in enumerate(messages)]
        examples.sort(key=lambda one: len(one.ids) + random.random() * 16)
        batches = [examples[at : at + BATCH] for at in range(0, len(examples), BATCH)]
        random.shuffle(batches)
        total = 0.0
        for batch in batches:
            names, relations = tail(batch)
            loss = NAMES_COUNT * loss_of(names, [one.names for one in batch if one.names]) + loss_of(relations, [one.relations for one in batch if one.relations])
            optimizer.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(tail.parameters(), 1.0)
            optimizer.step()
            schedule.step()
            total += loss.item()
        print(f"epoch {epoch + 1}: {total / len(batches):.3f}", flush=True)


@torch.no_grad()
def judge(tail: Tail, examples: list[Example]) -> None:
    """Counts what would be written if all names were found: as src/reasoner/heuristic/entities/relations.ts, without contradictions."""
    tail.eval()
    taken = [one for example in examples if example.relations for one in best_of(example.relations, tail([example])[1].softmax(-1).tolist())]
    # A relation that is stated is in the rows of both its ends, where it can be read from both.
    ends = [(family, share) for example in examples if example.relations for each in example.relations.shares for family, share in zip(FAMILIES, each)]
    stated = sum((share > 0) * (0.5 if family in INVERSE else 1) for family, share in ends)
    for least in (0.5, 0.6, 0.7, 0.75, 0.8, 0.85, 0.9, 0.95):
        right = [is_right for chance, is_right in taken if chance >= least]
        print(f"from {least}: precision {sum(right) / max(1, len(right)):.3f}, recall {sum(right) / stated:.3f}")


def best_of(row: Row, chances: list[list[float]]) -> list[tuple[float, bool]]:
    """The relations of a message, likeliest first, without those that cannot hold beside a likelier one."""
    pairs = list(zip(row.spans[0::2], row.spans[1::2]))
    by_pair = dict(zip(pairs, chances))
    found = []
    for pair, share in zip(pairs, row.shares):
        for place, family in enumerate(FAMILIES):
            chance, back = by_pair[pair][place], by_pair.get(pair[::-1])
            if family in INVERSE:
                chance = (chance + (back[FAMILIES.index(INVERSE[family])] if back else 0)) / 2
            found.append((chance, share[place] > 0, family, pair))
    taken: list[tuple] = []
    for one in sorted(found, key=lambda each: -each[0]):
        if not any(is_either(one, other) for other in taken):
            taken.append(one)
    return [one[:2] for one in taken]


def is_either(one: tuple, other: tuple) -> bool:
    (_, _, family, pair), (_, _, known, ends) = one, other
    if set(pair) == set(ends):
        return True
    if family != known or family not in SINGLE:
        return False
    return pair[0] == ends[0] or (family == "married to" and bool(set(pair) & set(ends)))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--vocabulary", type=Path, required=True)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--hold", required=True, help="the author who is left out and judged")
    parser.add_argument("--epochs", type=int, default=EPOCHS)
    parser.add_argument("--save", type=Path)
    values = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(1)
    random.seed(1)
    encoder, text = read_encoder(values.model, "judge").eval(), PackagedText(values.vocabulary)
    authors = {file.stem: read_messages(file) for file in sorted((values.data / "relations").glob("*.txt"))}
    held = authors.pop(values.hold)
    authors["made"] = made_messages(values.data / "templates/relations.txt")
    messages: list[list[Example]] = []
    for author, own in authors.items():
        likes, choice = names_by_place(own), random.Random(author)
        for message in own:
            forms = [message, *(renamed(message, likes, choice) for _ in range(RENAMED_TIMES))]
            messages.append([example_of(encoder, text, form, choice, author, MOST_OTHERS) for form in forms])
    tail = Tail(encoder)
    train(tail, messages, values.epochs)
    if values.save:
        torch.save(tail.state_dict(), values.save)
    judge(tail, [example_of(encoder, text, message, random.Random(1), values.hold, EVERY_PAIR) for message in held])


if __name__ == "__main__":
    main()
