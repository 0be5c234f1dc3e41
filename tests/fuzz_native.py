"""Random input for the core, meant to be run under sanitizers: see `make sanitize`.

Cases come in turn, each with a seed of its own, until the time is over. Whatever is refused in the package's own words
is fine; any other error ends the run, as does a sanitizer's report. A line for each case says how to run it again:

    python tests/fuzz_native.py --case lattice --seed 17
"""

import argparse
import contextlib
import faulthandler
import pickle
import random
import signal
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pyarrow as pa
import strategies
from test_contract import VARIANTS

from tricolore import _native, align, metric
from tricolore.draws import stream
from tricolore.errors import TricoloreError
from tricolore.graphs import Forest, Lattice, NgramGain, NgramTable, Node
from tricolore.graphs.formats import FORMATS, SCALES, read_graphs, written
from tricolore.tokenizers import CORE

THREADS = (1, 2, 4, 7)
SLOW = 300  # seconds after which a case is a finding: all of them should take less than one
ID_TYPES = (np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32, np.uint64)

# Texts and corpora -------------------------------------------------------------------------------------------


def any_character(rng):
    """Any code point, lone surrogates included; half of them ASCII."""
    return chr(rng.choice((rng.randrange(0x80), rng.randrange(0x100), rng.randrange(0x3000), rng.randrange(0x110000))))


def adversarial(rng, size):
    """Every kind of white space, punctuation beside digits, markup, emoji, NUL, anything at all."""
    pieces = (
        lambda: rng.choice(strategies.FRAGMENTS),
        lambda: rng.choice(strategies.WHITE_SPACE),
        lambda: any_character(rng),
        lambda: " ",
    )
    return "".join(rng.choice(pieces)() for _ in range(size))


def sentence(rng, size):
    """A few words again and again, so that many n-grams match, in any of CPython's widths."""
    words = ["a", "b", "the", "cats", "sat.", "5,5", *rng.choice(([], ["über"], ["中文"], ["😀", "\ud800"]))]
    return " ".join(rng.choices(words[: rng.randint(1, len(words))], k=size))


def unspaced(rng, size):
    """One word that is as long as the text."""
    return "".join(rng.choices("ab中", k=size))


def text_of(rng, longest):
    size = rng.choice((0, 1, rng.randint(0, longest), rng.randint(0, longest)))
    return rng.choice((adversarial, sentence, sentence, unspaced))(rng, size)


def ids_of(rng, longest):
    """Token ids as a list, a tuple or an array of any type, contiguous or not."""
    kind = rng.choice((list, tuple, *ID_TYPES))
    highest = rng.choice((3, 100, 0xFFFFFFFF - 0x110000 - 2 if kind in (list, tuple) else int(np.iinfo(kind).max)))
    numbers = [rng.randint(0, min(highest, 4_000_000_000)) for _ in range(rng.randint(0, longest))]
    if kind in (list, tuple):
        return kind(numbers)
    step = rng.choice((1, 1, 2, -1))
    return np.array(numbers, kind)[::step]


def changed(rng, text):
    """Something that resembles a text, so that counts are not all 0."""
    if len(text) < 2 or rng.random() < 0.2:
        return text
    a, b = sorted(rng.choices(range(len(text)), k=2))
    if not isinstance(text, str):
        return rng.choice((text[:a], text[b:], text[a:b]))
    return rng.choice((text[b:] + text[:a], text[:a] + text[b:], text[:b] + " " + text[a:], text.upper()))


def corpus(rng):
    """Hypotheses and their references: a few long ones, or many short ones, enough for several threads."""
    segments, longest = rng.choice(((1, 300), (2, 60), (20, 30), (300, 6), (700, 4)))
    make = rng.choice((text_of, text_of, ids_of))
    hyps = [make(rng, longest) for _ in range(segments)]
    most = rng.choice((1, 1, 3))
    refs = [
        [changed(rng, hyp) if rng.random() < 0.8 else make(rng, longest) for _ in range(rng.randint(1, most))]
        for hyp in hyps
    ]
    return hyps, refs


# Counting ----------------------------------------------------------------------------------------------------


def counting(rng):
    """A metric, counted in every way there is."""
    made = metric(rng.choice(VARIANTS))
    hyps, refs = corpus(rng)
    threads = rng.choice(THREADS)
    made(hyps, refs, threads=threads)
    made.stats(hyps, refs, threads=threads)
    made.segment(hyps[0], refs[0])
    few = slice(0, 40 if len(hyps) > 100 else 6)
    made.pairwise(hyps[few], [ref for ref, *_ in refs[few]], threads=threads)
    made.pairwise(hyps[few], hyps[few], threads=threads)


