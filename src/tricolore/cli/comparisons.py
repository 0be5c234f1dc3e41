"""Comparisons of systems in every form: tables for people, one table or JSON for programs."""

from __future__ import annotations

import math
import os
from typing import TYPE_CHECKING, Any

from ..printable import printable
from . import tables
from .printing import as_json, show

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ..judge.significance.comparison import Comparison, Judgement, Pair, System
    from ..judge.significance.intervals import Interval

    #: The files of each system's runs, by its name.
    Files = Mapping[str, Sequence[str]]


def print_comparison(found: Comparison, files: Files, form: str, width: int | None) -> None:
    """Print in the form asked for."""
    if form == "json":
        print(as_json(as_object(found, files), indent=1))
    elif form == "tsv":
        print_tsv(found)
    elif form == "text":
        print_text(found, files, width)
    else:
        print_markup(found, files, width, form)


# For people --------------------------------------------------------------------------------------------------------


def print_text(found: Comparison, files: Files, width: int | None) -> None:
    """Tables for the eye: several runs at a glance, then systems and pairs for each metric."""
    if has_runs(found):
        tables.text(*runs_table(found, width))
        print()
    for judgement in found.judgements:
        show(headline(found, judgement))
        print()
        tables.text(*systems_table(judgement, found, files, width))
        print()
        tables.text(*pairs_table(judgement, found, width))
        print()
    show(*notes(found))
    print()
    for judgement in found.judgements:
        show(judgement.signature)


def print_markup(found: Comparison, files: Files, width: int | None, form: str) -> None:
    """The same in Markdown or LaTeX."""
    markdown = form == "markdown"
    make = tables.markdown if markdown else tables.latex
    blocks = [make(*runs_table(found, width))] if has_runs(found) else []
    for judgement in found.judgements:
        blocks.append(printable(headline(found, judgement) if markdown else f"% {headline(found, judgement)}"))
        blocks.append(make(*systems_table(judgement, found, files, width)))
        blocks.append(make(*pairs_table(judgement, found, width)))
    lines = notes(found)
    blocks.append("\n".join(map(printable, lines if markdown else [f"% {line}" for line in lines])))
    signatures = [judgement.signature for judgement in found.judgements]
    blocks.append("\n".join(printable(f"- `{one}`" if markdown else f"% {one}") for one in signatures))
    print("\n\n".join(blocks))


def headline(found: Comparison, judgement: Judgement) -> str:
    """What the tables of one metric are about."""
    arrow = "" if judgement.higher_is_better else " ↓"
    known = judgement.title.lower() == judgement.name.lower()
    title = f"{judgement.title}{arrow}" + ("" if known else f" ({judgement.name})")
    left_out = f", {found.left_out:,} left out" if found.left_out else ""
    segments = "segment" if found.segments == 1 else "segments"
    return f"{title}: {len(judgement.systems)} systems, {found.segments:,} {segments}{left_out}"


def title_of(judgement: Judgement, found: Comparison) -> str:
    """A metric at the head of a column: its title, or what was asked for where others have the same title."""
    alike = sum(other.title == judgement.title for other in found.judgements)
    title = judgement.title if alike == 1 or judgement.title.lower() == judgement.name else judgement.name
    return title + ("" if judgement.higher_is_better else " ↓")


def has_runs(found: Comparison) -> bool:
    """Whether a system has several runs."""
    return any(len(system.runs) > 1 for system in found.judgements[0].systems)


def baseline_of(found: Comparison, names: Sequence[str]) -> str:
    """The system that others are compared with where one column must do."""
    return found.how.baseline or names[0]


def runs_table(found: Comparison, width: int | None) -> tuple[list[str], list[list[str]]]:
    """MultEval's table: score, and in brackets s_sel, s_opt and p against the baseline."""
    names = list(found.names)
    baseline = baseline_of(found, names)
    numbers = sorted({len(system.runs) for system in found.judgements[0].systems})
    header = [f"n={'/'.join(map(str, numbers))}"]
    header += [f"{title_of(one, found)} (s_sel/s_opt/p)" for one in found.judgements]
    rows = []
    for name in names:
        row = [name]
        for judgement in found.judgements:
            system = judgement.system(name)
            p = "-" if name == baseline else f"{judgement.pair(name, baseline).p:.2f}"
            score, s_sel, s_opt = (
                number(x, judgement, width) for x in (system.score, system.selection, system.optimisation)
            )
            row.append(f"{score} ({s_sel}/{s_opt}/{p})")
        rows.append(row)
    return header, rows


