"""What a comparison says, in plain words: which system is best, and whether that is certain."""

from __future__ import annotations

from collections.abc import Sequence

from ..judge.significance.comparison import Comparison, Judgement

#: Of more systems than this, the first few are named and the others counted.
NAMED = 5


def sentences(comparison: Comparison) -> list[str]:
    """A sentence per metric, and one on whether the metrics agree.

    >>> from tricolore import compare
    >>> refs = [f"sentence {i} has some more words" for i in range(30)]
    >>> good, bad = [f"sentence {i} has some words" for i in range(30)], [f"sentence {i}" for i in range(30)]
    >>> for one in sentences(compare({"good": good, "copy": good, "bad": bad}, refs, "chrf")):
    ...     print(one)
    chrF2: good and copy are best (77.6 and 77.6) and do not differ significantly; both beat bad (p < 0.001).
    """
    found = [f"{one.title}: {_sentence(comparison, one)}" for one in comparison.judgements]
    return [*found, *_agreement(comparison)]


def _sentence(comparison: Comparison, judgement: Judgement) -> str:
    """Who is best by one metric; p-values are corrected by Holm."""
    ranked = judgement.systems
    if len(ranked) == 1:
        interval = f"{100 * comparison.how.level:g} % interval {judgement.span(ranked[0].interval)}"
        return f"{ranked[0].name} scores {judgement.shown(ranked[0].score)} ({interval})."
    first = [one.name for one in ranked if one.cluster == ranked[0].cluster]
    others = [one.name for one in ranked if one.cluster != ranked[0].cluster]
    if len(first) == 1:
        return f"{first[0]} is best ({judgement.shown(ranked[0].score)}) and beats {_rest(judgement, first, others)}."
    scores = listed([judgement.shown(one.score) for one in ranked[: len(first)]])
    every = "neither is" if len(first) == 2 else "none of them is"
    if not others:
        best, score = _best(judgement), judgement.shown(ranked[0].score)
        if len(best) == len(ranked):
            return f"{listed(best)} have the same score ({score})."
        leads = f"{listed(best)} {'have' if len(best) > 1 else 'has'} the best score ({score})"
        return f"{leads}, but no system is significantly better than another: {every} certain to be best."
    both = "both beat" if len(first) == 2 else "all beat"
    unsure = [] if _all_beat(comparison, judgement, first, others) else others
    if unsure:
        names = f"{listed(first)} share the first cluster ({scores}): they do not differ significantly"
        return f"{names}; {ranked[0].name} {_beaten(comparison, judgement, ranked[0].name, others)}."
    names = f"{listed(first)} are best ({scores}) and do not differ significantly"
    return f"{names}; {both} {_rest(judgement, first, others)}."


def _best(judgement: Judgement) -> list[str]:
    """The system with the best score, or all that have it."""
    return [one.name for one in judgement.systems if one.score == judgement.systems[0].score]


def _all_beat(comparison: Comparison, judgement: Judgement, first: Sequence[str], others: Sequence[str]) -> bool:
    alpha = comparison.how.alpha
    return all(judgement.pair(a, b).p_adjusted < alpha for a in first for b in others)


def _beaten(comparison: Comparison, judgement: Judgement, best: str, others: Sequence[str]) -> str:
    """How many of the systems outside the first cluster the best one beats."""
    beaten = [name for name in others if judgement.pair(best, name).p_adjusted < comparison.how.alpha]
    if len(beaten) == len(others):
        return f"beats {_rest(judgement, [best], others)}"
    return f"beats {len(beaten)} of the {len(others)} others significantly"


def _rest(judgement: Judgement, first: Sequence[str], others: Sequence[str]) -> str:
    worst = max(judgement.pair(a, b).p_adjusted for a in first for b in others)
    names = listed(others) if len(others) <= NAMED else f"all {len(others)} others"
    return f"{names} ({shown_p(worst)})"


def shown_p(p: float) -> str:
    """A p-value in a sentence.

    >>> shown_p(0.0301), shown_p(0.0002)
    ('p = 0.030', 'p < 0.001')
    """
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}"


def listed(names: Sequence[str]) -> str:
    """Names in a sentence.

    >>> listed("ABC"), listed("ABCDEFG")
    ('A, B and C', 'A, B, C, D, E and 2 more')
    """
    if len(names) > NAMED + 1:
        return f"{', '.join(names[:NAMED])} and {len(names) - NAMED} more"
    return " and ".join(filter(None, [", ".join(names[:-1]), names[-1]]))


def _agreement(comparison: Comparison) -> list[str]:
    """Whether all metrics have the same best system; those by which several are equally good have none."""
    found = [one for one in comparison.judgements if len(_best(one)) == 1]
    if len(found) < 2 or len(comparison.names) < 2:
        return []
    among = "columns" if len(found) == len(comparison.judgements) else "columns without a tie"
    best: dict[str, list[str]] = {}
    for one in found:
        best.setdefault(one.systems[0].name, []).append(one.title)
    if len(best) == 1:
        return [f"All {len(found)} {among} agree that {next(iter(best))} scores best."]
    parts = [f"{name} by {listed(titles)}" for name, titles in best.items()]
    return [f"The {among} disagree on the best system: {'; '.join(parts)}."]
