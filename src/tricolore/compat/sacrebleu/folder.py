"""The folder in which sacreBLEU keeps what it has downloaded."""

import os

SACREBLEU_DIR = os.environ.get("SACREBLEU") or os.path.join(os.path.expanduser("~"), ".sacrebleu")
