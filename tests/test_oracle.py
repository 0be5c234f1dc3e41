"""Oracles: nothing better alone, nothing better by one change; the command that writes them."""

import gzip
import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tricolore as tri
from tricolore.candidates import CandidateReader, Candidates
from tricolore.cli import run
from tricolore.examples import NBEST, REFERENCES, lines
from tricolore.metrics import NAMES
from tricolore.nbest_oracle import corpus_oracle, segment_oracle
from tricolore.readers.nbest import read_nbest

FISHER = "nbest/thot-fisher-test-es-en"
METRICS = ["bleu(tokenize=none)", "ter", "chrf", "rouge-l(tokenize=none)", "nist(tokenize=none)", "gleu(tokenize=none)"]

texts = st.lists(st.sampled_from("abcd"), max_size=6).map(" ".join)
sources = st.lists(
    st.tuples(st.lists(texts, min_size=1, max_size=4), st.lists(texts.filter(bool), min_size=1, max_size=2)),
    min_size=1,
    max_size=4,
)


def candidates_of(drawn):
    return Candidates.of([(hyps, np.zeros((len(hyps), 1))) for hyps, _ in drawn], [refs for _, refs in drawn])


def score(metric, drawn, chosen):
    value = float(metric([drawn[i][0][k] for i, k in enumerate(chosen)], [refs for _, refs in drawn]))
    return value if metric.higher_is_better else -value


@given(sources, st.sampled_from(METRICS), st.booleans())
def test_segments(drawn, name, worst):
    metric = tri.metric(name).for_segments
    candidates = candidates_of(drawn)
    found = segment_oracle(candidates, metric, worst=worst)
    ready = metric.prepare(tri.References([refs for _, refs in drawn]))
    for (hyps, refs), hypothesis in zip(drawn, found, strict=True):
        values = [float(ready.segment(hyp, refs)) for hyp in hyps]
        sign = -1 if metric.higher_is_better == worst else 1
        best = max(range(len(hyps)), key=lambda k: sign * values[k])
        assert candidates.text(hypothesis) == hyps[best]  # the first of equals


@given(sources, st.sampled_from(METRICS), st.booleans())
def test_no_single_change_makes_a_corpus_better(drawn, name, worst):
    metric = tri.metric(name)
    candidates = candidates_of(drawn)
    found = [candidates.text(i) for i in corpus_oracle(candidates, metric, worst=worst)]
    sign = -1 if worst else 1
    chosen = [hyps.index(text) for (hyps, _), text in zip(drawn, found, strict=True)]
    value = sign * score(metric, drawn, chosen)
    by_segment = [candidates.text(i) for i in segment_oracle(candidates, metric, worst=worst)]
    by_segment = [hyps.index(text) for (hyps, _), text in zip(drawn, by_segment, strict=True)]
    assert value >= sign * score(metric, drawn, by_segment)
    assert value >= sign * score(metric, drawn, [0] * len(drawn))
    for i, (hyps, _) in enumerate(drawn):
        for k in range(len(hyps)):
            assert sign * score(metric, drawn, [*chosen[:i], k, *chosen[i + 1 :]]) <= value + 1e-9


@given(sources)
def test_mostly_it_is_the_best_of_all(drawn):
    bleu = tri.BLEU(order=2, tokenize="none")
    candidates = candidates_of(drawn)
    found = float(candidates.score(bleu, corpus_oracle(candidates, bleu)))
    best = max(score(bleu, drawn, chosen) for chosen in itertools.product(*(range(len(hyps)) for hyps, _ in drawn)))
    assert found <= best + 1e-12
    if len(drawn) == 1:
        assert found == pytest.approx(best)


def test_what_has_no_score_is_not_chosen():
    candidates = Candidates.of([(["a", "b"], np.zeros((2, 1)))], ["b"])
    bleu = tri.BLEU(order=1, tokenize="none")
    candidates.rows(bleu)[0] = np.nan
    for worst in (False, True):
        assert segment_oracle(candidates, bleu, worst=worst).tolist() == [1]
        assert corpus_oracle(candidates, bleu, worst=worst).tolist() == [1]