def systems_table(
    judgement: Judgement, found: Comparison, files: Files, width: int | None
) -> tuple[list[str], list[list[str]]]:
    """Systems from best to worst, with intervals and clusters."""
    clustered = judgement.systems[0].cluster is not None
    header = ["System", "Score", interval_title(found), *(["Cluster"] if clustered else [])]
    header += ["Runs", "s_sel", "s_opt", "Median run"] if has_runs(found) else []
    rows = []
    for system in judgement.systems:
        row = [system.name, number(system.score, judgement, width), span(system.interval, judgement, width)]
        if clustered:
            row.append(str(system.cluster))
        if has_runs(found):
            spread = [number(x, judgement, width) for x in (system.selection, system.optimisation)]
            row += [str(len(system.runs)), *spread, os.path.basename(files[system.name][system.median])]
        rows.append(row)
    return header, rows


def pairs_table(judgement: Judgement, found: Comparison, width: int | None) -> tuple[list[str], list[list[str]]]:
    """Differences with their intervals and p-values."""
    header = ["Difference", "", interval_title(found), "Effect", "p", "p (Holm)"]
    rows = []
    for pair in judgement.pairs:
        star = "*" if pair.p_adjusted < found.how.alpha else " "
        rows.append(
            [
                f"{pair.first} − {pair.second}",
                signed(pair.difference, judgement, width),
                span(pair.interval, judgement, width),
                "-" if math.isnan(pair.effect) else f"{pair.effect:+.1f}" if pair.effect else "0.0",
                f"{pair.p:.4f}",
                f"{pair.p_adjusted:.4f}{star}",
            ]
        )
    return header, rows


def notes(found: Comparison) -> list[str]:
    """A few lines on what the tables mean."""
    how = found.how
    number_of_pairs = len(found.judgements[0].pairs)
    pairs = f"all {number_of_pairs} pairs" if number_of_pairs > 1 else "the pair"
    alpha = f"{how.alpha:g}"
    chance = (
        "if the outputs of every segment are dealt out at random"
        if how.test == "ar"
        else "by the choice of segments (twice the share of resamples that flip its sign)"
    )
    lines = [
        f"p: how probable so large a difference is {chance}.",
        f"p (Holm) allows for {pairs}; * below {alpha}.",
        f"Interval: the middle {100 * how.level:g} % over {how.resamples:,} resamples of the segments. "
        "Effect: difference by its standard deviation there.",
    ]
    if found.judgements[0].averaged:
        lines.append(direction(found))
    if how.baseline is None:
        lines[1] += " No two systems of one cluster differ by it."
    least = number_of_pairs * found.judgements[0].least_p
    if least >= how.alpha:
        remedy = (
            "there are too few segments"
            if found.judgements[0].exact or found.segments == 1
            else "ask for more --trials"
        )
        lines.append(f"No p (Holm) can be below {min(least, 1):.2g} here, so that nothing is significant: {remedy}.")
    if has_runs(found):
        lines += [
            "Score: the mean over runs. s_sel: standard deviation by the choice of segments; s_opt: over runs.",
            f"p in brackets: against {baseline_of(found, list(found.names))}, with the runs of a system pooled.",
        ]
    if how.compat:
        tool = {"sacrebleu": "sacreBLEU", "multeval": "MultEval"}[how.compat]
        lines.append(
            f"compat:{how.compat}: p by the rule of {tool}, which does not count a tie as chance; "
            "a copy of a system has the least p there is. Without it, p = 1."
        )
    return lines


def direction(found: Comparison) -> str:
    """What scores from elsewhere are taken to mean."""
    up = [one.name for one in found.judgements if one.higher_is_better]
    text = "Scores of systems are means over segments"
    return f"{text}. More is taken as better for {', '.join(up)} (--lower-is-better)." if up else f"{text}."


def interval_title(found: Comparison) -> str:
    """What a column of intervals is called."""
    return f"{100 * found.how.level:g} % interval"


