"""Every file that a command reads, in every format: docs/reference/files.md, checked by tests/test_file_formats.py."""

from __future__ import annotations

import bz2
import contextlib
import gzip
import io
import json
import lzma
import os
import sys
import tempfile
import textwrap
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import zstandard

from tricolore.cli import run
from tricolore.graphs.formats import read_graphs, written
from tricolore.rendering import markdown_table
from tricolore.results import Table

TEXT, TABLE, NBEST, WEIGHTS = "text", "table", "n-best list", "weights"
LATTICES, SYMBOLS, SET, PARAPHRASES = "lattices", "symbols", "set", "paraphrases"
KINDS = (TEXT, TABLE, NBEST, WEIGHTS, LATTICES, SYMBOLS, SET, PARAPHRASES)


@dataclass(frozen=True)
class Input:
    """One place of one command where a file is named: FILE in its words, where `file` of the example may stand."""

    command: str
    place: str  #: as the help names it
    kind: str
    file: str
    words: str

    def arguments(self, path: str) -> list[str]:
        """The words of the command that reads a file; a set that names it is written beside the others."""
        if self.command == "search" and self.kind != SET:
            key = self.place.removeprefix("set.toml: ")
            described = {**SET_FILES, key: [path, *OTHERS.split()] if key == "systems" else path}
            text = "".join(f"{key} = {json.dumps(value, ensure_ascii=False)}\n" for key, value in described.items())
            Path("other.toml").write_text(text, encoding="utf-8")
            path = "other.toml"
        return [word.replace("FILE", path) for word in f"{self.command} {self.words}".split()]


REFS = "reference-a.txt reference-b.txt"
OTHERS = "fluent.txt hasty.txt literal.txt"
SET_FILES = {
    "references": "reference-a.txt",
    "systems": ["careful.txt", *OTHERS.split()],
    "human": "ratings.tsv",
}
FEW = "-f json --trials 20 --resamples 20"
GRID = "chrf(char_order=5..6)"
AUDIT = "-m chrf --only sensitivity --trials 20 -f json -q --damage swap"
MERT = "-f json -q --restarts 1 --trials 20"