def columns(rng):
    """A metric over columns in Arrow's memory, in every layout there is; bytes that are not UTF-8 are refused."""
    made = metric(rng.choice(VARIANTS))
    hyps, refs = corpus(rng)
    if isinstance(hyps[0], str):
        hyps, refs = ([without_surrogates(cell) for cell in cells] for cells in (hyps, refs))
        kind = rng.choice((pa.string(), pa.large_string(), pa.string_view()))
    else:
        hyps, refs = ([[*map(int, cell)] for cell in cells] for cells in (hyps, [ref for ref, *_ in refs]))
        kind = pa.list_(pa.int64())
    cut = rng.randint(0, len(hyps))
    texts = pa.chunked_array([pa.array(hyps[:cut], kind), pa.array(hyps[cut:], kind)], kind)
    if kind == pa.string() and rng.random() < 0.3:
        texts = texts.dictionary_encode()
    several = pa.array(refs, kind if kind == pa.list_(pa.int64()) else pa.list_(kind))
    made.stats(texts, several, threads=rng.choice(THREADS))
    if kind == pa.string():
        broken = pa.array([rng.randbytes(rng.randint(0, 9)) for _ in hyps], pa.binary()).view(pa.string())
        with contextlib.suppress(TricoloreError):
            made.stats(broken, several, threads=rng.choice(THREADS))


def without_surrogates(cell):
    if isinstance(cell, str):
        return cell.encode("utf-8", "replace").decode("utf-8")
    return [without_surrogates(one) for one in cell]


def long_texts(rng):
    """Texts with more words than fit into 16 bits, or of one word again and again."""
    made = metric(rng.choice(("bleu", "nist", "chrf", "per", "rouge-n(n=2)", "gleu", "length")))
    size = rng.choice((5000, 66_000))
    hyp = " ".join(map(str, range(size))) if rng.random() < 0.5 else "a " * size
    made([hyp, "a"], [[changed(rng, hyp), "b"], hyp], threads=2)
    made.segment(hyp, hyp)


def learning(rng):
    """NIST learns from references; what it has learnt is kept, and goes through pickle."""
    made = metric(f"nist(order={rng.randint(1, 6)})")
    hyps, refs = corpus(rng)
    ready = made.prepare(refs)
    ready.stats(hyps, refs, threads=rng.choice(THREADS))
    pickle.loads(pickle.dumps(ready)).stats(hyps[::-1], refs, threads=rng.choice(THREADS))


def sharing(rng):
    """Several Python threads use one metric and one graph at a time."""
    made = metric(rng.choice(VARIANTS))
    hyps, refs = corpus(rng)
    graph = random_lattice(rng) if rng.random() < 0.5 else random_forest(rng)
    work = [
        lambda: made.stats(hyps, refs, threads=2),
        lambda: [made.segment(hyp, ref) for hyp, ref in zip(hyps[:20], refs, strict=False)],
        lambda: made(hyps, refs, threads=3),
        lambda: graph.ngram_posteriors(2),
        lambda: graph.kbest(5),
        lambda: graph.oracle("a b c", "grr"),
    ]
    with ThreadPoolExecutor(len(work)) as pool:
        for done in [pool.submit(one) for one in work]:
            with contextlib.suppress(TricoloreError):
                done.result()


class TimeIsUp(Exception):  # noqa: N818
    """What the handler of a signal raises."""


def interrupting(rng):
    """A signal in the middle of work, some of which several threads share."""
    made = metric(rng.choice(("ter", "lebleu", "meteor", "meteor(version=1.5)", "gtm(e=2)", "tbleu")))
    texts = [sentence(rng, rng.randint(30, 60)) for _ in range(400)]
    others = [changed(rng, text) for text in texts]
    graph = random_lattice(rng, states=300, arcs=8)
    work = rng.choice((lambda: made.stats(texts, others, threads=4), lambda: graph.ngram_posteriors(4)))
    interrupted(work, rng.uniform(0.001, 0.2))


