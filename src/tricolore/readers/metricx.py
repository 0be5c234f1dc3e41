"""What MetricX writes (`--output_file`): its input, one JSON object per line, with the score as `prediction`.

The input has `source`, `hypothesis` and `reference`; `system_id` and `segment_id` are there if it had them.
"""

from .tables import Table

NAME = "MetricX"

_SYSTEM = ("system", "system_id")
_SEGMENT = ("segment", "segment_id")


def as_metricx(table: Table) -> Table:
    """The table with systems, segments and scores alone, if it is one of MetricX; others stay as they are.

    >>> table = Table("x.jsonl", {"hypothesis": ["a", "b"], "prediction": [0.5, 3.25]}, [1, 2])
    >>> as_metricx(table).columns
    {'MetricX': [0.5, 3.25]}
    """
    score = table.find("prediction")
    if score is None or table.find("hypothesis") is None:
        return table
    keys = [name for names in (_SYSTEM, _SEGMENT) if (name := table.find(*names))]
    columns = {**{name: table.columns[name] for name in keys}, NAME: table.columns[score]}
    return Table(table.path, columns, table.lines, table.what)
