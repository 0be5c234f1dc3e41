"""Candidates: every form of list with features, merged, counted once, chosen from; whatever is wrong is named."""

import gzip
import json
import math
from functools import partial

import numpy as np
import pytest
import zstandard
from hypothesis import given
from hypothesis import strategies as st

import tricolore as tri
from tricolore import _native
from tricolore.candidates import CandidateReader, Candidates
from tricolore.errors import InputError, SegmentError
from tricolore.features import Features

#: Without the time of day, which would be in the names of tests.
pack = partial(gzip.compress, mtime=0)

BLEU = tri.BLEU(tokenize="none")
REFERENCES = tri.References(["a b", "c"])


def file(folder, name, data):
    path = folder / name
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    return str(path)


def read(folder, data, references=REFERENCES, name="nbest.txt", **how):
    reader = CandidateReader()
    references.path = "ref.txt"
    return reader.read([file(folder, name, data)], references, **how), reader.layout


def listed(candidates, layout):
    """Text, features by name and total of every hypothesis, source by source."""
    dense = candidates.features.toarray(layout.size)
    found = []
    for first, last in zip(candidates.starts, candidates.starts[1:], strict=False):
        found.append([])
        for i in range(first, last):
            features = {group.name: tuple(dense[i, list(group.columns)]) for group in layout.groups}
            found[-1].append((candidates.text(i), features, float(candidates.totals[i])))
    return found


# Forms -----------------------------------------------------------------------------------------------------

EXPECTED = [
    [("a b", {"lm": (-1.5,), "tm": (2.0, 0.0)}, -4.0), ("a", {"lm": (0.0,), "tm": (0.0, 1e-3)}, -5.0)],
    [("c", {"lm": (3.0,), "tm": (0.0, 0.0)}, 7.0)],
]
NEW = "0 ||| a b ||| lm= -1.5 tm= 2 0 ||| -4\n0 ||| a ||| lm= 0 tm= 0 1e-3 ||| -5.0\n1 ||| c ||| lm= +3 tm= 0 0 ||| 7\n"
OBJECTS = [
    {"id": 0, "text": "a b", "features": {"lm": -1.5, "tm": [2, 0]}, "score": -4},
    {"id": 0, "text": "a", "features": {"lm": 0, "tm": [0, 0.001]}, "score": -5},
    {"id": 1, "text": "c", "features": {"lm": 3, "tm": [0, 0]}, "score": 7},
]
SOURCES = [
    {
        "translations": ["a b", "a"],
        "features": [{"lm": -1.5, "tm": [2, 0]}, {"lm": 0, "tm": [0, 0.001]}],
        "scores": [-4, -5],
    },
    {"translations": ["c"], "features": [{"lm": 3, "tm": [0, 0]}], "scores": [7]},
]
FORMS = {
    "new.txt": NEW,
    "old.txt": NEW.replace("=", ":"),
    "crlf.txt": NEW.replace("\n", "\r\n"),
    "tight.txt": NEW.replace(" ||| ", "|||"),
    "tabs.txt": NEW.replace("tm= ", "\ttm=\t"),
    "sparse.txt": NEW.replace("lm= 0 ", ""),  # what is not there is zero
    "another-order.txt": NEW.replace("lm= 0 tm= 0 1e-3", "tm= 0 1e-3 lm= 0"),
    "alignment.txt": NEW.replace("\n", " ||| 0-0 1-1\n"),
    "one.gz": pack(NEW.encode()),
    "one.zst": zstandard.compress(NEW.encode()),
    "texts.jsonl": "\n".join(map(json.dumps, OBJECTS)),
    "sources.jsonl": "\n".join(map(json.dumps, SOURCES)) + "\n",
}


@pytest.mark.parametrize("name", FORMS)
def test_every_form(tmp_path, name):
    assert listed(*read(tmp_path, FORMS[name], name=name)) == EXPECTED


