"""Rewards for training: segment scores in TRL's shape, normalised as TRL does, and the gradient of expected reward."""

import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import tricolore as tri
from tricolore.adapters.reward_groups import advantages, expected_reward
from tricolore.adapters.rewards import Reward
from tricolore.errors import InputError, SpecError
from tricolore.examples import lines
from tricolore.metrics import every_metric

HYPS = lines("fluent")
ONE = lines("reference-a")
SEVERAL = [list(pair) for pair in zip(ONE, lines("reference-b"), strict=True)]
SPECS = [spec for spec in every_metric() if spec != "length"]


def chat(text):
    return [{"role": "assistant", "content": text}]


def expected(spec, hyps, refs):
    metric = tri.metric(spec)
    values = metric.segments(hyps, refs)
    return (values if metric.higher_is_better else 1 - values).tolist()


@pytest.mark.parametrize("refs", [ONE, SEVERAL], ids=["one reference", "several"])
@pytest.mark.parametrize("spec", [spec for spec in SPECS if spec != "nist"])
def test_rewards_are_segment_scores(spec, refs):
    reward = Reward(spec, reference="answer", threads=1)
    found = reward(
        prompts=["?"] * len(HYPS), completions=HYPS, completion_ids=[[1]] * len(HYPS), answer=refs, source=HYPS
    )
    assert found == expected(spec, HYPS, refs)
    assert all(type(one) is float for one in found)


@pytest.mark.parametrize("spec", [spec for spec in SPECS if spec != "nist"])
def test_better_is_higher(spec):
    worse, better = Reward(spec, "answer")(
        ["x y z q", "this is a good sentence"], answer=["this is a good sentence"] * 2
    )
    assert worse < better


def test_nist_learns_first():
    with pytest.raises(InputError, match=r"Reward\(metric.prepare\(refs\), ...\)"):
        Reward("nist", "answer")
    nist = tri.metric("nist").prepare(ONE)
    assert Reward(nist, "answer")(HYPS, answer=ONE) == nist.segments(HYPS, ONE).tolist()


class TestTexts:
    def test_chat_messages(self):
        reward = Reward("chrf", "answer")
        found = reward(completions=[chat(hyp) for hyp in HYPS], answer=[chat(ref) for ref in ONE])
        assert found == expected("chrf", HYPS, ONE)

    def test_the_last_message_of_the_assistant_is_scored(self):
        messages = [*chat("let me look"), {"role": "tool", "content": "data"}, *chat([{"type": "text", "text": "a b"}])]
        assert Reward("wer", "answer")([messages], answer=["a b"]) == [1.0]
        assert Reward("wer", "answer")([[*messages, {"role": "tool", "content": "x"}]], answer=["a b"]) == [1.0]
        assert Reward("wer", "answer")([chat(None)], answer=["a b"]) == [0.0]

    def test_part_of_a_completion(self):
        reward = Reward("wer", "answer", extract=lambda text: text.rpartition("</think>")[2].strip())
        assert reward(["hm, well </think> a b", "a b"], answer=["a b", "a b"]) == [1.0, 1.0]

    def test_references_in_several_columns(self):
        reward = Reward("bleu", ["a", "b"])
        assert reward(HYPS, a=ONE, b=lines("reference-b")) == expected("bleu", HYPS, SEVERAL)
        assert reward(HYPS[:1], a=[None], b=[SEVERAL[0]]) == expected("bleu", HYPS[:1], SEVERAL[:1])

    @pytest.mark.parametrize(
        ("completions", "message"),
        [
            ([7], "completion 0: expected a string or a list of chat messages, got int"),
            (["a", ["a"]], "completion 1: expected a string or a list of chat messages, got list"),
            ([[{"role": "user", "content": "a"}]], "completion 0: expected a message of the assistant, got none"),
            ([chat([{"type": "text"}])], "completion 0: expected text as content of a chat message, got list"),
            ([chat(7)], "completion 0: expected text as content of a chat message, got int"),
            (None, "chrf: expected completions, got none"),
        ],
    )
    def test_what_are_no_completions(self, completions, message):
        with pytest.raises(InputError, match=message):
            Reward("chrf", "answer")(completions, answer=["a", "b"])

    @pytest.mark.parametrize(
        ("columns", "message"),
        [
            ({"answers": ["a"], "log": 7}, r"no column 'answer'; did you mean 'answers'\? \(there are answers\)"),
            ({"answer": ["a", "b"]}, "column 'answer' has 2 entries, but there are 1 completions"),
            ({"answer": [None]}, "example 0 has no reference in 'answer': .* missing=\"skip\" gives it no reward"),
            ({"answer": [[]]}, "example 0 has no reference in 'answer'"),
            ({"answer": [{"a": 1}]}, "column 'answer', example 0: expected a string, a list of strings or chat"),
            ({"answer": [["a", 7]]}, "reference 1 of segment 0: expected a string"),
            ({"answer": [[7, 8]]}, "expected text as in hypothesis 0, got token ids"),
        ],
    )
    def test_what_are_no_references(self, columns, message):
        with pytest.raises(InputError, match=message):
            Reward("chrf", "answer")(["a"], **columns)

    def test_examples_without_a_reference_are_skipped_if_asked(self):
        reward = Reward("wer", "answer", missing="skip")
        assert reward(["a b", "a b", "a"], answer=["a b", None, []]) == [1.0, None, None]
        assert reward(["a b"], answer=[None]) == [None]


