"""
Averages the weights of several trainings from one start: `python3 -m mneme_model.average OUT FILE FILE …`. Seeds may then
be trained side by side.
"""

import sys
from pathlib import Path

import torch


def average(files: list[Path]) -> dict[str, torch.Tensor]:
    states = [torch.load(file, map_location="cpu") for file in files]
    return {name: torch.stack([state[name].float() for state in states]).mean(0).half() for name in states[0]}


if __name__ == "__main__":
    torch.save(average([Path(name) for name in sys.argv[2:]]), sys.argv[1])
