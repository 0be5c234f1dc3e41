"""Whatever is passed is read as what it means or refused in one line: there is no third outcome, at any entry point."""

from collections.abc import Iterator

import numpy as np
import pytest
from input_kinds import HYPS, IDS, KINDS, MISSING, REFS, SEVERAL, TEXT

from tricolore import (
    NIST,
    InputError,
    References,
    TricoloreError,
    align,
    compare,
    confidence,
    correlate,
    mbr,
    metric,
    oracle,
    orange,
    rerank,
    score,
    score_all,
    tune,
)
from tricolore.judge.score_table import table_of_texts
from tricolore.segments import as_list

METRICS = [metric(text) for text in ("bleu", "bleu(lowercase=true)", "wer", "chrf", "nist", "rouge-l", "meteor")]
MEANINGS = (TEXT, IDS, SEVERAL)
every_kind = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.name)


def numbers(thing):
    return np.asarray(thing, dtype=float).tolist()


def comparison(hyps, refs):
    hyps = as_list(hyps, "hypotheses") if isinstance(hyps, Iterator) else hyps  # which two systems have
    found = compare({"a": hyps, "b": hyps}, refs, ["wer"], trials=10, resamples=2)
    return [system.score for system in found["wer"].systems]


def agreement(hyps, refs):
    hyps = as_list(hyps, "hypotheses") if isinstance(hyps, Iterator) else hyps
    systems, human = {"a": hyps, "b": hyps}, {"a": [1.0, 2.0, 4.0], "b": [3.0, 1.0, 1.0]}
    found = correlate(
        systems, refs, human=human, metrics=["wer"], intervals=False, statistics=["segment pearson pooled"]
    )
    return found["wer", "segment pearson pooled"].value


def candidates(hyps):
    """Two for each source, with features."""
    return [[(hyp, {"lm": 1.0, "len": 2.0}), (hyp[::-1], {"lm": 2.0, "len": 1.0})] for hyp in hyps]


def tuned(hyps, refs):
    return str(tune(candidates(hyps), refs, method="mert", metric="wer", restarts=1).weights)


#: All that takes a corpus and its references.
CORPUS = {
    **{f"{one}(...)": lambda hyps, refs, one=one: float(one(hyps, refs)) for one in METRICS},
    "stats": lambda hyps, refs: numbers(METRICS[0].stats(hyps, refs)),
    "segments": lambda hyps, refs: numbers(METRICS[1].segments(hyps, refs)),
    "score_all": lambda hyps, refs: [float(score) for score in score_all(["bleu", "rouge-1", "rouge-2"], hyps, refs)],
    "score": lambda hyps, refs: [float(one) for one in score(hyps, refs, ["bleu", "rouge-1", "rouge-2"])],
    "confidence": lambda hyps, refs: float(confidence("chrf", hyps, refs, resamples=2)),
    "compare": comparison,
    "correlate": agreement,
    "table_of_texts": lambda hyps, refs: numbers(
        table_of_texts({"a": hyps}, refs, [[1.0, 2.0, 3.0]], [metric("wer")]).metrics[0].segments
    ),
}
#: All that compares texts with one reference each.
PAIRS = {
    "pairwise": lambda hyps, refs: numbers(metric("wer").pairwise(hyps, refs)),
    "mbr": lambda hyps, refs: numbers(mbr(hyps, "chrf", references=refs).gains),
}
#: All that chooses among candidates, which are texts.
CHOICES = {
    "oracle": lambda hyps, refs: [one.score for one in oracle([[hyp, hyp[::-1]] for hyp in hyps], refs, "wer").chosen],
    "rerank": lambda hyps, refs: str(rerank(candidates(hyps), {"lm": 1.0}, refs=refs, metric="wer")),
    "tune": tuned,
}
#: All that takes references alone.
REFERENCES = {
    "References": lambda hyps, refs: float(metric("wer")(hyps, References(refs))),
    "prepare": lambda hyps, refs: float(NIST().prepare(refs)(hyps, REFS[IDS] if hyps is HYPS[IDS] else REFS[TEXT])),
}


#: What functions say that take the name of a file, or a mapping of systems, too; and one that needs texts of some kind.
READ_FILES = ("score", "score_all", "confidence", "compare", "correlate", *CHOICES)
FILES = {
    **{(name, "str"): "or the name of a file; there is no file" for name in READ_FILES},
    **{(name, "path"): "output.txt: no such file" for name in READ_FILES},
    ("score", "dict"): "systems: expected names that are strings",
    ("mbr", "None"): "expected one of texts, nbest, samples, lattices; got none",
}


def made(kind, cells):
    try:
        return kind.make(cells)
    except ImportError as error:
        pytest.skip(str(error))


def check(call, meaning, arguments, plain):
    """Hold one call to the table."""
    try:
        found, message = call(*arguments), None
    except TricoloreError as error:
        found, message = None, str(error)
    if meaning in MEANINGS:
        assert message is None, message
        assert found == call(*plain)
    else:
        assert message is not None, f"read as something: {found}"
        assert meaning in message
        assert "\n" not in message and len(message) < 300


