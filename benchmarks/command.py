"""What a whole command costs, from start to exit."""

from __future__ import annotations

import json
import shutil
import sys
import sysconfig
import tempfile
from collections.abc import Iterator
from pathlib import Path

import table
import texts
from bleu import small_corpus
from measure import child_cpu, output, same
from table import Options, Row


def measure(options: Options) -> Iterator[Row]:
    """Scoring a file, asking for the version, importing the package."""
    bare = [sys.executable, "-c", "pass"]
    repeats = options.repeats(15)
    yield scoring(options)
    least_bare = child_cpu(bare, repeats)
    for question, command, limits in (
        ("tricolore --version", [script("tricolore"), "--version"], (0.025, 0.010)),
        ("import tricolore", [sys.executable, "-c", "import tricolore"], (0.025, 0.010)),
        ("from tricolore import BLEU", [sys.executable, "-c", "from tricolore import BLEU"], (None, None)),
    ):
        over = max(0.0, child_cpu(command, repeats) - least_bare)
        yield Row(f"{question}, over a bare interpreter", over, None, "s", *limits, limit=True, repeats=repeats)


def scoring(options: Options) -> Row:
    """`tricolore score` beside `sacrebleu`: CPU time of the child processes, all their threads."""
    corpus = small_corpus(options).with_references(1)
    question = f"command: score {len(corpus):,} segments / sacrebleu"
    with tempfile.TemporaryDirectory() as folder:
        hyp, refs = texts.write(corpus, Path(folder))
        ours = [script("tricolore"), "score", str(refs[0]), "-i", str(hyp), "-m", "bleu"]
        peer = [script("sacrebleu"), str(refs[0]), "-i", str(hyp), "-m", "bleu"]
        agree = same(command_score(ours), command_score(peer))
        rounds = options.repeats(5)
        times = [(child_cpu(ours, 3), child_cpu(peer, 1)) for _ in range(rounds)]
    mine, theirs = map(min, zip(*times, strict=True))
    return Row(question, mine, theirs, "s", 6, 15, agree=agree, repeats=rounds)


def command_score(command: list[str]) -> float:
    """Return the score a command prints as JSON."""
    result = json.loads(output([*command, "-f", "json", "-w", "9"]))
    result = result[0] if isinstance(result, list) else result
    return float(result["score"])


def script(name: str) -> str:
    """Find an installed command."""
    path = shutil.which(name, path=sysconfig.get_path("scripts"))
    if path is None:
        raise RuntimeError(f"the command {name} is not installed")
    return path


if __name__ == "__main__":
    table.main(measure, __doc__)
