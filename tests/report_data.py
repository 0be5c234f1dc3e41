"""Systems to report on, and the scripts of a report called from tests."""

import json
import math
import random
import shutil
import subprocess
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).parent / "javascript"

#: Made up into sentences.
TEXT = "the a cat dog bird sat on under mat house big small old is was it, he she they left. went home, today"
WORDS = TEXT.split()


def corpus(segments=60, systems=("good", "fair", "poor"), seed=1):
    """References, and outputs of systems that make more and more mistakes."""
    chance = random.Random(seed)
    refs = [" ".join(chance.choices(WORDS, k=chance.randint(4, 30))) for _ in range(segments)]
    outputs = {}
    for k, name in enumerate(systems, 1):
        outputs[name] = [" ".join(_spoilt(ref.split(), chance, 0.04 + 0.06 * k)) for ref in refs]
    return outputs, refs


def _spoilt(words, chance, share):
    for word in words:
        kind = chance.random()
        if kind < share / 3:
            continue
        yield chance.choice(WORDS) if kind < share else word
        if kind > 1 - share / 3:
            yield chance.choice(WORDS)


def node():
    """The command of Node.js; without one, tests of scripts are skipped."""
    found = shutil.which("node")
    if found is None:
        pytest.skip("node is not installed")
    return found


def run_node(script, given):
    """Run one of the scripts of the tests on a value, and return what it prints."""
    command, how = [node(), str(SCRIPTS / script)], {"capture_output": True, "text": True, "encoding": "utf-8"}
    done = subprocess.run(command, input=json.dumps(given), check=False, **how)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout, parse_constant=float)


def call(*calls):
    """Call functions of the report's scripts: (file, function, arguments) each."""
    return [_restored(value) for value in run_node("call.mjs", calls)]


def _restored(value):
    names = {"#NaN": math.nan, "#Infinity": math.inf, "#-Infinity": -math.inf}
    if isinstance(value, str):
        return names.get(value, value)
    if isinstance(value, list):
        return [_restored(one) for one in value]
    if isinstance(value, dict):
        return {key: _restored(one) for key, one in value.items()}
    return value
