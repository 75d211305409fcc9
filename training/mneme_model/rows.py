"""
Stage `rows`: writes the rows of some tasks as JSON lines, for training heads on a frozen judge (see `frozen`). Needs no PyTorch.

    python3 -m mneme_model.rows --start DIR --data DIR --out FILE
"""

import argparse
import json
from pathlib import Path

from . import tasks
from .conversations import read_own
from .text import Text


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--start", type=Path, required=True)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    values = parser.parse_args()
    text = Text(values.start)
    rows = tasks.prompt_rows(text, read_own(values.data / "conversations"))
    rows += tasks.home_prompt_rows(text, values.data / "prompts") + tasks.standing_rows(text, values.data / "standing")
    with values.out.open("w") as file:
        for row in rows:
            line = {"task": row.task, "group": row.group, "ids": row.ids, "spans": row.spans, "shares": row.shares}
            file.write(json.dumps(line) + "\n")


if __name__ == "__main__":
    main()
