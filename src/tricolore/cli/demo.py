"""Score a small example that ships with the package.

Four made-up systems translate the same twelve sentences; two references say what was meant.
"""

import argparse
import os

from ..examples import LATTICES, NBEST, RATINGS, REFERENCES, SYSTEMS, WEIGHTS, lines, write_example
from ..results import emit
from ..scores import score
from ..scoring import Score
from ..segments import References
from .printing import show

REPORT = "report.html"
METRICS = ("bleu", "bleu(smooth=7)", "chrf", "ter", "lebleu", "nist")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Other metrics than the chosen few, and the texts as files."""
    parser.add_argument("-m", "--metrics", nargs="+", metavar="METRIC", help="metrics to show instead, or all")
    parser.add_argument("--write", metavar="FOLDER", help="write the texts to a new folder, to try commands on")
    parser.add_argument("--report", metavar="FILE", help="also write a report of the systems, one HTML file")


def run(options: argparse.Namespace) -> None:
    """Print a table of systems and metrics, or write the texts."""
    if options.write is not None:
        write_texts(options.write)
        return
    references = References.from_streams([lines(name) for name in REFERENCES])
    found = score({name: lines(name) for name in SYSTEMS}, references, options.metrics or METRICS)
    print(f"{len(SYSTEMS)} systems, {len(references)} segments, {len(REFERENCES)} references.", end=" ")
    print("Higher is better, except where an arrow points down.\n")
    emit(found)
    if options.metrics is None:
        explain(found["hasty", METRICS[0]])
    if options.report is not None:
        write_report(options.report, references)


def explain(hasty: Score) -> None:
    """Say what there is to see, and how to go on."""
    print(
        "\nWhy is 'hasty' last? It says little that is wrong, but leaves half of it out, which the precisions\n"
        "of BLEU do not see and its brevity penalty (BP) does:\n\n"
        f"  {hasty.line(1)}\n\n"
        "Now your own files:\n\n"
        "  tricolore score REFERENCE [REFERENCE ...] -i OUTPUT [OUTPUT ...] -m bleu chrf ter\n\n"
        "'tricolore demo -m all' shows every metric. 'tricolore demo --write FOLDER' gives you these texts, ratings,\n"
        "an n-best list and lattices, and the commands that judge systems and metrics by them, and tune."
    )


def write_report(path: str, references: References) -> None:
    """Write a report of the systems, with their ratings, and say where it is."""
    from contextlib import chdir
    from tempfile import TemporaryDirectory

    from ..reporting.report import report

    os.makedirs(os.path.dirname(path) or os.curdir, exist_ok=True)
    target = os.path.abspath(path)
    with TemporaryDirectory() as folder, chdir(folder):  # so that the report names no folder of this machine
        write_example("example")
        report(
            {name: lines(name) for name in SYSTEMS},
            references,
            path=target,
            human=os.path.join("example", RATINGS),
            title="Four systems, twelve sentences",
        )
    show("", f"A report of these systems, to open in a browser: {path}")


def write_texts(folder: str) -> None:
    """Write the texts to files, and say what to do with them."""
    write_example(folder)
    place = {name: os.path.join(folder, f"{name}.txt") for name in (*REFERENCES, *SYSTEMS, NBEST, WEIGHTS)}
    place |= {name: os.path.join(folder, name) for name in (RATINGS, LATTICES, REPORT)}
    refs, systems = (" ".join(place[name] for name in names) for names in (REFERENCES, SYSTEMS))
    commands = f"""
        score {refs} -i {systems} -m all
        compare {refs} -i {systems} -m bleu chrf
        report {refs} -i {systems} --human {place[RATINGS]} -o {place[REPORT]}
        correlate {refs} -i {systems} --human {place[RATINGS]} -m bleu chrf ter
        search 'chrf(char_order=2..6, beta=1..3)' --dev {folder}@1-6 --test {folder}@7-12
        orange {place[NBEST]} --refs {refs}
        tune mert --nbest {place[NBEST]} --refs {refs} --folds 3
        rerank --nbest {place[NBEST]} --weights {place[WEIGHTS]} --refs {refs}
        oracle --nbest {place[NBEST]} --refs {refs} -m bleu --corpus
        mbr --nbest {place[NBEST]} --scale 0.5 --refs {refs} -m chrf
        lattice stats {place[LATTICES]}
        oracle --lattice {place[LATTICES]} --refs {refs} -m wer
        mbr --lattice {place[LATTICES]} --refs {refs}
    """
    show("Now try:", "", *(f"  tricolore {line.strip()}" for line in commands.strip().split("\n")))