class TestTokenIds:
    HYPS = ((7, 8, 9), (7, 7, 8, 8), ())
    REFS = ((7, 8, 8, 9), (7, 8), (7,))

    @pytest.mark.parametrize("spec", ["bleu", "chrf", "wer", "ter", "rouge-l"])
    def test_padded_tensors(self, spec):
        torch = pytest.importorskip("torch", reason="torch is not installed (pip install --group tensors)")
        hyps = torch.tensor([[7, 8, 9, 2, 0], [7, 7, 8, 8, 2], [2, 0, 0, 0, 0]])
        refs = torch.tensor([[7, 8, 8, 9], [7, 8, -100, -100], [7, -100, -100, -100]])
        reward = Reward(spec, "labels", ids=True, ignore_ids=(0, 2, -100))
        wanted = expected(spec, [*map(list, self.HYPS)], [*map(list, self.REFS)])
        assert reward(completion_ids=hyps, labels=refs) == wanted
        assert reward(completion_ids=[*hyps], labels=[*refs]) == wanted
        assert reward(completion_ids=hyps.tolist(), labels=refs.tolist()) == wanted
        assert reward(completions=["?"] * 3, completion_ids=hyps.numpy(), labels=[[ref] for ref in refs]) == wanted

    def test_a_reference_without_tokens(self):
        reward = Reward("wer", "labels", ids=True, ignore_ids=0)
        assert reward(completion_ids=[[7], [], [7]], labels=[[], [], [0]]) == [0.0, 1.0, 0.0]

    def test_padding_that_is_not_named_is_refused(self):
        with pytest.raises(InputError, match="got -100; leave out padding"):
            Reward("wer", "labels", ids=True)(completion_ids=[[7]], labels=[[7, -100]])

    def test_options_that_require_each_other(self):
        with pytest.raises(SpecError, match="ignore_ids requires ids=True"):
            Reward("wer", "labels", ignore_ids=0)
        with pytest.raises(SpecError, match="extract is for texts"):
            Reward("wer", "labels", ids=True, extract=str.strip)


def test_the_corpus_score_is_logged():
    logged = {}
    Reward("bleu", "answer")(HYPS, answer=ONE, log_metric=logged.__setitem__)
    assert logged == {"bleu/corpus": pytest.approx(tri.BLEU()(HYPS, ONE).points, rel=1e-12)}


