"""Score, judge and tune machine translation.

>>> import tricolore as tri
>>> print(tri.BLEU()(["the cat sat on the mat"], [["the cat is on the mat", "a cat sat there"]]))
BLEU = 42.73 100.0/80.0/25.0/16.7 (BP = 1.000 ratio = 1.000 hyp_len = 6 ref_len = 6)
"""

from __future__ import annotations

from ._version import __version__ as __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

#: The public names by the module they are in; the metrics are those of `metrics.NAMES`. They are loaded when first
#: used, so that importing the package, and asking the command for help, costs next to nothing. Type checkers read
#: `__init__.pyi`, which `make pages` writes.
PUBLIC = {
    "alignment": ("Alignment", "Alignments", "align", "align_all"),
    "citing": ("Citations", "cite"),
    "errors": ("InputError", "InputTypeError", "MissingExtraError", "SpecError", "TricoloreError"),
    "graphs.forest": ("Forest",),
    "graphs.formats": ("read_graphs",),
    "graphs.lattice": ("Lattice",),
    "installation": ("Installation", "doctor"),
    "judge.audit.audit": ("audit",),
    "judge.audit.result": ("Audit",),
    "judge.correlation.correlate": ("correlate",),
    "judge.correlation.result": ("Correlation",),
    "judge.correlation.search": ("Search", "search"),
    "judge.orange.ranking": ("orange",),
    "judge.orange.results": ("Orange",),
    "judge.significance.compare": ("compare", "compare_scores"),
    "judge.significance.intervals": ("confidence",),
    "metrics": ("expand", "metric"),
    "metrics.base": ("Metric",),
    "metrics.listing": ("list_metrics",),
    "reporting.report": ("Report", "report"),
    "reporting.report_table": ("report_table",),
    "scores": ("Scores", "score", "score_all"),
    "scoring": ("Score",),
    "segments": ("References",),
    "set_listing": ("TestSets", "test_sets"),
    "sets": ("TestSet", "test_set"),
    "stats": ("Stats",),
    "system_alignments": ("SystemAlignments", "align_systems"),
    "tables.judge_table": ("compare_table", "correlate_table"),
    "tables.score_table": ("score_sums", "score_table", "table_sums"),
    "tables.table_scores": ("TableScores",),
    "tables.text_groups": ("score_by",),
    "tokenizers": ("tokenize",),
    "tuning.mbr_choices": ("MBRChoices", "mbr"),
    "tuning.oracle": ("OracleChoices", "oracle"),
    "tuning.rerank": ("Reranking", "rerank"),
    "tuning.tune": ("tune",),
    "tuning.tune_rounds": ("tune_rounds",),
    "tuning.tuning_result": ("Tuning",),
}


def public_names() -> dict[str, str]:
    """The module of every public name."""
    from .metrics import NAMES

    homes = {name: module for module, names in PUBLIC.items() for name in names}
    return dict(sorted((homes | {title: f"metrics.{module}" for module, title in NAMES.values()}).items()))


def __getattr__(name: str) -> Any:
    if name == "__all__":
        return [*public_names(), "__version__"]
    from importlib import import_module

    home = next((module for module, names in PUBLIC.items() if name in names), None)
    if home is None and name[0].isupper():  # a metric; other names may be those of modules on their way in
        home = public_names().get(name)
    if home is None:
        raise _unknown(name)
    found = globals()[name] = getattr(import_module(f".{home}", __name__), name)
    return found


def _unknown(name: str) -> Exception:
    """The error about a name that is not here, with what to write instead if another package has it."""
    import sys
    from importlib.util import find_spec

    message = f"module 'tricolore' has no attribute {name!r}"
    if name[0] == "_" or find_spec(f"{__name__}.{name}"):
        return AttributeError(message)  # asked for by tools, or a module on its way in
    from .errors import nearest
    from .old_habits import of_package

    hint = of_package(name) or nearest(name, [*public_names()])
    if hint and "importlib" in sys._getframe(2).f_globals["__name__"]:  # which replaces messages of attributes
        return ImportError(f"cannot import name {name!r} from 'tricolore'{hint}")
    return AttributeError(message + hint)


def __dir__() -> list[str]:
    return __getattr__("__all__")  # type: ignore[no-any-return]
