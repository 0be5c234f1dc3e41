"""What each command prints with `-f json`, key by key; website/schemas.py makes schemas and a page of it.

Keys are written as `key: (what it is, a description)`; a question mark after a key means that it may be missing.
"""

from __future__ import annotations

from typing import Any

Schema = dict[str, Any]

# What there is in JSON --------------------------------------------------------------------------------------------


def kind(*names: str) -> Schema:
    """A value of one type, or of one of several."""
    return {"type": names[0] if len(names) == 1 else [*names]}


NUMBER, WHOLE, TEXT, TRUTH = kind("number"), kind("integer"), kind("string"), kind("boolean")
NUMBER_OR_NULL, TEXT_OR_NULL, WHOLE_OR_NULL = kind("number", "null"), kind("string", "null"), kind("integer", "null")
SHARE = {"type": "number", "minimum": 0, "maximum": 1}
SHARE_OR_NULL = {"type": ["number", "null"], "minimum": 0, "maximum": 1}
SEGMENT = {"type": "integer", "minimum": 1}
COUNT = {"type": "integer", "minimum": 0}
VERSION = {"type": "string", "pattern": "^tricolore-"}
PAIR_OF_NUMBERS = {"type": "array", "items": NUMBER, "minItems": 2, "maxItems": 2}


def one_of(*values: str | None) -> Schema:
    """One of several texts, or null."""
    return {"enum": [*values]}


def listed(items: Schema, least: int = 0) -> Schema:
    """A list."""
    return {"type": "array", "items": items} | ({"minItems": least} if least else {})


def named(values: Schema) -> Schema:
    """An object whose keys are names of the user's: systems, features, sets."""
    return {"type": "object", "additionalProperties": values}


def keys(fields: dict[str, tuple[Schema, str]], others: Schema | None = None) -> Schema:
    """An object with these keys and no others, unless `others` says what these are."""
    properties = {key.rstrip("?"): {**what, "description": about} for key, (what, about) in fields.items()}
    needed = [key for key in fields if not key.endswith("?")]
    return {"type": "object", "properties": properties, "required": needed, "additionalProperties": others or False}


# What several commands have in common -----------------------------------------------------------------------------

SIGNATURE = (TEXT, "everything needed to reproduce the number, item by item")
METRIC = (TEXT, "the metric as typed, such as bleu(order=2)")
HIGHER = (TRUTH, "whether higher is better")
NOTES = (listed(TEXT), "notes on how to read the numbers")

#: The items of signatures, which every object of a score has, too; metrics have their own.
ITEM = kind("string", "integer", "number")
SCORED = {
    "name": (TEXT, "title of the metric, such as chrF2++"),
    "score": (NUMBER, "the score in points, as printed: BLEU from 0 to 100"),
    "signature": SIGNATURE,
    "verbose_score": (TEXT, "the parts of the score as printed; may be empty"),
    "metric": METRIC,
    "value": (NUMBER, "the score on the metric's own scale: BLEU from 0 to 1"),
    "scale": ({"type": "number", "exclusiveMinimum": 0}, "score divided by value"),
    "version": (VERSION, "the program"),
}
CONFIDENCE = {
    "confidence_mean?": (NUMBER, "mean over the resamples, in points"),
    "confidence_var?": (NUMBER, "half the width of the interval, in points (sacreBLEU's key)"),
    "confidence?": (TEXT, "the interval as printed"),
    "confidence_low?": (NUMBER, "lower end of the interval, in points"),
    "confidence_high?": (NUMBER, "upper end of the interval, in points"),
    "confidence_level?": (SHARE, "confidence level of the interval"),
}
TESTED = {"p_value?": (SHARE_OR_NULL, "p-value of the difference from the first system; null for the first itself")}
SCORE = keys({"system": (TEXT, "the system"), **SCORED, **CONFIDENCE, **TESTED}, ITEM)
SEGMENT_SCORE = keys(
    {
        "system": (TEXT, "the system"),
        "segment": (SEGMENT, "number of the segment, from 1"),
        "metric": METRIC,
        "score": (NUMBER_OR_NULL, "the score of the segment, in points"),
        "signature": SIGNATURE,
        "hypothesis?": (TEXT, "the output, with --texts"),
        "references?": (listed(TEXT), "its references, with --texts"),
    }
)
GROUP_SCORE = keys(
    {
        "segments": (COUNT, "number of segments"),
        **SCORED,
        "confidence_low?": (NUMBER_OR_NULL, "lower end of the interval, in points"),
        "confidence_high?": (NUMBER_OR_NULL, "upper end of the interval, in points"),
    },
    kind("string", "integer", "number", "boolean", "null"),
)

