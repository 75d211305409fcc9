"""What the judge learns: rows of tokens with the places that are read, and what the answer is."""

import itertools
import json
import random
import re
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from .conversations import Conversation
from .lexical import Bm25
from .text import Text

OUTCOMES = ["none", "decision", "lesson", "person", "procedure", "fact", "preference", "task", "correction"]
HOLDS = ["now", "past", "future", "unsure"]
FAMILIES = (
    "works for, manages, reports to, lives in, married to, parent of, sibling of, uses, "
    "depends on, owns, part of, deployed on, founded, member of, replaced by, located in"
).split(", ")
LABELS = {
    "keep": OUTCOMES,
    "holds": HOLDS,
    "pairs": ["same", "update", "opposite", "different"],
    "entities": ["same", "different"],
    "requests": ["remember", "forget", "recall", "reflect", "none"],
    "what": ["in", "out"],
    "topics": ["calls", "not"],
    "prompts": ["helps", "not"],
    "names": ["begin", "inside", "out"],
    "relations": [*FAMILIES, "none"],
    "standing": ["never", "rarely", "often", "always"],
}
# Learned beside the others and not good enough to be used (README.md).
NOT_PACKAGED = ("holds",)
TURN_TOKENS, BEFORE_TOKENS, AFTER_TOKENS, SIDE_TOKENS, MESSAGE_TOKENS, TOPIC_TOKENS, MEMORY_TOKENS = 200, 56, 24, 96, 160, 120, 120
# Candidates that search would return for a prompt and that do not help.
NEAR_A_PROMPT = 5
# Memories of a home that are set beside a prompt and do not help: half of them those nearest in words.
OTHERS_IN_A_HOME = 6
# Topics that have words in common with a message of another topic; one of them is set beside it.
NEAR_A_MESSAGE = 6
# How often the answer to a turn is left out, so that a turn without one is judged as well.
WITHOUT_ANSWER = 0.4
# How often a turn is also read without anything around it, as a first message is, and what that counts.
ALONE, ALONE_WEIGHT = 0.5, 0.5
# What a pair counts that follows from two others.
MADE_WEIGHT = 0.5
# Statements that share more of their words may be the same or an update.
MOST_SHARED = 0.4
# What an ordinary pair counts: nobody has judged it.
ORDINARY_WEIGHT = 0.5
# How often a statement is read with a copy that only punctuation, articles or an opening tell from it.
COPIED = 0.15
# What a statement of the conversations here counts: their items were matched to statements by words, which is not always right.
MATCHED_BY_WORDS = 0.5


@dataclass
class Row:
    """One forward pass. `spans` are read one by one, or two by two; each (or two) has a share for every label and a weight."""

    task: str
    group: str
    ids: list[int]
    spans: list[tuple[int, int]]
    shares: list[list[float]]
    weights: list[float]
    key: str = ""


def one_hot(task: str, label: str) -> list[float]:
    return [1.0 if label == each else 0.0 for each in LABELS[task]]


def bare(text: Text, words: str, most: int) -> list[int]:
    return text.ids(words, most + 2)[1:-1]


def keep_rows(text: Text, file: Path) -> list[Row]:
    """A turn in one pass: what was said before, the beginning of the answer, then the turn's statements, each a span."""
    rows = []
    for number, line in enumerate(file.read_text(encoding="utf8").strip().split("\n")):
        turn = json.loads(line)
        choice = random.Random(number)
        before = [text.first, *text.ids(turn["before"], 512)[1:-1][-BEFORE_TOKENS:], text.last]
        is_answered = choice.random() >= WITHOUT_ANSWER
        around = [([*before, *(bare(text, turn["after"], AFTER_TOKENS) if is_answered else []), text.last], 1.0)]
        if (turn["before"] or turn["after"]) and choice.random() < ALONE:
            around.append(([text.first, text.last, text.last], ALONE_WEIGHT))
        for part, (statements, (start, share)) in enumerate(itertools.product(windows(text, turn["statements"]), around)):
            ids, spans = list(start), []
            for statement in statements:
                own = bare(text, statement["text"], TURN_TOKENS)
                spans.append((len(ids), len(ids) + len(own)))
                ids += own
            ids.append(text.last)
            shares = [statement["shares"] for statement in statements]
            counts = share * (MATCHED_BY_WORDS if turn["matched"] else 1.0)
            weights = [statement["weight"] * counts for statement in statements]
            rows.append(Row("keep", turn["writer"], ids, spans, shares, weights, f"{number}:{part}"))
            held = [one_hot("holds", statement["holds"]) if statement["holds"] else [0.0] * 4 for statement in statements]
            if any(sum(one) for one in held):
                rows.append(Row("holds", turn["writer"], ids, spans, held, [sum(one) for one in held], f"{number}:{part}"))
    return rows


