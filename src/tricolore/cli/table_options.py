"""A table instead of texts: which of its columns hold what."""

from __future__ import annotations

from ..errors import SpecError
from .options import add_list
from .text_options import reference_paths

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse
    from collections.abc import Sequence
    from typing import Any

TABLES = (
    "a table instead of texts: files, folders or globs ('*.parquet') of Parquet, Arrow, Feather, CSV, TSV, JSON lines, "
    "SGML, WMT's XML or TMX (text also compressed)"
)


#: The parameters that name columns, for messages.
COLUMNS = ("hyp", "refs", "by", "key", "where", "segments", "resume")


def add_table_arguments(parser: argparse.ArgumentParser, *, groups: str, where: bool = True) -> Any:
    """A table, and its columns; `groups` says what --by does, where there is one."""
    group = parser.add_argument_group("tables")
    add_list(group, "--table", metavar="TABLE", about=TABLES)
    add_list(group, "--hyp", metavar="COLUMN", about="the column of hypotheses" + ("" if where and "FILE" in groups
        else ", or several, each a system"))  # fmt: skip
    add_list(group, "--ref", metavar="COLUMN", about="the column of references, or several with one reference each")
    if groups:
        add_list(group, "--by", metavar="COLUMN", about=groups)
    group.add_argument(
        "--key", metavar="COLUMN", help="the column that identifies segments (default: their references)"
    )
    if where:
        add_list(group, "--where", metavar="COLUMN=VALUE", about="read only rows with this value in a column")
    return group


def check_table(
    options: argparse.Namespace, without: Sequence[str] = (), needing: Sequence[str] = ("hyp", "ref", "key", "where")
) -> None:
    """Reject options that contradict --table, or need it; `without` are those for texts alone."""
    for name in () if options.table else needing:
        if getattr(options, name):
            raise SpecError(f"--{name} needs --table")
    if not options.table:
        return
    texts = {"references": reference_paths(options), "-i": options.input, "--system": options.system}
    texts["-t"] = options.test_set
    texts |= {"--num-refs": options.num_refs != 1, "--missing-refs": options.missing_refs}
    texts |= {name: getattr(options, name[2:].replace("-", "_")) for name in without}
    for name, given in texts.items():
        if given:
            raise SpecError(f"--table and {name} exclude each other: score the columns of a table, or texts")
    for name, what in (("hyp", "hypotheses"), ("ref", "references")):
        if not getattr(options, name):
            raise SpecError(f"--table needs --{name}, the column of {what}; columns are never guessed")


def conditions(options: argparse.Namespace) -> dict[str, list[str]]:
    """The values that rows must have, by column; several of one column are alternatives."""
    found: dict[str, list[str]] = {}
    for given in options.where:
        column, equals, value = (given[0], "=", given[1]) if isinstance(given, tuple) else given.partition("=")
        if not equals or not column:
            raise SpecError(f"--where: expected COLUMN=VALUE; got {given!r}")
        found.setdefault(column, []).append(value)
    return found


def given_columns(options: argparse.Namespace) -> dict[str, Any]:
    """The columns of hypotheses, references and keys."""
    hyp = options.hyp[0] if len(options.hyp) == 1 else options.hyp
    return {"hyp": hyp, "refs": options.ref, "key": options.key}