INPUTS = (
    Input("score", "REF", TEXT, "reference-a.txt", "FILE -i careful.txt"),
    Input("score", "-i", TEXT, "careful.txt", "reference-a.txt -i FILE -f json"),
    Input("score", "--system", TEXT, "careful.txt", "reference-a.txt --system a=FILE -f json"),
    Input(
        "score",
        "--scores",
        TABLE,
        "scores.tsv",
        f"reference-a.txt -i careful.txt {OTHERS} -m chrf --scores FILE -f tsv",
    ),
    Input("score", "--by", TEXT, "careful.txt", "reference-a.txt -i careful.txt --by FILE -f json"),
    Input("sacrebleu", "--refs", TEXT, "reference-a.txt", "FILE -i careful.txt -w 4"),
    Input("sacrebleu", "--input", TEXT, "careful.txt", "reference-a.txt -i FILE -w 4"),
    Input("compare", "REF", TEXT, "reference-a.txt", f"FILE -i careful.txt hasty.txt {FEW}"),
    Input("compare", "-i", TEXT, "careful.txt", f"reference-a.txt -i FILE hasty.txt {FEW}"),
    Input("compare", "--system", TEXT, "careful.txt", f"reference-a.txt --system a=FILE --system b=hasty.txt {FEW}"),
    Input("compare", "--scores", TABLE, "scores.tsv", f"--scores FILE {FEW}"),
    Input("report", "REF", TEXT, "reference-a.txt", f"FILE -i careful.txt hasty.txt -m chrf {FEW}"),
    Input("report", "-i", TEXT, "careful.txt", f"reference-a.txt -i FILE hasty.txt -m chrf {FEW}"),
    Input("report", "--system", TEXT, "careful.txt", f"reference-a.txt --system a=FILE -m chrf {FEW}"),
    Input("report", "--source", TEXT, "fluent.txt", f"reference-a.txt -i careful.txt --source FILE -m chrf {FEW}"),
    Input("report", "--docs", TEXT, "fluent.txt", f"reference-a.txt -i careful.txt --docs FILE -m chrf {FEW}"),
    Input("report", "--by", TEXT, "fluent.txt", f"reference-a.txt -i careful.txt --by x=FILE -m chrf {FEW}"),
    Input(
        "report",
        "--human",
        TABLE,
        "ratings.tsv",
        f"reference-a.txt -i careful.txt {OTHERS} --human FILE -m chrf {FEW}",
    ),
    Input(
        "report",
        "--scores",
        TABLE,
        "scores.tsv",
        f"reference-a.txt -i careful.txt {OTHERS} --scores FILE -m chrf {FEW}",
    ),
    Input("audit", "REF", TEXT, "reference-a.txt", f"FILE -i careful.txt {AUDIT}"),
    Input("audit", "-i", TEXT, "careful.txt", f"reference-a.txt -i FILE {AUDIT}"),
    Input("audit", "--system", TEXT, "careful.txt", f"reference-a.txt --system a=FILE {AUDIT}"),
    Input("audit", "--source", TEXT, "fluent.txt", f"reference-a.txt -i careful.txt --source FILE {AUDIT} copy"),
    Input("correlate", "FILE", TABLE, "rated.tsv", "FILE --no-intervals -f json"),
    Input(
        "correlate",
        "REF",
        TEXT,
        "reference-a.txt",
        f"FILE -i careful.txt {OTHERS} --human ratings.tsv --no-intervals -f json",
    ),
    Input(
        "correlate",
        "-i",
        TEXT,
        "careful.txt",
        f"reference-a.txt -i FILE {OTHERS} --human ratings.tsv --no-intervals -f json",
    ),
    Input(
        "correlate",
        "--human",
        TABLE,
        "ratings.tsv",
        f"reference-a.txt -i careful.txt {OTHERS} --human FILE --no-intervals -f json",
    ),
    Input(
        "correlate",
        "--system",
        TEXT,
        "careful.txt",
        "reference-a.txt --system careful=FILE --system hasty=hasty.txt --human ratings.tsv --ignore-unknown "
        "--no-intervals -f json",
    ),
    Input("correlate", "--scores", TABLE, "scores.tsv", "--scores FILE --human ratings.tsv --no-intervals -f json"),
    Input("search", "--dev", SET, "set.toml", f"{GRID} --dev FILE -f json -q"),
    Input(
        "search", "--test", SET, "held-out.toml", f"{GRID} --dev set.toml@1-6 --test FILE@7-12 --shuffles 20 -f json -q"
    ),
    Input("search", "set.toml: references", TEXT, "reference-a.txt", f"{GRID} --dev FILE -f json -q"),
    Input("search", "set.toml: systems", TEXT, "careful.txt", f"{GRID} --dev FILE -f json -q"),
    Input("search", "set.toml: human", TABLE, "ratings.tsv", f"{GRID} --dev FILE -f json -q"),
    Input("orange", "NBEST", NBEST, "nbest.txt", f"FILE --refs {REFS} --samples 20 -f json"),
    Input("orange", "--refs", TEXT, "reference-a.txt", "nbest.txt --refs FILE reference-b.txt --samples 20 -f json"),
    Input(
        "orange",
        "--source",
        TEXT,
        "careful.txt",
        f"nbest.txt --refs {REFS} --source FILE --errors e.txt --samples 20 -f json",
    ),
    Input("tune", "--nbest", NBEST, "nbest.txt", f"mert --nbest FILE --refs {REFS} {MERT}"),
    Input("tune", "--refs", TEXT, "reference-a.txt", f"mert --nbest nbest.txt --refs FILE reference-b.txt {MERT}"),
    Input("tune", "--start", WEIGHTS, "weights.txt", f"mert --nbest nbest.txt --refs {REFS} --start FILE {MERT}"),
    Input(
        "tune",
        "--held-out-nbest",
        NBEST,
        "nbest.txt",
        f"mira --nbest nbest.txt --refs {REFS} --held-out-nbest FILE "
        f"--held-out-refs {REFS} --epochs 2 -f json -q --trials 20",
    ),
    Input(
        "tune",
        "--held-out-refs",
        TEXT,
        "reference-a.txt",
        f"mira --nbest nbest.txt --refs {REFS} --held-out-nbest "
        "nbest.txt --held-out-refs FILE reference-b.txt --epochs 2 -f json -q --trials 20",
    ),
    Input(
        "tune",
        "--test-nbest",
        NBEST,
        "nbest.txt",
        f"mert --nbest nbest.txt --refs {REFS} --test-nbest FILE --test-refs {REFS} {MERT}",
    ),
    Input(
        "tune",
        "--test-refs",
        TEXT,
        "reference-a.txt",
        f"mert --nbest nbest.txt --refs {REFS} --test-nbest nbest.txt --test-refs FILE reference-b.txt {MERT}",
    ),
    Input("rerank", "--nbest", NBEST, "nbest.txt", "--nbest FILE --weights weights.txt -q"),
    Input("rerank", "--weights", WEIGHTS, "weights.txt", "--nbest nbest.txt --weights FILE -q"),
    Input("rerank", "--refs", TEXT, "reference-a.txt", "--nbest nbest.txt --refs FILE"),
    Input("oracle", "--nbest", NBEST, "nbest.txt", f"--nbest FILE --refs {REFS} -q"),
    Input("oracle", "--refs", TEXT, "reference-a.txt", "--nbest nbest.txt --refs FILE -q"),
    Input("oracle", "--lattice", LATTICES, "lattices.plf", f"--lattice FILE --refs {REFS} -m wer -q"),
    Input(
        "oracle",
        "--weights",
        WEIGHTS,
        "weights.txt",
        "--lattice two-scores.plf --weights FILE --refs word.txt -m wer -q",
    ),
    Input(
        "oracle",
        "--symbols",
        SYMBOLS,
        "symbols.txt",
        "--lattice numbers.fst.txt --symbols FILE --refs word.txt -m wer -q",
    ),
    Input("mbr", "--nbest", NBEST, "nbest.txt", "--nbest FILE --scale 0.5 -q"),
    Input("mbr", "--samples", TEXT, "samples.txt", "--samples FILE -n 4 -q"),
    Input("mbr", "--refs", TEXT, "reference-a.txt", "--nbest nbest.txt --scale 0.5 --refs FILE -q"),
    Input("mbr", "--weights", WEIGHTS, "weights.txt", "--nbest nbest.txt --weights FILE -q"),
    Input("mbr", "--lattice", LATTICES, "lattices.plf", "--lattice FILE -q"),
    Input("mbr", "--symbols", SYMBOLS, "symbols.txt", "--lattice numbers.fst.txt --symbols FILE -q"),
    Input("lattice", "FILE", LATTICES, "lattices.plf", "best FILE -q"),
    Input("lattice", "--weights", WEIGHTS, "weights.txt", "best two-scores.plf --weights FILE -q"),
    Input("lattice", "--symbols", SYMBOLS, "symbols.txt", "best numbers.fst.txt --symbols FILE -q"),
    Input("align", "REF", TEXT, "reference-a.txt", "FILE -i careful.txt"),
    Input("align", "-i", TEXT, "careful.txt", "reference-a.txt -i FILE"),
    Input("tokenize", "FILE", TEXT, "careful.txt", "FILE"),
    Input(
        "score",
        "-m meteor(paraphrases=...)",
        PARAPHRASES,
        "paraphrases.tsv",
        'reference-a.txt -i careful.txt -m meteor(paraphrases="FILE") -b',
    ),
    Input(
        "score",
        "-m meteor(function_words=...)",
        TEXT,
        "function-words.txt",
        'reference-a.txt -i careful.txt -m meteor(version=1.5,function_words="FILE") -b',
    ),
)