def test_names_and_copies():
    assert Reward("chrf++", "answer").__name__ == "chrf(word_order=2)"
    named = Reward("chrf++", "answer", name="fluency")
    assert named.__name__ == "fluency"
    assert pickle.loads(pickle.dumps(named))(HYPS, answer=ONE) == named(HYPS, answer=ONE)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"metric": "blue"}, "did you mean 'bleu'"),
        ({"metric": "length"}, "length is no reward: it describes output without rating it"),
        ({"reference": 7}, "reference: expected the name of a column, or a list of names"),
        ({"reference": []}, "reference: expected the name of a column"),
        ({"reference": ""}, "reference: expected the name of a column"),
        ({"num_generations": 0}, "num_generations must be a whole number"),
        ({"missing": "drop"}, "missing must be one of refuse, skip"),
    ],
)
def test_options_are_checked(given, message):
    with pytest.raises(SpecError, match=message):
        Reward(**{"metric": "bleu", "reference": "answer", **given})


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"completions": "a cat", "answer": ["a cat"]}, "^completions: expected a list, got one string"),
        ({"completions": ["a cat"], "answer": "a cat"}, "^column 'answer': expected a list .*, got one string$"),
        ({"completions": ["a cat"]}, r"^no column 'answer': expected answer=\[...\], with the references of each"),
        ({"completions": ["a cat"], "answers": ["a cat"]}, "^no column 'answer'; did you mean 'answers'"),
    ],
)
def test_strings_are_no_lists_and_columns_are_needed(given, message):
    with pytest.raises(InputError, match=message):
        Reward("chrf", reference="answer")(**given)


def test_rewards_print_what_they_are():
    assert repr(Reward("ter", reference="answer")) == "Reward('ter', reference='answer')"
    assert repr(Reward("chrf++", ["a", "b"])) == "Reward('chrf(word_order=2)', reference=['a', 'b'])"


def test_no_completions_have_no_rewards():
    for size in (None, 2):
        assert Reward("chrf", reference="answer", num_generations=size)([], answer=[]) == []
    assert advantages([], 2).tolist() == expected_reward([], [], 2).weights.tolist() == []


