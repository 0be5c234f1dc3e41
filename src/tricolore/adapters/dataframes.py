"""`df.tri`: what data frames are given by `import tricolore.adapters.pandas` and `tricolore.adapters.polars`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ..tables.table_scores import TableScores

#: The attribute of data frames.
NAMESPACE = "tri"


class TextScores:
    """The namespace `tri` of a data frame."""

    def __init__(self, table: Any):
        self._table = table

    def score(self, **options: Any) -> TableScores:
        """Score columns of the table, by group if asked: `tri.score_table(df, ...)`, whose parameters these are.

        `df.tri.score(hyp="mt", refs="ref", by="system", metrics=["bleu", "chrf"])`
        """
        from ..tables.score_table import score_table  # loads pyarrow

        return score_table(self._table, **options)
