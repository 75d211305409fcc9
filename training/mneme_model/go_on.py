"""
Stage `go_on`: trains the packaged judge further on pairs, names and relations, without the starting weights. Everything else it
judges keeps the packaged model's answers as its aim, so that thresholds fitted to them keep their meaning.

    python3 -m mneme_model.go_on train --model ../assets/model --vocabulary ../assets/embeddings --data data --statements FILE --home-pairs FILE --seed 1 --out DIR [--hold TASK:AUTHOR,…]
    python3 -m mneme_model.go_on export --model ../assets/model --vocabulary ../assets/embeddings --data data --statements FILE --home-pairs FILE --out DIR --states FILE,…

`--hold` leaves authors (or kinds of conversations) out: how they are judged before and after is printed, the answers are in
before.jsonl and answers.jsonl. Pairs are also answered the other way round.
"""

import argparse
import hashlib
import json
import random
from pathlib import Path

import torch
import torch.nn.functional as F

from .average import average
from .conversations import read_own
from .export import CALIBRATED, activations, pack_heads, pack_layers, record
from .frozen import read_heads
from .judge import COUNTS, Judge, all_rows, answers, plan, report, targets
from .packaged import PackagedText, read_encoder
from .tasks import NOT_PACKAGED, Row, home_pair_rows, turned

LEARNED = ("pairs", "names", "relations")
EPOCHS, RATE = 5, 6e-5
# How much of an aim is the packaged model's answer, where that is kept.
KEPT = 0.8
# Of the rows whose answers are kept, the share that is read in an epoch: they only hold the rest in place.
SHARE_READ = 0.35
SMOOTHING = 0.05


def packaged_judge(model: Path) -> Judge:
    """The packaged judge as floats. Heads that it does not have yet begin at random."""
    torch.manual_seed(1)
    judge = Judge(read_encoder(model, "judge"))
    for task, (hidden, bias, out, last) in read_heads(model)[1].items():
        head = judge.heads[task]
        state = {"hidden.weight": hidden.T, "hidden.bias": bias, "out.weight": out.T, "out.bias": last}
        head.load_state_dict({name: torch.tensor(value.copy()) for name, value in state.items()})
    return judge


def split(rows: dict[str, list[Row]], hold: str) -> tuple[dict[str, list[Row]], dict[str, list[Row]]]:
    held = {tuple(one.split(":")) for one in hold.split(",") if one}
    known = {task: [row for row in one if (task, row.group) not in held] for task, one in rows.items()}
    left_out = {task: [row for row in one if (task, row.group) in held and not row.key.startswith(("renamed:", "made:"))] for task, one in rows.items()}
    return known, {task: one for task, one in left_out.items() if one}


def keep_answers(judge: Judge, rows: dict[str, list[Row]], device: str) -> None:
    """Sets the packaged model's answers as what most of each aim is."""
    for task, own in rows.items():
        for row, chances in answers(judge, task, own, device):
            row.shares = [[KEPT * chance + (1 - KEPT) * share for chance, share in zip(each, label)] for each, label in zip(chances, row.shares)]


def steps_of(rows: dict[str, list[Row]], text: PackagedText) -> list[tuple[str, list[Row]]]:
    read = {task: own if task in LEARNED else random.sample(own, int(len(own) * SHARE_READ)) for task, own in rows.items()}
    return plan(read, text, [], None)


def train(judge: Judge, rows: dict[str, list[Row]], text: PackagedText, device: str) -> None:
    judge.encoder.words.weight.requires_grad = False
    groups = [{"params": [one for one in judge.encoder.parameters() if one.requires_grad], "lr": RATE}, {"params": judge.heads.parameters(), "lr": 10 * RATE}]
    optimizer = torch.optim.AdamW(groups, weight_decay=0.01)
    epochs = [steps_of(rows, text) for _ in range(EPOCHS)]
    steps = sum(map(len, epochs))
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: min(1, (step + 1) / (steps / 16)) * max(0.0, 1 - step / steps))
    judge.train()
    for number, epoch in enumerate(epochs):
        total: dict[str, list[float]] = {}
        for task, batch in epoch:
            with torch.autocast(device, dtype=torch.bfloat16):
                scores = judge(task, batch, device)
            shares, weights = targets(batch, device)
            if task in LEARNED:
                shares = shares * (1 - SMOOTHING) + SMOOTHING / shares.shape[1]
            loss = -((F.log_softmax(scores, -1) * shares).sum(-1) * weights).sum() / weights.sum().clamp(min=1) * COUNTS[task]
            optimizer.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(judge.parameters(), 1.0)
            optimizer.step()
            schedule.step()
            total.setdefault(task, []).append(loss.detach())
        print(f"epoch {number + 1}: " + ", ".join(f"{task} {torch.stack(one).mean().item():.3f} in {len(one)}" for task, one in total.items()), flush=True)