def test_cdec_and_names_with_signs(tmp_path):
    data = "0 ||| a b ||| Lm=-9.5 A=b=2 x:y=3 ||| -4\n1 ||| c ||| Lm=0.5\n"
    candidates, layout = read(tmp_path, data)
    assert [group.name for group in layout.groups] == ["Lm", "A=b", "x:y"]
    assert candidates.features.toarray(3).tolist() == [[-9.5, 2.0, 3.0], [0.5, 0.0, 0.0]]
    assert candidates.totals[0] == -4
    assert np.isnan(candidates.totals[1])


def test_what_sockeye_writes(tmp_path):
    """Scores without features are a feature; a list of several for each has no total."""
    data = '{"translations": ["a", "b"], "scores": [-1, -2]}\n{"translations": ["c"], "scores": [-3]}\n'
    assert listed(*read(tmp_path, data)) == [
        [("a", {"score": (-1.0,)}, -1.0), ("b", {"score": (-2.0,)}, -2.0)],
        [("c", {"score": (-3.0,)}, -3.0)],
    ]
    data = '{"translations": ["a"], "scores": [[-1, 4]]}\n{"translations": ["c"], "scores": [[-3, 5]]}\n'
    candidates, layout = read(tmp_path, data)
    assert candidates.features.toarray(layout.size).tolist() == [[-1, 4], [-3, 5]]
    assert np.isnan(candidates.totals).all()


def test_names_keep_their_columns_from_file_to_file(tmp_path):
    reader = CandidateReader([("w", 1)])
    first = reader.read([file(tmp_path, "a", "0 ||| x ||| lm= 1 w= 2\n")], tri.References(["x"]))
    second = reader.read([file(tmp_path, "b", "0 ||| x ||| new= 5 6 lm= 1\n")], tri.References(["x"]))
    assert reader.layout.labels == ("w", "lm", "new[0]", "new[1]")
    assert first.features.toarray(4).tolist() == [[2, 1, 0, 0]]
    assert second.features.toarray(4).tolist() == [[0, 1, 5, 6]]


def test_texts_only(tmp_path):
    candidates, layout = read(tmp_path, "0 ||| a\n0 ||| b ||| lm= nan ||| x\n0 ||| a ||| f= 1\n1 ||| c", features=False)
    assert listed(candidates, layout)[0] == [
        ("a", {}, pytest.approx(np.nan, nan_ok=True)),
        ("b", {}, pytest.approx(np.nan, nan_ok=True)),
    ]
    assert candidates.score(BLEU, candidates.starts[:-1]).nrefs == (1, 1)


def test_the_first_of_each_list(tmp_path):
    data = "".join(f"{i} ||| {k} ||| f= {k} ||| {k}\n" for i in range(2) for k in range(5))
    candidates, _ = read(tmp_path, data, first=2)
    assert np.diff(candidates.starts).tolist() == [2, 2]
    assert candidates.totals.tolist() == [0, 1, 0, 1]


def test_batches_make_no_difference(tmp_path, monkeypatch):
    random = np.random.default_rng(1)
    lines = (
        f"{i} ||| t{random.integers(9)} ||| f{random.integers(20)}= {k} ||| 0\n" for i in range(9) for k in range(9)
    )
    data, references = "".join(lines), tri.References(["t1 t2"] * 9)
    whole = read(tmp_path, data, references)
    rows = whole[0].rows(BLEU)
    monkeypatch.setattr("tricolore.candidates.BATCH", 7)
    parts = read(tmp_path, data, references)
    assert listed(*parts) == listed(*whole)
    assert parts[0].rows(BLEU).tolist() == rows.tolist()


def test_progress(tmp_path):
    seen = []
    candidates, _ = read(tmp_path, NEW, progress=lambda done, total: seen.append((done, total)))
    assert seen == [(2, 2)]
    seen.clear()
    candidates.rows(BLEU, progress=lambda done, total: seen.append((done, total)))
    assert seen == [(3, 3)]


