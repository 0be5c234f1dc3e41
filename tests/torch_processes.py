"""One of several processes that count a corpus together with torchmetrics; prints every score as JSON.

Arguments: a file by which the processes find each other, the number of this one, the number of all, and a file with the
corpus: hypotheses, references, and the specs of the metrics.
"""

import json
import sys

import torch.distributed as dist
from torchmetrics import MetricCollection

import tricolore as tri
from tricolore.adapters.torchmetrics import TricoloreMetric


def collection(specs, refs):
    """All metrics in one collection; NIST learns from all references."""
    metrics = [tri.metric(spec).prepare(refs) for spec in specs]
    return MetricCollection({spec: TricoloreMetric(one, threads=1) for spec, one in zip(specs, metrics, strict=True)})


def scores(specs, hyps, refs, batches):
    """The scores of a corpus that comes in batches."""
    metrics = collection(specs, refs)
    for batch in batches:
        metrics.update([hyps[i] for i in batch], [refs[i] for i in batch])
    return {name: value.item() for name, value in metrics.compute().items()}


def main():
    meeting_place, rank, size, corpus = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
    with open(corpus, encoding="utf-8") as file:
        hyps, refs, specs = json.load(file)
    dist.init_process_group("gloo", init_method=f"file://{meeting_place}", rank=rank, world_size=size)
    own = [*range(rank, len(hyps), size)]
    batches = [own[first : first + 3 + rank] for first in range(0, len(own), 3 + rank)]  # the processes' batches differ
    print(json.dumps(scores(specs, hyps, refs, batches)))
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