def write_answers(judge: Judge, text: PackagedText, rows: dict[str, list[Row]], file: Path, device: str) -> None:
    with file.open("w") as lines:
        for task, own in rows.items():
            found = answers(judge, task, own, device)
            report(task, found)
            back = answers(judge, task, [turned(text, row, f"back:{row.key}") for row in own], device) if task == "pairs" else []
            for row, chances in found + back:
                line = {"task": task, "key": row.key, "group": row.group, "shares": row.shares, "weights": row.weights}
                lines.write(json.dumps({**line, "chances": [[round(one, 4) for one in each] for each in chances]}) + "\n")


def export(judge: Judge, text: PackagedText, rows: dict[str, list[Row]], model: Path, out: Path) -> None:
    """Writes the judge's files; those of the vectors stay as they are."""
    choice = random.Random(1)
    seen = {task: choice.sample(one, min(len(one), CALIBRATED // 4)) for task, one in rows.items()}
    manifest = json.loads((model / "model.json").read_text())
    packed = {"judge": pack_layers(judge.encoder, activations(judge.encoder, [row.ids for one in seen.values() for row in one]))}
    packed["heads"], manifest["tasks"] = pack_heads(judge)
    for name, content in packed.items():
        (out / f"{name}.bin").write_bytes(content)
        manifest[name] |= {"bytes": len(content), "sha256": hashlib.sha256(content).hexdigest()}
        print(f"{name}.bin: {len(content)} bytes, SHA-256 {manifest[name]['sha256']}")
    (out / "model.json").write_text(json.dumps(manifest, indent=2) + "\n")
    recorded = record(judge.encoder, judge, text, [], [row for one in seen.values() for row in one[:12]])
    (out / "recorded.json").write_text(json.dumps(recorded))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("stage", choices=["train", "export"])
    parser.add_argument("--model", type=Path, required=True)
    parser.add_argument("--vocabulary", type=Path, required=True)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--statements", type=Path, required=True)
    parser.add_argument("--home-pairs", type=Path, required=True, help="what training/home-pairs.ts writes")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--hold", default="", help="TASK:AUTHOR, separated by commas: who is left out and judged")
    parser.add_argument("--states", default="", help="what `train` wrote, separated by commas: their mean is exported")
    values = parser.parse_args()
    device = "cuda" if torch.cuda.is_available() else "cpu"
    values.out.mkdir(parents=True, exist_ok=True)
    text = PackagedText(values.vocabulary)
    rows = all_rows(text, values.data, values.statements, read_own(values.data / "conversations"))
    rows = {task: one for task, one in rows.items() if task not in NOT_PACKAGED}
    rows["pairs"] += home_pair_rows(text, values.home_pairs)
    judge = packaged_judge(values.model)
    if values.stage == "export":
        judge.load_state_dict({name: value.float() for name, value in average([Path(one) for one in values.states.split(",")]).items()})
        return export(judge.eval(), text, rows, values.model, values.out)
    known, left_out = split(rows, values.hold)
    print({task: len(one) for task, one in known.items()}, "left out:", {task: len(one) for task, one in left_out.items()}, flush=True)
    judge.to(device)
    keep_answers(judge, {task: one for task, one in known.items() if task not in LEARNED}, device)
    before = {task: one for task, one in left_out.items() if task in ("pairs",)}
    print("before:")
    write_answers(judge, text, before, values.out / "before.jsonl", device)
    random.seed(values.seed)
    torch.manual_seed(values.seed)
    train(judge, known, text, device)
    print("after:")
    write_answers(judge, text, left_out, values.out / "answers.jsonl", device)
    if not values.hold:
        torch.save({name: value.half().cpu() for name, value in judge.state_dict().items()}, values.out / "judge.pt")


if __name__ == "__main__":
    main()
