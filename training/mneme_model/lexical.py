"""BM25, to mine negatives and to measure vectors beside words."""

import math
import re
from collections import Counter, defaultdict

import numpy as np

STOP = set(
    "the a an of to in is was were did do does what when where who how which and or for on at with her his their he she "
    "they it that this by from as be has have had i me my we our you your".split()
)


def stem(word: str) -> str:
    return re.sub(r"(ing|ed|es|s|'s)$", "", word) if len(word) > 4 else word


def words(text: str) -> list[str]:
    return [stem(word) for word in re.findall(r"[a-z0-9']+", text.lower()) if word not in STOP]


class Bm25:
    def __init__(self, documents: list[str]) -> None:
        bags = [words(document) for document in documents]
        self.count = len(bags)
        self.lengths = [len(bag) for bag in bags]
        self.mean = max(1e-9, sum(self.lengths) / max(1, self.count))
        self.postings: dict[str, list[tuple[int, int]]] = defaultdict(list)
        for number, bag in enumerate(bags):
            for word, count in Counter(bag).items():
                self.postings[word].append((number, count))

    def scores(self, question: str) -> np.ndarray:
        out = np.zeros(self.count)
        for word in set(words(question)):
            found = self.postings.get(word, [])
            weight = math.log(1 + (self.count - len(found) + 0.5) / (len(found) + 0.5))
            for number, count in found:
                out[number] += weight * count * 2.2 / (count + 1.2 * (0.25 + 0.75 * self.lengths[number] / self.mean))
        return out
