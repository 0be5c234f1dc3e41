"""The texts of a command: references and system outputs, read and checked; advice where they look unsuitable."""

from __future__ import annotations

import os
import sys
from contextlib import contextmanager

from ..errors import InputError, SegmentError, SpecError
from .printing import say

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Iterator, Sequence

    from ..metrics.base import Metric
    from ..segments import References


def add_text_arguments(
    parser: argparse.ArgumentParser,
    words: tuple[str, str] = ("REF", "reference files, one for each reference"),
    outputs: str = "system outputs, a file each (default: standard input, several systems separated by tabs)",
) -> None:
    """References and system outputs; `words` is what the words before all options are called, and what they are."""
    group = add_reference_arguments(parser, words=words)
    group.add_argument("-i", "--input", nargs="+", action="extend", metavar="HYP", help=outputs)


def add_reference_arguments(
    parser: argparse.ArgumentParser,
    first: tuple[str, str, str] | None = None,
    words: tuple[str, str] | None = ("REF", "reference files, one for each reference"),
) -> argparse._ArgumentGroup:
    """References; `first` is the name, the placeholder and the help of an argument that goes before them.

    Without `words` references are named only with --refs.
    """
    group = parser.add_argument_group("texts")
    add = group.add_argument
    if first is not None:
        add(first[0], metavar=first[1], help=first[2])
    if words is None:
        parser.set_defaults(refs=[])
    else:
        add("refs", nargs="*", metavar=words[0], help=words[1])
    add(
        "-r",
        "--refs",
        nargs="+",
        action="extend",
        dest="more_refs",
        default=[],
        metavar="REF",
        help="reference files" + ("" if words is None else ", named anywhere"),
    )
    add(
        "-nr",
        "--num-refs",
        type=int,
        default=1,
        metavar="N",
        help="a single reference file with N tab-separated references per line",
    )
    add("--missing-refs", action="store_true", help="an empty reference line means that this reference is missing")
    add_as_text_argument(group)
    return group


def add_as_text_argument(group: argparse.ArgumentParser | argparse._ArgumentGroup) -> None:
    """Take texts for what they are not, by all that one can see."""
    group.add_argument(
        "--as-text",
        action="store_true",
        help="read texts that look like mark-up, JSON, an n-best list or a table as plain text (default: refuse them)",
    )


def check_texts(options: argparse.Namespace) -> None:
    """Refuse files that cannot be meant, before any work."""
    if options.num_refs < 1:
        raise SpecError(f"--num-refs must be 1 or more; got {options.num_refs}")
    refs = [*options.refs, *options.more_refs]
    inputs = ["-"] if options.input is None else options.input
    if not refs:
        taken = f" ({', '.join(inputs)} were read as systems)" if len(inputs) > 1 else ""
        raise SpecError(f"no reference file is given{taken}; name references before -i, or with -r")
    if options.num_refs > 1 and len(refs) > 1:
        raise SpecError(f"--num-refs takes one file with {options.num_refs} references a line; got {len(refs)} files")
    if [*refs, *inputs].count("-") > 1:
        raise SpecError("standard input can be read only once" + ("" if options.input else "; name the output with -i"))
    for path in inputs:
        if inputs.count(path) > 1:
            raise SpecError(f"{path} is given twice as a system")


def read_references(options: argparse.Namespace) -> tuple[References, str]:
    """Read the references; also return the name of the first file, for messages."""
    from ..readers import name_of, read_columns, read_segments
    from ..segments import References

    paths = [*options.refs, *options.more_refs]
    if options.num_refs > 1:
        what = f"{options.num_refs} references separated by tabs"
        lines = read_columns(paths[0], as_text=options.as_text)
        streams = split_fields(lines, options.num_refs, name_of(paths[0]), what)
    else:
        streams = [read_segments(path, as_text=options.as_text) for path in paths]
    for path, stream in zip(paths, streams, strict=False):
        check_lines(paths[0], len(streams[0]), path, len(stream))
    if not options.missing_refs:
        return References.from_streams(streams), paths[0]
    for number, row in enumerate(zip(*streams, strict=True), 1):
        if not any(row):
            raise InputError(
                f"{', '.join(paths)}: line {number}: with --missing-refs a line must not be empty everywhere"
            )
    return References.from_streams([[line or None for line in stream] for stream in streams]), paths[0]


def split_fields(lines: list[str], number: int, name: str, expected: str) -> list[list[str]]:
    """Cut lines at tabs into so many texts each; `expected` says in words what they are."""
    rows = [line.split("\t") for line in lines]
    for i, row in enumerate(rows, 1):
        if len(row) != number:
            raise InputError(f"{name}: line {i}: expected {expected}, found {len(row)}")
    return [[text.rstrip() for text in column] for column in zip(*rows, strict=True)]