def interrupted(work, seconds):
    """Begin work that a signal may end."""
    armed = [True]

    def stop(*_):
        if armed:
            raise TimeIsUp

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    with contextlib.suppress(TimeIsUp, TricoloreError):
        try:
            work()
        finally:
            armed.clear()  # one that comes later finds nothing to end
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)


def reading(rng):
    """Tokenisers and alignments."""
    hyp = text_of(rng, 200)
    ref = changed(rng, hyp)
    for tokenizer in CORE.values():
        _native.tokenize(hyp, tokenizer, rng.random() < 0.5)
    _native.affix_distance(hyp, ref)
    _native.edit_script(hyp, ref, rng.choice([*CORE.values()]), rng.random() < 0.5, rng.choice((None, 0, 64, 10_000)))
    for word in (*hyp.split(), "".join(rng.choices("aeioulsgndt", k=rng.randint(0, 40))) + rng.choice(("ing", "ies"))):
        if word.isascii():
            _native.porter_stem(word)
    numbers = _native.StemNumbers(rng.choice([*CORE.values()]), rng.random() < 0.5, lambda words: [*words])
    for text in (hyp, ref, hyp):
        numbers.read(text)
    str(align(hyp, ref))
    ids = ids_of(rng, 100)
    align(ids, changed(rng, ids))


# Judging and tuning ------------------------------------------------------------------------------------------


def numbers(rng, *shape):
    """Scores with ties, missing ones and some that are extreme."""
    made = np.random.default_rng(rng.getrandbits(32))
    values = made.choice((made.normal(size=shape), made.integers(-3, 4, size=shape).astype(float)))
    values[made.random(shape) < rng.choice((0, 0, 0.2))] = rng.choice(
        (np.nan, np.inf, -np.inf, 0.0, -0.0, 1e308, 5e-324)
    )
    return np.ascontiguousarray(values)


def judging(rng):
    """Pairs in concordance, ranks, ties, sums over random draws."""
    groups, times, size, threads = rng.randint(1, 40), rng.randint(1, 3), rng.randint(0, 60), rng.choice(THREADS)
    first, second = numbers(rng, groups, size), numbers(rng, groups * times, size)
    _native.pair_counts(first, second, np.empty((groups * times, 8)), threads)
    _native.midranks(second, np.empty(second.shape), threads)
    _native.calibrate_ties(first, second, np.empty((times, 4)), threads)
    drawn = np.random.default_rng(rng.getrandbits(32)).integers(0, 3, size=(20, groups + size)).astype(float)
    of_groups, of_points = (np.ascontiguousarray(part) for part in (drawn[:, :groups], drawn[:, groups:]))
    _native.calibrate_resampled_ties(first, second[:groups], of_groups, of_points, np.empty((20, 4)), threads)
    whole = np.ascontiguousarray(drawn[:, groups:], dtype=np.uint32)
    places = np.arange(size, dtype=np.uint32)[::-1].copy()
    _native.resampled_pair_counts(first, second[:groups], places, whole, np.empty((20 * groups, 8)), threads)
    swaps = (drawn[:, groups:] > 1).astype(np.uint8)
    _native.swapped_statistics(first, second[:groups], first, swaps, np.empty((20, 13)), threads)
    _native.swapped_ties(first, second[:groups], first, swaps, np.empty((20, 1)))
    draws, number = stream(rng.getrandbits(40)), rng.randint(0, 40)
    draws.integers(rng.choice((1, 2, 7, 2**31, 2**32 - 1)), rng.randint(0, 9), number)
    rows = numbers(rng, rng.randint(1, 300), rng.randint(0, 9))
    draws.resampled_sums(rows, number)
    draws.resampled_sums_single(np.nan_to_num(rows, posinf=0, neginf=0).clip(-1e30, 1e30).astype(np.float32), number)
    draws.selected_sums(rows, number)
    runs = numbers(rng, rng.randint(1, 30), rng.randint(1, 4), rng.randint(0, 5))
    other = numbers(rng, len(runs), rng.randint(1, 4), rng.randint(0, 5))
    draws.chosen_sums(runs, other, number)
    draws.multeval_sums(runs, number)


