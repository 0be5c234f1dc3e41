"""What `tricolore score` does with every flag of sacreBLEU, as sacrebleu_flags.toml has it."""

import tomllib
from importlib.resources import files

COMPAT = "same with `--compat sacrebleu`"
REFUSED = "refused"

_TABLES = tomllib.loads(files(__package__).joinpath("sacrebleu_flags.toml").read_text(encoding="utf-8"))
#: Spellings of a flag -> what becomes of it, and a note.
FLAGS: dict[tuple[str, ...], list[str]] = {tuple(names.split()): what for names, what in _TABLES["flags"].items()}
ENVIRONMENT: dict[str, list[str]] = _TABLES["environment"]

#: Every spelling of the flags that are refused, and what to use instead.
REFUSALS = {one: note for names, (kind, note) in FLAGS.items() if kind == REFUSED for one in names}
REFUSALS["--effective-order"] = "write 'bleu(short=effective)'"  # a parameter that people take for a flag
