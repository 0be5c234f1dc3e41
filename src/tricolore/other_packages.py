"""What other packages call things, and what they are called here: lines of theirs beside ours.

Every line is run by the tests, with the package it comes from: both give the same number, under the condition beside
them if there is one. `hyps` and `refs` are lists of texts, `hyp` and `ref` texts, `metric` is `tri.BLEU()`, `bleu` is
sacreBLEU's, `transform` is one of jiwer's. `old_habits` makes hints of them.
"""

#: Attributes of the package: the line of another package, the line here.
OF_PACKAGE = {
    "corpus_bleu": (
        ("sacrebleu.corpus_bleu(hyps, [refs]).score", "tri.BLEU()(hyps, refs).points"),
        (
            "nltk.translate.bleu_score.corpus_bleu([[ref.split()] for ref in refs], [hyp.split() for hyp in hyps])",
            "float(tri.BLEU(tokenize='none', smooth=0)(hyps, refs))",
        ),
    ),
    "sentence_bleu": (
        ("sacrebleu.sentence_bleu(hyp, [ref]).score", "tri.BLEU().segment(hyp, ref).points"),
        (
            "nltk.translate.bleu_score.sentence_bleu([ref.split()], hyp.split())",
            "float(tri.BLEU(tokenize='none', smooth=0).segment(hyp, ref))",
        ),
    ),
    "SmoothingFunction": (
        (
            "nltk.translate.bleu_score.sentence_bleu([ref.split()], hyp.split(), "
            "smoothing_function=nltk.translate.bleu_score.SmoothingFunction().method3)",
            "float(tri.BLEU(tokenize='none', smooth=3).segment(hyp, ref))",
        ),
    ),
    "raw_corpus_bleu": (
        (
            "sacrebleu.raw_corpus_bleu(hyps, [refs]).score",
            "tri.BLEU(tokenize='none', smooth='floor', epsilon=0.1, short='effective')(hyps, refs).points",
        ),
    ),
    "corpus_chrf": (("sacrebleu.corpus_chrf(hyps, [refs]).score", "tri.ChrF()(hyps, refs).points"),),
    "sentence_chrf": (("sacrebleu.sentence_chrf(hyp, [ref]).score", "tri.ChrF().segment(hyp, ref).points"),),
    "corpus_ter": (("sacrebleu.corpus_ter(hyps, [refs]).score", "tri.TER()(hyps, refs).points"),),
    "sentence_ter": (("sacrebleu.sentence_ter(hyp, [ref]).score", "tri.TER().segment(hyp, ref).points"),),
    "CHRF": (
        (
            "sacrebleu.CHRF().corpus_score(hyps, [refs]).score",
            "tri.ChrF()(hyps, refs).points",
        ),
    ),
    "wer": (("jiwer.wer(refs, hyps)", "float(tri.WER()(hyps, refs))"),),
    "cer": (("jiwer.cer(refs, hyps)", "float(tri.LER()(hyps, refs))"),),
    "CER": (("jiwer.cer(refs, hyps)", "float(tri.LER()(hyps, refs))"),),
    "compute_measures": (("jiwer.process_words(refs, hyps).wer", "float(tri.WER()(hyps, refs))"),),
    "process_words": (("jiwer.process_words(ref, hyp).substitutions", "tri.align(hyp, ref).substitutions"),),
    "visualize_alignment": (
        ("print(jiwer.visualize_alignment(jiwer.process_words(ref, hyp)))", "print(tri.align(hyp, ref))"),
    ),
    "rouge_scorer": (
        (
            "rouge_score.rouge_scorer.RougeScorer(['rougeL']).score(ref, hyp)['rougeL'].fmeasure",
            "float(tri.RougeL(compat='rouge-score').segment(hyp, ref))",
        ),
    ),
    "RougeScorer": (
        (
            "rouge_score.rouge_scorer.RougeScorer(['rouge1']).score(ref, hyp)['rouge1'].fmeasure",
            "float(tri.RougeN(n=1, compat='rouge-score').segment(hyp, ref))",
        ),
    ),
    "corpus_gleu": (
        (
            "nltk.translate.gleu_score.corpus_gleu([[ref.split()] for ref in refs], [hyp.split() for hyp in hyps])",
            "float(tri.GLEU(tokenize='none')(hyps, refs))",
        ),
    ),
    "sentence_gleu": (
        (
            "nltk.translate.gleu_score.sentence_gleu([ref.split()], hyp.split())",
            "float(tri.GLEU(tokenize='none').segment(hyp, ref))",
        ),
    ),
    "corpus_nist": (
        (
            "nltk.translate.nist_score.corpus_nist([[ref.split()] for ref in refs], [hyp.split() for hyp in hyps])",
            "float(tri.NIST(tokenize='none')(hyps, refs))",
        ),
    ),
    "sentence_nist": (
        (
            "nltk.translate.nist_score.sentence_nist([ref.split()], hyp.split())",
            "float(tri.NIST(tokenize='none')([hyp], [ref]))",
        ),
    ),
    "corpus_ribes": (
        (
            "nltk.translate.ribes_score.corpus_ribes([[ref.split()] for ref in refs], [hyp.split() for hyp in hyps])",
            "float(tri.RIBES(tokenize='none')(hyps, refs))",
        ),
    ),
    "sentence_ribes": (
        (
            "nltk.translate.ribes_score.sentence_ribes([ref.split()], hyp.split())",
            "float(tri.RIBES(tokenize='none').segment(hyp, ref))",
        ),
    ),
    "rouge": (
        (
            "rouge_score.rouge_scorer.RougeScorer(['rougeL']).score(ref, hyp)['rougeL'].fmeasure",
            "float(tri.RougeL(compat='rouge-score').segment(hyp, ref))",
        ),
    ),
    "BLEUScore": (
        (
            "torchmetrics.text.BLEUScore()(hyps, [[ref] for ref in refs])",
            "float(tri.BLEU(tokenize='none', smooth='none')(hyps, refs))",
        ),
    ),
    "SacreBLEUScore": (
        (
            "torchmetrics.text.SacreBLEUScore()(hyps, [[ref] for ref in refs])",
            "float(tri.BLEU(smooth='none')(hyps, refs))",
        ),
    ),
    "CHRFScore": (
        (
            "torchmetrics.text.CHRFScore()(hyps, [[ref] for ref in refs])",
            "float(tri.ChrF(word_order=2, eps_smoothing=True)(hyps, refs))",
        ),
    ),
    "TranslationEditRate": (
        ("torchmetrics.text.TranslationEditRate()(hyps, [[ref] for ref in refs])", "float(tri.TER()(hyps, refs))"),
    ),
    "WordErrorRate": (("torchmetrics.text.WordErrorRate()(hyps, refs)", "float(tri.WER()(hyps, refs))"),),
    "CharErrorRate": (("torchmetrics.text.CharErrorRate()(hyps, refs)", "float(tri.LER()(hyps, refs))"),),
    "ROUGEScore": (
        (
            "torchmetrics.text.ROUGEScore(rouge_keys='rougeL')(hyps, refs)['rougeL_fmeasure']",
            "float(tri.RougeL(compat='rouge-score')(hyps, refs))",
        ),
    ),
    **dict.fromkeys(
        ("load", "compute", "evaluate", "combine"),
        (
            (
                "evaluate.load('sacrebleu').compute(predictions=hyps, references=refs)['score']",
                "tri.metric('bleu')(hyps, refs).points",
            ),
        ),
    ),
}

