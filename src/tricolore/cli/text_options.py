"""The texts of a command: references and system outputs, and warnings where they look unsuitable."""

from __future__ import annotations

from ..errors import InputError, SpecError
from ..parameters import Whole
from .options import add_list, add_option, check_distinct
from .printing import say
from .set_options import add_set_arguments, check_set, given_set

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import Any

    from ..metrics.base import Metric
    from ..readers.text_streams import ReferenceStreams
    from ..segments import References
    from .progress import ProgressBar


def add_text_arguments(
    parser: argparse.ArgumentParser,
    words: tuple[str, str] = ("REF", "reference files, one for each reference"),
    outputs: str = "system outputs, a file each (default: standard input, several systems separated by tabs)",
    runs: str = "NAME=FILE",
) -> None:
    """References and system outputs; `words` is what the words before all options are called, and what they are."""
    group = add_reference_arguments(parser, words=words)
    add_set_arguments(group)
    add_list(group, "-i", "--input", metavar="HYP", about=outputs, default=None)
    more = "" if runs == "NAME=FILE" else ", with the output of one optimiser run or of several"
    about = f"a system by name{more}; repeat for each system (-i names systems by their files, without the ending)"
    group.add_argument("--system", action="append", default=[], metavar=runs, help=about)


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
        add("refs", nargs="*", default=[], metavar=words[0], help=words[1])
    about = "reference files" + ("" if words is None else ", named anywhere")
    add_list(group, "-r", "--refs", dest="more_refs", metavar="REF", about=about)
    about = "a single reference file with N tab-separated references per line"
    add_option(group, "-nr", "--num-refs", kind=Whole(1, 1000), default=1, about=about)
    add("--missing-refs", action="store_true", help="an empty reference line means that this reference is missing")
    add_as_text_argument(group)
    return group


def add_as_text_argument(group: argparse.ArgumentParser | argparse._ArgumentGroup) -> None:
    """Read a file as plain text although it looks like something else."""
    about = "read texts that look like mark-up, JSON, an n-best list or a table as plain text (default: refuse them)"
    group.add_argument("--as-text", action="store_true", help=about)


def reference_paths(options: argparse.Namespace) -> list[str]:
    """The reference files, wherever they were named."""
    return [*options.refs, *options.more_refs]


def check_texts(options: argparse.Namespace) -> None:
    """Reject files that contradict each other, before any work."""
    refs, named = reference_paths(options), named_systems(options)
    inputs = options.input or ([] if named else ["-"])
    check_set(options, refs)
    if not refs and options.test_set is None:
        taken = f" ({', '.join(inputs)} were read as systems)" if len(inputs) > 1 else ""
        raise SpecError(
            f"no reference file is given{taken}; name references before -i, or with -r; or a test set with -t"
        )
    if options.num_refs > 1 and len(refs) > 1:
        raise SpecError(f"--num-refs takes one file with {options.num_refs} references per line; got {len(refs)} files")
    scores = [text.rpartition("=")[2] for text in getattr(options, "scores", ())]
    if [*refs, *inputs, *scores, *(path for paths in named.values() for path in paths)].count("-") > 1:
        raise SpecError("standard input can be read only once" + ("" if options.input else "; name the output with -i"))
    check_distinct(inputs, "", " as a system")


def named_systems(options: argparse.Namespace) -> dict[str, list[str]]:
    """The systems given with --system: name and files, one for each run."""
    named: dict[str, list[str]] = {}
    for text in getattr(options, "system", ()):
        name, equals, paths = text.partition("=")
        runs = paths.split(",")
        if not equals or not name or not all(runs):
            raise SpecError(f"--system: expected NAME=FILE, or NAME=RUN,RUN,... in compare; got {text!r}")
        if name in named:
            raise SpecError(f"--system: {name} is given twice; name all its runs at once, separated by commas")
        check_distinct(runs, "--system: ", f" as a run of {name}")
        named[name] = runs
    return named


def open_texts(
    options: argparse.Namespace, bar: ProgressBar
) -> tuple[References | ReferenceStreams, Mapping[str, Any]]:
    """Open references and outputs, to be read block by block; a test set, and outputs for it, are read whole."""
    from ..readers import text_streams

    if options.test_set is not None or any(len(runs) > 1 for runs in named_systems(options).values()):
        references = given_references(options, bar)
        return references, given_systems(options, references)
    paths, how = reference_paths(options), {"as_text": options.as_text}
    streams = text_streams.ReferenceStreams(paths, num_refs=options.num_refs, missing=options.missing_refs, **how)
    read, piped = text_streams.TextStream, text_streams.piped_streams
    return streams, _read_systems(options, lambda path: read(path, **how), lambda: piped(**how))


def given_references(options: argparse.Namespace, bar: ProgressBar | None = None) -> References:
    """Read the references: files, or those of a test set, which may have to be fetched."""
    from ..readers import texts

    if (found := given_set(options, bar)) is not None:
        return found.references
    return texts.read_references(
        reference_paths(options), num_refs=options.num_refs, missing=options.missing_refs, as_text=options.as_text
    )