def windows(text: Text, statements: list[dict]) -> list[list[dict]]:
    """A long turn is read in parts of TURN_TOKENS."""
    parts: list[list[dict]] = [[]]
    room = TURN_TOKENS
    for statement in statements:
        tokens = len(bare(text, statement["text"], TURN_TOKENS))
        if tokens > room and parts[-1]:
            parts.append([])
            room = TURN_TOKENS
        if tokens > 0:
            parts[-1].append(statement)
            room -= tokens
    return [part for part in parts if part]


def two(text: Text, task: str, group: str, one: str, other: str, label: str, most: tuple[int, int], key: str = "") -> Row:
    left, right = bare(text, one, most[0]), bare(text, other, most[1])
    ids = [text.first, *left, text.last, *right, text.last]
    middle = len(left) + 2
    return Row(task, group, ids, [(1, middle - 1), (middle, len(ids) - 1)], [one_hot(task, label)], [1.0], key)


def fields(file: Path) -> list[list[str]]:
    return [row for row in (line.split("\t") for line in file.read_text(encoding="utf8").splitlines()) if len(row) == 4]


def pair_rows(text: Text, folder: Path, task: str) -> list[Row]:
    rows = []
    for file in sorted(folder.glob("*.tsv")):
        for number, (label, _, one, other) in enumerate(fields(file)):
            rows.append(two(text, task, file.stem, one, other, label, (SIDE_TOKENS, SIDE_TOKENS), f"{file.stem}:{number}"))
    return rows


def home_pair_rows(text: Text, file: Path) -> list[Row]:
    """Pairs as a memory meets them all day: what `training/home-pairs.ts` writes. Nobody has judged them one by one."""
    rows = []
    for number, (label, key, one, other) in enumerate(fields(file)):
        row = two(text, "pairs", key.split(":")[0], one, other, label, (SIDE_TOKENS, SIDE_TOKENS), f"home:{key}:{number}")
        row.weights = [ORDINARY_WEIGHT]
        rows.append(row)
    return rows


def made_pair_rows(text: Text, folder: Path) -> list[Row]:
    """Of two pairs that share a side and one is the same, the other two sides; and sentences with a copy of themselves."""
    rows = []
    for file in sorted(folder.glob("*.tsv")):
        by_first: dict[str, list[tuple[str, str]]] = {}
        made: list[tuple[str, str, str]] = []
        for number, (label, _, one, other) in enumerate(fields(file)):
            choice = random.Random(f"{file.stem}{number}")
            by_first.setdefault(one, []).append((label, other))
            if choice.random() < COPIED:
                made.append((one, copied(one, choice), "same"))
        for known in by_first.values():
            for same in (words for label, words in known if label == "same"):
                made += [(same, words, label) for label, words in known if label != "same"]
        for number, (one, other, label) in enumerate(made):
            row = two(text, "pairs", file.stem, one, other, label, (SIDE_TOKENS, SIDE_TOKENS), f"made:{file.stem}:{number}")
            row.weights = [MADE_WEIGHT]
            rows.append(row)
    return rows


