"""rouge-score 0.1.2, drop-in: `from tricolore.compat.rouge_score import rouge_scorer, scoring`.

>>> from tricolore.compat.rouge_score import rouge_scorer
>>> rouge_scorer.RougeScorer(["rouge1"]).score("testing one two", "testing")
{'rouge1': Score(precision=1.0, recall=0.3333333333333333, fmeasure=0.5)}
"""