@pytest.mark.parametrize("name", [*NAMES])
def test_every_metric_has_oracles(name):
    metric = tri.metric(name)
    texts = ["the cat sat on the mat", "a cat sat on the old mat", ""]
    lists = [(texts, np.zeros((3, 1))), (["dogs", "a dog ran"], np.zeros((2, 1)))]
    candidates = Candidates.of(lists, [["a cat sat on the mat", "the cat sat on a big mat"], ["a dog ran off"]])
    best, worst = (candidates.score(metric, corpus_oracle(candidates, metric, worst=worst)) for worst in (False, True))
    assert float(best) != float(worst)
    assert (float(best) > float(worst)) == metric.higher_is_better


def test_real_lists(shared, lines):
    references = tri.References.from_streams([lines(f"{FISHER}/ref{i}.txt") for i in range(4)])
    path = str(shared / "data" / FISHER / "nbest.txt.gz")
    candidates = CandidateReader().read([path], references, features=False)
    bleu, segment = tri.BLEU(tokenize="none"), tri.BLEU(tokenize="none").for_segments
    first = candidates.score(bleu, candidates.starts[:-1])
    by_segment = candidates.score(bleu, segment_oracle(candidates, segment))
    by_corpus = candidates.score(bleu, corpus_oracle(candidates, bleu, alone=segment))
    assert float(first) + 0.05 < float(by_segment) < float(by_corpus)


# The command -----------------------------------------------------------------------------------------------


LISTS = ("--nbest", "nbest.txt")
REFS = ("--refs", "reference-a.txt", "reference-b.txt")


def type_in(capsys, *words):
    capsys.readouterr()
    status = run(["oracle", *map(str, words)])
    captured = capsys.readouterr()
    return status, captured.out, captured.err


def expected(metric, corpus=False, worst=False):
    references = tri.References.from_streams([lines(name) for name in REFERENCES])
    candidates = CandidateReader().read([f"{NBEST}.txt"], references, features=False)
    if not corpus:
        chosen = segment_oracle(candidates, tri.metric(metric).for_segments, worst=worst)
    else:
        chosen = corpus_oracle(candidates, tri.metric(metric), alone=tri.metric(metric).for_segments, worst=worst)
    return [candidates.text(i) for i in chosen], candidates.score(tri.metric(metric), chosen)


@pytest.mark.parametrize("metric", ["bleu", "ter", "nist"])
@pytest.mark.parametrize("corpus", [False, True])
@pytest.mark.parametrize("worst", [False, True])
def test_lines_and_summary(demo, capsys, metric, corpus, worst):
    flags = ["--corpus"] * corpus + ["--worst"] * worst
    status, out, err = type_in(capsys, *LISTS, *REFS, "-m", metric, *flags)
    texts, score = expected(metric, corpus, worst)
    assert status == 0
    assert out.splitlines() == texts
    oracle, first = err.splitlines()
    how = ("corpus" if corpus else "segment") + "-worst" * worst
    by = tri.metric(metric).for_segments.spec
    head, rest = score.signature.split("|nrefs:2|")
    printed = score.display(tri.metric(metric).display_digits)
    assert oracle.startswith(f"tricolore: oracle: {head}|nrefs:2|oracle:{how}|by:{by}|{rest} = {printed} (".rstrip("("))
    assert first.startswith(f"tricolore: first: {head}|nrefs:2|chosen:first|")


def test_scores_stand_before_a_tab(demo, capsys):
    _, out, _ = type_in(capsys, *LISTS, *REFS, "-m", "bleu", "--scores", "-w", "6")
    texts, _ = expected("bleu")
    segment = tri.metric("bleu").for_segments
    references = zip(*(lines(name) for name in REFERENCES), strict=True)
    for line, text, refs in zip(out.splitlines(), texts, references, strict=True):
        assert line == f"{100 * float(segment.segment(text, list(refs))):.6f}\t{text}"
    _, out, _ = type_in(capsys, *LISTS, *REFS, "-m", "ter", "--scores")
    scores = [float(line.split("\t")[0]) for line in out.splitlines()]
    assert min(scores) == 0 < max(scores)  # an error rate is not turned round
    assert "-" not in out.split("\t")[0]


def test_the_file_is_what_would_be_printed(demo, capsys):
    _, out, _ = type_in(capsys, *LISTS, *REFS)
    assert type_in(capsys, *LISTS, *REFS, "-o", "best.txt.gz", "-q") == (0, "", "")
    assert gzip.decompress((demo / "best.txt.gz").read_bytes()).decode() == out


