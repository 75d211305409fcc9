"""
Stage `topics`: how what speaks for a topic is weighed (src/topics/tier2/score.ts), from topics the model has not seen.

    node bench/watchers.ts --data bench/data/watchers --evidence training/work/watchers.jsonl
    python3 -m mneme_model.topics work/watchers.jsonl work/watchers-more.jsonl

Prints, for each file left out, precision and recall of weights fitted on the others, and the weights of all.
"""

import json
import sys
from pathlib import Path

import numpy as np

PENALTY = 5.0


def read(file: Path) -> tuple[list[str], np.ndarray, np.ndarray]:
    rows = [json.loads(line) for line in file.read_text(encoding="utf8").splitlines()]
    names = [name for name in rows[0] if name != "isWanted"]
    return names, np.array([[row[name] for name in names] for row in rows]), np.array([float(row["isWanted"]) for row in rows])


def fit(values: np.ndarray, wanted: np.ndarray) -> tuple[np.ndarray, float]:
    """Logistic regression by Newton's method, with a penalty on standardised weights."""
    means, spreads = values.mean(0), values.std(0) + 1e-9
    rows = np.c_[np.ones(len(values)), (values - means) / spreads]
    weights = np.zeros(rows.shape[1])
    penalty = np.full(len(weights), PENALTY)
    penalty[0] = 0
    for _ in range(50):
        chances = 1 / (1 + np.exp(-rows @ weights))
        slope = rows.T @ (chances - wanted) + penalty * weights
        weights -= np.linalg.solve((rows * (chances * (1 - chances))[:, None]).T @ rows + np.diag(penalty), slope)
    raw = weights[1:] / spreads
    return raw, float(weights[0] - raw @ means)


def main() -> None:
    files = [Path(name) for name in sys.argv[1:]]
    read_files = {file: read(file) for file in files}
    for left_out in files if len(files) > 1 else []:
        others = [read_files[file] for file in files if file != left_out]
        weights, start = fit(np.concatenate([one[1] for one in others]), np.concatenate([one[2] for one in others]))
        _, values, wanted = read_files[left_out]
        fired = values @ weights + start > 0
        right = wanted[fired].sum()
        print(f"{left_out.stem} left out: precision {right / max(1, fired.sum()):.2f}, recall among those asked {right / wanted.sum():.2f}")
    names = read_files[files[0]][0]
    weights, start = fit(np.concatenate([one[1] for one in read_files.values()]), np.concatenate([one[2] for one in read_files.values()]))
    print({name: round(float(weight), 2) for name, weight in zip(names, weights)}, "start", round(start, 2))


if __name__ == "__main__":
    main()