#: What is in a line of another package, and when both numbers are the same, if not always.
CONDITIONS = {
    "bleu_score.corpus_bleu": "every hypothesis has 4 words",
    "SmoothingFunction": "a word matches",
    "nist_score": "a hypothesis has 5 words",
    "ribes_score": "references have several words, and no text repeats one",
    "CHRFScore": "every segment matches a reference",
    "TranslationEditRate": "no hypothesis is empty",
    **dict.fromkeys(("jiwer.cer", "CharErrorRate"), "spaces are single"),
}

#: Names that are in a drop-in or an adapter.
ELSEWHERE = {
    "tricolore.compat": ("sacrebleu", "jiwer", "nltk", "rouge_score"),
    "tricolore.compat.sacrebleu": (
        "DATASETS", "download_test_set", "get_available_testsets", "get_langpairs_for_testset", "get_reference_files",
        "get_source_file",
    ),
    "tricolore.compat.sacrebleu.significance": ("PairedTest",),
    "tricolore.compat.jiwer": (
        "mer", "wil", "wip", "process_characters", "visualize_error_counts", "Compose",
        "ExpandCommonEnglishContractions", "ReduceToListOfListOfChars", "ReduceToListOfListOfWords",
        "ReduceToSingleSentence", "RemoveEmptyStrings",
        "RemoveKaldiNonWords", "RemoveMultipleSpaces", "RemovePunctuation", "RemoveSpecificWords", "RemoveWhiteSpace",
        "Strip", "SubstituteRegexes", "SubstituteWords", "ToLowerCase", "ToUpperCase",
    ),
    "tricolore.compat.nltk": ("bleu_score", "chrf_score", "gleu_score", "nist_score", "ribes_score"),
    "tricolore.compat.nltk.bleu_score": ("brevity_penalty", "closest_ref_length", "modified_precision"),
    "tricolore.compat.nltk.meteor_score": ("meteor_score", "single_meteor_score"),
    "tricolore.compat.rouge_score.scoring": ("BootstrapAggregator",),
    "tricolore.adapters.torchmetrics": ("TricoloreMetric",),
    "tricolore.adapters.rewards": ("Reward",),
    "tricolore.adapters.reward_groups": ("advantages", "expected_reward"),
    "tricolore.adapters.evaluate": ("path",),
}  # fmt: skip

