"""sacreBLEU's SentencePiece tokenisers, with models where sacreBLEU keeps them; none is downloaded."""

import os

from ....errors import MissingExtraError
from ..folder import SACREBLEU_DIR
from .tokenizer_base import BaseTokenizer

#: The file of each model in the folder `models`, and what signatures call it.
SPM_MODELS = {
    "spm": ("sacrebleu_tokenizer_spm.model", "flores101"),
    "flores101": ("sacrebleu_tokenizer_spm.model", "flores101"),
    "flores200": ("flores200sacrebleuspm", "flores200"),
    "spBLEU-1K": ("spbleu-1k_tokenizer_spm.model", "spBLEU-1K"),
}


class TokenizerSPM(BaseTokenizer):
    """The pieces of a SentencePiece model: `pip install 'tricolore[spm]'`."""

    def __init__(self, key: str = "spm"):
        file, self.name = SPM_MODELS[key]
        path = os.path.join(SACREBLEU_DIR, "models", file)
        if not os.path.isfile(path):
            raise MissingExtraError(f"tokenizer {key}: models are not downloaded; expected the model as {path}")
        self.native_name = f"spm:{path}"

    def signature(self) -> str:
        return self.name

    def __call__(self, line: str) -> str:
        before = self.native.before
        assert before is not None  # SentencePiece runs in Python, before the core
        return before(line)


class Flores101Tokenizer(TokenizerSPM):
    """The model of FLORES-101."""

    def __init__(self) -> None:
        super().__init__("flores101")


class Flores200Tokenizer(TokenizerSPM):
    """The model of FLORES-200."""

    def __init__(self) -> None:
        super().__init__("flores200")


class spBLEU1KTokenizer(TokenizerSPM):  # noqa: N801 - the peer's name
    """The model of spBLEU-1K."""

    def __init__(self) -> None:
        super().__init__("spBLEU-1K")