def tuning(rng):
    """Features read, and all that tuners do with them."""
    reader = _native.FeatureReader()
    begins, columns, values, _, wrong, _ = reader.read(feature_texts(rng))
    size = sum(width for _, _, width in reader.groups)
    rows = len(begins) - 1
    if rows == 0 or wrong >= 0:
        return
    weights = numbers(rng, size)
    cuts = sorted({0, rows, *(rng.randint(0, rows) for _ in range(rng.randint(0, 5)))})
    starts, sparse = np.array(cuts), (begins, columns, values)
    gains, lengths = numbers(rng, rows), np.abs(numbers(rng, len(cuts) - 1))
    scores = _native.sparse_dot(*sparse, weights)
    _native.sparse_sum(*sparse, numbers(rng, rows), size)
    _native.sparse_variances(*sparse, starts, lengths, size)
    _native.mark_distinct(*sparse, starts, np.array(rng.choices(range(3), k=rows), np.int32))
    best = _native.find_best(scores, starts)
    _native.expected_gain(*sparse, starts, gains, lengths, weights)
    order = np.array([rng.randrange(len(lengths)) for _ in range(20)], np.int64)
    bounds = np.full(size, -1.0), np.full(size, 1.0)
    lists, steps = (*sparse, starts, gains, lengths), np.full(size, 0.1)
    _native.descend_expected_gain(*lists, order, steps, *bounds, 0.01, 0.1, 1.0, weights.copy(), np.zeros(size))
    table = numbers(rng, rng.randint(1, rows), 3)
    text_of_row = np.array([rng.randrange(len(table)) for _ in range(rows)], np.int32)
    search = _native.EnvelopeSearch(*sparse, starts, text_of_row, table, size)
    search.varying()
    search.along(scores, best, numbers(rng, 3), numbers(rng, rows), -1.0, rng.choice((1.0, np.inf)))
    for column in range(min(size, 4)):
        search.along_axis(scores, best, numbers(rng, 3), column, rng.choice((-1.0, -np.inf)), 1.0)
        search.rescored(column, weights, scores, best)


def feature_texts(rng):
    """Features of hypotheses as decoders write them: names with a number of values each; a few texts are broken."""
    widths = {"lm": 1, "tm": rng.randint(1, 4), "wp": 1, "é": rng.randint(1, 70)}
    texts = []
    for _ in range(rng.randint(1, 60)):
        names = rng.sample([*widths], rng.randint(0, 4))
        fields = [f"{name}= {' '.join(rng.choices(('0', '-1.5', '1e3', '.5'), k=widths[name]))}" for name in names]
        texts.append(" ".join(fields) + rng.choice(("", "", " ||| -2.5")))
    if rng.random() < 0.3:
        broken = rng.choice(("nan", "1e999", "0x1p3", "1_5", "lm=", "=", "x=1", " ||| ", "|||", adversarial(rng, 3)))
        texts[rng.randrange(len(texts))] += f" {broken}"
    return texts


# Graphs ------------------------------------------------------------------------------------------------------


def score_of(rng):
    return rng.choice((0.0, -0.5, rng.uniform(-5, 5), rng.uniform(-5, 5), 1e300, -1e300, -np.inf))


def random_lattice(rng, states=None, arcs=3, span=4, odd_words=([], [None], ["", "\ud800", "x y"])):
    """Arcs forward, some without a word; any final states."""
    states = states or rng.choice((1, 3, 6, 12, 40))
    words = [*"abcde"[: rng.randint(1, 5)], *rng.choice(odd_words)]
    made = [
        (source, rng.randint(source + 1, min(states - 1, source + span)), rng.choice(words), rng.uniform(-3, 3))
        for source in range(states - 1)
        for _ in range(rng.randint(1, arcs))
    ]
    if rng.random() < 0.1 and made:
        made = [(*arc[:3], score_of(rng)) for arc in made]
    rng.shuffle(made)
    return Lattice.of(made, 0, {state: rng.uniform(-2, 0) for state in {states - 1, rng.randrange(states)}})


def random_forest(rng):
    """Nodes made of those before; the same node several times in an edge."""
    nodes = rng.choice((1, 2, 4, 8, 16))
    score = score_of if rng.random() < 0.1 else lambda rng: rng.uniform(-3, 3)
    edges = []
    for head in range(nodes):
        items = [*"abcd", *(Node(below) for below in range(max(0, head - 3), head))]
        edges += [(head, rng.choices(items, k=rng.randint(0, 4)), score(rng)) for _ in range(rng.randint(1, 3))]
    rng.shuffle(edges)
    return Forest.of(edges, nodes - 1)


