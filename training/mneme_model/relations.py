"""
Rows for relations: the words of a message that name something, and which relation is stated between two names. Each two are
read in a pass of their own, in which signs stand around them: `judge.ts` does the same.
"""

import random
import re
from collections.abc import Iterator
from pathlib import Path

from .made import made_messages
from .messages import SPEAKER, Message, names_by_place, names_of, read_messages, renamed
from .tasks import LABELS, MESSAGE_TOKENS, Row, one_hot
from .text import Text

# What a relation is, read from its object.
INVERSE = {"manages": "reports to", "reports to": "manages", "married to": "married to", "sibling of": "sibling of"}
# Pairs of names that the author said nothing about: how many of a message are read, and what each counts.
MOST_OTHERS, OTHER_WEIGHT = 8, 0.5
# What stands around the name that comes first in the message, and around the other.
FIRST_SIGN, SECOND_SIGN = "@", "#"
# What a message with names of other messages counts.
RENAMED_WEIGHT = 0.5
# What a message made from templates counts.
MADE_WEIGHT = 0.3

Span = tuple[int, int]


def relation_rows(text: Text, folder: Path) -> Iterator[Row]:
    """Every message as it was written, and once more with names of other messages of its author; then those made from templates."""
    for number, message in enumerate(made_messages(folder.parent / "templates/relations.txt")):
        yield from rows_of(text, message, random.Random(f"made{number}"), "made", f"made:{number}", MADE_WEIGHT)
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
    labelled = {(subject, object): (share, weight) for subject, object, share, weight in labelled_pairs(message, list(spans), choice, most)}
    for subject, object in labelled:
        if spans[subject] > spans[object] or spans[subject][1] > spans[object][0]:
            continue
        both = [labelled[subject, object], labelled[object, subject]]
        marked_ids, (first, second) = marked(text, ids, spans[subject], spans[object])
        yield Row("relations", group, marked_ids, [first, second, second, first], [share for share, _ in both], [weight * counts for _, weight in both], f"{key}:{subject}:{object}")


def marked(text: Text, ids: list[int], first: Span, second: Span) -> tuple[list[int], tuple[Span, Span]]:
    """The message with a sign before and behind each of two names, and where the names are then."""
    (one,), (other,) = (text.ids(sign)[1:-1] for sign in (FIRST_SIGN, SECOND_SIGN))
    (a, b), (c, d) = first, second
    return [*ids[:a], one, *ids[a:b], one, *ids[b:c], other, *ids[c:d], other, *ids[d:]], ((a + 1, b + 1), (c + 3, d + 3))


def labelled_pairs(message: Message, names: list[str], choice: random.Random, most: int) -> Iterator[tuple[str, str, list[float], float]]:
    """Both directions of pairs with a relation or a trap, then of others, of which the author said nothing because nothing is stated."""
    labels: dict[tuple[str, str], set[str]] = {}
    for subject, relation, object in message.stated:
        labels.setdefault((subject, object), set()).add(relation)
        if relation in INVERSE:
            labels.setdefault((object, subject), set()).add(INVERSE[relation])
    known = {pair for subject, _, object in message.stated + message.traps for pair in ((subject, object), (object, subject))}
    every = [(one, other) for number, one in enumerate(names) for other in names[number + 1 :]]
    others = [pair for pair in every if pair not in known]
    for one, other in [pair for pair in every if pair in known] + choice.sample(others, min(most, len(others))):
        for pair in ((one, other), (other, one)):
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
