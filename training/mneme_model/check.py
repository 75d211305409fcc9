"""
Stage `data`: checks the labelled data and prints what there is.

    python3 -m mneme_model.check --data training/data

Needs nothing but Python. Ends with 1 when a label names a turn that does not exist or a row has another form.
"""

import argparse
import re
import sys
from collections import Counter
from pathlib import Path

from .conversations import read_own

QUESTIONS = {"direct", "reworded", "several", "time", "category", "count", "current"}
ITEMS = {"fact", "person", "preference", "decision", "correction", "task", "lesson", "procedure"}
LABELS = {
    "pairs": {"same", "update", "opposite", "different"},
    "entities": {"same", "different"},
    "requests": {"remember", "forget", "recall", "reflect", "none"},
}
FAMILIES = {
    *("works for", "manages", "reports to", "lives in", "married to", "parent of", "sibling of", "uses"),
    *("depends on", "owns", "part of", "deployed on", "founded", "member of", "replaced by", "located in"),
}


def check_conversations(folder: Path) -> list[str]:
    problems, asked, total = [], Counter(), Counter()
    for conversation in read_own(folder):
        name = f"{conversation.kind}/{conversation.name}"
        counts = Counter(question.kind for question in conversation.questions)
        kinds = Counter(item[1] for item in conversation.items)
        problems += [f"{name}: a question is of the type {kind}" for kind in counts.keys() - QUESTIONS]
        problems += [f"{name}: an item is of the kind {kind}" for kind in kinds.keys() - ITEMS]
        asked.update(question.text.lower() for question in conversation.questions)
        helped = sum(1 for helps, _ in conversation.prompts if helps)
        total.update(
            {
                "turns": len(conversation.passages),
                "questions": len(conversation.questions),
                "items": len(conversation.items),
                "prompts that need something": helped,
                "prompts that need nothing": len(conversation.prompts) - helped,
            }
        )
        print(f"{name:24} {len(conversation.passages):4} turns {len(conversation.questions):4} questions {len(conversation.items):4} items")
    print(", ".join(f"{count} {what}" for what, count in total.items()))
    print(f"{sum(count - 1 for count in asked.values())} questions are asked in the same words elsewhere")
    return problems


def check_table(task: str, file: Path) -> list[str]:
    rows = [line.split("\t") for line in file.read_text(encoding="utf8").splitlines() if line.strip()]
    problems = [f"{file}: a row has {len(row)} fields" for row in rows if len(row) != 4]
    problems += [f"{file}: the label {row[0]} is not known" for row in rows if row[0] not in LABELS[task]]
    print(f"{task}/{file.name:12} {len(rows):4}: " + ", ".join(f"{count} {label}" for label, count in sorted(Counter(row[0] for row in rows).items())))
    return problems


def check_topics(file: Path) -> list[str]:
    topics = re.split(r"^# ", file.read_text(encoding="utf8"), flags=re.M)[1:]
    problems = []
    for topic in topics:
        lines = topic.splitlines()
        fields = {line.split(":")[0] for line in lines[1:]}
        if not {"description", "keywords", "body"} <= fields:
            problems.append(f"{file}: {lines[0]} lacks a field")
    calls, others = (sum(line.startswith(sign) for topic in topics for line in topic.splitlines()) for sign in ("+ ", "- "))
    print(f"topics/{file.name:12} {len(topics):4}: {calls} messages that call for one, {others} that do not")
    return problems


def check_relations(file: Path) -> list[str]:
    problems, stated, traps, messages = [], Counter(), 0, 0
    for block in re.split(r"\n\s*\n", file.read_text(encoding="utf8").strip()):
        lines = block.splitlines()
        said = [line[2:] for line in lines if line.startswith("> ")]
        if len(said) != 1 or any(line[:2] not in ("> ", "< ", "+ ", "- ") for line in lines):
            problems.append(f"{file}: a block has another form: {lines[0]}")
            continue
        messages += 1
        for line in lines:
            if line[0] not in "+-":
                continue
            parts = [part.strip() for part in line[2:].split("|")]
            if len(parts) != 3 or parts[1] not in FAMILIES or any(name != "I" and name not in said[0] for name in parts[::2]):
                problems.append(f"{file}: {line}")
            elif line[0] == "+":
                stated[parts[1]] += 1
            else:
                traps += 1
    print(f"relations/{file.name:9} {messages:4}: {sum(stated.values())} stated, {traps} traps; " + ", ".join(f"{count} {family}" for family, count in sorted(stated.items())))
    return problems


def check_templates(file: Path) -> list[str]:
    """Each label of a template has a known family, and names that the template has as a letter in braces or as a word."""
    problems, lines = [], file.read_text(encoding="utf8").strip().split("\n\n")[1].splitlines()
    for line in lines:
        said, _, labels = line.partition(" => ")
        for label in labels.split(" ; "):
            parts = [part.strip() for part in label[2:].split("|")]
            is_known = len(parts) == 3 and parts[1] in FAMILIES and label[:2] in ("+ ", "- ")
            if not is_known or any(name != "I" and f"{{{name}}}" not in said and (len(name) == 1 or name not in said) for name in parts[::2]):
                problems.append(f"{file}: {label} of: {said}")
    print(f"templates/{file.name:9} {len(lines):4}")
    return problems


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--data", type=Path, required=True)
    values = parser.parse_args()
    problems = check_conversations(values.data / "conversations")
    for task in LABELS:
        for file in sorted((values.data / task).glob("*.tsv")):
            problems += check_table(task, file)
    for file in sorted((values.data / "topics").glob("*.txt")):
        problems += check_topics(file)
    for file in sorted((values.data / "relations").glob("*.txt")):
        problems += check_relations(file)
    problems += check_templates(values.data / "templates/relations.txt")
    for problem in problems:
        print(problem, file=sys.stderr)
    sys.exit(1 if problems else 0)


if __name__ == "__main__":
    main()
