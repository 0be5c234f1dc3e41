"""sacreBLEU's metrics."""

from .bleu import BLEU as BLEU
from .bleu import BLEUScore as BLEUScore
from .chrf import CHRF as CHRF
from .chrf import CHRFScore as CHRFScore
from .ter import TER as TER
from .ter import TERScore as TERScore

METRICS = {"BLEU": BLEU, "CHRF": CHRF, "TER": TER}
