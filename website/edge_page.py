"""The page of edge cases: what every metric makes of empty, short, repeated and huge texts."""

from __future__ import annotations

from tricolore.metrics import NAMES, metric
from tricolore.rendering import markdown_table
from tricolore.results import Table

#: What people stumble over: a hypothesis and its reference.
EDGES = {
    "empty hypothesis": ("", "a b c"),
    "empty reference": ("a b c", ""),
    "both empty": ("", ""),
    "one word, the same": ("a", "a"),
    "one word, another": ("a", "b"),
    "repeated words": ("the the the the the the", "the the"),
    "Thai": ("ภาษาไทยไม่มีช่องว่าง", "ภาษาไทยไม่มีวรรค"),
    "Chinese": ("今天天气很好", "今天天气不错"),
    "5,000 words": (" ".join(f"w{i % 700}" for i in range(5000)), " ".join(f"w{i % 701}" for i in range(5100))),
}


def edge_scores(name: str) -> list[float]:
    """The score of one metric at every edge."""
    made = metric(name)
    return [float(made([hyp], [ref])) for hyp, ref in EDGES.values()]


def edge_page() -> str:
    """The score of every metric, as it comes, at every edge."""
    names = {"empty hypothesis": "hypothesis empty", "empty reference": "reference empty"}
    rows = []
    for name in NAMES:
        rows.append([f"[`{name}`](metrics/{name}.md)", *(f"{score:.4g}" for score in edge_scores(name))])
    table = markdown_table(Table(["metric", *(names.get(edge, edge) for edge in EDGES)], rows))
    repeated = EDGES["repeated words"]
    return "\n".join(
        [
            "# At the edges",
            "",
            "Made by `make pages` from the code. What every metric, with its defaults, makes of one segment; the",
            "contract test (`tests/test_contract.py`) holds every metric to its row. Values are the metrics' own",
            "(0 to 1, not multiplied by 100; NIST in bits). No metric ever returns something that is not a number.",
            "Nothing to score at all (no segment) is an error.",
            "",
            table,
            "",
            "- *Hypothesis empty*: nothing is right. In a corpus it still adds the length of its reference. To an",
            "  error rate every word of the reference is an error; to `grr` each costs β.",
            "- *Reference empty*: nothing can match, and there is no brevity penalty. To an error rate every word is",
            "  wrong, and the rate is 1; `grr` is 0, but in a corpus every word costs α. What several references",
            "  mean, empty ones too, is `multi_ref` of each metric.",
            "- *One word*: unsmoothed orders above 1 are 0 (`bleu`; see its `short`). METEOR of 2005 takes off half",
            "  for a single chunk of one word. Where no word matches, smoothing by number (`doc-bleu`) gives what the",
            "  paper gives.",
            f'- *Repeated words*: "{repeated[0]}" against "{repeated[1]}". Rates may exceed 1, `wrr` and `grr`',
            "  may be negative; `ribes` finds no word whose place is certain.",
            "- *Thai* and *Chinese*: hypothesis and reference differ in a part. Metrics that cut at white space or as",
            "  `13a` (those equal to sacreBLEU, jiwer or mteval) see one long word: set `tokenize=universal`. Others",
            "  read every script by default.",
            "- *5,000 words*: two texts that drift apart. All take well under a second, TER about one. Time grows in",
            "  proportion to the length for n-grams, words and letters (the BLEU family, NIST, GLEU, ROUGE-N, chrF,",
            "  PER and their like) and with its square for the others, though 64 words at a time for edits and",
            "  subsequences; `lebleu` samples long texts. Memory grows in proportion, but for a bit a pair of words in",
            "  TER and a number for every stretch of two or more equal words in `gtm` with e > 1.",
            "  `gtm(e=2, method=exact)` refuses a segment with too many ways to match, TER one of more than a",
            "  billion pairs of words; the error names the segment.",
            "- White space only is the same as empty. Lone surrogates, NUL and emoji are characters like any other",
            "  (MeCab and SentencePiece refuse a lone surrogate; MeCab ends a text at a NUL, as in sacreBLEU). Files",
            "  must not have NUL in them; see [files](files.md).",
            "",
        ]
    )
