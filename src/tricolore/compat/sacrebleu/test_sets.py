"""Test sets, of which sacreBLEU itself knows: its list, and what it downloads."""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.machinery import PathFinder
from importlib.util import module_from_spec, spec_from_file_location

from ...errors import InputError, MissingExtraError
from ...sets import test_set

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any

#: The name under which sacreBLEU is loaded if its own is bound to the drop-in.
NAME = "_tricolore_sacrebleu"


def peer(module: str) -> ModuleType:
    """A module of sacreBLEU."""
    name = "sacrebleu"
    if getattr(sys.modules.get(name), "__name__", name) != name:
        name = NAME
        _load_beside()
    try:
        return import_module(f"{name}.{module}")
    except ModuleNotFoundError as error:
        raise MissingExtraError(
            "test sets are listed and downloaded by sacreBLEU: pip install 'tricolore[sets]'"
        ) from error


def _load_beside() -> None:
    """Load the package under another name."""
    found = PathFinder.find_spec("sacrebleu")
    if NAME in sys.modules or found is None or found.origin is None:
        return
    spec = spec_from_file_location(NAME, found.origin, submodule_search_locations=found.submodule_search_locations)
    assert spec is not None and spec.loader is not None  # it is a file
    sys.modules[NAME] = module_from_spec(spec)
    try:
        spec.loader.exec_module(sys.modules[NAME])
    except BaseException:
        del sys.modules[NAME]
        raise


def listing(name: str | None, langpair: str | None) -> str:
    """The test sets, or the language pairs of one with their fields, as sacreBLEU lists them."""
    utils = peer("utils")
    sets = utils.DATASETS
    if name:
        check_names(name)
        pairs = [langpair] if langpair else utils.get_langpairs_for_testset(name)
        return "\n".join(f"{pair}: {', '.join(sets[name].fieldnames(pair))}" for pair in pairs)
    if langpair:
        check_form(langpair)
        title, found = f"for {langpair} ", utils.get_available_testsets_for_langpair(langpair)
    else:
        title, found = "", utils.get_available_testsets()
    lines = [f"{one:<30}: {sets[one].description.strip()}" for one in sorted(found)]
    return "\n".join([f"The available test sets {title}are:", *lines])


def citations(test_sets: str) -> str:
    """The citations of test sets."""
    check_names(test_sets)
    return "\n".join(str(peer("utils").DATASETS[name].citation) for name in test_sets.split(","))


def download(name: str, langpair: str | None) -> None:
    """Download a test set."""
    check_names(name)
    try:
        peer("utils").download_test_set(name, langpair)
    except OSError as error:
        raise InputError(f"{name}: could not be downloaded ({error})") from None


def echo(test_sets: str, langpair: str, fields: list[str], origlang: str | None, subset: str | None) -> None:
    """Print fields of test sets."""
    for name in test_sets.split(","):
        test_set(name, langpair)  # whole, or an error
        peer("utils").print_test_set(name, langpair, fields, origlang, subset)


def reference_files(name: str, langpair: str) -> list[str]:
    """The files of a test set's references; they are downloaded if they are not there."""
    test_set(name, langpair)
    return [*map(str, peer("utils").get_reference_files(name, langpair))]


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


def show_details(metrics: Any, system: list[str], refs: list[list[str]], options: Any, coloured: bool) -> None:
    """Print scores by original language and subset."""
    peer("utils").Color.ENABLE_COLORS = coloured
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