def test_seven_thousand_names(tmp_path):
    random = np.random.default_rng(1)
    dense = np.where(random.random((200, 7000)) < 0.002, random.normal(size=(200, 7000)), 0)
    dense[:, 0] = 1 + np.arange(200)
    lines = []
    for i, row in enumerate(dense):
        features = " ".join(f"n{k}= {float(row[k])!r}" for k in np.flatnonzero(row).tolist())
        lines.append(f"{i // 100} ||| t{i} ||| {features} ||| 0\n")
    candidates, layout = read(tmp_path, "".join(lines))
    columns = [int(group.name[1:]) for group in layout.groups]
    assert (candidates.features.toarray(layout.size) == dense[:, columns]).all()
    weights = random.normal(size=layout.size)
    assert candidates.features.dot(weights) == pytest.approx(dense[:, columns] @ weights)


# Mistakes --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ("0 ||| a ||| lm= 1\n0 ||| b\n1 ||| c ||| lm= 1\n", "line 2: the hypothesis has no features; expected"),
        ("0 ||| a ||| ||| 4\n1 ||| c ||| lm= 1\n", "line 1: the hypothesis has no features"),
        ("0 ||| a ||| lm= 1\n1 ||| c ||| lm= nan\n", "line 2: feature 'lm' is nan; expected a finite number"),
        ("0 ||| a ||| lm= 1\n1 ||| c ||| lm= -inf\n", "line 2: feature 'lm' is infinite; expected a finite number"),
        ("0 ||| a ||| lm=1e999\n", "line 1: feature 'lm' is infinite"),
        ("0 ||| a ||| lm= 1 tm= 2 lm= 3\n", "line 1: feature 'lm' stands there twice"),
        ("0 ||| a ||| lm= 1 2\n1 ||| c ||| lm= 1\n", "line 2: feature 'lm' has 1 values; expected 2, as before"),
        ("0 ||| a ||| lm= tm= 1\n", "line 1: feature 'lm' has no value"),
        ("0 ||| a ||| lm= 1 tm=\n", "line 1: feature 'tm' has no value"),
        ("0 ||| a ||| 1 2\n", "line 1: expected features such as 'lm= -9.1' or 'lm=-9.1', found '1'"),
        ("0 ||| a ||| lm=x\n", "line 1: feature 'lm': expected a number, found 'x'"),
        ("0 ||| a ||| lm= 0x10\n", "line 1: expected features such as"),
        ("0 ||| a ||| lm= 1 ||| high\n", "line 1: expected the total score, a number, found 'high'"),
        ("0 ||| a ||| lm= 1 ||| 1 2\n", "line 1: expected the total score, a number"),
        ("0 ||| a ||| lm= 1\n", "ends with source 0, but ref.txt goes on to line 2;"),
        ("0 ||| a ||| lm= 1\n1 ||| c ||| lm= 1\n2 ||| d ||| lm= 1\n", "line 3: source 2 has no references"),
        ('{"id": 0, "text": "a", "features": {"lm": "x"}}', "line 1: feature 'lm': expected a number, found 'x'"),
        ('{"id": 0, "text": "a", "features": {"lm": true}}', "line 1: feature 'lm': expected a number"),
        ('{"id": 0, "text": "a", "features": {"lm": NaN}}', "line 1: feature 'lm' is nan; expected a finite number"),
        ('{"id": 0, "text": "a", "features": {"l m": 1}}', "line 1: expected the name of a feature without spaces"),
        ('{"id": 0, "text": "a", "features": {"": 1}}', "line 1: expected the name of a feature"),
        ('{"id": 0, "text": "a", "features": {"|||": 1}}', "line 1: expected the name of a feature"),
        ('{"id": 0, "text": "a", "features": {"a=": 1, "a": []}}', "line 1: feature 'a' has no value"),
        ('{"id": 0, "text": "a", "features": {"\\ud800": 1}}', "line 1: lone surrogate"),
        ('{"id": 0, "text": "a", "features": [1]}', "line 1: expected 'features' to be an object"),
        ('{"id": 0, "text": "a", "features": {"f": 1}, "score": "1"}', "line 1: score: expected a number"),
        ('{"translations": ["a", "b"], "scores": [1]}', "line 1: expected 'scores' to be a list with one entry for"),
        ('{"translations": ["a"], "features": {"f": 1}}', "line 1: expected 'features' to be a list with one entry"),
        ('{"translations": ["a"], "scores": [1]}\n{"translations": ["b"], "scores": [NaN]}', "line 2: feature 'score'"),
    ],
)
def test_mistakes_are_named(tmp_path, data, message):
    sources = 2 if "line 2" in message or data.count("\n") > 1 else 1
    references = tri.References(["a", "c"][:sources])
    with pytest.raises(InputError) as caught:
        read(tmp_path, data, references)
    assert str(caught.value).startswith(str(tmp_path / "nbest.txt: ")), str(caught.value)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