def ask(rng, graph):
    """Everything that can be asked of a graph, within limits; one refusal does not spare it the other questions."""
    order, scale, seed = rng.randint(1, 5), rng.choice((0.0, 1.0, -2.0, 1e-3, 1e290)), rng.getrandbits(20)
    table = NgramTable.of({tuple(rng.choices("abcdz", k=rng.randint(1, 3))): rng.uniform(-1, 1) for _ in range(5)})
    questions = (
        graph.best,
        graph.count,
        lambda: graph.kbest(
            rng.choice((0, 1, 7, 60)), distinct=rng.random() < 0.5, limit=rng.choice((1, 2000, 50_000))
        ),
        lambda: graph.paths(200),
        lambda: graph.sample(rng.randint(0, 20), seed=seed, scale=scale),
        lambda: graph.total(scale),
        lambda: graph.posteriors(scale),
        lambda: graph.expected_ngrams(order, limit=rng.choice((1, 20_000))),
        lambda: graph.ngram_posteriors(order, limit=rng.choice((1, 20_000))),
        lambda: graph.rescored(
            NgramGain(table, word=rng.uniform(-1, 1)), model=rng.choice((0.0, 1.0)), limit=20_000
        ).best(),
        lambda: graph.oracle(
            [sentence(rng, rng.randint(0, 12)) for _ in range(rng.randint(1, 2))], rng.choice(("grr", "wer", "wrr"))
        ),
        lambda: graph.oracle("a b c d e", "bleu"),
        lambda: graph.mbr(scale=abs(scale)),
    )
    for question in questions:
        with contextlib.suppress(TricoloreError):
            question()


def lattice(rng):
    """Questions to a random lattice, and to the forest of the same texts."""
    graph = random_lattice(rng)
    ask(rng, graph)
    ask(rng, Forest.of_lattice(graph))


def forest(rng):
    """Questions to a random forest."""
    ask(rng, random_forest(rng))


def whole_numbers(rng, size, low, high, kind=np.int32):
    return np.array([rng.randint(low, high) for _ in range(size)], kind)


def spoilt(rng, *given):
    """Arrays of which one, now and then, has a wrong number or a wrong size."""
    copies = [array.copy() for array in given]
    if rng.random() < 0.4:
        i = rng.randrange(len(copies))
        if rng.random() < 0.3:
            copies[i] = copies[i][: rng.randint(0, len(copies[i]))]
        elif len(copies[i]):
            wrong = rng.choice((-(2**31), -2, -1, 0, 1, 2, 7, 1000)) if copies[i].dtype != np.uint8 else 1
            copies[i][rng.randrange(len(copies[i]))] = wrong
    return copies


def arrays(rng):
    """Arrays that need not be a graph, given to the core itself: refused, or harmless."""
    words = 4
    lattice, forest = random_lattice(rng, states=rng.randint(1, 6)), random_forest(rng)
    of_lattice = spoilt(rng, lattice.sources, lattice.targets, lattice.labels, lattice.scores, lattice.finals)
    of_forest = spoilt(rng, forest.heads, forest.starts, forest.items, forest.scores)
    tokens = spoilt(
        rng, np.arange(len(lattice.words) + words), whole_numbers(rng, len(lattice.words) + words - 1, 0, 3)
    )
    ngrams = spoilt(rng, np.array([0, 1, 3, 6]), whole_numbers(rng, 6, 0, 3), numbers(rng, 3))
    nodes = forest.nodes + rng.choice((0, 0, 0, -1, 1))
    attempts = (
        lambda: _native.order_lattice(*of_lattice[:2], rng.randint(-1, 2), (of_lattice[4] > -np.inf).astype(np.uint8)),
        lambda: _native.order_forest(*of_forest[:3], nodes, rng.randint(-1, nodes)),
        *questions_to_lattice(rng, lambda: _native.Lattice(*of_lattice), tokens, ngrams),
        *questions_to_forest(rng, lambda: _native.ForestArrays(*of_forest, nodes), tokens, ngrams),
    )
    for attempt in attempts:
        with contextlib.suppress(ValueError, TypeError, OverflowError, MemoryError):
            attempt()


