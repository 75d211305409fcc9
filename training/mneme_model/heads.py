"""
Stage `heads`: trains what reads pairs of statements and single messages on top of the trained encoder.

    python3 -m mneme_model.heads --start DIR --weights FILE --task pairs|entities|requests --train FILE,FILE --test FILE [--frozen]

`pairs`: same, update, opposite or different, of a statement and a later one. `entities`: same or different, of two
records. `requests`: remember, forget, recall, reflect or none. Both texts of a pair are read together. Prints a table of
labels against answers and, for `same`, how many are found when a wrong merge may happen never or once in a hundred.
"""

import argparse
import random
from pathlib import Path

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from .bert import WIDTH, Encoder
from .text import Text, pad
from .weights import load_start

LABELS = {
    "pairs": ["same", "update", "opposite", "different"],
    "entities": ["same", "different"],
    "requests": ["remember", "forget", "recall", "reflect", "none"],
}
MAX_TOKENS = 96


class Reader(nn.Module):
    """The mean of the token states and the first token's state, then one hidden layer."""

    def __init__(self, encoder: Encoder, labels: int, frozen: bool) -> None:
        super().__init__()
        self.encoder, self.frozen = encoder, frozen
        self.hidden = nn.Linear(2 * WIDTH, WIDTH)
        self.out = nn.Linear(WIDTH, labels)
        self.dropout = nn.Dropout(0.1)

    def forward(self, ids: Tensor, mask: Tensor) -> Tensor:
        with torch.set_grad_enabled(torch.is_grad_enabled() and not self.frozen):
            states = self.encoder.states(ids, mask)
        weight = mask.unsqueeze(-1).to(states.dtype)
        mean = (states * weight).sum(1) / weight.sum(1)
        read = torch.cat([mean, states[:, 0]], -1)
        return self.out(self.dropout(F.gelu(self.hidden(read)))).float()


def read_rows(files: list[Path], task: str) -> list[tuple[list[str], int]]:
    rows = []
    for file in files:
        for line in file.read_text(encoding="utf8").splitlines():
            fields = line.split("\t")
            if len(fields) != 4:
                continue
            texts = [fields[2]] if task == "requests" else fields[2:]
            rows.append((texts, LABELS[task].index(fields[0])))
    return rows


def ids_of(text: Text, texts: list[str]) -> list[int]:
    """[CLS] one [SEP] other [SEP]."""
    ids = text.ids(texts[0], MAX_TOKENS)
    for other in texts[1:]:
        ids = ids + text.ids(other, MAX_TOKENS)[1:]
    return ids


def train(reader: Reader, text: Text, rows: list[tuple[list[str], int]], task: str, epochs: int, rate: float, device: str) -> None:
    if task == "entities":
        # The order of two records says nothing; that of two statements does.
        rows = rows + [([other, one], label) for (one, other), label in rows]
    optimizer = torch.optim.AdamW([value for value in reader.parameters() if value.requires_grad], lr=rate, weight_decay=0.01)
    steps = epochs * (len(rows) // 32 + 1)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, max_lr=rate, total_steps=steps, pct_start=0.1)
    reader.train()
    for _ in range(epochs):
        random.shuffle(rows)
        for at in range(0, len(rows), 32):
            batch = rows[at : at + 32]
            ids, mask = pad([ids_of(text, texts) for texts, _ in batch], device)
            with torch.autocast(device, dtype=torch.bfloat16):
                scores = reader(ids, mask)
            loss = F.cross_entropy(scores, torch.tensor([label for _, label in batch], device=device), label_smoothing=0.05)
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(reader.parameters(), 1.0)
            optimizer.step()
            schedule.step()


@torch.no_grad()
def answers(reader: Reader, text: Text, rows: list[tuple[list[str], int]], device: str) -> Tensor:
    reader.eval()
    out = []
    for at in range(0, len(rows), 128):
        ids, mask = pad([ids_of(text, texts) for texts, _ in rows[at : at + 128]], device)
        out.append(reader(ids, mask).softmax(-1).cpu())
    return torch.cat(out)


def show(title: str, chances: Tensor, rows: list[tuple[list[str], int]], task: str) -> None:
    labels = LABELS[task]
    truth = torch.tensor([label for _, label in rows])
    answer = chances.argmax(-1)
    print(f"{title}: {(answer == truth).float().mean():.3f} of {len(rows)} right")
    print("  " + "label".ljust(12) + "".join(name.rjust(11) for name in labels))
    for number, name in enumerate(labels):
        mine = answer[truth == number]
        print("  " + name.ljust(12) + "".join(str(int((mine == other).sum())).rjust(11) for other in range(len(labels))))
    if task != "requests":
        score, wrong = chances[:, 0], truth != 0
        for allowed in (0, 1):
            limit = score[wrong].sort(descending=True).values[min(int(len(score) * allowed / 100), int(wrong.sum()) - 1)]
            print(f"  same found with {allowed} % wrong merges: {(score[~wrong] > limit).float().mean():.2f} (chance above {limit:.2f})")


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--start", type=Path, required=True)
    parser.add_argument("--weights", type=Path)
    parser.add_argument("--task", choices=sorted(LABELS), required=True)
    parser.add_argument("--train", required=True)
    parser.add_argument("--test", required=True)
    parser.add_argument("--frozen", action="store_true", help="leave the encoder as it is")
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--rate", type=float, default=5e-5)
    parser.add_argument("--seed", type=int, default=1)
    values = parser.parse_args()
    random.seed(values.seed)
    torch.manual_seed(values.seed)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    encoder, text = load_start(values.start), Text(values.start)
    if values.weights is not None:
        encoder.load_state_dict({name: value.float() for name, value in torch.load(values.weights, map_location="cpu").items()})
    known = read_rows([Path(name) for name in values.train.split(",")], values.task)
    unseen = read_rows([Path(name) for name in values.test.split(",")], values.task)
    reader = Reader(encoder, len(LABELS[values.task]), values.frozen).to(device)
    train(reader, text, known, values.task, values.epochs, values.rate if not values.frozen else 1e-3, device)
    kind = "frozen" if values.frozen else "fine-tuned"
    show(f"{values.task}, {kind}, trained on {len(known)}", answers(reader, text, unseen, device), unseen, values.task)


if __name__ == "__main__":
    main()