def read_systems(options: argparse.Namespace, references: References, name: str) -> dict[str, list[str]]:
    """Read the system outputs, by the name to print."""
    from ..readers import read_segments
    from ..readers.recognise import COLUMNS

    paths = options.input or ["-"]
    if "-" in paths and sys.stdin is not None and sys.stdin.isatty() and not options.quiet:
        say("reading the output from standard input; end it with Ctrl-D")
    bases = ["stdin" if path == "-" else os.path.basename(path) for path in paths]
    systems = {}
    for path, base in zip(paths, bases, strict=True):
        try:
            lines = read_segments(path, [COLUMNS] if options.input is None else [], as_text=options.as_text)
        except InputError as error:
            if options.input is None and len(options.refs) > 1:
                raise InputError(f"{error}; name the output with -i") from None
            raise
        check_lines(path, len(lines), name, len(references))
        systems[base if bases.count(base) == 1 else path] = lines
    return split_systems(systems["stdin"]) if options.input is None else systems


def split_systems(lines: list[str]) -> dict[str, list[str]]:
    """Cut standard input into systems at tabs, as sacreBLEU does: as many as the first line has."""
    if not any("\t" in line for line in lines):
        return {"stdin": lines}
    number = lines[0].count("\t") + 1
    plural = "s separated by tabs" if number > 1 else ""
    what = f"{number} output{plural} as in line 1 ('-i -' takes tabs for white space)"
    outputs = split_fields(lines, number, "standard input", what)
    return {f"System {i}": output for i, output in enumerate(outputs, 1)}


def check_lines(path: str, lines: int, other: str, others: int) -> None:
    """Refuse files of different length."""
    from ..readers import name_of

    if lines == others:
        return
    if lines > others:
        path, lines, other, others = other, others, path, lines
    raise InputError(
        f"{name_of(path)}: ends at line {lines}, but {name_of(other)} goes on to line {others}; "
        "expected one line for each segment"
    )


def reference_paths(options: argparse.Namespace) -> list[str]:
    """The reference files, wherever they were named."""
    return [*options.refs, *options.more_refs]


def given_references(options: argparse.Namespace) -> References:
    """Read the references."""
    from ..readers import texts

    return texts.read_references(
        reference_paths(options), num_refs=options.num_refs, missing=options.missing_refs, as_text=options.as_text
    )


def warn(
    options: argparse.Namespace, systems: dict[str, list[str]], references: References, metrics: Sequence[Metric]
) -> None:
    """Warn where text does not suit what is done to it, which hurts scores."""
    if not (options.quiet or options.force):
        advise(systems, references, metrics)


def advise(systems: dict[str, list[str]], references: References, metrics: Sequence[Metric]) -> None:
    """Warn where text does not suit what is done to it, which hurts scores."""
    for message in advice(systems, references, metrics):
        say(message)


def advice(systems: dict[str, list[str]], references: References, metrics: Sequence[Metric]) -> Iterator[str]:
    """What there is to warn of, as lines."""
    for message in (*advice_on_references(references), *advice_on_systems(systems, metrics)):
        yield f"{message}, --force for silence)"


def advice_on_references(references: References) -> Iterator[str]:
    """Lines that may mean something else: a missing reference, or several in one."""
    several = [entry for entry in references.entries if not isinstance(entry, str)]
    empty = sum(text == "" for entry in several for text in entry)
    if empty:
        yield (
            f"{empty} of {sum(map(len, several))} references are empty lines "
            "(--missing-refs if they stand for references that are missing"
        )
    elif sum("\t" in entry for entry in references.entries if isinstance(entry, str)) > len(references) / 2:
        yield "the lines of the reference have tabs in them (-nr N if they hold N references each"


def advice_on_systems(systems: dict[str, list[str]], metrics: Sequence[Metric]) -> Iterator[str]:
    """Tokenisers that do not suit a text."""
    by_tokenizer = {name: asked for asked in metrics if (name := getattr(asked, "tokenize", None))}
    by_words = [a.name for a in metrics if getattr(a, "tokenize", None) in ("none", "13a", "intl")]
    by_words = [name for name in by_words if name not in ("lebleu", "tbleu")]  # these look into words
    for ter in (asked for asked in metrics if asked.name == "ter"):
        if getattr(ter, "asian", False) and not (getattr(ter, "normalized", False) or getattr(ter, "no_punct", False)):
            yield f"{ter.spec}: asian does nothing alone (write ter(asian=true, normalized=true)"
    for name, lines in systems.items():
        tokenised = sum(line.endswith(" .") for line in lines)
        if tokenised >= 100 and by_tokenizer.keys() & {"13a", "intl", "zh"}:
            yield (
                f"{name}: {tokenised} lines end in ' .', as tokenised text does; scores expect plain text "
                "(-tok none for text tokenised on purpose"
            )
        if by_words and lacks_spaces("\n".join(lines[:200])):
            others = [word for word in by_words if word != "ter"]
            ways = ["-tok universal cuts every script"] if others else []
            ways += ["ter(asian=true, normalized=true) cuts Chinese and Japanese"] if "ter" in by_words else []
            yield f"{name}: the text has few spaces, and {', '.join(by_words)} go by words ({'; '.join(ways)}"


def lacks_spaces(sample: str) -> bool:
    """Whether much of a text is in a script that is written without spaces."""
    from ..tokenizers import tokenize

    if sample.isascii():
        return False
    return len(tokenize(sample, "universal")) > 3 * len(tokenize(sample, "13a"))


@contextmanager
def naming_the_line(system: str) -> Iterator[None]:
    """Say where in a file the segment is that cannot be scored."""
    try:
        yield
    except SegmentError as error:
        raise InputError(f"{system}: line {error.segment + 1}: {error.reason}") from None
