"""docs/coming-from/evaluate.md: where it says that a number is the same, it equals what evaluate's module computes.

The modules themselves are downloaded when they are loaded; what is compared with here are the calls that they make.
"""

import collections
import math
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import tricolore as tri
from tricolore.examples import lines

PAGE = Path(__file__).parents[1] / "docs" / "coming-from" / "evaluate.md"
pytestmark = pytest.mark.skipif(not PAGE.exists(), reason="the documentation is not part of this tree")
sacrebleu = pytest.importorskip("sacrebleu")
jiwer = pytest.importorskip("jiwer")
rouge_scorer = pytest.importorskip("rouge_score.rouge_scorer")
scoring = pytest.importorskip("rouge_score.scoring")
gleu_score = pytest.importorskip("nltk.translate.gleu_score")

HYPS = [*lines("hasty"), *lines("literal"), "Hello, world: 3.5 %!", "a b"]
FIRST = [*lines("reference-a"), *lines("reference-a"), "Hello , WORLD! 3.5%", "a b"]
SECOND = [*lines("reference-b"), *lines("reference-b"), "Hello world, 3", "a"]
REFS = [list(both) for both in zip(FIRST, SECOND, strict=True)]
STREAMS = [FIRST, SECOND]


def tokens(text):
    return sacrebleu.metrics.bleu._get_tokenizer("13a")()(text).split()


def plain_bleu(order=4, smooth=False):
    """BLEU as in evaluate's `bleu`: the shortest reference, no smoothing or one more of all n-grams."""
    matches, totals, lengths = [0] * order, [0] * order, [0, 0]
    for hyp, refs in zip(HYPS, REFS, strict=True):
        words, others = tokens(hyp), [tokens(ref) for ref in refs]
        lengths = [lengths[0] + len(words), lengths[1] + min(map(len, others))]
        for n in range(1, order + 1):
            found, *most = (collections.Counter(zip(*(text[i:] for i in range(n)), strict=False))
                            for text in (words, *others))  # fmt: skip
            totals[n - 1] += found.total()
            matches[n - 1] += sum(min(times, max(one[gram] for one in most)) for gram, times in found.items())
    precisions = [(m + smooth) / (t + smooth) for m, t in zip(matches, totals, strict=True)]
    return math.prod(precisions) ** (1 / order) * min(1.0, math.exp(1 - lengths[1] / lengths[0]))


def google_bleu(**options):
    refs = [[tokens(ref) for ref in both] for both in REFS]
    return gleu_score.corpus_gleu(refs, [tokens(hyp) for hyp in HYPS], **options)


def corpus_bleu(**options):
    return sacrebleu.corpus_bleu(HYPS, STREAMS, **options).score


def rouge(name, refs=FIRST, **options):
    """The mean, which evaluate's median of resamples approaches."""
    scorer = rouge_scorer.RougeScorer([name], **options)
    return np.mean([scorer.score(ref, hyp)[name].fmeasure for ref, hyp in zip(refs, HYPS, strict=True)])


