"""The public names; made by `make docs` from the code."""

# ruff: noqa: I001

from ._version import __version__ as __version__
from .metrics.ngram_averages import AMBER as AMBER
from .alignment import Alignment as Alignment
from .alignment import Alignments as Alignments
from .metrics.bleu import BLEU as BLEU
from .metrics.bleu_variants import BLEUS as BLEUS
from .metrics.bleu_variants import BLEUSBP as BLEUSBP
from .metrics.edit_rates import CDER as CDER
from .metrics.bleu_variants import CharBLEU as CharBLEU
from .metrics.chrf import ChrF as ChrF
from .judge.correlation.result import Correlation as Correlation
from .metrics.bleu_variants import DocumentBLEU as DocumentBLEU
from .graphs.forest import Forest as Forest
from .metrics.gleu import GLEU as GLEU
from .metrics.grr import GRR as GRR
from .metrics.gtm import GTM as GTM
from .errors import InputError as InputError
from .errors import InputTypeError as InputTypeError
from .metrics.edit_rates import LER as LER
from .graphs.lattice import Lattice as Lattice
from .metrics.lebleu import LeBLEU as LeBLEU
from .metrics.length import Length as Length
from .tuning.mbr_choices import MBRChoices as MBRChoices
from .metrics.meteor import METEOR as METEOR
from .metrics.base import Metric as Metric
from .errors import MissingExtraError as MissingExtraError
from .metrics.nist import NIST as NIST
from .tuning.oracle import OracleChoices as OracleChoices
from .judge.orange.results import Orange as Orange
from .metrics.edit_rates import PER as PER
from .metrics.ribes import RIBES as RIBES
from .segments import References as References
from .tuning.rerank import Reranking as Reranking
from .metrics.rouge import RougeL as RougeL
from .metrics.rouge import RougeN as RougeN
from .metrics.rouge import RougeS as RougeS
from .metrics.rouge import RougeSU as RougeSU
from .metrics.rouge import RougeW as RougeW
from .scoring import Score as Score
from .scores import Scores as Scores
from .judge.correlation.search import Search as Search
from .metrics.ngram_averages import SimBLEU as SimBLEU
from .errors import SpecError as SpecError
from .stats import Stats as Stats
from .metrics.ter import TER as TER
from .metrics.tbleu import TolerantBLEU as TolerantBLEU
from .errors import TricoloreError as TricoloreError
from .tuning.tuning_result import Tuning as Tuning
from .metrics.edit_rates import WER as WER
from .metrics.edit_rates import WRR as WRR
from .alignment import align as align
from .alignment import align_all as align_all
from .judge.significance.compare import compare as compare
from .judge.significance.compare import compare_scores as compare_scores
from .judge.significance.intervals import confidence as confidence
from .judge.correlation.correlate import correlate as correlate
from .metrics import expand as expand
from .metrics.listing import list_metrics as list_metrics
from .tuning.mbr_choices import mbr as mbr
from .metrics import metric as metric
from .tuning.oracle import oracle as oracle
from .judge.orange.ranking import orange as orange
from .graphs.formats import read_graphs as read_graphs
from .tuning.rerank import rerank as rerank
from .scores import score as score
from .scores import score_all as score_all
from .judge.correlation.search import search as search
from .tokenizers import tokenize as tokenize
from .tuning.tune import tune as tune
from .tuning.tune_rounds import tune_rounds as tune_rounds

PUBLIC: dict[str, tuple[str, ...]]

def public_names() -> dict[str, str]: ...
