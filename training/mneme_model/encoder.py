"""
Stage `encoder`: trains the vectors of questions and passages.

    python3 -m mneme_model.encoder --start DIR --data DIR --bench DIR --out FILE [--hold KIND,KIND] [--seeds 1,2,3]

A question must be closer to the turns that answer it than to every other turn of the batch and to two turns of its own
conversation that share words with it. The weights of several seeds are averaged. Prints the share of evidence among the first 5, 10 and 20 turns for each kind of
conversation: vectors alone, and vectors summed with BM25.
"""

import argparse
import random
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F

from .bert import Encoder
from .conversations import Conversation, read_bench, read_own, read_statements
from .lexical import Bm25
from .text import Text
from .weights import load_start

TEMPERATURE = 0.05
# A mined turn this close to the best evidence is probably evidence that nobody labelled.
TOO_CLOSE = 0.95
NEGATIVES = 2
PASSAGE_TOKENS, QUESTION_TOKENS = 128, 64


@dataclass
class Example:
    question: str
    positives: list[str]
    negatives: list[str]


@dataclass
class Settings:
    seed: int
    epochs: int
    rate: float
    batch: int
    device: str
    # How far the vectors may move from those of the starting weights: a penalty on the squared distance.
    anchor: float
    # The share of the starting weights that is mixed into the result.
    keep: float


def examples_of(conversation: Conversation) -> list[Example]:
    lexical = Bm25(conversation.passages)
    examples = []
    labelled = [(question.text, question.evidence) for question in conversation.questions]
    labelled += [(prompt, helps) for helps, prompt in conversation.prompts if helps]
    labelled += [(item[4], item[0]) for item in conversation.items]
    for text, evidence in labelled:
        scores = lexical.scores(text)
        # The turns next to an answer often belong to it.
        near = {place + step for place in evidence for step in (-1, 0, 1)}
        mined = [int(place) for place in np.argsort(-scores)[:20] if int(place) not in near and scores[place] > 0]
        passages = conversation.passages
        examples.append(Example(text, [passages[place] for place in evidence], [passages[place] for place in mined[:8]]))
    return examples


@torch.no_grad()
def embed(encoder: Encoder, text: Text, texts: list[str], device: str, max_tokens: int) -> torch.Tensor:
    encoder.eval()
    order = sorted(range(len(texts)), key=lambda number: len(texts[number]))
    out = torch.zeros(len(texts), 384, device=device)
    for at in range(0, len(order), 512):
        chosen = order[at : at + 512]
        with torch.autocast(device, dtype=torch.bfloat16):
            out[chosen] = encoder(*text.batch([texts[number] for number in chosen], device, max_tokens))
    return out


def measure(encoder: Encoder, text: Text, conversations: list[Conversation], device: str) -> dict[str, dict[str, np.ndarray]]:
    """By kind and way of ranking: the shares of evidence among the first 5, 10 and 20, one row a question."""
    found: dict[str, dict[str, list]] = {}
    for conversation in conversations:
        vectors = embed(encoder, text, conversation.passages, device, PASSAGE_TOKENS)
        questions = embed(encoder, text, [question.text for question in conversation.questions], device, QUESTION_TOKENS)
        cosines = (questions @ vectors.T).float().cpu().numpy()
        lexical = Bm25(conversation.passages)
        for question, meaning in zip(conversation.questions, cosines):
            by_words = lexical.scores(question.text)
            scaled = (meaning - meaning.min()) / (np.ptp(meaning) + 1e-9)
            ways = {"vectors": meaning, "with BM25": 0.7 * scaled + 0.3 * by_words / (by_words.max() + 1e-9)}
            for way, scores in ways.items():
                order = list(np.argsort(-scores)[:20])
                row = [len(set(question.evidence) & set(order[:k])) / min(k, len(question.evidence)) for k in (5, 10, 20)]
                found.setdefault(conversation.kind, {}).setdefault(way, []).append(row)
    return {kind: {way: np.array(rows) for way, rows in ways.items()} for kind, ways in found.items()}


def show(title: str, found: dict[str, dict[str, np.ndarray]]) -> None:
    print(title)
    for kind, ways in sorted(found.items()):
        cells = [f"{way} " + " / ".join(f"{share * 100:.1f}" for share in rows.mean(0)) for way, rows in ways.items()]
        print(f"  {kind:12} {len(next(iter(ways.values()))):5} questions   " + "   ".join(cells), flush=True)


def train(start: Path, examples: list[Example], settings: Settings) -> Encoder:
    random.seed(settings.seed)
    torch.manual_seed(settings.seed)
    device, text = settings.device, Text(start)
    encoder, origin = load_start(start).to(device), load_start(start).to(device).eval()
    drop_likely_answers(origin, text, examples, device)
    steps = settings.epochs * (len(examples) // settings.batch)
    groups = [
        {"params": [value for value in encoder.parameters() if value.dim() > 1], "weight_decay": 0.01},
        {"params": [value for value in encoder.parameters() if value.dim() <= 1], "weight_decay": 0.0},
    ]
    optimizer = torch.optim.AdamW(groups, lr=settings.rate, betas=(0.9, 0.98))
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=settings.rate, total_steps=max(2, steps), pct_start=0.1)
    for epoch in range(settings.epochs):
        random.shuffle(examples)
        total = 0.0
        for at in range(0, len(examples) - settings.batch + 1, settings.batch):
            loss = batch_loss(encoder, origin, text, examples[at : at + settings.batch], settings)
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(encoder.parameters(), 1.0)
            optimizer.step()
            schedule.step()
            total += loss.item()
        print(f"  epoch {epoch + 1} of {settings.epochs}: loss {total / max(1, len(examples) // settings.batch):.3f}", flush=True)
    if settings.keep > 0:
        first = origin.state_dict()
        encoder.load_state_dict({name: (1 - settings.keep) * value + settings.keep * first[name] for name, value in encoder.state_dict().items()})
    return encoder.eval()


