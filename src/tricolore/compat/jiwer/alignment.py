"""Alignments and errors as text, as jiwer prints them."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Any

from .process import AlignmentChunk, CharacterOutput, WordOutput

__all__ = ["collect_error_counts", "visualize_alignment", "visualize_error_counts"]

Output = WordOutput | CharacterOutput
_LABELS = ("REF: ", "HYP: ", "     ")
_MARKS = {"equal": " ", "substitute": "S", "insert": "I", "delete": "D"}


def visualize_alignment(
    output: Output, show_measures: bool = True, skip_correct: bool = True, line_width: int | None = None
) -> str:
    """Draw the alignment of every sentence, or only of those with errors, and the measures below.

    `line_width` breaks lines before words that would make them longer.
    """
    pages = []
    gap = "" if isinstance(output, CharacterOutput) else " "
    for number, (ref, hyp, chunks) in enumerate(
        zip(output.references, output.hypotheses, output.alignments, strict=True), 1
    ):
        if not skip_correct or any(chunk.type != "equal" for chunk in chunks):
            blocks = _blocks(ref, hyp, chunks, gap, line_width)
            pages.append(f"=== SENTENCE {number} ===\n\n" + "\n\n".join(blocks) + "\n\n")
    return "".join(pages) + _summary(output) if show_measures else "".join(pages)[:-1]


def _summary(output: Output) -> str:
    counts = " ".join(
        f"{name}={getattr(output, name)}" for name in ("substitutions", "deletions", "insertions", "hits")
    )
    names = ("cer",) if isinstance(output, CharacterOutput) else ("mer", "wil", "wip", "wer")
    measures = "".join(f"\n{name}={getattr(output, name) * 100:.2f}%" for name in names)
    return f"=== SUMMARY ===\nnumber of sentences: {len(output.alignments)}\n{counts}\n{measures}\n"


def _blocks(
    ref: list[str], hyp: list[str], chunks: list[AlignmentChunk], gap: str, line_width: int | None
) -> Iterator[str]:
    """Three lines each: reference, hypothesis, and the kind of each error."""
    lines = [*_LABELS]
    for mark, of_ref, of_hyp in _pairs(ref, hyp, chunks):
        size = max(len(of_ref), len(of_hyp), 1)
        if line_width is not None and len(lines[0]) + size > line_width:
            yield "\n".join(line[: len(line) - len(gap)] for line in lines)
            lines = [*_LABELS]
        # jiwer widens a word that is a single star as well: the reference's, and else the hypothesis'.
        stars = "*" * size
        cells = (stars, of_hyp, mark) if of_ref == "*" else (of_ref, stars if of_hyp == "*" else of_hyp, mark)
        for i, cell in enumerate(cells):
            lines[i] += cell.rjust(size) + gap
    yield "\n".join(line[: len(line) - len(gap)] for line in lines)


def _pairs(ref: list[str], hyp: list[str], chunks: list[AlignmentChunk]) -> Iterator[tuple[str, str, str]]:
    for chunk in chunks:
        of_ref, of_hyp = ref[chunk.ref_start_idx : chunk.ref_end_idx], hyp[chunk.hyp_start_idx : chunk.hyp_end_idx]
        if chunk.type == "insert":
            of_ref = ["*"] * len(of_hyp)
        elif chunk.type == "delete":
            of_hyp = ["*"] * len(of_ref)
        yield from ((_MARKS[chunk.type], *pair) for pair in zip(of_ref, of_hyp, strict=False))


def collect_error_counts(
    output: Output,
) -> tuple[defaultdict[tuple[str, str], int], defaultdict[str, int], defaultdict[str, int]]:
    """Count each substitution (from, to), insertion and deletion of a stretch of words or characters."""
    substitutions: defaultdict[tuple[str, str], int] = defaultdict(int)
    insertions: defaultdict[str, int] = defaultdict(int)
    deletions: defaultdict[str, int] = defaultdict(int)
    gap = " " if isinstance(output, WordOutput) else ""
    for ref, hyp, chunks in zip(output.references, output.hypotheses, output.alignments, strict=True):
        for chunk in chunks:
            of_ref = gap.join(ref[chunk.ref_start_idx : chunk.ref_end_idx])
            of_hyp = gap.join(hyp[chunk.hyp_start_idx : chunk.hyp_end_idx])
            if chunk.type == "substitute":
                substitutions[of_ref, of_hyp] += 1
            elif chunk.type == "insert":
                insertions[of_hyp] += 1
            elif chunk.type == "delete":
                deletions[of_ref] += 1
    return substitutions, insertions, deletions


def visualize_error_counts(
    output: Output,
    show_substitutions: bool = True,
    show_insertions: bool = True,
    show_deletions: bool = True,
    top_k: int | None = None,
) -> str:
    """List errors by how often they occur, the most frequent first."""
    substitutions, insertions, deletions = collect_error_counts(output)
    lists: list[tuple[bool, str, Mapping[Any, int]]] = [
        (show_substitutions, "SUBSTITUTIONS", substitutions),
        (show_insertions, "INSERTIONS", insertions),
        (show_deletions, "DELETIONS", deletions),
    ]
    shown = [f"=== {title} ===\n{_listed(errors, top_k)}" for show, title, errors in lists if show]
    return "\n".join(shown).removesuffix("\n")


def _listed(errors: Mapping[Any, int], top_k: int | None) -> str:
    if not errors:
        return "none"
    ordered = sorted(errors.items(), key=lambda item: -item[1])[:top_k]
    cells = [(error if isinstance(error, tuple) else (error,), count) for error, count in ordered]
    width = max(len(cell) for error, _ in cells for cell in error)
    return "".join(f"{' --> '.join(cell.ljust(width) for cell in error)} = {count}x\n" for error, count in cells)