def number(value: float, judgement: Judgement, width: int | None) -> str:
    """A value as people expect to see it."""
    if math.isnan(value):
        return "-"
    digits = judgement.digits if width is None else width
    text = f"{value * judgement.scale:.{digits}f}"
    return text.removeprefix("-") if float(text) == 0 else text


def signed(value: float, judgement: Judgement, width: int | None) -> str:
    """A difference, with its sign."""
    text = number(value, judgement, width)
    return text if text.startswith("-") or float(text) == 0 else f"+{text}"


def span(interval: Interval, judgement: Judgement, width: int | None) -> str:
    """An interval; one segment has none."""
    if math.isnan(interval.low):
        return "-"
    return f"{number(interval.low, judgement, width)} to {number(interval.high, judgement, width)}"


# For programs ------------------------------------------------------------------------------------------------------


def as_object(found: Comparison, files: Files) -> dict[str, Any]:
    """Everything, in full precision, multiplied as for print (see `scale`); what is not there is null."""
    how = found.how
    return {
        "segments": found.segments,
        "left_out": found.left_out,
        "test": how.test,
        "trials": how.trials if how.test == "ar" else how.resamples,
        "resamples": how.resamples,
        "level": how.level,
        "seed": how.seed,
        "baseline": how.baseline,
        "compat": how.compat,
        "metrics": [
            {
                "name": judgement.title,
                "metric": judgement.name,
                "signature": judgement.signature,
                "higher_is_better": judgement.higher_is_better,
                "scale": judgement.scale,
                "systems": [system_object(system, judgement, files) for system in judgement.systems],
                "pairs": [pair_object(pair, judgement) for pair in judgement.pairs],
            }
            for judgement in found.judgements
        ],
    }


def system_object(system: System, judgement: Judgement, files: Files) -> dict[str, Any]:
    """One system."""
    scale = judgement.scale
    return {
        "system": system.name,
        "score": full(system.score, scale),
        "low": full(system.interval.low, scale),
        "high": full(system.interval.high, scale),
        "mean": full(system.interval.mean, scale),
        "deviation": full(system.interval.deviation, scale),
        "cluster": system.cluster,
        "runs": [
            {"run": run, "score": full(score, scale)}
            for run, score in zip(files[system.name], system.runs, strict=True)
        ],
        "s_sel": full(system.selection, scale),
        "s_opt": full(system.optimisation, scale),
        "median_run": files[system.name][system.median],
    }


def pair_object(pair: Pair, judgement: Judgement) -> dict[str, Any]:
    """One pair."""
    scale = judgement.scale
    return {
        "first": pair.first,
        "second": pair.second,
        "difference": full(pair.difference, scale),
        "low": full(pair.interval.low, scale),
        "high": full(pair.interval.high, scale),
        "effect": full(pair.effect),
        "p": full(pair.p),
        "p_holm": full(pair.p_adjusted),
        **({} if pair.flips is None else {"flips": full(pair.flips)}),
    }


def full(value: float, scale: float = 1.0) -> float | None:
    """A number in full; JSON has none that is not a number."""
    return None if math.isnan(value) else value * scale


COLUMNS = ("score", "low", "high", "cluster", "s_sel", "s_opt")


def print_tsv(found: Comparison) -> None:
    """A line for each pair, with all that is known of its systems."""
    header = ["metric", "first", "second", "difference", "low", "high", "effect", "p", "p_holm"]
    header += [f"{which}_{column}" for which in ("first", "second") for column in COLUMNS]
    rows = []
    for judgement in found.judgements:
        for pair in judgement.pairs:
            difference = pair_object(pair, judgement)
            row = [judgement.name, pair.first, pair.second]
            row += [cell(difference[key]) for key in header[3:9]]
            for name in (pair.first, pair.second):
                system = judgement.system(name)
                one = system_object(system, judgement, {name: [name] * len(system.runs)})
                row += [cell(one[column]) for column in COLUMNS]
            rows.append([*row, judgement.signature])
    print(tables.tsv([*header, "signature"], rows))


def cell(value: Any) -> str:
    """A value in a table for programs; empty where there is none."""
    return "" if value is None else str(value) if isinstance(value, int) else f"{value:.10g}"
