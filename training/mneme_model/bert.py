"""The encoder: BERT with 6 layers, 384 wide, as src/encoder/kernel/encoder.c runs it."""

import math

import torch
import torch.nn.functional as F
from torch import Tensor, nn

WIDTH, INNER, LAYERS, HEADS, VOCABULARY, POSITIONS = 384, 1536, 6, 12, 30522, 512
EPSILON = 1e-12


def attend(q: Tensor, k: Tensor, v: Tensor, mask: Tensor) -> Tensor:
    if hasattr(F, "scaled_dot_product_attention"):
        return F.scaled_dot_product_attention(q, k, v, attn_mask=mask)
    # PyTorch 1, as Debian has it.
    scores = (q @ k.transpose(-2, -1)) / math.sqrt(q.shape[-1])
    return scores.masked_fill(~mask, -1e9).softmax(-1) @ v


class Layer(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.qkv = nn.Linear(WIDTH, 3 * WIDTH)
        self.out = nn.Linear(WIDTH, WIDTH)
        self.up = nn.Linear(WIDTH, INNER)
        self.down = nn.Linear(INNER, WIDTH)
        self.norm1 = nn.LayerNorm(WIDTH, eps=EPSILON)
        self.norm2 = nn.LayerNorm(WIDTH, eps=EPSILON)
        self.dropout = nn.Dropout(0.1)

    def forward(self, x: Tensor, mask: Tensor) -> Tensor:
        rows, tokens, _ = x.shape
        q, k, v = self.qkv(x).view(rows, tokens, 3, HEADS, WIDTH // HEADS).permute(2, 0, 3, 1, 4)
        attended = attend(q, k, v, mask[:, None, None, :])
        x = self.norm1(x + self.dropout(self.out(attended.transpose(1, 2).reshape(rows, tokens, WIDTH))))
        return self.norm2(x + self.dropout(self.down(F.gelu(self.up(x)))))


class Encoder(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.words = nn.Embedding(VOCABULARY, WIDTH)
        self.positions = nn.Embedding(POSITIONS, WIDTH)
        self.norm = nn.LayerNorm(WIDTH, eps=EPSILON)
        self.layers = nn.ModuleList(Layer() for _ in range(LAYERS))

    def states(self, ids: Tensor, mask: Tensor) -> Tensor:
        """The last layer's output for each token."""
        places = torch.arange(ids.shape[1], device=ids.device)
        x = self.norm(self.words(ids) + self.positions(places))
        for layer in self.layers:
            x = layer(x, mask)
        return x

    def forward(self, ids: Tensor, mask: Tensor) -> Tensor:
        """One vector of length 1 for each text: the mean over its tokens."""
        return pool(self.states(ids, mask), mask)


def pool(states: Tensor, mask: Tensor) -> Tensor:
    weight = mask.unsqueeze(-1).to(states.dtype)
    return F.normalize((states * weight).sum(1).float(), dim=-1)