def write_example(folder: Path) -> None:
    """Write all files that the commands above name; the folder is made."""
    with contextlib.redirect_stdout(io.StringIO()):
        assert run(["demo", "--write", str(folder)]) == 0
        systems = [str(folder / name) for name in ("careful.txt", *OTHERS.split())]
        scores = str(folder / "scores.tsv")
        assert run(["score", str(folder / "reference-a.txt"), "-i", *systems, "--segments", scores]) == 0
    lines = (folder / "scores.tsv").read_text(encoding="utf-8").replace(".txt\t", "\t").splitlines(keepends=True)
    (folder / "scores.tsv").write_text("".join(line for line in lines if "\tcorpus\t" not in line), encoding="utf-8")
    cells = [line.split("\t") for line in lines[1:] if "\tcorpus\t" not in line]
    rows = [(system, segment, len(system) + int(segment), score) for system, segment, _, score, _ in cells]
    rated = "".join("\t".join(map(str, row)) + "\n" for row in rows)
    (folder / "rated.tsv").write_text(f"system\tsegment\thuman\tBLEU\n{rated}", encoding="utf-8")
    texts = [line.split(" ||| ")[1] for line in (folder / "nbest.txt").read_text(encoding="utf-8").splitlines()]
    (folder / "samples.txt").write_text("".join(f"{text}\n" for text in texts[:24]), encoding="utf-8")
    (folder / "two-scores.plf").write_text("((('a', LM0=1, TM0=2, 1), ('b', LM0=2, TM0=0, 1),),)\n")
    (folder / "word.txt").write_text("cat\n")
    held_out = (folder / "set.toml").read_text(encoding="utf-8").replace('"example"', '"held-out"')
    (folder / "held-out.toml").write_text(held_out, encoding="utf-8")
    (folder / "numbers.fst.txt").write_text("0 1 1 0.5\n0 1 2 0.25\n1\n")
    (folder / "symbols.txt").write_text("<eps>\t0\ncat\t1\ndog\t2\n")
    (folder / "paraphrases.tsv").write_text("leaves\tgoes\nferry\tship\n")
    (folder / "function-words.txt").write_text("the\nat\nof\n")