COMPARED_SYSTEM = keys(
    {
        "system": (TEXT, "the system"),
        "score": (NUMBER, "its score, in points; with several runs their mean"),
        "low": (NUMBER_OR_NULL, "lower end of the interval"),
        "high": (NUMBER_OR_NULL, "upper end of the interval"),
        "mean": (NUMBER_OR_NULL, "mean over the resamples"),
        "deviation": (NUMBER_OR_NULL, "standard deviation over the resamples"),
        "cluster": (WHOLE_OR_NULL, "cluster, from 1; systems of one cluster do not differ significantly"),
        "runs": (
            listed(keys({"run": (TEXT, "the run"), "score": (NUMBER, "its score, in points")}), 1),
            "optimiser runs",
        ),
        "s_sel": (NUMBER_OR_NULL, "standard deviation due to the choice of segments"),
        "s_opt": (NUMBER_OR_NULL, "standard deviation between runs"),
        "median_run": (TEXT_OR_NULL, "the run with the median score"),
    }
)
COMPARED_PAIR = keys(
    {
        "first": (TEXT, "the better system"),
        "second": (TEXT, "the other one"),
        "difference": (NUMBER, "first minus second, in points"),
        "low": (NUMBER_OR_NULL, "lower end of the interval of the difference"),
        "high": (NUMBER_OR_NULL, "upper end of it"),
        "effect": (NUMBER_OR_NULL, "the difference divided by its standard error"),
        "p": (SHARE, "p-value"),
        "p_holm": (SHARE, "p-value corrected for all pairs of the metric (Holm)"),
        "flips?": (SHARE, "share of resamples in which the order is reversed, with the bootstrap"),
        "p_runs?": (SHARE_OR_NULL, "p-value of the stratified test, with several runs"),
    }
)
COMPARISON = keys(
    {
        "segments": (WHOLE_OR_NULL, "number of segments; null where there are only scores of systems"),
        "left_out": (COUNT, "segments left out because a score is missing"),
        "test": (one_of("ar", "bs"), "paired test: approximate randomisation or bootstrap"),
        "trials": (WHOLE_OR_NULL, "shuffles of approximate randomisation"),
        "resamples": (COUNT, "bootstrap resamples"),
        "level": (SHARE, "confidence level"),
        "seed": (COUNT, "random seed"),
        "baseline": (TEXT_OR_NULL, "the system that all others were tested against; null for all pairs"),
        "compat": (one_of(None, "sacrebleu"), "whose arithmetic was used"),
        "runs_as": (one_of("units", "stratified"), "how several runs of a system are tested"),
        "metrics": (
            listed(
                keys(
                    {
                        "name": (TEXT, "title of the metric"),
                        "metric": METRIC,
                        "signature": SIGNATURE,
                        "higher_is_better": HIGHER,
                        "scale": (NUMBER, "what values were multiplied by"),
                        "least_p": (SHARE_OR_NULL, "the smallest p-value possible"),
                        "arrangements": (
                            kind("string", "integer", "null"),
                            "how many ways there are to swap runs; null with one run each",
                        ),
                        "least_p_stratified": (SHARE_OR_NULL, "the smallest p-value of the stratified test"),
                        "systems": (listed(COMPARED_SYSTEM, 1), "systems, best first"),
                        "pairs": (listed(COMPARED_PAIR), "tested pairs"),
                    }
                ),
                1,
            ),
            "results by metric",
        ),
    }
)