def given_systems(options: argparse.Namespace, references: References) -> dict[str, Any]:
    """Read the system outputs, by the name to print: -i in order, then --system; several runs are a list."""
    from ..readers import texts

    how = {"as_text": options.as_text}
    systems = _read_systems(
        options, lambda path: texts.read_texts(path, **how), lambda: texts.read_piped_systems(**how)
    )
    if (found := given_set(options)) is not None:
        several = {name: isinstance(of[0], list) for name, of in systems.items()}
        systems = {
            name: [found.select(run, name) for run in of] if several[name] else found.select(of, name)
            for name, of in systems.items()
        }
    every = {name: run for name, of in systems.items() for run in (of if isinstance(of[0], list) else [of])}
    texts.check_segments(every, references)
    return systems


def _read_systems(
    options: argparse.Namespace, read: Callable[[str], Any], read_piped: Callable[[], Mapping[str, Any]]
) -> dict[str, Any]:
    """Read the files of systems, or standard input where there are none."""
    from ..readers import texts

    systems: dict[str, Any] = {}
    named = named_systems(options)
    try:
        if options.input:
            names = texts.system_names(options.input)
            for name, path in zip(names, options.input, strict=True):
                systems[name] = read(path)
        elif not named:
            if texts.waits_for_input() and not options.quiet:
                say("reading the output from standard input; end it with Ctrl-D")
            systems = {**read_piped()}
    except InputError as error:
        if options.input is None and len(options.refs) > 1:
            raise InputError(f"{error}; name the output with -i") from None
        raise
    for name, paths in named.items():
        if name in systems:
            raise SpecError(f"system {name} is given with -i and with --system")
        runs = [*map(read, paths)]
        systems[name] = runs[0] if len(runs) == 1 else runs
    return systems


# Warnings ----------------------------------------------------------------------------------------------------------


def warn(
    options: argparse.Namespace,
    systems: Mapping[str, Any],
    references: References | ReferenceStreams,
    metrics: Sequence[Metric],
) -> None:
    """Warn where text does not suit what is done to it, which hurts scores; of files only the beginning is read."""
    if options.quiet or options.force:
        return
    from ..segments import References

    sample = references if isinstance(references, References) else references.sample()
    about = (*_about_references(sample), *_about_systems(systems, metrics), *_about_both(systems, references))
    for message in about:
        say(f"{message}, --force for silence)")


def _about_references(references: References) -> Iterator[str]:
    """Lines that may mean something else: a missing reference, or several in one."""
    several = [entry for entry in references.entries if type(entry) is not str]
    empty = sum(text == "" for entry in several for text in entry)
    if empty:
        yield (
            f"{empty} of {sum(map(len, several))} references are empty lines "
            "(--missing-refs if they stand for references that are missing"
        )
    elif sum(["\t" in entry for entry in references.entries if type(entry) is str]) > len(references) / 2:
        yield "the lines of the reference have tabs in them (-nr N if they hold N references each"


def _about_systems(systems: Mapping[str, Any], metrics: Sequence[Metric]) -> Iterator[str]:
    """Tokenisers that do not suit a text."""
    tokenizers = {getattr(one, "tokenize", None) for one in metrics}
    by_words = [one.name for one in metrics if getattr(one, "tokenize", None) in ("none", "13a", "intl")]
    by_words = [name for name in by_words if name not in ("lebleu", "tbleu")]  # these look into words
    for ter in (one for one in metrics if one.name == "ter"):
        if getattr(ter, "asian", False) and not (getattr(ter, "normalized", False) or getattr(ter, "no_punct", False)):
            yield f"{ter.spec}: asian does nothing alone (write ter(asian=true, normalized=true)"
    for name, output in systems.items():
        lines, of = _first_lines(output)
        tokenised = sum([line.endswith(" .") for line in lines])
        if tokenised >= 100 and tokenizers & {"13a", "intl", "zh"}:
            yield (
                f"{name}: {tokenised} {of}lines end in ' .', as tokenised text does; scores expect plain text "
                "(-tok none for text tokenised on purpose"
            )
        if by_words and lacks_spaces("\n".join(lines[:200])):
            others = [word for word in by_words if word != "ter"]
            ways = ["-tok universal cuts every script"] if others else []
            ways += ["ter(asian=true, normalized=true) cuts Chinese and Japanese"] if "ter" in by_words else []
            yield f"{name}: the text has few spaces, and {', '.join(by_words)} go by words ({'; '.join(ways)}"


def _about_both(systems: Mapping[str, Any], references: References | ReferenceStreams) -> Iterator[str]:
    """References that are ranked and tested among several systems."""
    from ..readers.texts import is_same_file

    for output in systems.values() if len(systems) > 1 else ():
        several = isinstance(output, list) and isinstance(output[0], list)
        for path in [getattr(run, "path", None) for run in (output if several else [output])]:
            if path is not None and any(is_same_file(path, other) for other in references.paths):
                yield f"{path} is a reference and also a system (leave it out of the systems"


def _first_lines(output: Any) -> tuple[list[str], str]:
    """The lines of an output to look at, and in words of how many they are, where not of all."""
    if not isinstance(output, list):
        lines, more = output.sample()
        return lines, f"of the first {len(lines):,} " if more else ""
    return (output[0], "") if isinstance(output[0], list) else (output, "")


def lacks_spaces(sample: str) -> bool:
    """Whether much of a text is in a script that is written without spaces."""
    from ..tokenizers import tokenize

    if sample.isascii():
        return False
    units = len(tokenize(sample, "universal"))
    return units > 3 * len(sample.split()) and units > 3 * len(tokenize(sample, "13a"))