def test_lists_need_no_features_and_are_taken_together(demo, capsys):
    halves = {"a.txt": (0, 3), "b.txt": (3, 6)}
    for name, (first, last) in halves.items():
        (demo / name).write_text(
            "".join(f"{one.source} ||| {text}\n" for one in read_nbest("nbest.txt") for text in one.texts[first:last])
        )
    together = type_in(capsys, "--nbest", "a.txt", "b.txt", *REFS)
    assert together == type_in(capsys, *LISTS, *REFS)
    only = type_in(capsys, *LISTS, *REFS, "-n", "3", "-q")
    assert only == type_in(capsys, "--nbest", "a.txt", *REFS, "-q")


def test_what_follows_a_text_is_not_read(demo, capsys):
    (demo / "odd.txt").write_text((demo / "nbest.txt").read_text().replace("LM0= -14.2", "LM0= nan is not"))
    assert type_in(capsys, "--nbest", "odd.txt", *REFS) == type_in(capsys, *LISTS, *REFS)


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        ([*LISTS, *REFS, "--corpse"], 2, "unknown option '--corpse'; did you mean '--corpus'?"),
        (["nbest.txt", *REFS], 2, "'nbest.txt' was not expected; n-best lists are named with --nbest"),
        (REFS, 2, "no n-best list is given; name one or more with --nbest"),
        (LISTS, 2, "no reference file is given; name one or more with --refs"),
        ([*LISTS, *REFS, "-m", "blue"], 2, "unknown metric 'blue'; did you mean 'bleu'?"),
        ([*LISTS, *REFS, "-m", "bleu", "ter"], 2, "--metrics: expected one metric to choose by; got 2"),
        ([*LISTS, *REFS, "-m", "length"], 2, "length: neither higher nor lower is better"),
        ([*LISTS, *REFS, "-n", "0"], 2, "--first must be a whole number from 1"),
        ([*LISTS, *REFS, "-w", "16"], 2, "--width must be a whole number from 0 to 15; got '16'"),
        ([*LISTS, *REFS, "-j", "-1"], 2, "--threads must be a whole number from 0 to 1,024; got '-1'"),
        ([*LISTS, *REFS, "-nr", "2"], 2, "--num-refs takes one file with 2 references per line; got 2 files"),
        ([*LISTS, *REFS, "-o", "nbest.txt"], 2, "--output: nbest.txt is one of the files to read; name another file"),
        ([*LISTS, "nbest.txt", *REFS], 2, "nbest.txt is given twice as an n-best list"),
        (["--nbest", "-", "--refs", "-"], 2, "standard input can be read only once"),
        ([*LISTS, "--refs", "gone.txt"], 1, "gone.txt: no such file"),
        (["--nbest", "gone.txt", *REFS], 1, "gone.txt: no such file"),
        (["--nbest", "empty.txt", *REFS], 1, "empty.txt: the file is empty; expected an n-best list"),
        (["--nbest", "cut.gz", *REFS], 1, "cut.gz: corrupt gzip data"),
        (["--nbest", "short.txt", *REFS], 1, "short.txt: ends with source 10, but reference-a.txt goes on to line 12"),
        (["--nbest", "nbest.txt", "short.txt", *REFS], 1, "short.txt: ends with source 10"),
        (["--nbest", "broken.txt", *REFS], 1, "broken.txt: line 2: expected the number of a source, 0 or more,"),
        ([*LISTS, *REFS, "-o", "gone/best.txt"], 1, "gone/best.txt: cannot be written (there is no folder gone)"),
        (["--nbest", "breaks.jsonl", "--refs", "one.txt"], 1, "source 0: the translation contains a line break"),
        (["--nbest", "half.jsonl", "--refs", "one.txt"], 1, "half.jsonl: line 1: lone surrogate"),
    ],
)
def test_mistakes(demo, capsys, words, status, message):
    text = (demo / "nbest.txt").read_text()
    (demo / "empty.txt").write_text("")
    (demo / "cut.gz").write_bytes(gzip.compress(text.encode())[:-20])
    (demo / "short.txt").write_text("".join(line for line in text.splitlines(True) if not line.startswith("11 ")))
    (demo / "broken.txt").write_text(text.replace("\n0 ||| ", "\n", 1))
    (demo / "breaks.jsonl").write_text('{"translations": ["a\\nb"]}\n')
    (demo / "half.jsonl").write_text('{"translations": ["a\\ud800b"]}\n')
    (demo / "one.txt").write_text("a b\n")
    found, out, err = type_in(capsys, *words)
    assert found == status
    assert err.startswith(f"tricolore: {message}"), err
    assert err.count("\n") == 1
    assert not out
    assert not list(demo.glob(".*"))
