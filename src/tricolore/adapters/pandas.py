"""Give data frames of pandas the namespace `tri`: `df.tri.score(hyp="mt", refs="ref")`."""

from ..errors import MissingExtraError
from .dataframes import NAMESPACE, TextScores

try:
    import pandas  # type: ignore[import-untyped]
except ImportError as error:
    raise MissingExtraError(f"this adapter needs {error.name}; pip install pandas") from None

pandas.api.extensions.register_dataframe_accessor(NAMESPACE)(TextScores)
