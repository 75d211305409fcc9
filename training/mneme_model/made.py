"""Messages with relations that a program fills from `data/templates/relations.txt`: names, openings and endings change, and two templates may stand in one message."""

import random
import re
from pathlib import Path

from .messages import Message

# Letters that are filled from the names of another letter, so that a template can have several of a sort.
LIKE = {"Q": "P", "R": "P", "Z": "P", "N": "O", "D": "C", "U": "T", "W": "V", "H": "G", "Y": "X"}
TIMES = 3
OPENED, ENDED, JOINED = 0.4, 0.4, 0.4
JOINTS = [". ", ", ", " and ", "; ", ". Also, "]
Triple = tuple[str, str, str]
Template = tuple[str, list[tuple[str, Triple]]]


def read_templates(file: Path) -> tuple[dict[str, list[str]], list[Template]]:
    top, rest = file.read_text(encoding="utf8").strip().split("\n\n")
    pools = {key: names.split(" | ") for key, names in (line.split(": ", 1) for line in top.splitlines() if not line.startswith("#"))}
    templates = []
    for line in rest.splitlines():
        said, labels = line.split(" => ")
        templates.append((said, [(label[0], tuple(part.strip() for part in label[2:].split("|"))) for label in labels.split(" ; ")]))
    return pools, templates


def made_messages(file: Path) -> list[Message]:
    pools, templates = read_templates(file)
    choice = random.Random(5)
    return [fill(pools, template, templates, choice) for _ in range(TIMES) for template in templates]


def fill(pools: dict[str, list[str]], template: Template, templates: list[Template], choice: random.Random) -> Message:
    said, taken = template[0], {}
    labels = take_names(pools, template, taken, choice)
    said = named(said, taken)
    if choice.random() < JOINED and not said.endswith("?"):
        other, more = choice.choice(templates), {}
        # Names of the first half are not used again, so that nothing is stated between the halves.
        labels += take_names(pools, other, more, choice, set(taken.values()))
        said += choice.choice(JOINTS) + named(other[0], more)
    extra: dict[str, str] = {}
    if choice.random() < OPENED:
        said = f"{choice.choice(pools['before'])} {said}"
    if choice.random() < ENDED:
        said += f"{'' if said.endswith('?') else '.'} {choice.choice(pools['after'])}"
    if "{Z}" in said:
        take_names(pools, ("{Z}", []), extra, choice, {name for _, triple in labels for name in triple})
        said = named(said, extra)
    stated, traps = ([triple for sign, triple in labels if sign == each] for each in "+-")
    return Message(said, stated, traps)


def take_names(pools: dict[str, list[str]], template: Template, taken: dict[str, str], choice: random.Random, others: set[str] = frozenset()) -> list[tuple[str, Triple]]:
    for letter in sorted(set(re.findall(r"\{(\w)\}", template[0]))):
        used = [*taken.values(), *others]
        free = [name for name in pools[LIKE.get(letter, letter)] if not any(name in each or each in name for each in used)]
        taken[letter] = choice.choice(free)
    name = lambda letter: re.sub(r"^(the|a|an|our|two) ", "", taken[letter]) if letter in taken else letter
    return [(sign, (name(subject), relation, name(object))) for sign, (subject, relation, object) in template[1]]


def named(said: str, taken: dict[str, str]) -> str:
    filled = re.sub(r"\{(\w)\}", lambda match: taken.get(match[1], match[0]), said)
    return re.sub(r"\b(the|our) (?=(the|a|an|our|two) )", "", filled)
