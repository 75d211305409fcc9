"""Rows for relations: a message in one pass, the words that name something, and for pairs of names which relation is stated."""

import random
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from .tasks import LABELS, MESSAGE_TOKENS, Row, one_hot
from .text import Text

SPEAKER = "I"
# What a relation is, read from its object.
INVERSE = {"manages": "reports to", "reports to": "manages", "married to": "married to", "sibling of": "sibling of"}
# Pairs of names that the author said nothing about: how many of a message are read, and what each counts.
MOST_OTHERS, OTHER_WEIGHT = 20, 0.5
# What a message with names of other messages counts.
RENAMED_WEIGHT = 0.5
# How often a name of a message is replaced then.
RENAMED = 0.8

Span = tuple[int, int]


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


def relation_rows(text: Text, folder: Path) -> Iterator[Row]:
    """Every message as it was written, and once more with names of other messages of its author."""
    for file in sorted(folder.glob("*.txt")):
        messages = read_messages(file)
        likes = names_by_place(messages)
        for number, message in enumerate(messages):
            choice = random.Random(f"{file.stem}{number}")
            yield from rows_of(text, message, choice, file.stem, f"{file.stem}:{number}", 1.0)
            yield from rows_of(text, renamed(message, likes, choice), choice, file.stem, f"renamed:{file.stem}:{number}", RENAMED_WEIGHT)


def rows_of(text: Text, message: Message, choice: random.Random, group: str, key: str, counts: float, most: int = MOST_OTHERS) -> Iterator[Row]:
    words = [match.span() for match in re.finditer(r"[^\W_]+", message.text)]
    ids, places = tokens_of(text, message.text, words)
    named = {name: span for name in names_of([message]) if (span := find_name(message.text, words, name)) is not None}
    marks = {start: "begin" for start, _ in named.values()} | {at: "inside" for start, end in named.values() for at in range(start + 1, end)}
    others = [at for at in range(len(words)) if at not in marks and is_capital(message.text, words, at)]
    shares = [one_hot("names", marks.get(at, "out")) for at in range(len(places))]
    # Whether a capitalised word that is in no relation names something, the author did not say.
    weights = [0.0 if at in others else counts for at in range(len(places))]
    if any(weights):
        yield Row("names", group, ids, list(places), shares, weights, key)

    spans = {name: (places[start][0], places[end - 1][1]) for name, (start, end) in named.items() if end <= len(places)}
    spans |= {message.text[slice(*words[at])]: places[at] for at in others if at < len(places)}
    spans[SPEAKER] = (1, 2)
    pairs = list(labelled_pairs(message, list(spans), choice, most))
    if pairs:
        both = [span for subject, object, _, _ in pairs for span in (spans[subject], spans[object])]
        yield Row("relations", group, ids, both, [share for _, _, share, _ in pairs], [weight * counts for *_, weight in pairs], key)


def labelled_pairs(message: Message, names: list[str], choice: random.Random, most: int) -> Iterator[tuple[str, str, list[float], float]]:
    """Pairs with a relation in either direction and traps, then others, of which the author said nothing because nothing is stated."""
    labels: dict[tuple[str, str], set[str]] = {}
    for subject, relation, object in message.stated:
        labels.setdefault((subject, object), set()).add(relation)
        if relation in INVERSE:
            labels.setdefault((object, subject), set()).add(INVERSE[relation])
    known = {pair for subject, _, object in message.stated + message.traps for pair in ((subject, object), (object, subject))}
    every = [(one, other) for one in names for other in names if one != other]
    others = [pair for pair in every if pair not in known]
    for pair in [pair for pair in every if pair in known] + choice.sample(others, min(most, len(others))):
        found = labels.get(pair, {"none"})
        yield *pair, [1 / len(found) if label in found else 0.0 for label in LABELS["relations"]], 1.0 if pair in known else OTHER_WEIGHT


def tokens_of(text: Text, message: str, words: list[Span]) -> tuple[list[int], list[Span]]:
    """The speaker, then the message; and where the tokens of each word are, as far as they fit."""
    ids, places, at = [text.first, *text.ids(SPEAKER)[1:-1], text.last], [], 0
    start = len(ids)
    for word in words:
        between, own = text.ids(message[at : word[0]])[1:-1], text.ids(message[slice(*word)])[1:-1]
        if len(ids) + len(between) + len(own) > start + MESSAGE_TOKENS:
            break
        ids += between + own
        places.append((len(ids) - len(own), len(ids)))
        at = word[1]
    return [*ids, text.last], places


def find_name(message: str, words: list[Span], name: str) -> Span | None:
    """The words of a name, where it first stands by itself: the first, and the one behind the last."""
    starts, ends = {word[0]: at for at, word in enumerate(words)}, {word[1]: at for at, word in enumerate(words)}
    bare = re.sub(r"^[\W_]+|[\W_]+$", "", name)
    for match in re.finditer(re.escape(bare), message) if bare and name != SPEAKER else []:
        if match.start() in starts and match.end() in ends:
            return starts[match.start()], ends[match.end()] + 1
    return None


def is_capital(message: str, words: list[Span], at: int) -> bool:
    """A capitalised word inside a sentence."""
    start, end = words[at]
    return message[start].isupper() and end - start > 1 and at > 0 and re.search(r"[.!?:(\"“]\s*$", message[:start]) is None


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