def test_no_list_at_all():
    with pytest.raises(InputError, match="there is no n-best list to read"):
        CandidateReader().read([], REFERENCES)


@pytest.mark.parametrize(
    ("lists", "message"),
    [
        ([(["a"], np.zeros((2, 1)))], "source 0: expected a row of features for each hypothesis"),
        ([([], np.zeros((0, 1)))], "source 0: expected a row of features for each hypothesis, and at least one"),
        ([(["a"], np.array([[np.nan]]))], "source 0: expected finite features"),
        ([([7], np.zeros((1, 1)))], "source 0: expected hypotheses that are texts"),
        ([(["a"], np.zeros((1, 1)))] * 2, "there are lists for 2 sources and references for 1"),
    ],
)
def test_matrices_are_checked(lists, message):
    with pytest.raises(InputError, match=message):
        Candidates.of(lists, ["a"])


def test_a_source_without_a_reference_is_refused():
    with pytest.raises(InputError, match="segment 1 has no reference"):
        Candidates.of([(["a", "b"], np.zeros((2, 1))), (["c"], np.zeros((1, 1)))], ["a", []])


def test_a_text_that_cannot_be_scored_names_the_source(monkeypatch):
    candidates = Candidates.of([(["a", "b"], np.zeros((2, 1))), (["c"], np.zeros((1, 1)))], ["a", "b"])

    def fail(*_, **__):
        raise SegmentError("segment", 2, "it is too strange")

    monkeypatch.setattr(tri.BLEU, "stats", fail)
    with pytest.raises(InputError, match=r"^source 1: it is too strange$"):
        candidates.rows(BLEU)


# Merging ---------------------------------------------------------------------------------------------------

hypothesis = st.tuples(st.sampled_from(["a", "b c", "b", ""]), st.sampled_from([0.0, 1.0, -0.5]), st.integers(0, 1))
lists = st.lists(st.lists(hypothesis, min_size=1, max_size=6), min_size=2, max_size=2)


def candidates_of(drawn, references=REFERENCES):
    return Candidates.of(
        [([one[0] for one in nbest], np.array([one[1:] for one in nbest], float)) for nbest in drawn], references
    )


def plain(candidates):
    rows = [tuple(row) for row in candidates.features.toarray(2).tolist()]
    return [
        [(candidates.text(i), *rows[i]) for i in range(first, last)]
        for first, last in zip(candidates.starts, candidates.starts[1:], strict=False)
    ]


@given(st.lists(lists, min_size=1, max_size=3), st.booleans())
def test_merging_is_a_set_in_order(drawn, counted):
    merged = None
    for one in drawn:
        found = candidates_of(one)
        if counted:
            found.rows(BLEU)
        merged = found if merged is None else merged.merged(found)
    union = [list(dict.fromkeys(one for file in drawn for one in file[source])) for source in range(2)]
    assert plain(merged) == union
    for source in range(2):
        texts = merged.texts[merged.text_starts[source] : merged.text_starts[source + 1]]
        assert texts == list(dict.fromkeys(one[0] for one in union[source]))
        of = merged.text_of[merged.starts[source] : merged.starts[source + 1]] - merged.text_starts[source]
        assert [texts[k] for k in of] == [one[0] for one in union[source]]
    expected = BLEU.stats(
        [one[0] for nbest in union for one in nbest], [r for r, u in zip(["a b", "c"], union, strict=True) for _ in u]
    )
    assert merged.rows(BLEU)[merged.text_of].tolist() == expected.values.tolist()