#: Names of metrics in other packages, and the metrics here.
OF_NAMES = {
    **dict.fromkeys(("sacrebleu", "corpus_bleu", "sentence_bleu", "bleu4", "bleu-4"), "bleu"),
    "spbleu": "bleu(tokenize=flores200)",
    "google_bleu": "gleu(tokenize=13a)",
    "nist_mt": "nist",
    "chrf2": "chrf",
    "chrf2++": "chrf++",
    "rouge": "rouge-l",
}
#: What is computed in a drop-in only, and where.
OF_DROP_INS = {"rougelsum": "rouge_score", "mer": "jiwer", "wil": "jiwer", "wip": "jiwer"}

#: Metrics by neural models, whose scores are computed elsewhere.
NEURAL = ("comet", "xcomet", "cometkiwi", "metricx", "bleurt", "bertscore", "bert_score")

#: Attributes of metrics.
OF_METRICS = {
    "corpus_score": (("sacrebleu.BLEU().corpus_score(hyps, [refs]).score", "metric(hyps, refs).points"),),
    "sentence_score": (
        ("sacrebleu.BLEU(effective_order=True).sentence_score(hyp, [ref]).score", "metric.segment(hyp, ref).points"),
    ),
    "get_signature": (("str(bleu.get_signature())", "metric(hyps, refs).signature"),),
    "compute": (
        (
            "evaluate.load('sacrebleu').compute(predictions=hyps, references=refs)['score']",
            "metric(hyps, refs).points",
        ),
    ),
    "add_batch": (
        (
            "evaluate.load('sacrebleu').compute(predictions=hyps, references=refs)['score']",
            "metric.result(metric.stats(hyps[:1], refs[:1]).sum() + metric.stats(hyps[1:], refs[1:]).sum()).points",
        ),
    ),
    "update": (
        (
            "sacrebleu.corpus_bleu(hyps, [refs]).score",
            "metric.result(metric.stats(hyps[:1], refs[:1]).sum() + metric.stats(hyps[1:], refs[1:]).sum()).points",
        ),
    ),
}

#: Parameters of metrics.
OF_PARAMETERS = {
    "max_ngram_order": (
        ("sacrebleu.BLEU(max_ngram_order=2).corpus_score(hyps, [refs]).score", "tri.BLEU(order=2)(hyps, refs).points"),
    ),
    "smooth_method": (
        (
            "sacrebleu.BLEU(smooth_method='floor').corpus_score(hyps, [refs]).score",
            "tri.BLEU(smooth='floor')(hyps, refs).points",
        ),
    ),
    "smooth_value": (
        (
            "sacrebleu.BLEU(smooth_method='floor', smooth_value=0.2).corpus_score(hyps, [refs]).score",
            "tri.BLEU(smooth='floor', epsilon=0.2)(hyps, refs).points",
        ),
        (
            "sacrebleu.BLEU(smooth_method='add-k', smooth_value=2).corpus_score(hyps, [refs]).score",
            "tri.BLEU(smooth='add-k', add=2)(hyps, refs).points",
        ),
    ),
    "effective_order": (
        (
            "sacrebleu.BLEU(effective_order=True).corpus_score(hyps, [refs]).score",
            "tri.BLEU(short='effective')(hyps, refs).points",
        ),
    ),
    "trg_lang": (
        (
            "sacrebleu.BLEU(trg_lang='zh').corpus_score(hyps, [refs]).score",
            "tri.BLEU(tokenize='zh')(hyps, refs).points",
        ),
    ),
    "asian_support": (
        (
            "sacrebleu.TER(normalized=True, asian_support=True).corpus_score(hyps, [refs]).score",
            "tri.TER(normalized=True, asian=True)(hyps, refs).points",
        ),
    ),
    "case_sensitive": (
        (
            "sacrebleu.TER(case_sensitive=True).corpus_score(hyps, [refs]).score",
            "tri.TER(case=True)(hyps, refs).points",
        ),
    ),
    "use_stemmer": (
        (
            "rouge_score.rouge_scorer.RougeScorer(['rougeL'], use_stemmer=True).score(ref, hyp)['rougeL'].fmeasure",
            "float(tri.RougeL(compat='rouge-score', stem=True).segment(hyp, ref))",
        ),
    ),
    "n_gram": (
        (
            "torchmetrics.text.BLEUScore(n_gram=2)(hyps, [[ref] for ref in refs])",
            "float(tri.BLEU(order=2, tokenize='none', smooth='none')(hyps, refs))",
        ),
    ),
    "use_effective_order": (
        (
            "sacrebleu.corpus_bleu(hyps, [refs], use_effective_order=True).score",
            "tri.BLEU(short='effective')(hyps, refs).points",
        ),
    ),
    "lc": (
        ("sacrebleu.corpus_bleu(hyps, [refs], lowercase=True).score", "tri.BLEU(lowercase=True)(hyps, refs).points"),
    ),
    "force": (("sacrebleu.corpus_bleu(hyps, [refs], force=True).score", "tri.BLEU()(hyps, refs).points"),),
    "smoothing_function": (
        (
            "nltk.translate.bleu_score.sentence_bleu([ref.split()], hyp.split(), "
            "smoothing_function=nltk.translate.bleu_score.SmoothingFunction().method3)",
            "float(tri.BLEU(tokenize='none', smooth=3).segment(hyp, ref))",
        ),
    ),
    "remove_whitespace": (
        (
            "sacrebleu.corpus_chrf(hyps, [refs], remove_whitespace=False).score",
            "tri.ChrF(whitespace=True)(hyps, refs).points",
        ),
    ),
    "support_zh_ja_chars": (
        (
            "sacrebleu.TER(normalized=True, asian_support=True).corpus_score(hyps, [refs]).score",
            "tri.TER(normalized=True, asian=True)(hyps, refs).points",
        ),
    ),
    **dict.fromkeys(
        ("reference_transform", "hypothesis_transform", "truth_transform"),
        (
            (
                "jiwer.wer(refs, hyps, transform, transform)",
                "tricolore.compat.jiwer.wer(refs, hyps, transform, transform)",
            ),
        ),
    ),
    **dict.fromkeys(
        ("rouge_types", "rouge_keys"),
        (
            (
                "rouge_score.rouge_scorer.RougeScorer(['rouge1']).score(ref, hyp)['rouge1'].fmeasure",
                "float(tri.RougeN(n=1, compat='rouge-score').segment(hyp, ref))",
            ),
        ),
    ),
    "references": (
        ("sacrebleu.BLEU(references=[refs]).corpus_score(hyps, None).score", "tri.BLEU()(hyps, refs).points"),
    ),
}