def ordinary_pair_rows(text: Text, conversations: list[Conversation]) -> list[Row]:
    """
    Pairs as a memory meets them all day. Writers of pairs write near ones, so that without these a model takes a statement
    about something else for an update, and the same words for the opposite.
    """
    rows = []
    for conversation in conversations:
        choice = random.Random(conversation.name)
        statements = [statement for _, _, _, _, statement in conversation.items]
        lexical = Bm25(statements)
        for number, later in enumerate(statements):
            near = [int(place) for place in np.argsort(-lexical.scores(later)) if int(place) < number]
            apart = [place for place in near if shared_words(statements[place], later) <= MOST_SHARED]
            # The one nearest in words, and any other.
            chosen = apart[:1] + choice.sample(apart[1:], min(1, len(apart[1:])))
            pairs = [(statements[place], later, "different") for place in chosen]
            if choice.random() < COPIED:
                pairs.append((later, copied(later, choice), "same"))
            for one, other, label in pairs:
                row = two(text, "pairs", conversation.kind, one, other, label, (SIDE_TOKENS, SIDE_TOKENS), f"{conversation.kind}:{conversation.name}:{number}")
                row.weights = [ORDINARY_WEIGHT]
                rows.append(row)
    return rows


def shared_words(one: str, other: str) -> float:
    """Of the words of the shorter, the share that the other has."""
    left, right = (set(re.findall(r"\w{3,}", side.lower())) for side in (one, other))
    return len(left & right) / max(1, min(len(left), len(right)))


def copied(statement: str, choice: random.Random) -> str:
    changes = [
        lambda words: words.rstrip("."),
        lambda words: re.sub(r"\b(the|a|an) ", "", words, flags=re.IGNORECASE),
        lambda words: choice.choice(["As I said, ", "Again: ", "Just so you know, ", "Reminder: ", "To confirm, "]) + words,
        lambda words: re.sub(r"n't\b", " not", words).replace("can not", "cannot"),
        lambda words: re.sub(r"\b(does|do|is|are|has|was|did) not\b", r"\1n't", words),
        lambda words: words.lower(),
    ]
    for change in choice.sample(changes, 2):
        statement = change(statement)
    return statement


def turned(text: Text, row: Row, key: str = "") -> Row:
    """The two sides exchanged."""
    (a, b), (c, d) = row.spans
    ids = [text.first, *row.ids[c:d], text.last, *row.ids[a:b], text.last]
    middle = d - c + 2
    return Row(row.task, row.group, ids, [(1, middle - 1), (middle, len(ids) - 1)], row.shares, row.weights, key or row.key)


def request_rows(text: Text, folder: Path) -> list[Row]:
    rows = []
    for file in sorted(folder.glob("*.tsv")):
        for number, (label, language, message, _) in enumerate(fields(file)):
            own = bare(text, message, MESSAGE_TOKENS)
            if own:
                ids = [text.first, *own, text.last]
                rows.append(Row("requests", file.stem, ids, [(1, len(ids) - 1)], [one_hot("requests", label)], [1.0], f"{file.stem}:{number}:{language}"))
    return rows


def what_rows(text: Text, folder: Path) -> list[Row]:
    """Each word of a request is part of what it is about, or not."""
    rows = []
    for file in sorted(folder.glob("*.tsv")):
        for number, (label, _, message, what) in enumerate(fields(file)):
            at = message.find(what)
            if label == "none" or what == "-" or at < 0:
                continue
            ids, spans, shares, place = [text.first], [], [], 0
            for word in message.split():
                place = message.index(word, place)
                own = bare(text, word, MESSAGE_TOKENS)
                if own and len(ids) + len(own) < MESSAGE_TOKENS + 2:
                    spans.append((len(ids), len(ids) + len(own)))
                    shares.append(one_hot("what", "in" if at <= place < at + len(what) else "out"))
                    ids += own
                place += len(word)
            if spans:
                rows.append(Row("what", file.stem, [*ids, text.last], spans, shares, [1.0] * len(spans), f"{file.stem}:{number}"))
    return rows