@dataclass(frozen=True)
class Form:
    """A file in some format: its name and content, whether it comes on standard input, and what a refusal says."""

    label: str
    name: str
    data: bytes
    named: str  #: in the message, where the file is refused
    on_stdin: bool = False


COMPRESSED = {
    "gzip": (".gz", lambda data: gzip.compress(data, mtime=0)),
    "zstd": (".zst", zstandard.compress),
    "xz": (".xz", lzma.compress),
    "bzip2": (".bz2", bz2.compress),
}


def forms(kind: str, name: str, data: bytes) -> list[Form]:
    """A file in every format, the plain one first."""
    text = data.decode()
    lines = text.splitlines()
    found = [
        Form("as it is", name, data, ""),
        Form("as it is, on standard input", name, data, "", on_stdin=True),
        Form("SGM", name, sgm(lines).encode(), "SGML or XML mark-up"),
        Form("WMT XML", name, xml(lines).encode(), "SGML or XML mark-up"),
        Form("JSON lines", name, json_lines(kind, lines).encode(), "JSON"),
        Form("CSV with a header", *csv_file(kind, name, lines), "CSV"),
        Form("TSV with a header", name, data if kind == TABLE else records(lines, "\t").encode(), "TSV"),
        Form("UTF-16 with a byte-order mark", name, text.encode("utf-16"), "UTF-16"),
        Form("UTF-16 without", name, text.encode("utf-16-le"), "UTF-16LE"),
        Form("UTF-16 without, big-endian", name, text.encode("utf-16-be"), "UTF-16BE"),
    ]
    for form, (suffix, pack) in COMPRESSED.items():
        found.append(Form(f"{form} ({suffix})", name + suffix, pack(data), form))
        found.append(Form(f"{form} under another name", name, pack(data), form))
        found.append(Form(f"{form} on standard input", name, pack(data), form, on_stdin=True))
    return found


def sgm(lines: list[str]) -> str:
    """As WMT had it until 2020."""
    segments = "".join(f'<seg id="{number}">{line}</seg>\n' for number, line in enumerate(lines, 1))
    return f'<refset setid="test" srclang="any" trglang="en">\n<doc docid="1">\n{segments}</doc>\n</refset>\n'


def xml(lines: list[str]) -> str:
    """As WMT has it since 2021."""
    segments = "".join(f'<seg id="{number}">{line}</seg>\n' for number, line in enumerate(lines, 1))
    head = '<?xml version=\'1.0\' encoding=\'utf-8\'?>\n<dataset id="test">\n<doc id="1">\n<ref lang="en">\n<p>\n'
    return f"{head}{segments}</p>\n</ref>\n</doc>\n</dataset>\n"


