"""Scores of Spark DataFrames: rows are counted where they lie, and only sums of groups come to the driver.

    from tricolore import spark as tri_spark
    scores = tri_spark.score(df, ["bleu", "chrf"], hyp="mt", refs="ref", by="system", confidence=True)
    print(scores), scores.compare(), scores.to_spark()
    tri_spark.with_scores(df, "chrf", hyp="mt", refs="ref").write.parquet("scored")

The numbers are those of `tricolore.score_table`. Workers need the package, too: see docs/reference/scale.md.
"""

from ..errors import MissingExtraError

try:
    import pyarrow  # noqa: F401
    import pyspark  # noqa: F401
except ImportError as error:
    raise MissingExtraError(f"Spark needs {error.name}; pip install 'tricolore[spark]'") from None

from .scoring import SparkScores, score, with_scores

__all__ = ["SparkScores", "score", "with_scores"]
