"""What a whole command costs, from start to exit."""

from __future__ import annotations

import gzip
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
from measure import child_cpu, child_usage, output, same
from table import Options, Row


def measure(options: Options) -> Iterator[Row]:
    """Scoring a file, asking for the version, importing the package."""
    bare = [sys.executable, "-c", "pass"]
    repeats = options.repeats(15)
    yield from scoring(options)
    yield from long_files(options)
    least_bare = child_cpu(bare, repeats)
    for question, command, limits in (
        ("tricolore --version", [script("tricolore"), "--version"], (0.025, 0.010)),
        ("import tricolore", [sys.executable, "-c", "import tricolore"], (0.025, 0.010)),
        ("from tricolore import BLEU", [sys.executable, "-c", "from tricolore import BLEU"], (None, None)),
    ):
        over = max(0.0, child_cpu(command, repeats) - least_bare)
        yield Row(f"{question}, over a bare interpreter", over, None, "s", *limits, limit=True, repeats=repeats)


def scoring(options: Options) -> Iterator[Row]:
    """`tricolore score` beside `sacrebleu`: CPU time of the child processes, all their threads."""
    corpus = small_corpus(options).with_references(1)
    rounds = options.repeats(5)
    with tempfile.TemporaryDirectory() as folder:
        hyp, refs = texts.write(corpus, Path(folder))
        for what, asked, goals in (
            ("BLEU", ["-m", "bleu"], (13, 20)),
            ("BLEU -ci", ["-m", "bleu", "-ci"], (10, None)),
            ("TER", ["-m", "ter"], (10, None)),
        ):
            ours = [script("tricolore"), "score", str(refs[0]), "-i", str(hyp), *asked]
            peer = [script("sacrebleu"), str(refs[0]), "-i", str(hyp), *asked]
            agree = same(command_score(ours), command_score(peer))
            times = [(child_cpu(ours, 3), child_cpu(peer, 1)) for _ in range(rounds if what == "BLEU" else 1)]
            mine, theirs = map(min, zip(*times, strict=True))
            question = f"command: score {len(corpus):,} segments, {what} / sacrebleu"
            yield Row(question, mine, theirs, "s", *goals, agree=agree, repeats=len(times))
        ours = [script("tricolore"), "score", str(refs[0]), "-i", str(hyp), "-m"]
        rouge = ["rouge-1", "rouge-2", "rouge-l"]
        together = child_cpu([*ours, *rouge], rounds)
        apart = sum(child_cpu([*ours, one], rounds) for one in rouge)
        question = "command: ROUGE-1+2+L in one reading / three commands"
        yield Row(question, together, apart, "s", repeats=rounds)


def long_files(options: Options) -> Iterator[Row]:
    """Files of any length, BLEU and chrF: CPU time, memory, and what a second thread gains; goals are for 5,000,000."""
    times, goals = (2, (None, None)) if options.quick else (50, (14, None))
    corpus = texts.english_like(texts.LARGE, references=1).with_references(1)
    lines = f"{times * len(corpus):,} lines, BLEU + chrF"
    with tempfile.TemporaryDirectory() as folder:
        hyp, refs = texts.write(corpus, Path(folder))
        for path in (hyp, refs[0]):
            data = path.read_bytes()
            with path.open("wb") as file:
                file.writelines(data for _ in range(times))
        del corpus, data
        command = [script("tricolore"), "score", str(refs[0]), "-i", str(hyp), "-m", "bleu", "chrf", "--threads"]
        one, two = (child_usage([*command, threads], options.repeats(3)) for threads in "12")
        yield Row(f"command: {lines}: one thread", one.cpu, None, "s", *goals, limit=True, repeats=options.repeats(3))
        yield Row(f"command: {lines}: memory", two.memory, None, "MB", 300, 200, limit=True)
        yield Row(f"command: {lines}: clock, 2 threads / 1", two.wall, one.wall, "s", 1.7)
        squeezed = Path(folder) / "ref.gz"
        with gzip.open(squeezed, "wb", compresslevel=1) as packed, refs[0].open("rb") as file:
            shutil.copyfileobj(file, packed)
        segments = ["--segments", str(Path(folder) / "segments.tsv")] if options.quick else []
        several = [
            script("tricolore"),
            "score",
            str(squeezed),
            str(refs[0]),
            "-i",
            str(hyp),
            str(refs[0]),
            "-m",
            "bleu",
        ]
        memory = child_usage([*several, *segments], 1).memory
        question = f"command: {times * texts.LARGE:,} lines, .gz, 2 refs, 2 systems: memory"
        yield Row(question, memory, None, "MB", 300, 200, limit=True)


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