EDITS = {
    "hits": (COUNT, "equal words"),
    "substitutions": (COUNT, "substituted words"),
    "insertions": (COUNT, "inserted words"),
    "deletions": (COUNT, "deleted words"),
}
OPERATION = keys(
    {
        "kind": (one_of("equal", "substitute", "insert", "delete"), "the operation"),
        "hyp_start": (COUNT, "first word in the hypothesis, from 0"),
        "hyp_end": (COUNT, "the word after the last"),
        "ref_start": (COUNT, "first word in the reference, from 0"),
        "ref_end": (COUNT, "the word after the last"),
    }
)
ALIGNED_SEGMENT = keys(
    {
        "segment": (SEGMENT, "number of the segment, from 1"),
        **EDITS,
        "rate": (NUMBER_OR_NULL, "error rate of the segment, in points"),
        "signature": SIGNATURE,
        "hypothesis": (listed(TEXT), "words (or characters) of the hypothesis"),
        "reference": (listed(TEXT), "words (or characters) of the reference"),
        "operations": (listed(OPERATION), "what turns the reference into the hypothesis"),
    }
)
ALIGNMENT_KEYS = {**SCORED, **EDITS, "segments": (listed(ALIGNED_SEGMENT), "segments")}

ORANGE_METRIC = keys(
    {
        "name": (TEXT, "title of the metric"),
        "metric": METRIC,
        "orange": (NUMBER_OR_NULL, "ORANGE, in percent; lower is better"),
        "average_rank": (NUMBER_OR_NULL, "average rank of the references"),
        "interval": (listed(NUMBER_OR_NULL), "interval of the rank, low and high"),
        "orange_interval": (listed(NUMBER_OR_NULL), "interval of ORANGE, low and high"),
        "level": (SHARE, "confidence level"),
        "verdict": (TEXT, "best, not shown worse or worse"),
        "sources": (COUNT, "number of sources"),
        "signature": SIGNATURE,
    }
)

VERDICT = keys(
    {
        "metric": METRIC,
        "property": (TEXT, "the property"),
        "holds": (kind("boolean", "null"), "whether the metric has it; null for a measurement"),
        "number": (NUMBER_OR_NULL, "the number behind the verdict"),
        "shown": (TEXT, "the number as printed in the summary"),
        "sentence": (TEXT, "the verdict in words"),
    }
)


def section(**fields: tuple[Schema, str]) -> Schema:
    """A section of an audit."""
    return keys({"verdicts": (listed(VERDICT), "verdicts"), "notes": NOTES, **fields})


def facts(**fields: Schema | tuple[Schema, str]) -> Schema:
    """A list of objects whose keys the page on results explains."""
    told = {key: what if isinstance(what, tuple) else (what, key.replace("_", " ")) for key, what in fields.items()}
    return listed(keys(told))


