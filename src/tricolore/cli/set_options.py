"""The references of a test set by name: -t wmt22 -l en-de, as in sacreBLEU."""

from __future__ import annotations

from ..errors import SpecError

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from typing import Any

    from ..sets import TestSet
    from .options import Group
    from .progress import ProgressBar


def add_set_arguments(group: Group) -> None:
    """Add the options of a test set; the language pair is one of the options of metrics."""
    about = (
        "a test set of sacreBLEU instead of reference files, such as wmt22, with -l en-de; several are separated by "
        "commas (see 'tricolore sets')"
    )
    group.add_argument("-t", "--test-set", metavar="NAME", help=about)
    add_subset_arguments(group, "with -t: ")


def add_subset_arguments(group: Group, when: str) -> None:
    """Add the options that choose segments of a test set."""
    about = f"{when}only segments of this original language; non-LANG: of all others"
    group.add_argument("-ol", "--origlang", metavar="LANG", help=about)
    about = f"{when}only segments whose domain, or in wmt18 and wmt19 whose document, matches a regular expression"
    group.add_argument("--subset", metavar="REGEX", help=about)


def check_set(options: argparse.Namespace, references: list[str]) -> None:
    """Reject options that contradict a test set, or require one."""
    name = getattr(options, "test_set", None)
    if name is None:
        for option in ("origlang", "subset"):
            if getattr(options, option, None) is not None:
                raise SpecError(f"--{option} needs a test set (-t) and a language pair (-l)")
        return
    if references:
        raise SpecError(f"-t {name} and references exclude each other; got the file {references[0]}, too")
    if options.language_pair is None:
        raise SpecError(f"-t {name} needs a language pair, such as -l en-de (see 'tricolore sets -t {name}')")
    for option, given in (("--num-refs", options.num_refs > 1), ("--missing-refs", options.missing_refs)):
        if given:
            raise SpecError(f"{option} is about reference files; a test set has its own references")


def given_set(options: argparse.Namespace, bar: ProgressBar | None = None) -> TestSet | None:
    """The test set that was asked for; it is read once."""
    if getattr(options, "test_set", None) is None:
        return None
    if not hasattr(options, "found_set"):
        from ..sets import test_set
        from .options import naming_options

        how: dict[str, Any] = {"origlang": options.origlang, "subset": options.subset}
        with naming_options("language_pair", "origlang", "subset"):
            options.found_set = test_set(
                options.test_set, options.language_pair, **how, progress=bar.begin if bar else None
            )
    found: TestSet = options.found_set
    return found