def topic_rows(text: Text, folder: Path) -> list[Row]:
    """A message with the topic it was written for, and with others that it has nothing to do with."""
    rows = []
    for file in sorted(folder.glob("*.txt")):
        topics = []
        for block in file.read_text(encoding="utf8").split("\n# "):
            lines = block.lstrip("# ").splitlines()
            note = {line.split(":", 1)[0]: line.split(":", 1)[1].strip() for line in lines if line.startswith(("description:", "keywords:", "body:"))}
            shown = f"{lines[0].strip().replace('-', ' ')}. {note.get('description', '')} {note.get('keywords', '')}. {note.get('body', '')}"
            topics.append((shown, [line for line in lines if line[:2] in ("+ ", "- ")]))
        lexical = Bm25([shown for shown, _ in topics])
        most = (SIDE_TOKENS, TOPIC_TOKENS)
        for number, (shown, lines) in enumerate(topics):
            for place, line in enumerate(lines):
                label = "calls" if line[0] == "+" else "not"
                rows.append(two(text, "topics", file.stem, line[2:], shown, label, most, f"{file.stem}:{number}"))
                # Without these the head learns how messages that call for something sound, and says so of any topic.
                choice = random.Random(f"{file.stem}{number}{place}")
                order = [int(other) for other in np.argsort(-lexical.scores(line[2:])) if int(other) != number]
                for other in (choice.choice(order[:NEAR_A_MESSAGE]), choice.choice(order)):
                    key = f"{file.stem}:{number}:{other}"
                    rows.append(two(text, "topics", file.stem, line[2:], topics[other][0], "not", most, key))
    return rows


def prompt_rows(text: Text, conversations: list[Conversation]) -> list[Row]:
    """A prompt with a turn (or the statement made of it) that helps, and with those that search returns beside it."""
    rows = []
    for conversation in conversations:
        lexical = Bm25(conversation.passages)
        told: dict[int, str] = {}
        for turns, _, _, _, statement in conversation.items:
            for turn in turns:
                told.setdefault(turn, statement)
        for number, (helps, prompt) in enumerate(conversation.prompts):
            # Python's own hash differs from run to run.
            choice = random.Random(f"{conversation.name}{number}")
            order = [int(place) for place in np.argsort(-lexical.scores(prompt)) if int(place) not in helps]
            others = order[:NEAR_A_PROMPT] + choice.sample(order, min(2, len(order)))
            for place, label in [(place, "helps") for place in helps] + [(place, "not") for place in others]:
                memory = told[place] if place in told and choice.random() < 0.5 else conversation.passages[place]
                key = f"{conversation.kind}:{conversation.name}:{number}"
                rows.append(two(text, "prompts", conversation.kind, prompt, memory, label, (SIDE_TOKENS, MEMORY_TOKENS), key))
    return rows


def home_prompt_rows(text: Text, folder: Path) -> list[Row]:
    """A prompt with the memories of a home that help, and with some of those that do not."""
    rows = []
    for file in sorted(folder.glob("*.txt")):
        for number, block in enumerate(file.read_text(encoding="utf8").split("== ")[1:]):
            lines = block.splitlines()
            memories = [match.groups() for match in (re.match(r"(\d+) \[\w+\] (.+)$", line) for line in lines) if match]
            prompts = [match.groups() for match in (re.match(r"\? ([\d, ]+|-) \| (.+)$", line) for line in lines) if match]
            lexical = Bm25([memory for _, memory in memories])
            for place, (helps, prompt) in enumerate(prompts):
                named = set(re.findall(r"\d+", helps))
                choice = random.Random(f"{file.stem}{number}{place}")
                order = [int(other) for other in np.argsort(-lexical.scores(prompt)) if memories[int(other)][0] not in named]
                near = order[: OTHERS_IN_A_HOME // 2]
                others = near + choice.sample(order[len(near) :], min(OTHERS_IN_A_HOME - len(near), len(order) - len(near)))
                chosen = [(memory, "helps") for name, memory in memories if name in named] + [(memories[other][1], "not") for other in others]
                for memory, label in chosen:
                    rows.append(two(text, "prompts", f"home-{file.stem}", prompt, memory, label, (SIDE_TOKENS, MEMORY_TOKENS), f"{file.stem}:{number}:{place}"))
    return rows


def standing_rows(text: Text, folder: Path) -> list[Row]:
    """A statement, and how often an agent needs to know it."""
    rows = []
    for file in sorted(folder.glob("*.tsv")):
        for number, line in enumerate(file.read_text(encoding="utf8").splitlines()):
            score, statement = line.split("\t", 1)
            own = bare(text, statement, MEMORY_TOKENS)
            ids = [text.first, *own, text.last]
            rows.append(Row("standing", file.stem, ids, [(1, len(ids) - 1)], [one_hot("standing", LABELS["standing"][int(score)])], [1.0], f"{file.stem}:{number}"))
    return rows
