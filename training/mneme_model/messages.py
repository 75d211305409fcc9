"""Messages with the relations that they state and those that a careless reader would take from them."""

import random
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

SPEAKER = "I"
# How often a name of a message is replaced by one of another message.
RENAMED = 0.8


@dataclass
class Message:
    text: str
    stated: list[tuple[str, str, str]]
    traps: list[tuple[str, str, str]]


def read_messages(file: Path) -> list[Message]:
    messages = []
    for block in re.split(r"\n\s*\n", file.read_text(encoding="utf8").strip()):
        message = Message("", [], [])
        for line in block.splitlines():
            if line.startswith("> "):
                message.text = line[2:]
            elif line[:2] in ("+ ", "- "):
                subject, relation, object = (part.strip() for part in line[2:].split("|"))
                (message.stated if line[0] == "+" else message.traps).append((subject, relation, object))
        messages.append(message)
    return messages


def names_of(messages: Iterable[Message]) -> list[str]:
    return list(dict.fromkeys(name for message in messages for subject, _, object in message.stated + message.traps for name in (subject, object) if name != SPEAKER))


def names_by_place(messages: list[Message]) -> dict[tuple[str, str], list[str]]:
    """Names that are subjects (or objects) of one relation are of one sort."""
    found: dict[tuple[str, str], list[str]] = {}
    for message in messages:
        for subject, relation, object in message.stated + message.traps:
            for place, name in (("subject", subject), ("object", object)):
                if name != SPEAKER and name not in found.setdefault((relation, place), []):
                    found[relation, place].append(name)
    return found


def renamed(message: Message, likes: dict[tuple[str, str], list[str]], choice: random.Random) -> Message:
    """The message with other names, so that it is read by what it says and not by whom it names."""
    places: dict[str, tuple[str, str]] = {}
    for subject, relation, object in message.stated + message.traps:
        places.setdefault(subject, (relation, "subject"))
        places.setdefault(object, (relation, "object"))
    taken = names_of([message])
    others: dict[str, str] = {}
    for name in taken:
        # A name inside another one would be replaced there as well.
        free = [other for other in likes[places[name]] if not any(other in each or each in other for each in [*taken, *others.values()])]
        if free and choice.random() < RENAMED and not any(name != each and name in each for each in taken):
            others[name] = choice.choice(free)
    if not others:
        return message
    pattern = re.compile("|".join(rf"(?<![^\W_]){re.escape(name)}(?![^\W_])" for name in sorted(others, key=len, reverse=True)))
    swap = lambda triple: (others.get(triple[0], triple[0]), triple[1], others.get(triple[2], triple[2]))
    return Message(pattern.sub(lambda match: others[match.group()], message.text), [swap(one) for one in message.stated], [swap(one) for one in message.traps])
