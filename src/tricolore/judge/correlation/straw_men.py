"""Straw men: bad systems made from those present, to see whether a metric falls for them.

Systems that are all decent say little about what a metric would do with translations that are far too short or far too
long. Chiang and DeNeefe saw a metric that rewards superfluous words without bound agree better with human ratings than
one that punishes them, and suggested data with a few straw-man systems in it.

D. Chiang, S. DeNeefe. USC/ISI metric description: BLEU-SBP and 4-GRR. MetricsMATR 2008.
"""

from __future__ import annotations

import math
import random
from dataclasses import replace
from typing import TYPE_CHECKING

from ...errors import InputError
from ...parameters import checked
from ...tokenizers import tokenize
from .measures import check_choice
from .options import STRAW_MEN, StrawScore
from .rankings import Judgement, Rankings

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from .ratings import Ratings

#: Those that are made unless others are asked for.
USUAL = ("short", "long", "shuffled")

SHORT = 0.25  #: the share of the words that `short` keeps
SEVERAL = 3  #: how many outputs, or how many times one, make a `long` or `repeated` one


def straw_men(
    systems: Mapping[str, Sequence[str]], kinds: Sequence[str] = USUAL, *, seed: int = 12345
) -> dict[str, list[str]]:
    """Make a straw man of each kind; segment i is made from the output of system i modulo their number, and the next.

    - `short`: the first quarter of the words, at least one;
    - `long`: the outputs of three systems, one after the other (one of them again, where there are fewer);
    - `shuffled`: the words in random order, drawn with the seed;
    - `repeated`: the output three times.

    Text without spaces between words, such as Chinese, is cut into characters.

    >>> made = straw_men({"A": ["the cat sat on the mat", "yes"], "B": ["a cat", "no"]})
    >>> made["straw-short"], made["straw-long"]
    (['the', 'no'], ['the cat sat on the mat a cat the cat sat on the mat', 'no yes no'])
    """
    names = {kind: f"straw-{kind}" for kind in kinds}
    for kind in kinds:
        check_choice("straw man", kind, STRAW_MEN)
    for name in names.values():
        if name in systems:
            raise InputError(f"a system is called {name}, as a straw man would be; rename it")
    outputs = [list(output) for output in systems.values()]
    between = "" if _lacks_spaces(outputs) else " "
    draw = random.Random(seed)
    changes: dict[str, Callable[[list[list[str]]], list[str]]] = {
        "short": lambda said: said[0][: max(1, int(len(said[0]) * SHORT))],
        "long": lambda said: [word for words in said for word in words],
        "shuffled": lambda said: draw.sample(said[0], len(said[0])),
        "repeated": lambda said: said[0] * SEVERAL,
    }
    made: dict[str, list[str]] = {}
    for kind, name in names.items():
        made[name] = []
        for i in range(len(outputs[0])):
            chosen = [outputs[(i + k) % len(outputs)][i] for k in range(SEVERAL)]
            said = [list(text.replace(" ", "")) if not between else text.split() for text in chosen]
            made[name].append(between.join(changes[kind](said)))
    return made


def with_straw_men(
    systems: Mapping[str, list[str]],
    ratings: Mapping[str, Ratings | Rankings],
    kinds: Sequence[str],
    score: str | float,
    seed: int,
) -> tuple[dict[str, list[str]], dict[str, Ratings | Rankings], tuple[str, ...]]:
    """Add straw men to the outputs and to the ratings of each group; also return their names.

    In rankings they come last, and `score` is not used.
    """
    made = straw_men(systems, kinds or USUAL, seed=seed)
    rated: dict[str, Ratings | Rankings] = {}
    for name, one in ratings.items():
        more = ranked_straw_men(one, [*made]) if isinstance(one, Rankings) else rated_straw_men(one, [*made], score)
        rated[name] = replace(more, settings=f"{more.settings}|straw_seed:{seed}")
    return {**systems, **made}, rated, tuple(made)


def _lacks_spaces(outputs: Sequence[Sequence[str]]) -> bool:
    """Whether much of the text is in a script that is written without spaces."""
    sample = "\n".join(outputs[0][:200])
    return not sample.isascii() and len(tokenize(sample, "universal")) > 3 * len(tokenize(sample, "13a"))


def rated_straw_men(ratings: Ratings, names: Sequence[str], score: str | float = "worst") -> Ratings:
    """Give straw men a human score on every segment that was rated.

    Nobody rated them, so this is an assumption, and a parameter: `worst` is the lowest rating of all,
    `segment` the lowest of any output of the same segment, a number is that number.
    """
    score = checked("straw_score", score, StrawScore())
    worst = _worst(ratings, score)
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
    """Put straw men below every system that was ranked on a segment; of two straw men neither is better."""
    ranked: dict[tuple[str, str], None] = {}
    for one in ratings.judgements:
        ranked |= dict.fromkeys([(one.segment, one.first), (one.segment, one.second)])
    below = [Judgement(segment, system, name, 1) for name in names for segment, system in ranked]
    return replace(
        ratings,
        systems=(*ratings.systems, *names),
        judgements=(*ratings.judgements, *below),
        settings=f"straw:{'+'.join(names)}=last",
        made_up=len(below),
    )


def _worst(ratings: Ratings, score: str | float) -> dict[str, float]:
    """The score of a straw man on each segment that was rated."""
    by_segment: dict[str, float] = {}
    for (_, segment), value in ratings.cells.items():
        by_segment[segment] = min(value, by_segment.get(segment, math.inf))
    if not by_segment:
        raise InputError(f"{ratings.path}: rates nothing, so there is nothing that straw men could be worse than")
    if score == "segment":
        return by_segment
    return dict.fromkeys(by_segment, min(by_segment.values()) if isinstance(score, str) else score)