@every_kind
def test_hypotheses(kind):
    alike = IDS if kind.cells == IDS else TEXT
    cells = REFS[SEVERAL] if kind.cells == SEVERAL else HYPS[alike]
    for name, call in (CORPUS | PAIRS).items():
        several_runs = name == "compare" and kind.hyps not in MEANINGS  # which are not as long as the references
        meaning = "" if several_runs else FILES.get((name, kind.name), kind.hyps)
        check(call, meaning, (made(kind, cells), REFS[alike]), (kind.means(cells), REFS[alike]))


@every_kind
def test_references(kind):
    cells, hyps = REFS[kind.cells], HYPS[IDS if kind.cells == IDS else TEXT]
    calls = CORPUS | PAIRS | REFERENCES | (CHOICES if kind.cells != IDS else {})
    for name, call in calls.items():
        if name in ("mbr", "rerank", "correlate") and kind.name == "None":
            continue  # which stands for the candidates themselves, or for no references at all
        told = kind.refs if kind.name == "dict" else FILES.get((name, kind.name), kind.refs)
        meaning = "expected a" if kind.refs == SEVERAL and name in PAIRS else told
        check(call, meaning, (hyps, made(kind, cells)), (hyps, kind.means(cells)))


@every_kind
def test_reference_streams(kind):
    """One column for each reference; here None means that a segment has no such reference."""
    cells = REFS[kind.cells]
    others = REFS[IDS if kind.cells == IDS else TEXT]
    column = made(kind, cells)
    if kind.refs in (TEXT, IDS):
        found = References.from_streams([column, others])
        assert found.entries == References.from_streams([kind.means(cells), others]).entries
    elif kind.refs == MISSING and kind.cells == TEXT:
        assert References.from_streams([column, others]).counts() == (1, 2)
    else:
        with pytest.raises(InputError, match="reference stream"):
            References.from_streams([column, others])


@pytest.mark.parametrize("kind", [one for one in KINDS if one.name.startswith("list")], ids=lambda kind: kind.name)
def test_single_segments(kind):
    """What is in a list is read cell by cell, too."""
    cells, hyps = REFS[kind.cells], HYPS[IDS if kind.cells == IDS else TEXT]
    column = made(kind, cells)
    if kind.refs in MEANINGS:
        for hyp, ref, plain in zip(hyps, column, kind.means(cells), strict=True):
            assert float(metric("wer").segment(hyp, ref)) == float(metric("wer").segment(hyp, plain))
            if kind.refs != SEVERAL:
                assert align(hyp, ref).operations == align(hyp, plain).operations
    else:
        with pytest.raises(InputError, match=kind.refs):
            [metric("wer").segment(*pair) for pair in zip(hyps, column, strict=True)]


@pytest.mark.parametrize("kind", [one for one in KINDS if one.cells == SEVERAL], ids=lambda kind: kind.name)
def test_nbest_lists(kind):
    """A list of candidates for each source, in any kind that can hold several texts."""
    column = made(kind, REFS[SEVERAL])
    if any(word in kind.name for word in ("missing", "NaN", "null")):
        with pytest.raises(InputError, match=r"source 0, translation . is missing"):
            orange(column, REFS[SEVERAL], "wer")
    else:
        assert orange(column, REFS[SEVERAL], "wer")[0].orange == orange(REFS[SEVERAL], REFS[SEVERAL], "wer")[0].orange


def test_missing_cells_name_row_and_column():
    pd = pytest.importorskip("pandas")
    column = pd.Series(["a", None], name="mt", index=["x", "y"])
    with pytest.raises(InputError, match=r"hypotheses: row 1 of column 'mt' is missing"):
        metric("bleu")(column, ["a", "b"])
    with pytest.raises(InputError, match=r"references: row 1 of column 'mt' is missing"):
        metric("bleu")(["a", "b"], column)
    with pytest.raises(InputError, match=r"2 columns \('mt', 'id'\); choose one, such as \['mt'\]"):
        metric("bleu")(pd.DataFrame({"mt": ["a"], "id": [1]}), ["a"])


def test_padding_names_its_row():
    ids = np.array([[1, 2, 3], [1, 2, -100]])
    with pytest.raises(InputError, match=r"hypothesis 1: .* got -100; leave out padding"):
        metric("bleu")(ids, [[1, 2], [1, 2]])
    with pytest.raises(InputError, match=r"references of segment 1: .* got -100; leave out padding"):
        metric("bleu")([[1, 2], [1, 2]], ids)


class Frame:
    """A table of a library that nobody told us of; iterating goes over the names of its columns."""

    columns = ("mt", "ref")

    def __iter__(self):
        return iter(self.columns)


def test_the_names_of_columns_are_never_scored():
    with pytest.raises(InputError, match="expected one column, got a Frame with 2 columns"):
        metric("bleu")(Frame(), ["a", "b"])