DAMAGED_SYSTEM = (TEXT, "the system whose outputs were damaged")
AUDIT_SECTIONS = {
    "decomposability?": (
        section(
            reversals=(
                facts(
                    metric=TEXT,
                    tried=(COUNT, "test sets tried"),
                    reversed=(COUNT, "test sets whose order is reversed"),
                    tied=(COUNT, "test sets on which both systems have the same score"),
                    worst=(
                        {"anyOf": [kind("null"), keys({
                            "better": (TEXT, "better on every segment"),
                            "preferred": (TEXT, "preferred by the corpus score"),
                            "better_score": (NUMBER, "corpus score of the better one"),
                            "preferred_score": (NUMBER, "corpus score of the other"),
                            "gap": (NUMBER, "their difference"),
                            "segments": (listed(SEGMENT), "the segments"),
                        })]},
                        "the worst reversal; null if there is none",
                    ),
                ),
                "where the corpus score contradicts all segment scores",
            ),
            sacrifices=(
                facts(
                    metric=TEXT,
                    system=TEXT,
                    score=NUMBER,
                    raised=(NUMBER, "the score after making segments worse"),
                    gain=NUMBER,
                    share=(SHARE, "share of segments made worse"),
                    kinds=(
                        keys(dict.fromkeys(("empty", "truncate", "pad", "swap"), (COUNT, "segments"))),
                        "segments by how they were made worse",
                    ),
                    offered=(COUNT, "segments of which there is a worse variant"),
                    exact=(TRUTH, "whether all combinations were tried"),
                    emptied_gain=(NUMBER_OR_NULL, "gain by emptying the worst 7 % of segments; null if that is none"),
                    curve=(listed(PAIR_OF_NUMBERS), "share of emptied segments and score"),
                    path=(listed(PAIR_OF_NUMBERS), "share of segments made worse and score"),
                    examples=(
                        facts(
                            segment=SEGMENT, kind=TEXT, before=TEXT, after=TEXT, score_before=NUMBER, score_after=NUMBER
                        ),
                        "segments made worse",
                    ),
                ),
                "how far making single segments worse makes the score better",
            ),
            choices=(
                facts(
                    metric=TEXT,
                    systems=listed(TEXT),
                    by_segment=(NUMBER, "score if the better output of each segment is chosen"),
                    by_corpus=(NUMBER, "score that a search finds"),
                    gap=NUMBER,
                    differ=(COUNT, "segments on which the choices differ"),
                    distinct=(COUNT, "segments on which the statistics of the two outputs differ"),
                    exact=TRUTH,
                ),
                "choices between two systems, segment by segment",
            ),
            influences=(
                facts(metric=TEXT, system=TEXT, segment=SEGMENT, influence=NUMBER, score=NUMBER, text=TEXT),
                "the score minus the score without a segment, as printed: above 0 it raises the score",
            ),
        ),
        "is a better segment always good for the corpus score?",
    ),
    "permutations?": (
        section(
            system=DAMAGED_SYSTEM,
            orders=(
                facts(
                    metric=TEXT,
                    method=(one_of("closed form", "search"), "how orders were counted"),
                    segments=COUNT,
                    quantiles=(listed(NUMBER_OR_NULL), "lowest, quartiles and highest, log10"),
                    bounds=(listed(one_of("exact", "about", "at least")), "what each of these is to the true number"),
                    histogram=listed(COUNT),
                    several=(SHARE, "share of segments with another such order"),
                    exact=(SHARE, "share of segments counted exactly"),
                    random=(SHARE_OR_NULL, "share of random orders that score as well"),
                    examples=(
                        facts(segment=SEGMENT, text=TEXT, score=NUMBER, reordered=TEXT, reordered_score=NUMBER),
                        "other orders that score the same or better",
                    ),
                ),
                "orders of the words that score the same or better",
            ),
        ),
        "how many orders of the words does the metric accept?",
    ),
    "sensitivity?": (
        section(
            system=DAMAGED_SYSTEM,
            responses=(
                facts(
                    metric=TEXT,
                    damage=TEXT,
                    score=(NUMBER, "without damage"),
                    shares=listed(SHARE),
                    damaged=listed(SHARE),
                    segments=(listed(COUNT), "damaged segments at each share"),
                    scores=listed(NUMBER),
                    p_values=(listed(SHARE), "of the two-sided paired test"),
                    testable=(TRUTH, "whether enough segments are damaged for a test to detect it"),
                    detected=(NUMBER_OR_NULL, "the least share that is detected"),
                    detected_words=(NUMBER_OR_NULL, "the same as a share of all words"),
                    monotone=TRUTH,
                    rewarded=TRUTH,
                ),
                "how each metric responds to each kind of damage",
            ),
            examples=(facts(damage=TEXT, segment=SEGMENT, before=TEXT, after=TEXT), "damaged segments"),
        ),
        "what damage does the metric detect?",
    ),
    "biases?": (
        section(
            system=DAMAGED_SYSTEM,
            biases=(
                facts(
                    metric=TEXT,
                    length=NUMBER_OR_NULL,
                    length_p=(NUMBER_OR_NULL, "p-value of the correlation with length, two-sided"),
                    reference_length=NUMBER_OR_NULL,
                    position=NUMBER_OR_NULL,
                    references=NUMBER_OR_NULL,
                    with_references=listed(NUMBER),
                    lowercased=NUMBER_OR_NULL,
                    decomposed=NUMBER_OR_NULL,
                    tokenisers=named(NUMBER_OR_NULL),
                    reordered=WHOLE_OR_NULL,
                    ordered=(COUNT, "pairs of systems that the metric orders with its own tokeniser"),
                ),
                "correlation with lengths and position, change by references, case, Unicode and tokenisers",
            ),
            agreements=(
                facts(first=TEXT, second=TEXT, segments=NUMBER_OR_NULL, systems=NUMBER_OR_NULL),
                "correlation of metrics with each other",
            ),
            clusters=(listed(listed(TEXT)), "metrics that agree"),
            sampled=(COUNT, "segments that were cut by every tokeniser"),
        ),
        "what else moves the score?",
    ),
    "straw-men?": (
        section(
            ranks=(
                facts(metric=TEXT, name=TEXT, score=NUMBER, rank=SEGMENT, systems=COUNT, above=listed(TEXT)),
                "where deliberately bad systems rank",
            )
        ),
        "do bad systems rank last?",
    ),
}  # fmt: skip

