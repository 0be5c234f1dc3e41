"""Every flag of sacreBLEU 2.6.0 and what `tricolore score` does with it; the docs and the tests are made from it."""

from __future__ import annotations

SAME = "same"  #: the same command line gives the same numbers
COMPAT = "same with `--compat sacrebleu`"  #: without it, numbers differ by design
DIFFERS = "differs"  #: as the note says
REFUSED = "refused"  #: an error that names the flag; the note is the rest of the message

NO_TEST_SETS = "test sets are not downloaded; name files instead"
ONLY_BLEU = "of sacreBLEU's metrics only for BLEU, as there; also for other metrics with that parameter"

#: Spellings of a flag -> what becomes of it, and a note.
FLAGS: dict[tuple[str, ...], tuple[str, str]] = {
    ("-h", "--help"): (SAME, ""),
    ("-V", "--version"): (REFUSED, "write 'tricolore --version'"),
    # Test sets
    ("-t", "--test-set"): (REFUSED, NO_TEST_SETS),
    ("-l", "--language-pair"): (
        SAME,
        "chooses the default tokeniser, also of other metrics that use 13a by default; must be SRC-TRG",
    ),
    ("-ol", "--origlang"): (REFUSED, NO_TEST_SETS),
    ("--subset",): (REFUSED, NO_TEST_SETS),
    ("--download",): (REFUSED, NO_TEST_SETS),
    ("--echo",): (REFUSED, NO_TEST_SETS),
    ("--list",): (REFUSED, NO_TEST_SETS),
    ("--citation", "--cite"): (REFUSED, "test sets are not downloaded; 'tricolore metrics NAME' cites a metric"),
    ("-d", "--detail"): (REFUSED, "test sets are not downloaded; score each part from files of its own"),
    # Texts and metrics
    ("-i", "--input"): (
        SAME,
        "repeated, it adds systems (sacreBLEU keeps the last); without it tab-separated outputs are read from standard "
        "input, as there",
    ),
    ("-nr", "--num-refs"): (
        SAME,
        "a line with more than N fields is an error (sacreBLEU: the last reference has tabs in it)",
    ),
    ("-e", "--encoding"): (REFUSED, "files are read as UTF-8; convert others first, as with 'iconv -t UTF-8'"),
    ("-m", "--metrics"): (
        SAME,
        "any metric of 'tricolore metrics', printed in the order given; repeated, it adds metrics (sacreBLEU keeps "
        "the last)",
    ),
    ("-sl", "--sentence-level"): (SAME, "also with several metrics, and with -f json or tsv (sacreBLEU: always text)"),
    # BLEU
    ("-s", "--smooth-method"): (SAME, "also 0 to 7"),
    ("-sv", "--smooth-value"): (SAME, "an error with exp and none, which have no constant (ignored by sacreBLEU)"),
    ("-tok", "--tokenize"): (
        SAME,
        f"{ONLY_BLEU}; spm, flores101, flores200 and spBLEU-1K are refused: models are not downloaded, name the file "
        "as spm:FILE",
    ),
    ("-lc", "--lowercase"): (SAME, f"{ONLY_BLEU}; chrF has --chrf-lowercase, and TER ignores case by default"),
    ("--force",): (SAME, ""),
    # chrF and TER
    ("-cc", "--chrf-char-order"): (SAME, "1 or more (sacreBLEU also takes 0, with words)"),
    ("-cw", "--chrf-word-order"): (SAME, ""),
    ("--chrf-beta",): (SAME, "also fractions"),
    ("--chrf-whitespace",): (SAME, ""),
    ("--chrf-lowercase",): (SAME, ""),
    ("--chrf-eps-smoothing",): (SAME, ""),
    ("--ter-case-sensitive",): (SAME, ""),
    ("--ter-asian-support",): (SAME, ""),
    ("--ter-no-punct",): (SAME, ""),
    ("--ter-normalized",): (SAME, "but for texts such as `....5`, because sacreBLEU normalises references twice"),
    # Intervals and tests
    ("-ci", "--confidence"): (COMPAT, "also for several systems at once"),
    ("-cin", "--confidence-n"): (COMPAT, "an error without -ci (ignored by sacreBLEU)"),
    ("-par", "--paired-ar"): (COMPAT, ""),
    ("-parn", "--paired-ar-n"): (COMPAT, "an error without -par (ignored by sacreBLEU)"),
    ("-pbs", "--paired-bs"): (COMPAT, ""),
    ("-pbsn", "--paired-bs-n"): (COMPAT, "an error without -pbs (ignored by sacreBLEU)"),
    ("-j", "--paired-jobs"): (SAME, "threads, for scoring too; 0, the default, means all cores"),
    # Results
    ("-q", "--quiet"): (SAME, "also no advice about the text"),
    ("-sh", "--short"): (REFUSED, "signatures are always written in full"),
    ("-b", "--score-only"): (
        SAME,
        "one number per line in every format (sacreBLEU: a list of several metrics in JSON); also for several systems",
    ),
    ("-w", "--width"): (SAME, "from 0 to 15"),
    ("-nc", "--no-color"): (REFUSED, "set NO_COLOR=1 in the environment"),
    ("-f", "--format"): (
        DIFFERS,
        "text is the default (sacreBLEU: json); JSON of one system has sacreBLEU's keys, of several systems an object "
        "for each system and metric; latex also for one system",
    ),
}

#: Environment variables of sacreBLEU.
ENVIRONMENT: dict[str, tuple[str, str]] = {
    "NO_COLOR": (SAME, ""),
    "SACREBLEU": ("not read", "nothing is downloaded"),
    "SACREBLEU_FORMAT": ("not read", "use -f"),
    "SACREBLEU_SEED": (COMPAT, "use --seed; 'none' is an error, because results could not be repeated"),
}


def refusals() -> dict[str, str]:
    """The flags that are refused, each spelling, and what to use instead."""
    refused = {one: note for spellings, (kind, note) in FLAGS.items() if kind == REFUSED for one in spellings}
    # A parameter of sacreBLEU's BLEU that people take for a flag.
    return refused | {"--effective-order": "write 'bleu(short=effective)'"}