def questions_to_lattice(rng, made, tokens, ngrams):
    """What the core can do with a lattice."""
    starts, ids = tokens[0], tokens[1].clip(0).astype(np.uint32)
    reference = whole_numbers(rng, rng.randint(0, 5), 0, 4, np.uint32)
    return (
        lambda: made().best(),
        lambda: made().kbest(rng.randint(0, 9), rng.random() < 0.5, 1000, 1000),
        lambda: made().drawn(np.random.default_rng(0).random((3, rng.randint(0, 9)))),
        lambda: made().longest(),
        lambda: made().posteriors(),
        lambda: made().expected_ngrams(rng.randint(-1, 4), 1000),
        lambda: made().ngram_posteriors(rng.randint(-1, 4), 1000),
        lambda: made().split(*ngrams, 0.5, 1000),
        lambda: made().recognise(starts, ids, reference, rng.randint(-1, 5), 1.0, rng.choice((0.0, 0.5))),
    )


def questions_to_forest(rng, made, tokens, ngrams):
    """What the core can do with a forest."""
    reference = whole_numbers(rng, rng.randint(0, 5), 0, 4)
    derivation = np.array([0, 2], np.int64), whole_numbers(rng, 2, -1, 5)
    return (
        lambda: made().best(),
        lambda: made().kbest(rng.randint(0, 9), rng.random() < 0.5, 1000),
        lambda: made().sample(rng.choice((0.0, 1.0)), rng.randint(0, 9), stream(1)),
        lambda: made().all(50),
        lambda: made().read(*derivation),
        lambda: made().branching(rng.choice((0.0, 1.0, -1.0))),
        lambda: made().best_recognised(*tokens, reference, rng.randint(-1, 5), 1.0, 0.5, 10_000),
        lambda: made().ngrams(rng.randint(0, 4), 1.0, 1000, rng.random() < 0.5),
        lambda: made().rescored(0.5, *ngrams, 1.0, 1000),
    )


# Files -------------------------------------------------------------------------------------------------------


def mutated(rng, content):
    """A file with some bytes changed, left out, doubled or moved."""
    for _ in range(rng.choice((0, 1, 1, 3, 12))):
        a, b = sorted(rng.choices(range(len(content) + 1), k=2))
        b = min(b, a + rng.choice((1, 1, 8, 1000)))
        piece = rng.choice(
            (b"", b"-1", b"99999999999", b"\n", b" ", b"\0", b"\xff", content[a:b] * 2, b"nan", b"0", b"(", b"'")
        )
        content = content[:a] + piece + content[b:]
    return content


def writable(rng, name):
    """A graph that a format can hold."""
    if FORMATS[name].holds_forests:
        return random_forest(rng)
    if name != "confusion":
        return random_lattice(rng, odd_words=([], [None], ["中", "'", "\\"]))
    # A confusion network has columns, and ends with the last of them.
    columns = range(rng.randint(1, 5))
    return Lattice.of(
        [(i, i + 1, rng.choice(("a", "b", None)), -1.0) for i in columns for _ in "ab"], 0, [len(columns)]
    )


def files(rng):
    """Graphs written in a format, changed at random, and read again."""
    name = rng.choice([*FORMATS])
    content = "".join(written([writable(rng, name) for _ in range(rng.randint(1, 3))], name)).encode()
    with tempfile.NamedTemporaryFile(suffix=FORMATS[name].suffix) as file:
        Path(file.name).write_bytes(mutated(rng, content))
        how = {"format": rng.choice((name, name, None)), "scores": rng.choice((None, None, *SCALES))}
        for graph in read_graphs(file.name, **how):
            ask(rng, graph)


CASES = {
    case.__name__: case
    for case in (
        counting, columns, long_texts, learning, sharing, interrupting, reading, judging, tuning, lattice, forest,
        arrays, files,
    )
}  # fmt: skip
SELDOM = ("long_texts", "interrupting")  # they take most of the time


def run(name, seed):
    print(f"--case {name} --seed {seed}", flush=True)
    faulthandler.dump_traceback_later(SLOW, exit=True)
    with contextlib.suppress(TricoloreError):
        CASES[name](random.Random(f"{name} {seed}"))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60, help="how long to go on (60)")
    parser.add_argument("--seed", type=int, default=0, help="random seed of the first case (0)")
    parser.add_argument("--case", choices=CASES, help="run one case only, with this seed")
    given = parser.parse_args()
    if given.case:
        run(given.case, given.seed)
        return
    end, seed, done = time.monotonic() + given.seconds, given.seed, 0
    while time.monotonic() < end:
        for name in CASES if seed % 5 == 0 else CASES.keys() - set(SELDOM):
            run(name, seed)
            done += 1
        seed += 1
    print(f"{done} cases without a finding")


if __name__ == "__main__":
    main()