def drop_likely_answers(origin: Encoder, text: Text, examples: list[Example], device: str) -> None:
    questions = embed(origin, text, [example.question for example in examples], device, QUESTION_TOKENS)
    passages = sorted({one for example in examples for one in (*example.positives, *example.negatives)})
    place = {one: number for number, one in enumerate(passages)}
    vectors = embed(origin, text, passages, device, PASSAGE_TOKENS)
    for number, example in enumerate(examples):
        best = max(float(questions[number] @ vectors[place[one]]) for one in example.positives)
        if example.negatives:
            rows = vectors[[place[one] for one in example.negatives]] @ questions[number]
            example.negatives = [one for one, score in zip(example.negatives, rows.tolist()) if score < TOO_CLOSE * best]


def batch_loss(encoder: Encoder, origin: Encoder, text: Text, batch: list[Example], settings: Settings) -> torch.Tensor:
    device = settings.device
    encoder.train()
    passages = [random.choice(example.positives) for example in batch]
    for example in batch:
        passages += random.sample(example.negatives, min(NEGATIVES, len(example.negatives)))
    questions = [example.question for example in batch]
    with torch.autocast(device, dtype=torch.bfloat16):
        asked = encoder(*text.batch(questions, device, QUESTION_TOKENS))
        answered = encoder(*text.batch(passages, device, PASSAGE_TOKENS))
    scores = asked @ answered.T / TEMPERATURE
    # Another turn that answers the question too is no negative.
    column: dict[str, list[int]] = {}
    for number, one in enumerate(passages):
        column.setdefault(one, []).append(number)
    blocked = torch.zeros_like(scores, dtype=torch.bool)
    for row, example in enumerate(batch):
        for one in example.positives:
            for number in column.get(one, []):
                blocked[row, number] = number != row
    scores = scores.masked_fill(blocked, float("-inf"))
    target = torch.arange(len(batch), device=device)
    # Both ways: a passage must also be closer to its question than to the other questions.
    square = scores[:, : len(batch)].T
    loss = F.cross_entropy(scores, target) + 0.3 * F.cross_entropy(square, target)
    if settings.anchor > 0:
        with torch.no_grad():
            before = embed(origin, text, passages[: len(batch)], device, PASSAGE_TOKENS)
        loss = loss + settings.anchor * (1 - (answered[: len(batch)] * before).sum(-1)).mean()
    return loss


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--start", type=Path, required=True)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--bench", type=Path, required=True)
    parser.add_argument("--measure", type=Path, help="conversations that are only measured, in LoCoMo's form")
    parser.add_argument("--hold", default="", help="kinds left out of training, separated by commas")
    parser.add_argument("--out", type=Path)
    parser.add_argument("--seeds", default="1", help="one training each, then the mean of their weights")
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--rate", type=float, default=7e-5)
    parser.add_argument("--batch", type=int, default=256)
    parser.add_argument("--anchor", type=float, default=0.0)
    parser.add_argument("--keep", type=float, default=0.0)
    values = parser.parse_args()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    held = set(filter(None, values.hold.split(",")))
    own = read_own(values.data)
    trained = [conversation for conversation in own if conversation.kind not in held]
    judged = [conversation for conversation in own if conversation.kind in held]
    judged += read_bench(values.bench / "coding", "bench-coding") + read_bench(values.bench / "daily", "bench-daily")
    if values.measure is not None:
        judged += read_bench(values.measure, "measured")
    examples = [example for conversation in trained for example in examples_of(conversation)]
    examples += [Example(statement, [turn], []) for statement, turn in read_statements(values.bench)]
    print(f"{len(examples)} examples of {len(trained)} conversations; left out: {', '.join(sorted(held)) or 'none'}")
    text = Text(values.start)
    show("as it comes", measure(load_start(values.start).to(device), text, judged, device))
    trained_states = []
    for seed in map(int, values.seeds.split(",")):
        settings = Settings(seed, values.epochs, values.rate, values.batch, device, values.anchor, values.keep)
        encoder = train(values.start, list(examples), settings)
        trained_states.append({name: value.clone() for name, value in encoder.state_dict().items()})
        show(f"trained, seed {seed}", measure(encoder, text, judged, device))
    if len(trained_states) > 1:
        encoder.load_state_dict({name: torch.stack([state[name] for state in trained_states]).mean(0) for name in trained_states[0]})
        show(f"mean of {len(trained_states)} seeds", measure(encoder, text, judged, device))
    if values.out is not None:
        torch.save({name: value.half().cpu() for name, value in encoder.state_dict().items()}, values.out)


if __name__ == "__main__":
    main()