LEVEL, STATISTIC = one_of("system", "segment"), (TEXT, "the statistic, such as kendall-b")
GROUPING = (one_of("", "segment", "system", "pooled"), "how segment scores are grouped; empty at system level")
MEASURED = {"level": (LEVEL, "system or segment"), "statistic": STATISTIC, "by": GROUPING}
AGREEMENT = keys(
    {
        "metric": METRIC,
        **MEASURED,
        "value": (NUMBER_OR_NULL, "the statistic; perfect agreement is 1"),
        "low": (NUMBER_OR_NULL, "lower end of the interval"),
        "high": (NUMBER_OR_NULL, "upper end of the interval"),
        "interval": (TEXT_OR_NULL, "kind of interval"),
        "corrected": (NUMBER_OR_NULL, "the value without the noise of segments"),
        "human_reliability": (NUMBER_OR_NULL, "reliability of the ratings"),
        "metric_reliability": (NUMBER_OR_NULL, "reliability of the metric's scores"),
        "groups": (COUNT, "groups that were averaged"),
        "undefined": (COUNT, "groups without a value"),
        "points": (COUNT, "points"),
        "pairs": (COUNT, "pairs of points"),
        "epsilon": (NUMBER_OR_NULL, "calibrated difference that counts as a tie"),
        "tied": (NUMBER_OR_NULL, "share of pairs that are ties by it"),
        "with_straw_men?": (NUMBER_OR_NULL, "the value with straw men"),
        "with_straw_men_low?": (NUMBER_OR_NULL, "lower end of its interval"),
        "with_straw_men_high?": (NUMBER_OR_NULL, "upper end of its interval"),
        "change?": (NUMBER_OR_NULL, "change of the value by straw men"),
        "signature": SIGNATURE,
        "by_table?": (
            facts(table=TEXT, value=NUMBER_OR_NULL, points=COUNT, pairs=COUNT),
            "the value in each table, where there are several",
        ),
    }
)
RATED_TABLE = keys(
    {
        "name": (TEXT, "name of the table; empty if there is one"),
        "systems": (listed(TEXT), "systems"),
        "segments": (WHOLE_OR_NULL, "number of segments"),
        "scores": (named(listed(NUMBER_OR_NULL)), "scores of the systems, by `human` and by metric"),
    }
)
CORRELATION = keys(
    {
        "people": (TEXT, "how ratings were read, as a signature"),
        "metrics": (
            listed(
                keys(
                    {
                        "name": METRIC,
                        "higher_is_better": HIGHER,
                        "signature": SIGNATURE,
                        "segment_signature?": (TEXT, "the signature of segment scores, where it is another"),
                    }
                ),
                1,
            ),
            "metrics",
        ),
        "tables": (
            keys({level: (listed(RATED_TABLE), "tables of system scores") for level in ("system", "segment")}),
            "tables by level",
        ),
        "agreements": (listed(AGREEMENT), "agreement of each metric by each statistic"),
        "tests?": (
            listed(
                keys(
                    {
                        **MEASURED,
                        "clusters": (
                            facts(metric=TEXT, value=NUMBER_OR_NULL, cluster=WHOLE_OR_NULL),
                            "metrics, best first",
                        ),
                        "differences": (
                            facts(metric=TEXT, other=TEXT, difference=NUMBER, p=SHARE_OR_NULL, p_holm=SHARE_OR_NULL),
                            "pairs of metrics",
                        ),
                        "over?": (TEXT_OR_NULL, "what the permutation test swaps"),
                        "least_p?": (SHARE_OR_NULL, "the smallest p-value possible"),
                        "signature": SIGNATURE,
                    }
                )
            ),
            "tests between metrics, with --test",
        ),
        "straw_men?": (
            facts(
                table=TEXT, system=TEXT, metric=TEXT, score=NUMBER_OR_NULL, worst=NUMBER_OR_NULL, best=NUMBER_OR_NULL,
                beaten=COUNT, systems=COUNT,
            ),
            "straw men, with --straw-men",
        ),
        "notes": NOTES,
    }
)  # fmt: skip

