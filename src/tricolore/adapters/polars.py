"""Give data frames of polars the namespace `tri`: `df.tri.score(hyp="mt", refs="ref")`."""

from ..errors import MissingExtraError
from .dataframes import NAMESPACE, TextScores

try:
    import polars
except ImportError as error:
    raise MissingExtraError(f"this adapter needs {error.name}; pip install polars") from None

polars.api.register_dataframe_namespace(NAMESPACE)(TextScores)
polars.api.register_lazyframe_namespace(NAMESPACE)(TextScores)
