"""Straw men: bad systems made from the real ones, to see whether a metric is fooled by them.

If all systems are decent, they say little about how a metric handles translations that are far too short or far too
long. Chiang and DeNeefe saw a metric that rewards superfluous words without bound agree better with human ratings than
one that penalises them, and suggested to add a few straw-man systems to the data.

D. Chiang, S. DeNeefe. USC/ISI metric description: BLEU-SBP and 4-GRR. MetricsMATR 2008.
"""

import math
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from ...errors import InputError
from ...parameters import checked
from ...tokenizers import are_spaced
from .measures import check_choice
from .options import STRAW_MEN, StrawScore
from .rankings import Judgement, Rankings
from .ratings import Ratings

#: The default ones.
USUAL = ("short", "long", "shuffled")

SHORT = 0.25  #: the fraction of the words that `short` keeps
SEVERAL = 3  #: the number of outputs, or of repetitions, in a `long` or `repeated` one


def straw_men(
    systems: Mapping[str, Sequence[str]],
    kinds: Sequence[str] = USUAL,
    *,
    seed: int = 12345,
    spaced: bool | None = None,
) -> dict[str, list[str]]:
    """Make a straw man of each kind; segment i is made from the output of system i modulo their number, and the next.

    - `short`: the first quarter of the words, at least one;
    - `long`: the outputs of three systems, one after the other (repeating them if there are fewer);
    - `shuffled`: the words in random order, by the random seed;
    - `repeated`: the output three times.

    Text without spaces between words, such as Chinese, is split into characters; `spaced` says whether it has any, by
    default as most of the outputs.

    >>> made = straw_men({"A": ["the cat sat on the mat", "yes"], "B": ["a cat", "no"]})
    >>> made["straw-short"], made["straw-long"]
    (['the', 'no'], ['the cat sat on the mat a cat the cat sat on the mat', 'no yes no'])
    """
    for kind in kinds:
        check_choice("straw man", kind, STRAW_MEN)
        if f"straw-{kind}" in systems:
            raise InputError(f"a system is called straw-{kind}, the name of a straw man; rename it")
    outputs = [list(output) for output in systems.values()]
    if spaced is None:
        spaced = are_spaced(text for output in outputs for text in output[:200])
    draw = random.Random(seed)
    changes: dict[str, Callable[[list[list[str]]], list[str]]] = {
        "short": lambda said: said[0][: max(1, int(len(said[0]) * SHORT))],
        "long": lambda said: [word for words in said for word in words],
        "shuffled": lambda said: draw.sample(said[0], len(said[0])),
        "repeated": lambda said: said[0] * SEVERAL,
    }
    made: dict[str, list[str]] = {}
    for kind in kinds:
        made[f"straw-{kind}"] = segments = []
        for i in range(len(outputs[0])):
            chosen = [outputs[(i + k) % len(outputs)][i] for k in range(SEVERAL)]
            said = [text.split() if spaced else list(text.replace(" ", "")) for text in chosen]
            segments.append((" " if spaced else "").join(changes[kind](said)))
    return made


def with_straw_men(
    systems: Mapping[str, list[str]],
    ratings: Mapping[str, Ratings | Rankings],
    kinds: Sequence[str],
    score: str | float,
    seed: int,
) -> tuple[dict[str, list[str]], dict[str, Ratings | Rankings], tuple[str, ...]]:
    """Add straw men to the outputs and to the ratings of each group; also return their names.

    In rankings they are last, and `score` is not used.
    """
    made = straw_men(systems, kinds or USUAL, seed=seed)
    rated: dict[str, Ratings | Rankings] = {}
    for name, one in ratings.items():
        more = ranked_straw_men(one, [*made]) if isinstance(one, Rankings) else rated_straw_men(one, [*made], score)
        rated[name] = replace(more, settings=f"{more.settings}|straw_seed:{seed}")
    return {**systems, **made}, rated, tuple(made)


def rated_straw_men(ratings: Ratings, names: Sequence[str], score: str | float = "worst") -> Ratings:
    """Give straw men a human score on every rated segment.

    The score is an assumption, and so a parameter: `worst` is the lowest rating of all, `segment` the lowest rating of
    the same segment, a number is that number.
    """
    score = checked("straw_score", score, StrawScore())
    worst: dict[str, float] = {}  # by segment
    for (_, segment), value in ratings.cells.items():
        worst[segment] = min(value, worst.get(segment, math.inf))
    if not worst:
        raise InputError(f"{ratings.path}: has no ratings, which straw men require")
    if score != "segment":
        worst = dict.fromkeys(worst, min(worst.values()) if isinstance(score, str) else score)
    shown = score if isinstance(score, str) else f"{score:g}"
    cells = {**ratings.cells}
    for name in names:
        cells |= {(name, segment): value for segment, value in worst.items()}
    return replace(
        ratings,
        systems=(*ratings.systems, *names),
        cells=cells,
        settings="|".join(filter(None, [ratings.settings, f"straw:{'+'.join(names)}={shown}"])),
    )


def ranked_straw_men(ratings: Rankings, names: Sequence[str]) -> Rankings:
    """Rank straw men below every system that was ranked on a segment, but not against each other."""
    ranked = dict.fromkeys((one.segment, name) for one in ratings.judgements for name in (one.first, one.second))
    below = [Judgement(segment, system, name, 1) for name in names for segment, system in ranked]
    return replace(
        ratings,
        systems=(*ratings.systems, *names),
        judgements=(*ratings.judgements, *below),
        settings=f"straw:{'+'.join(names)}=last",
        made_up=len(below),
    )
