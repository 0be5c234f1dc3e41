"""Write recorded_scores.json: what every metric scores on made-up texts, so that no change of speed changes a score.

`python tests/record_scores.py`, then `git diff --stat tests/recorded_scores.json` says whether anything changed, to
the last bit on the same machine.
"""

import json
import random
from pathlib import Path
from typing import Any

from tricolore import metric
from tricolore.metrics import every_metric

RECORDED = Path(__file__).with_name("recorded_scores.json")

VARIANTS = [
    *(f"bleu(smooth={smooth})" for smooth in range(8)),
    "bleu(smooth=3, short=effective)",
    "bleu(smooth=3, short=mteval)",
    "bleu(mean=arithmetic, ref_len=average)",
    "bleu(order=2, weights=[0.3, 0.7], lowercase=true)",
    "bleu(tokenize=zh)",
    "bleu-sbp(smooth=7, ref_len=average)",
    "nist(order=3, tokenize=zh, beta=0)",
    "chrf(eps_smoothing=true)",
    "chrf(char_order=9, whitespace=true, lowercase=true)",
    "wer(multi_ref=avg_len, lowercase=true)",
    "per(multi_ref=min_edits)",
    "rouge-n(n=3, multi_ref=max_pr)",
    "rouge-1(stem=true, compat=rouge-score)",
    "rouge-l(compat=rouge-score)",
    "rouge-l(beta=recall, stem=true)",
    "rouge-w(weight=2, beta=1)",
    "rouge-s(skip=none, lowercase=true)",
    "gleu(min_order=2, order=6)",
    "ribes(alpha=1, context=before)",
    "gtm(e=2)",
    "grr(order=2, alpha=0.5, multi_ref=pool)",
    "meteor(lowercase=true)",
    "meteor(language=de, tokenize=none, gamma=0.3)",
    "meteor(language=none, tokenize=none, beam=3)",
    "meteor(version=1.5)",
    "tbleu(smooth=7, threshold=0.8, tokenize=none)",
    "simbleu(part=recall, order=2)",
    "amber(theta1=0.2, order=2, brevity=0, char_redundancy=0.5)",
]
STEMS = [
    *("translat", "hop", "relat", "operat", "gener", "studi", "argu", "happi"),
    *("fall", "formal", "sens", "control", "rat", "agree", "depend"),
]
ENDINGS = ["e", "ed", "ing", "ion", "ional", "ation", "s", "ers", "ness", "fully", "ive", "iveness", "al", "y", ""]
SMALL = ["the", "of", "a", "to", "in", "and", "it", "is", "that", "at", "by", "sky", "The", "It's", "don't"]
OTHERS = ["3.5", "1,000", "Müller", "naïve", "中文字", "ภาษา", "café,", "(so)", "e.g.", "well-known", "😀", "straße"]


def sentence(draw: random.Random) -> list[str]:
    """A made-up sentence of up to 40 words."""
    words = []
    for _ in range(draw.randint(1, 40)):
        kind = draw.random()
        if kind < 0.45:
            words.append(draw.choice(SMALL))
        elif kind < 0.93:
            words.append(draw.choice(STEMS) + draw.choice(ENDINGS))
        else:
            words.append(draw.choice(OTHERS))
    return [*words, draw.choice([".", "?", ""])]


def noisy(words: list[str], draw: random.Random) -> list[str]:
    """The sentence with words left out, replaced, and moved."""
    kept = [draw.choice(SMALL) if draw.random() < 0.1 else word for word in words if draw.random() > 0.1]
    if len(kept) > 6 and draw.random() < 0.5:
        cut = draw.randint(1, len(kept) - 1)
        kept = kept[cut:] + kept[:cut]
    return kept


def corpora() -> dict[str, tuple[list[Any], list[Any]]]:
    """Made-up corpora by name: one reference each, several, none of them text; empty texts in each."""
    draw = random.Random(20)
    sentences = [sentence(draw) for _ in range(14)]
    hyps = [" ".join(noisy(words, draw)) for words in sentences]
    refs = [" ".join(words) for words in sentences]
    several = [[ref, *(" ".join(noisy(words, draw)) for _ in range(draw.randint(0, 2)))]
               for ref, words in zip(refs, sentences, strict=True)]  # fmt: skip
    numbers = {word: 7 * i for i, word in enumerate(sorted({w for text in hyps + refs for w in text.split()}))}
    ids = [[numbers[word] for word in text.split()] for text in hyps[:5]]
    ref_ids = [[numbers[word] for word in text.split()] for text in refs[:5]]
    return {
        "one reference": ([*hyps, "", "the", "Yes ."], [*refs, "it is", "the", ""]),
        "several references": ([*hyps, ""], [*several, ["it is", ""]]),
        "token ids": (ids, ref_ids),
    }


def scores(spec: str, hyps: list[Any], refs: list[Any]) -> dict[str, Any]:
    """The corpus score with its row, and the score of each segment."""
    ready = metric(spec).prepare(refs)
    score = ready(hyps, refs)
    return {
        "corpus": float(score),
        "row": score.stats.values.tolist(),
        "segments": ready.segments(hyps, refs).tolist(),
        "alone": [float(ready.segment(hyp, entry)) for hyp, entry in zip(hyps, refs, strict=True)],
    }


def takes_ids(spec: str) -> bool:
    """Whether a metric scores token ids; those over characters do not."""
    try:
        metric(spec)([[1, 2]], [[1, 2]])
    except Exception:
        return False
    return True


def in_lines(things: Any, depth: int = 0) -> str:
    """JSON with a line for each list of texts and for each metric."""
    if depth == 3 or not isinstance(things, dict):
        return json.dumps(things, ensure_ascii=False)
    inside = ",\n".join(f"{json.dumps(key)}: {in_lines(thing, depth + 1)}" for key, thing in things.items())
    return f"{{\n{inside}\n}}"


def main() -> None:
    """Score all corpora with all metrics and write the file."""
    texts = corpora()
    recorded = {
        name: {
            "hypotheses": hyps,
            "references": refs,
            "scores": {
                spec: scores(spec, hyps, refs)
                for spec in [*every_metric(), *VARIANTS]
                if name != "token ids" or takes_ids(spec)
            },
        }
        for name, (hyps, refs) in texts.items()
    }
    RECORDED.write_text(in_lines(recorded) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
