"""What a whole command costs, from start to exit; and that it takes files of any length."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

import table
import texts
from bleu import small_corpus
from measure import child_cpu, child_usage, least, output, same
from table import Options, Row

ROUGE = ("rouge-1", "rouge-2", "rouge-l")
#: Options of `tricolore score`, those of sacreBLEU's command beside it, and the least ratio, with the goal.
#: sacreBLEU has no ROUGE: there its BLEU stands beside.
SCORED = {
    "BLEU": (("-m", "bleu"), ("-m", "bleu"), 13, 20),
    "BLEU -ci": (("-m", "bleu", "-ci"), ("-m", "bleu", "-ci"), 10, None),
    "chrF -ci": (("-m", "chrf", "-ci"), ("-m", "chrf", "-ci"), 10, None),
    "TER": (("-m", "ter"), ("-m", "ter"), 10, None),
    "ROUGE-1+2+L": (("-m", *ROUGE), ("-m", "bleu"), 10, None),
}


def start(options: Options) -> Iterator[Row]:
    """Asking for the version, importing the package."""
    repeats = options.repeats(15)
    least_bare = child_cpu([sys.executable, "-c", "pass"], repeats)
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
        files = [str(refs[0]), "-i", str(hyp)]
        for what, (asked, of_peer, *bars) in SCORED.items():
            ours, peer = [script("tricolore"), "score", *files, *asked], [script("sacrebleu"), *files, *of_peer]
            agree = same(command_score(ours), command_score(peer)) if asked == of_peer else None
            times = [(child_cpu(ours, 3), child_cpu(peer, 1)) for _ in range(1 if what == "TER" else rounds)]
            mine, theirs = map(min, zip(*times, strict=True))
            question = f"command: score {len(corpus):,} segments, {what} / sacrebleu"
            yield Row(question, mine, theirs, "s", *bars, agree=agree, repeats=len(times))
        yield rouge(corpus, files, rounds)


def rouge(corpus: texts.Corpus, files: list[str], rounds: int) -> Row:
    """ROUGE-1, 2 and L: what the command takes per segment, beside rouge-score.

    It is the difference between long files and longer ones, so that starting, and loading NumPy, count in neither.
    """
    from rouge_score.rouge_scorer import RougeScorer

    few, many = 5, 20  # times the corpus
    for path in (files[0], files[2]):
        data = Path(path).read_bytes()
        for times in (few, many):
            Path(f"{path}.{times}").write_bytes(times * data)
    metrics = ["-m", *(f"{one}(compat=rouge-score)" for one in ROUGE), "--threads", "1"]
    long, longer = (
        child_cpu([script("tricolore"), "score", f"{files[0]}.{times}", "-i", f"{files[2]}.{times}", *metrics], rounds)
        for times in (few, many)
    )
    scorer = RougeScorer(["rouge1", "rouge2", "rougeL"])
    pairs = [(ref, hyp) for hyp, (ref,) in zip(corpus.hyps, corpus.refs, strict=True)]
    peer = least(lambda: [scorer.score(*pair) for pair in pairs], 2)
    ours = (longer - long) / (many - few) / len(pairs)
    return Row("command: ROUGE-1+2+L, a segment / rouge-score", ours, peer / len(pairs), "s", 90, 110, repeats=rounds)


def long_files(options: Options) -> Iterator[Row]:
    """Files of any length, BLEU and chrF: CPU time, memory, and what a second thread gains; bars are for 5,000,000."""
    times, bars = (2, (None, None)) if options.quick else (50, (14, None))
    corpus = texts.english_like(texts.LARGE, references=1).with_references(1)
    lines = f"{times * len(corpus):,} lines, BLEU + chrF"
    with tempfile.TemporaryDirectory() as folder:
        hyp, refs = texts.write(corpus, Path(folder))
        for path in (hyp, refs[0]):
            data = path.read_bytes()
            with path.open("wb") as file:
                file.writelines(data for _ in range(times))
        del corpus, data
        score = [script("tricolore"), "score", "-m", "bleu", "chrf"]
        repeats = options.repeats(3)
        one, two = (
            child_usage([*score, "-i", str(hyp), "-r", str(refs[0]), "--threads", threads], repeats) for threads in "12"
        )
        yield Row(f"command: {lines}: one thread", one.cpu, None, "s", *bars, limit=True, repeats=repeats)
        yield Row(f"command: {lines}: memory", two.memory, None, "MB", 300, 200, limit=True)
        note = f"{two.cpu / two.wall:.2f} cores busy"
        yield Row(f"command: {lines}: clock, 2 threads / 1 thread", two.wall, one.wall, "s", 1.7, note=note)
        yield from packed(score, hyp, refs[0], f"command: {times * texts.LARGE:,} lines")


def packed(score: list[str], hyp: Path, ref: Path, what: str) -> Iterator[Row]:
    """The memory of other ways to read: compressed files, standard input, several systems and references."""
    gz, zst = f"{ref}.gz", f"{ref}.zst"
    commands = {
        ".gz": [*score, "-i", str(hyp), "-r", gz],
        ".zst": [*score, "-i", str(hyp), "-r", zst],
        "standard input": ["sh", "-c", 'exec "$@" < "$0"', str(hyp), *score, "-i", "-", "-r", str(ref)],
        "2 systems, 2 references, BLEU + chrF + TER": [*score, "ter", "-i", str(hyp), str(ref), "-r", str(ref), gz],
    }
    for tool, path in (("gzip", gz), ("zstd", zst)):
        if shutil.which(tool) is None:
            raise RuntimeError(f"{tool} is not installed")
        with open(path, "wb") as file:
            subprocess.run([tool, "-1", "-c", str(ref)], check=True, stdout=file)
    for how, command in commands.items():
        yield Row(f"{what}, {how}: memory", child_usage(command, 1).memory, None, "MB", 300, 200, limit=True)


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
    table.main(lambda options: chain(start(options), scoring(options), long_files(options)), __doc__)
