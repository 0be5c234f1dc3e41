"""Test sets, of which sacreBLEU itself knows: its list, and what it downloads."""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.machinery import PathFinder
from importlib.util import module_from_spec, spec_from_file_location

from ...errors import InputError, MissingExtraError

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any

#: The name under which sacreBLEU is loaded: its own may be bound to the drop-in.
NAME = "_tricolore_sacrebleu"


def peer(module: str) -> ModuleType:
    """A module of sacreBLEU."""
    if NAME not in sys.modules:
        found = PathFinder.find_spec("sacrebleu")
        if found is None or found.origin is None:
            raise MissingExtraError("test sets are listed and downloaded by sacreBLEU: pip install 'tricolore[sets]'")
        spec = spec_from_file_location(NAME, found.origin, submodule_search_locations=found.submodule_search_locations)
        assert spec is not None and spec.loader is not None  # it is a file
        sys.modules[NAME] = module_from_spec(spec)
        try:
            spec.loader.exec_module(sys.modules[NAME])
        except BaseException:
            del sys.modules[NAME]
            raise
    return import_module(f"{NAME}.{module}")


def listing(test_set: str | None, langpair: str | None) -> str:
    """The test sets, or the language pairs of one with their fields, as sacreBLEU lists them."""
    utils = peer("utils")
    sets = utils.DATASETS
    if test_set:
        check_names(test_set)
        pairs = [langpair] if langpair else utils.get_langpairs_for_testset(test_set)
        return "\n".join(f"{pair}: {', '.join(sets[test_set].fieldnames(pair))}" for pair in pairs)
    if langpair:
        check_form(langpair)
        title, found = f"for {langpair} ", utils.get_available_testsets_for_langpair(langpair)
    else:
        title, found = "", utils.get_available_testsets()
    lines = [f"{name:<30}: {sets[name].description.strip()}" for name in sorted(found)]
    return "\n".join([f"The available test sets {title}are:", *lines])


def citations(test_sets: str) -> str:
    """The citations of test sets."""
    check_names(test_sets)
    return "\n".join(str(peer("utils").DATASETS[name].citation) for name in test_sets.split(","))


def download(test_set: str, langpair: str | None) -> None:
    """Download a test set."""
    check_names(test_set)
    peer("utils").download_test_set(test_set, langpair)


def echo(test_sets: str, langpair: str, fields: list[str], origlang: str | None, subset: str | None) -> None:
    """Print fields of test sets."""
    for name in test_sets.split(","):
        peer("utils").print_test_set(name, langpair, fields, origlang, subset)


def reference_files(test_set: str, langpair: str) -> list[str]:
    """The files of a test set's references; they are downloaded if they are not there."""
    return [*map(str, peer("utils").get_reference_files(test_set, langpair))]


def filtered(
    systems: list[list[str]],
    refs: list[list[str]],
    test_sets: str,
    langpair: str,
    origlang: str | None,
    subset: str | None,
) -> tuple[list[list[str]], list[list[str]]]:
    """Systems and references without the segments of other original languages and documents."""
    found = peer("utils").filter_subset([*systems, *refs], test_sets, langpair, origlang, subset)
    return found[: len(systems)], found[len(systems) :]


def show_details(metrics: Any, system: list[str], refs: list[list[str]], options: Any) -> None:
    """Print scores by original language and subset."""
    peer("utils").print_subset_results(metrics, system, refs, options)


def check_names(test_sets: str) -> None:
    """Reject unknown test sets."""
    for name in test_sets.split(","):
        if name not in peer("utils").DATASETS:
            raise InputError(f"unknown test set {name!r}; --list shows those that there are")


def check_form(langpair: str | None) -> None:
    """Reject what is no language pair."""
    if langpair is None or "-" not in langpair:
        raise InputError(f"a language pair (-l) such as en-de is required; got {langpair!r}")


def check_pair(test_sets: str, langpair: str | None) -> None:
    """Reject unknown test sets, and language pairs that they do not have."""
    check_names(test_sets)
    check_form(langpair)
    for name in test_sets.split(","):
        known = peer("utils").get_langpairs_for_testset(name)
        if langpair not in known:
            raise InputError(f"test set {name} has no language pair {langpair!r}; expected one of {', '.join(known)}")