def records(lines: list[str], delimiter: str) -> str:
    """A table of lines that are numbered."""
    rows = [f"{number}{delimiter}{line.translate({9: 32, 44: 32, 34: 32})}\n" for number, line in enumerate(lines, 1)]
    return f"id{delimiter}mt\n{''.join(rows)}"


def csv_file(kind: str, name: str, lines: list[str]) -> tuple[str, bytes]:
    """The name and the content of a CSV file; a table is then called one."""
    if kind != TABLE:
        return name, records(lines, ",").encode()
    return name.replace(".tsv", ".csv"), "".join(line.replace("\t", ",") + "\n" for line in lines).encode()


def json_lines(kind: str, lines: list[str]) -> str:
    """One object a line: what it is, where that can be said in JSON, and else a record."""
    if kind == TABLE:
        header, *rows = (line.split("\t") for line in lines)
        objects: list[Any] = [dict(zip(header, row, strict=True)) for row in rows]
    elif kind == NBEST:
        objects = [candidate(line) for line in lines]
    elif kind == LATTICES:
        return "".join(written(read_graphs("lattices.plf"), "cdec"))
    else:
        objects = [{"src": "", "mt": line} for line in lines]
    return "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in objects)


def candidate(line: str) -> dict[str, Any]:
    """A line of the example's n-best list as an object."""
    source, text, features, total = line.split(" ||| ")
    words = features.split()
    values = dict(zip((name.removesuffix("=") for name in words[::2]), map(float, words[1::2]), strict=True))
    return {"id": int(source), "text": text, "features": values, "score": float(total)}


def outcome(given: Input, form: Form) -> tuple[int, str, str]:
    """Run a command on a file in some format: its exit status, what it prints, and its messages.

    The name of the file is that of the plain one wherever it is printed.
    """
    folder = Path("." if given.kind == SET else "forms")  # a set is beside what it names
    folder.mkdir(exist_ok=True)
    path = str(folder / form.name)
    Path(path).write_bytes(form.data)
    before = sys.stdin
    out, err = io.StringIO(), io.StringIO()
    try:
        if form.on_stdin:
            sys.stdin = io.TextIOWrapper(io.BytesIO(form.data), encoding="utf-8")
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            status = run(given.arguments("-" if form.on_stdin else path))
    finally:
        sys.stdin = before
    name, plain = form.name, given.file
    return status, *(text.getvalue().replace(name, plain) for text in (out, err))


READ, REFUSED = "read", "refused"


def verdict(given: Input, form: Form, plain: tuple[int, str, str]) -> str:
    """Whether a file in some format is read as what it means, like the plain one, or refused by name; else fail."""
    found = outcome(given, form)
    where = f"tricolore {given.command} {given.place}: {form.label}: {found}"
    if found[:2] == plain[:2] and found[2] == plain[2]:
        return READ if found[0] == 0 else REFUSED
    status, out, err = found
    name = "standard input" if form.on_stdin else given.file
    assert status == 1 and not out, where
    assert err.startswith("tricolore: ") and err.count("\n") == 1 and err.endswith("\n"), where
    assert name in err and form.named and form.named in err, where
    return REFUSED


def verdicts(given: Input) -> dict[str, str]:
    """What becomes of a file in every format."""
    plain, on_stdin, *others = forms(given.kind, given.file, Path(given.file).read_bytes())
    expected = {False: outcome(given, plain), True: outcome(given, on_stdin)}
    assert expected[False][0] == 0, expected[False]
    found = {plain.label: READ, on_stdin.label: REFUSED if expected[True][0] else READ}
    found |= {form.label: verdict(given, form, expected[form.on_stdin]) for form in others}
    Path(given.file).write_bytes(plain.data)
    return found


# The page ----------------------------------------------------------------------------------------------------------


def file_page() -> str:
    """What becomes of every kind of file in every format, found by trying; and which commands read it."""
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        write_example(Path(folder) / "example")
        os.chdir(Path(folder) / "example")
        try:
            found = {kind: verdicts(next(one for one in INPUTS if one.kind == kind)) for kind in KINDS}
            refusals = refused_texts()
        finally:
            os.chdir(before)
    rows = [[label, *(found[kind][label] for kind in KINDS)] for label in found[TEXT]]
    return PAGE.format(
        table=markdown_table(Table(["format", *KINDS], rows, left=1 + len(KINDS))),
        kinds="\n".join(map(places, KINDS)),
        refusals="\n".join(refusals),
        evidence=markdown_table(Table(["found", "evidence"], EVIDENCE, left=2)),
    )


