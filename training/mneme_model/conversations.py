"""Reads conversations with labelled questions, ours and those in the form of bench/data."""

import datetime
import json
import re
from dataclasses import dataclass, field
from pathlib import Path

SESSION = re.compile(r"== (\d+) \| (\d{4}-\d\d-\d\d) \d\d:\d\d \| ([^|]+) \| (.+)$")
TURN = re.compile(r"(\d+\.\d+) ([^\s:]+): (.*)$")
# Category 5 of LoCoMo's form holds questions without an answer.
UNANSWERABLE = 5


@dataclass
class Question:
    text: str
    kind: str
    evidence: list[int]


@dataclass
class Conversation:
    kind: str
    name: str
    passages: list[str] = field(default_factory=list)
    speakers: list[str] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    questions: list[Question] = field(default_factory=list)
    items: list[tuple[list[int], str, str, str, str]] = field(default_factory=list)
    prompts: list[tuple[list[int], str]] = field(default_factory=list)

    def add(self, speaker: str, day: str, text: str) -> None:
        self.speakers.append(speaker)
        self.texts.append(text)
        self.passages.append(passage(speaker, day, text))


def passage(speaker: str, day: str, text: str) -> str:
    """A turn as the index embeds it: see `embeddedText` in src/search-index/passage.ts."""
    return f"{speaker} · {day_in_words(day)}: {text}"


def day_in_words(day: str) -> str:
    date = datetime.date.fromisoformat(day[:10])
    return f"{date:%A} {date.day} {date:%B %Y}"


def read_own(folder: Path) -> list[Conversation]:
    """All conversations of training/data/conversations/KIND/."""
    return [read_text(file) for file in sorted(folder.glob("*/*.txt"))]


def read_text(file: Path) -> Conversation:
    conversation = Conversation(kind=file.parent.name, name=file.stem)
    turns: list[tuple[str, str, str, list[str]]] = []
    day = ""
    for line in file.read_text(encoding="utf8").splitlines():
        session, turn = SESSION.match(line), TURN.match(line)
        if session:
            day = session[2]
        elif turn:
            turns.append((turn[1], turn[2], day, [turn[3]]))
        elif turns:
            turns[-1][3].append(line)
    for _, speaker, said, lines in turns:
        conversation.add(speaker, said, "\n".join(lines).strip())
    place = {turn[0]: number for number, turn in enumerate(turns)}

    def places(ids: str) -> list[int]:
        return [] if ids.strip() == "-" else [place[one] for one in ids.replace(" ", "").split(",")]

    for kind, ids, text, _ in rows(file.with_suffix(".questions.tsv"), 4):
        conversation.questions.append(Question(text, kind, places(ids)))
    for ids, kind, whose, holds, statement in rows(file.with_suffix(".items.tsv"), 5):
        conversation.items.append((places(ids), kind, whose, holds, statement))
    for ids, prompt in rows(file.with_suffix(".prompts.tsv"), 2):
        conversation.prompts.append((places(ids), prompt))
    return conversation


def rows(file: Path, fields: int) -> list[list[str]]:
    found = []
    for number, line in enumerate(file.read_text(encoding="utf8").splitlines(), 1):
        if not line.strip():
            continue
        row = line.split("\t")
        if len(row) != fields:
            raise SystemExit(f"{file}:{number} has {len(row)} fields, not {fields}.")
        found.append(row)
    return found


def read_bench(folder: Path, kind: str) -> list[Conversation]:
    """Conversations in the form of LoCoMo and bench/data/coding."""
    return [read_json(file, kind) for file in sorted(folder.glob("*.json"))]


def read_json(file: Path, kind: str) -> Conversation:
    data = json.loads(file.read_text(encoding="utf8"))
    conversation = Conversation(kind=kind, name=file.stem)
    place = {}
    for session in data["sessions"]:
        for turn in session["turns"]:
            place[turn["id"]] = len(conversation.passages)
            conversation.add(turn["speaker"], iso_day(session["date"]), turn["text"])
    for question in data["qa"]:
        cited = [one for entry in question.get("evidence", []) for one in re.findall(r"[A-Z]\d+:\d+", entry)]
        evidence = [place[one] for one in dict.fromkeys(cited) if one in place]
        if question["category"] != UNANSWERABLE and evidence:
            conversation.questions.append(Question(question["question"], str(question["category"]), evidence))
    return conversation


def iso_day(date: str) -> str:
    """The day of an ISO time or of `1:56 pm on 8 May, 2023`."""
    match = re.search(r"on (\d{1,2} \w+),? (\d{4})", date)
    return date[:10] if match is None else datetime.datetime.strptime(f"{match[1]} {match[2]}", "%d %B %Y").date().isoformat()


def read_statements(folder: Path) -> list[tuple[str, str]]:
    """Labelled statements with the turn they come from, of the extraction data in bench/data/knowledge*."""
    pairs = []
    for file in sorted(folder.glob("knowledge*/**/*.json")):
        data = json.loads(file.read_text(encoding="utf8"))
        if not isinstance(data, dict) or "turns" not in data:
            continue
        turns = {turn["id"]: turn for turn in data["turns"]}
        for item in data.get("items", []):
            for cited in item.get("evidence", [])[:1]:
                turn = turns.get(cited)
                if turn is not None:
                    speaker = turn.get("name") or turn["role"]
                    pairs.append((item["statement"], passage(speaker, data["started"][:10], turn["text"])))
    return pairs
