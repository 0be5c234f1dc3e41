"""Files as sacreBLEU opens them, and its functions about test sets."""

from __future__ import annotations

import gzip

from ...readers.sacrebleu_cache import cache_folder

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import IO, Any

#: Where sacreBLEU keeps what it has downloaded.
SACREBLEU_DIR = cache_folder()

#: Names that come from sacreBLEU itself, which must be installed for them.
TEST_SETS = (
    "DATASETS", "SUBSETS", "download_test_set", "filter_subset", "get_available_origlangs", "get_available_subsets",
    "get_available_testsets", "get_available_testsets_for_langpair", "get_files", "get_langpairs_for_testset",
    "get_reference_files", "get_source_file", "print_subset_results", "print_test_set",
)  # fmt: skip


def smart_open(file: str, mode: str = "rt", encoding: str = "utf-8") -> IO[Any]:
    """Open a text file, unpacked if its name ends in `.gz`; lines end in line feeds only."""
    if file.endswith(".gz"):
        return gzip.open(file, mode=mode, encoding=encoding, newline="\n")  # type: ignore[return-value]
    return open(file, mode=mode, encoding=encoding, newline="\n")


def __getattr__(name: str) -> Any:
    if name in TEST_SETS:
        from .test_sets import peer

        return getattr(peer("utils"), name)
    raise AttributeError(f"tricolore.compat.sacrebleu.utils has no {name!r}")
