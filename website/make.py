"""Write what is made from the code: pages of docs/, the stub of the package.

    python website/make.py [--check] [FILE ...]

With --check, only say whether they are up to date; with names of files, only these.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import partial

import command_pages
import metric_pages
import python_pages
import schemas
from bibliography import bibliography_page
from edge_page import edge_page
from file_formats import file_page
from markup import ROOT, rows, session

from tricolore import public_names
from tricolore.cli.sacrebleu_flags import ENVIRONMENT, FLAGS

sys.path.append(str(ROOT / "tests"))
import input_kinds


def package_stub() -> str:
    """What type checkers read instead of the package's `__getattr__`."""
    lines = ['"""The public names; made by `make pages` from the code."""', "", "# ruff: noqa: I001", ""]
    lines += ["from ._version import __version__ as __version__"]
    lines += [f"from .{module} import {name} as {name}" for name, module in public_names().items()]
    lines += ["", "PUBLIC: dict[str, tuple[str, ...]]", "", "def public_names() -> dict[str, str]: ..."]
    return "\n".join(lines) + "\n"


def input_page() -> str:
    """What every kind of Python object means as hypotheses and as references."""
    kinds = [[kind.name, _outcome(kind.hyps), _outcome(kind.refs)] for kind in input_kinds.KINDS]
    return "\n".join(
        [
            "# What can I pass as hypotheses and references?",
            "",
            "Made by `make pages`. Lists of strings, and columns of pandas, polars, pyarrow, NumPy and datasets:",
            "",
            "```python",
            'tri.BLEU()(df["mt"], df["ref"])  # one reference per segment',
            'tri.BLEU()(df["mt"], df["refs"])  # a list column: several references per segment',
            'tri.BLEU()(df["mt"], df[["ref1", "ref2"]].to_numpy())  # a 2-D array: the same',
            "tri.BLEU()(ids, ref_ids)  # lists, arrays or tensors of integers: token ids",
            "```",
            "",
            "The table shows how each kind of object is read; *refused* means a `TricoloreError` that says what was",
            "expected. The tests check every public function against this table. *Token ids* are integers from 0:",
            "padding such as -100 is an error that names its row. A missing cell (None, NaN, NA, null, masked) is an",
            "error that names row and column; in a list of references it means that this reference is missing, and in",
            "`References.from_streams` that the segment has no reference in that stream. An empty string is an",
            "empty text, never a missing one.",
            "",
            "`tri.score`, `compare`, `confidence`, `correlate` and `orange` also take files in place of lists: a",
            "string or a `pathlib.Path` names one file, a list of `pathlib.Path` several references or systems.",
            "",
            rows(["kind", "as hypotheses", "as references"], kinds),
            "",
        ]
    )


def flag_page() -> str:
    """What becomes of every flag of sacreBLEU."""
    flags = [[", ".join(f"`{flag}`" for flag in spellings), *what] for spellings, what in FLAGS.items()]
    variables = [[f"`{name}`", *what] for name, what in ENVIRONMENT.items()]
    return "\n".join(
        [
            "# Which flags of sacreBLEU work here?",
            "",
            "Made by `make pages` from the code. `tricolore score` takes the place of `sacrebleu`: with the same",
            "files and flags it gives the same scores, or refuses a flag by name and says what to use instead.",
            "`tricolore sacrebleu` takes every flag and prints what sacreBLEU prints, byte for byte:",
            "[Coming from sacreBLEU](../coming-from/sacrebleu.md).",
            "",
            "```console",
            session(
                "score reference-a.txt -i fluent.txt -m bleu chrf -lc -b",
                "score -t wmt14 -i fluent.txt",
                "score --list",
            ),
            "```",
            "",
            "sacreBLEU 2.6.0 prints the same two numbers: its `-lc` lower-cases the text for BLEU, not for chrF.",
            "`tests/test_sacrebleu_flags.py` runs every flag below, long and short, through both commands and",
            "compares numbers and signatures. It takes the flags from sacreBLEU's own parser, so it notices new",
            "ones. [Test sets](sets.md) come from sacreBLEU's cache; `tests/test_sets.py` compares them.",
            "",
            "## Flags",
            "",
            rows(["flag", "here", "note"], flags),
            "",
            "The general flags (`-tok`, `-lc`, `-s`, `-sv`, `-l`) also set the parameters of metrics that sacreBLEU",
            "does not have. A note names the metrics to which `-tok` or `-lc` does not apply. A flag that",
            "applies to none of the metrics is an error; sacreBLEU ignores it (`-m chrf -lc`, `-m bleu -cw 2`).",
            "",
            "Flags must be written in full: sacreBLEU accepts `--low` for `--lowercase`; here it is an error that",
            "names the flag.",
            "",
            "## Intervals and tests",
            "",
            "The random draws are sacreBLEU's. Percentiles are interpolated, and ties count, so a copy of the",
            "baseline has p = 1. With `--compat sacrebleu`, intervals and p-values equal sacreBLEU's.",
            "[Significance](../explanations/significance.md) explains the difference.",
            "",
            "## Files",
            "",
            "White space at the end of a line is dropped, as in sacreBLEU. A byte-order mark is skipped; sacreBLEU",
            "scores it as a character. Files of different length, invalid UTF-8 and empty files are errors that name",
            "file and line.",
            "",
            "## JSON and signatures",
            "",
            "For one system, the JSON is an object, or a list of objects for several metrics. It has all of",
            "sacreBLEU's keys with the same values, with these exceptions: `signature` starts with the name of the",
            "metric and has every parameter, even those that cannot be set in sacreBLEU; `version` is Tricolore's;",
            "`smooth` names its constant (`floor[epsilon=0.1]` for `floor[0.10]`); `tok` of `intl` has the version of",
            "Unicode; numbers such as `nrefs` are numbers, not strings.",
            "",
            "For several systems, the JSON is a list with an object for each system and metric; sacreBLEU's has an",
            "object for each system, with a key for each metric.",
            "",
            "## Environment variables",
            "",
            rows(["variable", "here", "note"], variables),
            "",
        ]
    )


def _outcome(meaning: str) -> str:
    return meaning if meaning in (input_kinds.TEXT, input_kinds.IDS, input_kinds.SEVERAL) else "refused"


FILES: dict[str, Callable[[], str]] = {
    "docs/reference/inputs.md": input_page,
    "docs/reference/sacrebleu.md": flag_page,
    "docs/reference/edge-cases.md": edge_page,
    "docs/reference/files.md": file_page,
    **command_pages.pages(),
    **metric_pages.pages(),
    **python_pages.pages(),
    **{str(path.relative_to(ROOT)): partial(str, text) for path, text in schemas.files().items()},
    "docs/bibliography.md": bibliography_page,
    "src/tricolore/__init__.pyi": package_stub,
}


def main(*asked: str) -> int:
    """Write or check the files."""
    stale = []
    for name in [one for one in asked if one != "--check"] or FILES:
        path = ROOT / name
        text = FILES[name]()
        if "--check" not in asked:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        elif not path.exists() or path.read_text(encoding="utf-8") != text:
            stale.append(name)
    if stale:
        print(f"{', '.join(stale)}: not what the code says; run 'make pages'", file=sys.stderr)
    return bool(stale)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
