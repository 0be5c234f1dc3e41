"""jiwer's measures of hits H, substitutions S, insertions I and deletions D, in its order of operations."""


def error_rate(hits: int, substitutions: int, insertions: int, deletions: int) -> float:
    """WER or CER, (S + D + I) / (H + S + D); without words in the references, the number of insertions."""
    length = hits + substitutions + deletions
    return (substitutions + deletions + insertions) / length if length else insertions


def match_error_rate(hits: int, substitutions: int, insertions: int, deletions: int) -> float:
    """MER, (S + D + I) / (H + S + D + I)."""
    edits = substitutions + deletions + insertions
    if not hits + substitutions + deletions:
        return int(insertions > 0)
    return edits / (hits + edits)


def information_preserved(hits: int, substitutions: int, insertions: int, deletions: int) -> float:
    """WIP, H / (H + S + D) · H / (H + S + I)."""
    of_ref, of_hyp = hits + substitutions + deletions, hits + substitutions + insertions
    if not of_ref:
        return int(not of_hyp)
    return (hits / of_ref) * (hits / of_hyp) if of_hyp else 0


def information_lost(hits: int, substitutions: int, insertions: int, deletions: int) -> float:
    """WIL, 1 − WIP."""
    return 1 - information_preserved(hits, substitutions, insertions, deletions)