def places(kind: str) -> str:
    """Where files of a kind are read, in lines that break between commands."""
    named = [f"`{one.command} {one.place}`".replace(" ", "\0") for one in INPUTS if one.kind == kind]
    line = textwrap.fill(f"- {kind}: {', '.join(named)}", 118, subsequent_indent="  ", break_on_hyphens=False)
    return line.replace("\0", " ")


def refused_texts() -> list[str]:
    """The lines in which texts are refused, each once."""
    given = INPUTS[0]
    data = Path(given.file).read_bytes()
    tried = [form for form in forms(given.kind, given.file, data) if not form.on_stdin]
    tried.append(Form("text named .gz", f"{given.file}.gz", data, "gzip"))
    found = [outcome(given, form) for form in tried]
    return [*dict.fromkeys(err.strip().replace("forms/", "") for status, _, err in found if status)]


#: What files are recognised by; see `tricolore.readers.recognise` and `encoding`.
EVIDENCE = (
    (
        "SGML or XML mark-up",
        "the first line opens a document (`<?xml`, `<!DOCTYPE`, `<refset`, `<srcset`, `<tstset`, `<dataset`, "
        "`<mteval`, `<doc`, `<tmx`, `<xliff`, `<html` ...), or every line begins with `<seg>`",
    ),
    ("JSON", "every line is an object or a list, or all these lines together begin one"),
    ("n-best list", "every line begins with a number and ` ||| `"),
    (
        "TSV or CSV with a header",
        "the first line has names, at least one of them a usual column name (`src`, `ref`, `mt`, `hyp`, `system`, "
        "`score`, `id`, `segment` ...); the rows of CSV have as many cells",
    ),
    (
        "tab-separated columns",
        "every line has the same number of tabs, one or more (`--num-refs N` reads N references per line)",
    ),
    ("UTF-16, UTF-32", "the byte-order mark, or zero bytes where such characters have them"),
    ("ZIP, PDF, Parquet, Arrow, LZ4, 7-Zip, compress", "the first bytes"),
)

PAGE = r"""# Which files are read?

Made by `make pages` from the code, by trying every format below for every kind of file;
`tests/test_file_formats.py` does so for every option of every command. The content of a file, not its name, tells what
it is. A file of the wrong kind is an error of one line that names it:

```
{refusals}
```

Files are UTF-8 text, with or without a byte-order mark, with lines that end in LF or CRLF, plain or compressed by gzip,
zstd, xz or bzip2; `-` is standard input. Compression is recognised by the first bytes; a file whose name ends in
`.gz`, `.zst`, `.xz` or `.bz2` must be compressed in that way. For output files, the name determines the compression.

## Formats

{table}

The formats of lattices are those of [lattice formats](lattice-formats.md), those of n-best lists are in
[tuning](../explanations/tuning.md). Tables are TSV or JSON lines, or by their name CSV (`.csv`) or Parquet
(`.parquet`). Scores and ratings of `correlate`, and files that a set names, cannot be read from standard input.

## Where each kind of file is read

{kinds}

## What is not taken for text

Plain text may begin with `<` or `{{` and may contain tabs; it is scored as it is. Other content is recognised by
strong evidence in the first 100 lines (or the first million characters):

{evidence}

If plain text looks like one of the first five, `--as-text` reads it as text; in a set, `as_text = true` does.

## Limits

- A line with a zero byte is an error that names the line.
- A line has at most 1 GiB (1,073,741,824 bytes).
- A file that does not fit into memory, even only when unpacked, is an error of one line with exit status 1, and nothing
  is written. A device or a pipe is read like any file, except where a run resumes from a file
  (`search --resume`, `tune --work`), which must be a regular file.
- Numbers have ASCII digits, a sign, a point and an exponent. `1_5`, digits of other scripts, `nan` and (except as
  scores of lattices) `inf` are not numbers.
- In tables and messages, control characters in names of files, systems and columns are printed as escapes (`\x1b`), so
  that a terminal does not interpret them. Text itself is written unchanged.
"""
