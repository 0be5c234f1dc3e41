"""Score tables on a Spark cluster.

    tricolore spark score --table wmt.parquet --hyp mt --ref ref --by system -m bleu chrf
    tricolore spark score --table s3a://bucket/outputs --hyp mt --ref ref1 ref2 --by system domain --confidence -f json
    tricolore spark score --table outputs.csv --hyp mt --ref ref --where lang=en-de --master 'local[4]'
    tricolore spark score --table hdfs:///mt --hyp mt --ref ref --master yarn --conf spark.executor.instances=50

Tables are read by Spark itself, from any file system that it is set up for: Parquet, ORC, CSV, TSV, JSON lines; folders
and globs, too. Scores are those of 'tricolore score --table'. The Python of Spark's workers (PYSPARK_PYTHON) needs
tricolore[spark], too. Under spark-submit: spark-submit ... "$(python -m tricolore.cli.spark_submit)" score --table ...
Exit status: 0 success, 1 invalid data, 2 invalid usage.
"""

from __future__ import annotations

from ..errors import SpecError
from ..parameters import Choice
from ..results import emit
from .metric_options import add_metric_arguments, make_metrics
from .options import add_list, add_option, add_options, add_output_options, naming_options
from .table_options import COLUMNS, conditions

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence

#: As `tricolore.spark.session` has them, which is not loaded only to say so.
FORMATS = ("parquet", "orc", "csv", "tsv", "json")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the command."""
    from ..tables.table_scores import TableOptions

    parser.add_argument("verb", choices=("score",), metavar="VERB", help="score")
    group = parser.add_argument_group("table")
    add_list(group, "--table", metavar="PATH", about="files, folders or globs on any file system that Spark knows")
    group.add_argument("--hyp", metavar="COLUMN", help="the column of hypotheses")
    add_list(group, "--ref", metavar="COLUMN", about="the column of references, or several with one reference each")
    add_list(group, "--by", metavar="COLUMN", about="one score for each group of rows with the same values")
    add_list(group, "--where", metavar="COLUMN=VALUE", about="read only rows with this value in a column")
    about = "the column that identifies segments (default: their references)"
    group.add_argument("--key", metavar="COLUMN", help=about)
    about = "format of the table (default: that of the ending, or parquet)"
    add_option(group, "--read", kind=Choice(FORMATS), about=about)
    add_metric_arguments(parser)
    group = parser.add_argument_group("Spark")
    group.add_argument("--master", metavar="URL", help="the cluster (default: that of spark-submit, or this machine)")
    add_list(group, "--conf", metavar="NAME=VALUE", about="a setting of Spark's, such as spark.executor.memory=8g")
    group = parser.add_argument_group("results")
    names = {"confidence": ("-ci", "--confidence"), "resamples": ("-cin", "--confidence-n")}
    add_options(group, TableOptions, spelled=names)
    add_output_options(group, "1, NIST 3; JSON, TSV and CSV in full")


def run(options: argparse.Namespace) -> None:
    """Start Spark, score, print."""
    for name, what in (("table", "what to read"), ("hyp", "the column of hypotheses"), ("ref", "that of references")):
        if not getattr(options, name):
            raise SpecError(f"--{name} is missing: {what}; nothing is guessed")
    where, conf = conditions(options), configuration(options.conf)
    metrics = make_metrics(options)
    from ..spark.frames import told_in_one_line
    from ..spark.scoring import score
    from ..spark.session import read_frame, spark_session

    with spark_session(options.master, conf, quiet=options.quiet) as session:
        df = read_frame(session, options.table, options.read)
        with told_in_one_line(options.table[0]), naming_options(*COLUMNS):
            columns = {"hyp": options.hyp, "refs": options.ref, "by": options.by, "key": options.key}
            how = {"confidence": options.confidence, "resamples": options.resamples, "seed": options.seed}
            found = score(df, metrics, where=where, **columns, **how)
    emit(found, options.format, width=options.width)


def configuration(given: Sequence[str]) -> dict[str, str]:
    """Settings of Spark's: NAME=VALUE."""
    found = {}
    for text in given:
        name, equals, value = text.partition("=")
        if not equals or not name:
            raise SpecError(f"--conf: expected NAME=VALUE; got {text!r}")
        found[name] = value
    return found