SCORES = {
    'load("bleu")': corpus_bleu,
    'load("bleu", lowercase=True)': lambda: corpus_bleu(lowercase=True),
    'load("bleu", tokenize="zh")': lambda: corpus_bleu(tokenize="zh"),
    'load("bleu(smooth=floor, epsilon=0.2)")': lambda: corpus_bleu(smooth_method="floor", smooth_value=0.2),
    'load("bleu(smooth=add-k, add=2)")': lambda: corpus_bleu(smooth_method="add-k", smooth_value=2),
    'load("bleu(short=effective)")': lambda: corpus_bleu(use_effective_order=True),
    'load("chrf")': lambda: sacrebleu.CHRF().corpus_score(HYPS, STREAMS).score,
    'load("chrf", word_order=2, lowercase=True, eps_smoothing=True)': lambda: (
        sacrebleu.CHRF(word_order=2, lowercase=True, eps_smoothing=True).corpus_score(HYPS, STREAMS).score
    ),
    'load("ter")': lambda: sacrebleu.TER().corpus_score(HYPS, STREAMS).score,
    'load("ter(normalized=true, no_punct=true)")': lambda: (
        sacrebleu.TER(normalized=True, no_punct=True).corpus_score(HYPS, STREAMS).score
    ),
    'load("ter(normalized=true, asian=true, case=true)")': lambda: (
        sacrebleu.TER(normalized=True, asian_support=True, case_sensitive=True).corpus_score(HYPS, STREAMS).score
    ),
}
VALUES = {
    'load("bleu(smooth=none, ref_len=shortest)")': plain_bleu,
    'load("bleu(order=2, smooth=none, ref_len=shortest)")': lambda: plain_bleu(order=2),
    'load("gleu(tokenize=13a)")': google_bleu,
    'load("gleu(tokenize=13a, min_order=2, order=6)")': lambda: google_bleu(min_len=2, max_len=6),
}
OF_ONE_REFERENCE = {
    'load("wer")': lambda: jiwer.wer(FIRST, HYPS),
    'load("cer")': lambda: jiwer.cer(FIRST, HYPS),
    'load("rouge-n(n=1, compat=rouge-score)")': lambda: rouge("rouge1"),
    'load("rouge-l(compat=rouge-score)")': lambda: rouge("rougeL"),
    'load("rouge-l(compat=rouge-score, stem=true)")': lambda: rouge("rougeL", use_stemmer=True),
}


def loaded(call):
    """The metric that a call of the page loads."""
    name, given = re.fullmatch(r'load\("([^"]+)"(?:, (.*))?\)', call).groups()
    parameters = eval(f"dict({given or ''})")
    return tri.metric(name) if not parameters else type(tri.metric(name))(**parameters)


@pytest.mark.parametrize("call", [*SCORES, *VALUES, *OF_ONE_REFERENCE])
def test_numbers_that_are_said_to_be_the_same_are(call):
    assert f"`{call}`" in PAGE.read_text(encoding="utf-8")
    found = loaded(call)(HYPS, FIRST if call in OF_ONE_REFERENCE else REFS)
    number = found.points if call in SCORES else found.value
    assert number == pytest.approx((SCORES | VALUES | OF_ONE_REFERENCE)[call](), rel=1e-12)


def test_bleu_with_smoothing_is_not_the_one_of_its_paper():
    assert plain_bleu(smooth=True) != pytest.approx(float(tri.metric("bleus")(HYPS, REFS)), rel=1e-6)


def test_rouge_is_a_median_of_random_draws():
    hyps, refs = lines("hasty"), lines("reference-a")
    scorer, found = rouge_scorer.RougeScorer(["rouge1", "rouge2", "rougeL", "rougeLsum"]), []
    for seed in (1, 2):
        np.random.seed(seed)
        draws = scoring.BootstrapAggregator()
        for hyp, ref in zip(hyps, refs, strict=True):
            draws.add_scores(scorer.score(ref, hyp))
        found.append(f"{draws.aggregate()['rouge1'].mid.fmeasure:.4f}")
    found.append(f"{tri.metric('rouge-n(n=1, compat=rouge-score)')(hyps, refs):.4f}")
    page = " ".join(PAGE.read_text(encoding="utf-8").split())
    told = re.search(r"ROUGE-1 is (\S+) with .*?, (\S+) with 2; the mean is (\S+)\. ", page)
    assert found == [*told.groups()]


def test_the_example_prints_what_it_says(tmp_path):
    pytest.importorskip("evaluate", reason="evaluate is not installed (pip install --group benchmarks)")
    [(code, shown)] = re.findall(r"```python\n(.*?)```\n+```\n(.*?)```", PAGE.read_text(encoding="utf-8"), re.DOTALL)
    home = {**os.environ, "HF_HOME": str(tmp_path), "HF_HUB_OFFLINE": "1"}
    command = [sys.executable, "-W", "ignore", "-c", code]
    assert subprocess.run(command, capture_output=True, text=True, check=True, env=home).stdout == shown