#: Those that take the same values here, and what they are called.
OF_SAME_VALUES = {
    **{"max_ngram_order": "order", "n_gram": "order", "smooth_method": "smooth", "case_sensitive": "case"},
    **{"asian_support": "asian", "support_zh_ja_chars": "asian", "use_stemmer": "stem", "lc": "lowercase"},
}

#: Attributes of scores.
OF_SCORES = {
    "score": (("sacrebleu.corpus_bleu(hyps, [refs]).score", "score.points"),),
    "format": (("sacrebleu.corpus_bleu(hyps, [refs]).format(width=2)", "score.line(2)"),),
    "sys_len": (("sacrebleu.corpus_bleu(hyps, [refs]).sys_len", "score.hyp_len"),),
    "fmeasure": (
        (
            "rouge_score.rouge_scorer.RougeScorer(['rougeL']).score(ref, hyp)['rougeL'].fmeasure",
            "tri.RougeL(compat='rouge-score').segment(hyp, ref).value",
        ),
    ),
    "num_edits": (("sacrebleu.corpus_ter(hyps, [refs]).num_edits", "tri.TER()(hyps, refs).edits"),),
    "ref_length": (("sacrebleu.corpus_ter(hyps, [refs]).ref_length", "tri.TER()(hyps, refs).ref_len"),),
    "substitutions": (("jiwer.process_words(ref, hyp).substitutions", "tri.align(hyp, ref).substitutions"),),
    "insertions": (("jiwer.process_words(ref, hyp).insertions", "tri.align(hyp, ref).insertions"),),
    "deletions": (("jiwer.process_words(ref, hyp).deletions", "tri.align(hyp, ref).deletions"),),
}

#: Names of arguments, and what they are called here; the first of these that a function has.
HYPOTHESES, REFERENCES = ("hyps", "hyp", "systems"), ("refs", "ref")
OF_ARGUMENTS = dict.fromkeys(
    ("predictions", "prediction", "hypotheses", "hypothesis", "preds", "candidates", "sys_stream"), HYPOTHESES
) | dict.fromkeys(("references", "reference", "targets", "target", "truth", "list_of_references", "ref"), REFERENCES)
#: The same for options.
OF_OPTIONS = dict.fromkeys(("n_bootstrap", "n_resamples", "confidence_n", "bs_n"), ("resamples",)) | dict.fromkeys(
    ("n_samples", "num_samples"), ("trials", "resamples")
)
OF_OPTIONS["metric"] = ("metrics",)
