"""Lists to tune on: real ones, and made ones of any size."""

import numpy as np
from hypothesis import strategies as st

from tricolore import BLEU
from tricolore.candidates import CandidateReader, Candidates
from tricolore.features import Features
from tricolore.readers import read_segments
from tricolore.segments import References
from tricolore.tuning.bounds import Bounds
from tricolore.tuning.task import Task
from tricolore.weights import read_weights

#: What is reported of the corpus.
CORPUS_BLEU = BLEU(smooth=0, tokenize="none")

WORDS = ("a", "b", "c", "d", "e", "f")


def read_thot(shared):
    """Real lists with 8 features and 4 references, and the weights they come with."""
    folder = shared / "data" / "nbest" / "thot-fisher-test-es-en"
    references = zip(*(read_segments(str(folder / f"ref{i}.txt")) for i in range(4)), strict=True)
    reader = CandidateReader()
    candidates = reader.read([str(folder / "nbest.txt.gz")], References.unchecked([*map(list, references)]))
    start, missing = read_weights(str(folder / "weights.txt")).vector(reader.layout)
    assert not missing
    return candidates, start


def held_out_bleu(candidates, tune):
    """Tune on either half of the sources (even, odd), choose from the other; the BLEU of all that is chosen."""
    total = 0
    for tuned_on, held_out in ((0, 1), (1, 0)):
        weights = tune(candidates.subset(range(tuned_on, candidates.sources, 2)))
        other = candidates.subset(range(held_out, candidates.sources, 2))
        total += other.rows(CORPUS_BLEU)[other.text_of[other.best(weights)]].sum(axis=0)
    return CORPUS_BLEU.score(total)


def made(seed, sources=8, hypotheses=6, features=3, scale=1.0):
    """Lists of random words, with features of which the first says something about the words that are right."""
    rng = np.random.default_rng(seed)
    lists, references = [], []
    for _ in range(sources):
        reference = rng.choice(WORDS, 7)
        texts, rows = [], rng.normal(size=(hypotheses, features))
        for k in range(hypotheses):
            wrong = rng.random(7) < k / hypotheses
            texts.append(" ".join(np.where(wrong, rng.choice(WORDS, 7), reference)))
            rows[k, 0] -= wrong.sum()
        lists.append((texts, rows * scale))
        references.append(" ".join(reference))
    return Candidates.of(lists, references)


def sparse(seed, sources, hypotheses, names, each):
    """Lists with many features, of which a hypothesis has few."""
    rng = np.random.default_rng(seed)
    made_lists = made(seed, sources, hypotheses, 1)
    assert len(made_lists) == sources * hypotheses
    columns = np.concatenate([np.sort(rng.choice(names, each, replace=False)) for _ in range(len(made_lists))])
    features = Features(
        np.arange(len(made_lists) + 1, dtype=np.int64) * each,
        columns.astype(np.int32),
        rng.normal(size=len(columns)) + (columns % 7 == 0) * np.repeat(made_lists.gains(BLEU(smooth=2)), each),
    )
    return Candidates(
        made_lists.references,
        made_lists.starts,
        features,
        made_lists.texts,
        made_lists.text_starts,
        made_lists.text_of,
        made_lists.totals,
    )


def task(candidates, metric, size, **more):
    """A task without bounds, unless told."""
    return Task(candidates, metric, CORPUS_BLEU, more.pop("bounds", None) or Bounds.none(size), **more)


@st.composite
def gain_lists(draw, magnitudes=(1.0,), sources=4):
    """Features (a dense matrix, many zeros), where lists start, gains and lengths, and weights."""
    numbers = st.floats(-3, 3).map(lambda x: round(x, 3))
    sizes = draw(st.lists(st.integers(1, 5), min_size=1, max_size=sources))
    width = draw(st.integers(1, 4))
    count = sum(sizes)

    def vector(of, size):
        return np.array(draw(st.lists(of, min_size=size, max_size=size)), dtype=np.float64)

    dense = vector(st.one_of(st.just(0.0), numbers), count * width).reshape(count, width)
    dense *= draw(st.sampled_from(magnitudes))
    gains = vector(st.sampled_from([0.0, 0.1, 0.25, 0.5, 1.0, -2.0]), count)
    lengths = vector(st.integers(0, 20), len(sizes))
    starts = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
    return dense, starts, gains, lengths, vector(numbers, width)