def test_only_what_is_the_same_source_merges():
    one = Candidates.of([(["a"], np.zeros((1, 1)))], ["a"])
    with pytest.raises(InputError, match="cannot merge lists of 1 and of 2 sources"):
        one.merged(candidates_of([[("a", 0, 0)], [("b", 0, 0)]]))


@given(lists, st.lists(st.integers(0, 1), max_size=3), st.booleans())
def test_subsets(drawn, sources, counted):
    candidates = candidates_of(drawn)
    if counted:
        candidates.rows(BLEU)
    some = candidates.subset(sources)
    assert plain(some) == [plain(candidates)[i] for i in sources]
    assert some.sources == len(sources)
    if sources:
        chosen = some.best(np.array([1.0, 0.5]))
        refs = [REFERENCES.entries[i] for i in sources]
        assert float(some.score(BLEU, chosen)) == float(BLEU([some.text(i) for i in chosen], refs))


def test_what_a_part_learns_from_references_is_of_that_part():
    nist = tri.NIST(tokenize="none")
    candidates = Candidates.of(
        [(["a b", "a"], np.eye(2)), (["b c", "c"], np.eye(2)), (["a", "b"], np.eye(2))], ["a b", "b c", "b b"]
    )
    candidates.rows(nist)
    part = candidates.subset([0, 1])
    refs = part.references.entries
    assert float(part.score(nist, np.array([0, 2]))) == float(nist(["a b", "b c"], refs))
    whole = candidates.ready(nist)
    assert float(whole(["a b", "b c"], refs)) != float(nist(["a b", "b c"], refs))
    assert float(candidates.subset([0, 1]).score(whole, np.array([0, 2]))) == float(whole(["a b", "b c"], refs))


@pytest.mark.parametrize("wrong", [[0, 10**9, 2], [-(10**9), 0, 2], [0, 1, 3], [1, 1, 2]])
def test_the_core_refuses_what_does_not_fit(wrong):
    wrong = np.array(wrong)
    columns, values, one = np.zeros(2, np.int32), np.ones(2), np.ones(1)
    begins, starts = np.array([0, 1, 2]), np.array([0, 2])
    for call in (
        lambda: _native.sparse_dot(wrong, columns, values, one),
        lambda: _native.sparse_sum(wrong, columns, values, values, 1),
        lambda: _native.sparse_variances(wrong, columns, values, starts, one, 1),
        lambda: _native.sparse_variances(begins, columns, values, wrong, values, 1),
        lambda: _native.mark_distinct(wrong, columns, values, starts, columns),
        lambda: _native.mark_distinct(begins, columns, values, wrong, columns),
        lambda: _native.find_best(values, wrong),
        lambda: _native.find_best(values, np.array([0, 2, 2])),
        lambda: _native.EnvelopeSearch(wrong, columns, values, starts, columns, np.ones((1, 1)), 1),
    ):
        with pytest.raises(ValueError, match="other shapes"):
            call()


def test_every_text_is_counted_once(monkeypatch):
    counted = []
    stats = tri.BLEU.stats
    monkeypatch.setattr(
        tri.BLEU, "stats", lambda self, hyps, *more, **how: counted.extend(hyps) or stats(self, hyps, *more, **how)
    )
    first = candidates_of([[("a", 0, 0), ("a", 1, 0), ("b", 0, 0)], [("a", 0, 0)]])
    first.rows(BLEU)
    assert counted == ["a", "b", "a"]  # once for each source
    first.objective(BLEU, np.ones(2))
    first.gains(BLEU)
    merged = first.merged(candidates_of([[("b", 1, 1), ("b c", 0, 0)], [("a", 1, 1)]]))
    merged.rows(tri.BLEU(tokenize="none"))
    assert counted == ["a", "b", "a", "b c"]
    merged.subset([1]).rows(BLEU)
    merged.distinct().rows(BLEU)
    assert counted == ["a", "b", "a", "b c"]