SEARCH = keys(
    {
        "search": (TEXT, "the metrics searched"),
        "default": (TEXT, "the metric with its defaults"),
        "overall": (TEXT, "the choice for all groups and measures together"),
        "chosen": (
            facts(
                group=TEXT,
                measure=TEXT,
                metric=(TEXT, "the choice"),
                signature=SIGNATURE,
                dev=(NUMBER_OR_NULL, "its agreement on the dev sets"),
                default_dev=(NUMBER_OR_NULL, "that of the defaults"),
            ),
            "choices by group and measure",
        ),
        "held_out": (
            facts(
                set=TEXT,
                measure=TEXT,
                metric=(TEXT, "the choice"),
                default=(NUMBER_OR_NULL, "agreement of the defaults"),
                chosen=(NUMBER_OR_NULL, "agreement of the choice"),
                overall=(NUMBER_OR_NULL, "agreement of the overall choice"),
                p=(SHARE_OR_NULL, "p-value of the choice against the defaults"),
            ),
            "agreement on sets that chose nothing",
        ),
        "test": (TEXT, "how the choice was tested, as a signature; empty without --test"),
        "notes": NOTES,
        "grid": (
            facts(set=TEXT, group=TEXT, held_out=TRUTH, metric=TEXT, measure=TEXT, value=NUMBER_OR_NULL),
            "agreement of every metric on every set",
        ),
    }
)

SET_SCORE = keys(
    {
        "mean": (NUMBER_OR_NULL, "mean of the runs, in points"),
        "std": (NUMBER_OR_NULL, "standard deviation of the runs"),
        "runs": (listed(NUMBER), "scores of the runs"),
        "p": (SHARE_OR_NULL, "p-value against the baseline"),
    }
)
TUNING = keys(
    {
        "baseline": (TEXT, "the row that p-values are against"),
        "signatures": (named(TEXT), "signature of the scores on each set"),
        "methods": (
            listed(
                keys(
                    {
                        "method": (TEXT, "the method; start for the initial weights"),
                        "scores": (named(SET_SCORE), "scores by set"),
                        "signature?": (TEXT, "parameters of the method"),
                        "runs": (
                            listed(
                                keys(
                                    {
                                        "seed": (WHOLE_OR_NULL, "random seed"),
                                        "weights": (named(listed(NUMBER)), "weights by feature"),
                                    }
                                ),
                                1,
                            ),
                            "runs",
                        ),
                    }
                ),
                1,
            ),
            "methods, or metrics",
        ),
        "warnings": (listed(TEXT), "warnings"),
    }
)

SIZE_KEYS = {
    "name": (TEXT, "file and number of the graph"),
    "states": (COUNT, "states, or nodes"),
    "arcs": (COUNT, "arcs, or edges"),
    "words": (COUNT, "distinct words"),
    "epsilon": (COUNT, "arcs without a word"),
    "best_words": (COUNT, "words of the best path"),
    "density": (NUMBER_OR_NULL, "arcs per word of the best path"),
    "best_score": (NUMBER_OR_NULL, "score of the best path"),
}
TOTAL_SIZE = keys({**SIZE_KEYS, "graphs": (COUNT, "number of graphs")})
SIZE = keys(
    {
        **SIZE_KEYS,
        "paths": (kind("integer", "null"), "number of paths; null if there are too many to write out"),
        "log10_paths": (NUMBER_OR_NULL, "its decimal logarithm"),
    }
)