class TestGroups:
    REWARDS = st.lists(st.one_of(st.none(), st.floats(-1, 1)), min_size=12, max_size=12)

    @given(rewards=REWARDS, size=st.sampled_from([1, 2, 3, 4, 6]), scale=st.sampled_from(["group", "batch", "none"]))
    def test_an_obvious_oracle(self, rewards, size, scale):
        found = advantages(rewards, size, scale).tolist()
        values = [float("nan") if one is None else one for one in rewards]

        def deviation(numbers):
            numbers = [one for one in numbers if one == one]
            if len(numbers) < 2:
                return 0.0
            mean = sum(numbers) / len(numbers)
            return (sum((one - mean) ** 2 for one in numbers) / (len(numbers) - 1)) ** 0.5

        for i, value in enumerate(values):
            group = values[i - i % size : i - i % size + size]
            known = [one for one in group if one == one]
            if value != value:
                assert found[i] != found[i]
                continue
            divisor = {"none": 1, "group": deviation(group) + 1e-4, "batch": deviation(values) + 1e-4}[scale]
            assert found[i] == pytest.approx((value - sum(known) / len(known)) / divisor, abs=1e-9)

    def test_rewards_are_normalised_in_groups(self):
        hyps, refs, prompts = HYPS * 2, ONE * 2, [i // 4 for i in range(2 * len(HYPS))]
        found = Reward("chrf", "answer", num_generations=4)(hyps, prompts=prompts, answer=refs)
        assert found == advantages(expected("chrf", hyps, refs), 4).tolist()
        skipped = Reward("chrf", "answer", num_generations=2, missing="skip")(hyps[:2], answer=[None, refs[1]])
        assert skipped == [None, 0.0]

    def test_groups_that_are_none(self):
        reward = Reward("chrf", "answer", num_generations=2)
        with pytest.raises(InputError, match="completions 2 and 3 belong to different prompts; expected 2 completions"):
            reward(HYPS[:4], prompts=["a", "a", "b", "c"], answer=ONE[:4])
        with pytest.raises(InputError, match=r"expected 2 for each prompt, one after the other; got .* shape \(3,\)"):
            reward(HYPS[:3], answer=ONE[:3])

    def test_weights_have_the_gradient_of_the_expected_reward(self):
        torch = pytest.importorskip("torch", reason="torch is not installed (pip install --group tensors)")
        rewards = torch.rand(12, dtype=torch.float64, generator=torch.Generator().manual_seed(1))
        log_p = (-20 * torch.rand(12, generator=torch.Generator().manual_seed(2))).double().requires_grad_()
        q = torch.softmax(0.3 * log_p.view(3, 4), dim=1)
        wanted = (q * rewards.view(3, 4)).sum(dim=1)
        wanted.sum().backward()
        found = expected_reward(rewards, log_p, num_generations=4, alpha=0.3)
        assert found.expected == pytest.approx(wanted.detach().numpy(), rel=1e-12)
        assert found.probabilities == pytest.approx(q.detach().numpy().reshape(-1), rel=1e-12)
        assert found.weights == pytest.approx(log_p.grad.numpy(), rel=1e-9)
        assert expected_reward(rewards.bfloat16(), log_p.bfloat16(), 4).expected.shape == (3,)

    def test_improbable_completions_are_no_trouble(self):
        found = expected_reward([0.0, 1.0], [-9000.0, -9001.0], 2)
        assert found.expected == pytest.approx([1 / (1 + np.e)])

    @pytest.mark.parametrize(
        ("rewards", "log_p", "message"),
        [
            ([1.0], [0.0], "rewards: expected 2 for each prompt"),
            ([1.0, 0.0], [0.0] * 4, "there are 2 rewards but 4 log_probabilities"),
            ([1.0, None], [0.0, 0.0], "rewards: expected finite numbers, got nan"),
            ([1.0, 0.0], [0.0, -np.inf], "log_probabilities: expected finite numbers, got -inf"),
        ],
    )
    def test_what_has_no_expectation(self, rewards, log_p, message):
        with pytest.raises(InputError, match=message):
            expected_reward(rewards, log_p, 2)


# TRL -------------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def trl():
    return pytest.importorskip("trl", reason="TRL is not installed (pip install --group training)")


def tiny_model(words):
    from tokenizers import Tokenizer, models, pre_tokenizers
    from transformers import LlamaConfig, LlamaForCausalLM, PreTrainedTokenizerFast

    vocabulary = {word: i for i, word in enumerate(["<pad>", "<eos>", "<unk>", *sorted(words)])}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="<unk>"))
    tokenizer.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    processing = PreTrainedTokenizerFast(tokenizer_object=tokenizer, pad_token="<pad>", eos_token="<eos>")
    config = LlamaConfig(
        vocab_size=len(vocabulary), hidden_size=16, intermediate_size=16, num_hidden_layers=1,
        num_attention_heads=2, num_key_value_heads=2, pad_token_id=0, eos_token_id=1, bos_token_id=1,
    )  # fmt: skip
    return LlamaForCausalLM(config), processing


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")
def test_grpo_trains_with_these_rewards(trl, tmp_path):
    """A step of the real trainer: its advantages are ours, and its log has the rewards and the corpus scores."""
    from datasets import Dataset

    model, tokenizer = tiny_model({word for text in ONE for word in text.split()})
    ids = [tokenizer(text)["input_ids"] for text in ONE]
    data = Dataset.from_dict({"prompt": ONE, "answer": SEVERAL, "answer_ids": ids})
    rewards = [
        Reward("chrf", "answer"),
        Reward("ter", "answer"),
        Reward("bleu", "answer_ids", ids=True, ignore_ids=[0, 1]),
    ]
    arguments = trl.GRPOConfig(
        output_dir=str(tmp_path), num_generations=4, per_device_train_batch_size=8, max_completion_length=8,
        max_steps=1, logging_steps=1, report_to=[], save_strategy="no", use_cpu=True, bf16=False, seed=1,
    )  # fmt: skip
    trainer = trl.GRPOTrainer(model, rewards, arguments, data, processing_class=tokenizer)
    trainer.train()
    found = {name: list(values) for name, values in trainer._logs["rewards"].items()}
    assert found.keys() == {"chrf", "ter", "bleu"}
    answers = dict(zip(ONE, SEVERAL, strict=True))
    refs = [answers[prompt] for prompt in trainer._logs["prompt"]]
    hyps = list(trainer._logs["completion"])
    assert found["chrf"] == pytest.approx(expected("chrf", hyps, refs), abs=1e-6)
    assert found["ter"] == pytest.approx(expected("ter", hyps, refs), abs=1e-6)
    total = np.sum([*found.values()], axis=0)
    assert list(trainer._logs["advantages"]) == pytest.approx(advantages(total, 4).tolist(), abs=1e-3)
    log = trainer.state.log_history[0]
    assert log["chrf/corpus"] == pytest.approx(tri.ChrF()(hyps, refs).points, rel=1e-6)
    assert log["rewards/ter/mean"] == pytest.approx(np.mean(found["ter"]), abs=1e-5)