# Choosing and scoring --------------------------------------------------------------------------------------


@given(lists, st.sampled_from([0.0, 1.0, -1.0]), st.sampled_from([0.0, 1.0]))
def test_the_first_of_equals(drawn, a, b):
    candidates = candidates_of(drawn)
    for chosen, nbest, start in zip(
        candidates.best(np.array([a, b])), plain(candidates), candidates.starts, strict=False
    ):
        scores = [a * x + b * y for _, x, y in nbest]
        assert chosen - start == scores.index(max(scores))


@given(st.lists(st.lists(st.sampled_from([0.0, 1.0, math.nan, -math.inf]), min_size=1, max_size=4), min_size=1))
def test_what_is_not_a_number_is_worst(drawn):
    candidates = Candidates.of(
        [([str(k) for k in range(len(one))], np.zeros((len(one), 1))) for one in drawn], ["0"] * len(drawn)
    )
    chosen = candidates.best_by(np.array([x for one in drawn for x in one])) - candidates.starts[:-1]
    assert chosen.tolist() == [
        max(range(len(one)), key=lambda k: (not math.isnan(one[k]), one[k] if one[k] == one[k] else 0)) for one in drawn
    ]


@pytest.mark.parametrize("name", ["bleu", "ter", "chrf", "nist", "rouge-l"])
def test_scores_are_those_of_the_metric(name):
    metric = tri.metric(name)
    drawn = [[("a b", 1, 0), ("b", 0, 1)], [("c d", 0, 0), ("c", 1, 1)]]
    candidates = candidates_of(drawn)
    weights = np.array([0.0, 1.0])
    chosen = candidates.best(weights)
    score = metric(["b", "c"], REFERENCES)
    assert float(candidates.score(metric, chosen)) == float(score)
    assert candidates.score(metric, chosen).signature == score.signature
    sign = 1 if metric.higher_is_better else -1
    assert candidates.objective(metric, weights) == sign * float(score)
    single = metric.for_segments
    ready = single.prepare(REFERENCES)
    texts = [(one[0], ref) for nbest, ref in zip(drawn, REFERENCES.entries, strict=True) for one in nbest]
    assert candidates.gains(single) == pytest.approx([sign * float(ready.segment(*pair)) for pair in texts])


# Sparse rows -----------------------------------------------------------------------------------------------

matrices = st.integers(1, 5).flatmap(
    lambda width: st.lists(st.lists(st.sampled_from([0.0, 0.0, 1.0, -2.5]), min_size=width, max_size=width), min_size=1)
)


@given(matrices, st.data())
def test_sparse_is_as_dense(drawn, data):
    dense = np.array(drawn)
    size = dense.shape[1]
    features = Features.of(dense)
    assert len(features) == len(dense)
    assert features.toarray(size).tolist() == dense.tolist()
    weights = np.arange(1.0, size + 1)
    assert features.dot(weights).tolist() == (dense @ weights).tolist()
    rows = data.draw(st.lists(st.integers(0, len(dense) - 1), max_size=6))
    assert features.take(np.array(rows, np.int64)).toarray(size).tolist() == dense[rows].tolist()
    first = data.draw(st.integers(0, len(dense)))
    last = data.draw(st.integers(first, len(dense)))
    part = features.part(first, last)
    assert part.toarray(size).tolist() == dense[first:last].tolist()
    assert part.dot(weights).tolist() == (dense[first:last] @ weights).tolist()
    assert Features.joined([features, part]).toarray(size).tolist() == [*dense.tolist(), *dense[first:last].tolist()]
    for i in range(len(dense)):
        columns, values = features.row(i)
        assert [(int(c), float(v)) for c, v in zip(columns, values, strict=True)] == [
            (k, x) for k, x in enumerate(dense[i].tolist()) if x
        ]
    assert len(Features.joined([])) == 0