CITATION = keys(
    {
        "key": (TEXT, "key of the entry"),
        "type": (one_of("inproceedings", "article", "book", "misc", "software"), "type of the entry"),
        "authors": (listed(TEXT, 1), "authors; `others` last stands for et al."),
        "title": (TEXT, "title"),
        "year": (WHOLE_OR_NULL, "year"),
        "venue": (TEXT, "venue, in short"),
        "place": (TEXT_OR_NULL, "proceedings or journal"),
        "volume": (WHOLE_OR_NULL, "volume"),
        "number": (WHOLE_OR_NULL, "number"),
        "pages": (TEXT_OR_NULL, "first and last page"),
        "publisher": (TEXT_OR_NULL, "publisher of a book"),
        "version": (TEXT_OR_NULL, "version of a program"),
        "url": (TEXT_OR_NULL, "where it can be read"),
        "text": (TEXT, "the citation in one line"),
        "bibtex": (TEXT, "the entry of BibTeX"),
        "for": (listed(TEXT, 1), "metrics and methods that it is cited for"),
    }
)

# What each command prints -----------------------------------------------------------------------------------------

#: By name: the command, what it is, and one schema or several alternatives.
SCHEMAS: dict[str, tuple[str, str, list[Schema]]] = {
    "score": (
        "tricolore score",
        "An object for one score, a list of objects for several. Each also has the items of its signature.",
        [SCORE, listed(SCORE, 2)],
    ),
    "score-segments": (
        "tricolore score -sl",
        "Scores of segments.",
        [keys({"segments": (listed(SEGMENT_SCORE, 1), "scores")})],
    ),
    "score-groups": (
        "tricolore score --by, --by-length, --table; tricolore spark score",
        "Scores of groups. Each also has the values of its group and the items of its signature.",
        [keys({"by": (listed(TEXT), "columns that make the groups"), "scores": (listed(GROUP_SCORE, 1), "scores")})],
    ),
    "compare": ("tricolore compare", "Systems, and the tests of pairs of them, by metric.", [COMPARISON]),
    "report": (
        "tricolore report",
        "What a report says.",
        [
            keys(
                {
                    "path": (TEXT, "the file"),
                    "title": (TEXT, "its title"),
                    "sentences": (listed(TEXT), "the result in words"),
                    "plots": (listed(TEXT), "files of pictures, with --plot"),
                    "comparison": (COMPARISON, "the comparison, as `tricolore compare` has it"),
                }
            )
        ],
    ),
    "correlate": ("tricolore correlate", "Agreement of metrics with human ratings.", [CORRELATION]),
    "search": ("tricolore search", "Parameters that agree best with human ratings.", [SEARCH]),
    "orange": (
        "tricolore orange",
        "A list of metrics; with --test an object of these and of tested pairs.",
        [
            listed(ORANGE_METRIC, 1),
            keys(
                {
                    "metrics": (listed(ORANGE_METRIC, 1), "metrics"),
                    "pairs": (
                        facts(
                            better=TEXT,
                            worse=TEXT,
                            difference=(NUMBER, "in percent"),
                            p=SHARE,
                            p_holm=SHARE,
                            signature=SIGNATURE,
                        ),
                        "paired tests between metrics",
                    ),
                }
            ),
        ],
    ),
    "audit": (
        "tricolore audit",
        "What metrics reward, miss, and how they can be gamed. Sections are there as asked for.",
        [
            keys(
                {
                    "metrics": (
                        facts(metric=METRIC, title=TEXT, signature=SIGNATURE, higher_is_better=HIGHER),
                        "metrics",
                    ),
                    "systems": (listed(TEXT, 1), "systems"),
                    "segments": (SEGMENT, "number of segments"),
                    "audited": (TEXT, "how it was audited, as a signature"),
                    "sections": (keys(AUDIT_SECTIONS), "sections"),
                }
            )
        ],
    ),
    "tune": ("tricolore tune", "Scores and weights of every method and run.", [TUNING]),
    "mbr": (
        "tricolore mbr --json",
        "One object per line, a line per source.",
        [
            keys(
                {
                    "source": (COUNT, "number of the source, from 0"),
                    "index": (COUNT, "number of the choice among the candidates, from 0"),
                    "text": (TEXT, "the choice"),
                    "score": (NUMBER_OR_NULL, "its expected score, in points"),
                    "candidates": (
                        facts(text=TEXT, score=(NUMBER_OR_NULL, "null if it was not computed"), probability=SHARE),
                        "all candidates",
                    ),
                }
            )
        ],
    ),
    "lattice": (
        "tricolore lattice stats",
        "Sizes of all graphs and their total; with --summary only the total.",
        [keys({"graphs": (listed(SIZE, 1), "graphs"), "all": (TOTAL_SIZE, "the total")}), TOTAL_SIZE],
    ),
    "align": (
        "tricolore align",
        "Edits between outputs and reference: of one system, or of several. Each also has the items of its signature.",
        [
            keys(ALIGNMENT_KEYS, ITEM),
            keys({"systems": (listed(keys({"system": (TEXT, "the system"), **ALIGNMENT_KEYS}, ITEM), 2), "systems")}),
        ],
    ),
    "sets": (
        "tricolore sets",
        "Test sets; with --echo the texts of one.",
        [
            keys(
                {
                    "folder": (TEXT, "the cache"),
                    "installed": (TRUTH, "whether the package sacrebleu is there, to fetch others"),
                    "sets": (
                        facts(
                            test_set=TEXT,
                            language_pair=TEXT,
                            cached=TRUTH,
                            segments=WHOLE_OR_NULL,
                            description=TEXT,
                            fields=listed(TEXT),
                        ),
                        "test sets by name and language pair",
                    ),
                }
            ),
            keys(
                {
                    "test_set": (TEXT, "the test set"),
                    "language_pair": (TEXT, "the language pair"),
                    "origlang?": (TEXT, "original language, if asked for"),
                    "subset?": (TEXT, "subset, if asked for"),
                    "fields": (listed(TEXT), "the fields asked for"),
                    "segments": (listed(keys({"segment": (SEGMENT, "from 1")}, TEXT)), "segments, with these fields"),
                }
            ),
        ],
    ),
    "metrics": (
        "tricolore metrics",
        "Metrics by family.",
        [
            named(
                facts(
                    name=(TEXT, "the name, as in -m"),
                    title=TEXT,
                    description=TEXT,
                    paper=TEXT,
                    aliases=(listed(TEXT), "other names"),
                    higher_is_better=HIGHER,
                )
            )
        ],
    ),
    "doctor": (
        "tricolore doctor",
        "What there is for Tricolore on this computer.",
        [
            keys(
                {
                    "tricolore": (TEXT, "version"),
                    "python": (TEXT, "version and implementation of Python"),
                    "system": (TEXT, "operating system and processor"),
                    "core": (TEXT, "what built the native core"),
                    "instructions": (TEXT_OR_NULL, "instructions that the core uses; null without a core"),
                    "numpy": (TEXT_OR_NULL, "version of NumPy; null if it is missing"),
                    "cores": (SEGMENT, "cores that are used"),
                    "cores_present": (SEGMENT, "cores that there are"),
                    "cores_bound": (SEGMENT, "cores that this process may use"),
                    "quota": (WHOLE_OR_NULL, "cores that its control group may use"),
                    "encoding": (TEXT, "encoding of files and names"),
                    "output_encoding": (TEXT, "encoding of standard output"),
                    "cache": (TEXT, "sacreBLEU's cache of test sets"),
                    "cached_sets": (COUNT, "test sets in it, by language pair"),
                    "packages": (
                        facts(
                            extra=(TEXT, "the extra that brings it"),
                            package=TEXT,
                            version=(TEXT_OR_NULL, "null if it is not installed"),
                            purpose=(TEXT, "what needs it"),
                            install=(TEXT, "the line that installs it"),
                        ),
                        "optional packages",
                    ),
                }
            )
        ],
    ),
    "cite": ("tricolore cite", "What to cite.", [keys({"citations": (listed(CITATION), "papers, each once")})]),
}  # fmt: skip
