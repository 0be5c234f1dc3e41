"""Threads: what is asked for, or the processors that a process may use, by its affinity and its control group."""

import os
import subprocess
import sys

import numpy as np
import pytest

import tricolore as tri
from tricolore import processors
from tricolore.errors import SpecError
from tricolore.processors import available, quota, worker_count


@pytest.fixture
def groups(tmp_path):
    """Write control groups: the lines of /proc/self/cgroup, and files below the folder where they are mounted."""

    def make(lines, files):
        (tmp_path / "cgroup").write_text("".join(f"{line}\n" for line in lines))
        for name, text in files.items():
            path = tmp_path / "fs" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"{text}\n")
        return str(tmp_path / "cgroup"), str(tmp_path / "fs")

    return make


@pytest.mark.parametrize(
    ("limit", "expected"),
    [
        ("max 100000", None),
        ("200000 100000", 2),
        ("150000 100000", 2),  # rounded up
        ("100000 100000", 1),
        ("1000 100000", 1),  # at least one
        ("50000 10000", 5),
        ("0 100000", None),
        ("-1 100000", None),
        ("100000 0", None),
        ("", None),
        ("200000", None),
        ("two 100000", None),
        ("\u00b2 100000", None),
    ],
)
def test_version_2(groups, limit, expected):
    assert quota(*groups(["0::/app"], {"app/cpu.max": limit})) == expected


@pytest.mark.parametrize(
    ("time", "period", "expected"), [(-1, 100000, None), (250000, 100000, 3), (5000, 100000, 1), (400000, 100000, 4)]
)
@pytest.mark.parametrize("name", ["cpu", "cpu,cpuacct"])
def test_version_1(groups, name, time, period, expected):
    found = groups(
        ["5:memory:/other", f"4:{name}:/app", "3:cpuset:/app"],
        {f"{name}/app/cpu.cfs_quota_us": time, f"{name}/app/cpu.cfs_period_us": period},
    )
    assert quota(*found) == expected


def test_a_folder_may_be_named_after_one_of_several_controllers(groups):
    files = {"cpu/app/cpu.cfs_quota_us": 100000, "cpu/app/cpu.cfs_period_us": 50000}
    assert quota(*groups(["4:cpu,cpuacct:/app"], files)) == 2


def test_groups_above_hold_too(groups):
    files = {"cpu.max": "max 100000", "a/cpu.max": "300000 100000", "a/b/cpu.max": "max 100000", "a/b/c/cpu.max": ""}
    assert quota(*groups(["0::/a/b/c"], files)) == 3
    assert quota(*groups(["0::/a/b/c"], {**files, "a/b/c/cpu.max": "800000 100000"})) == 3
    assert quota(*groups(["0::/a/b/c"], {**files, "a/b/c/cpu.max": "100000 100000"})) == 1


def test_in_a_container_the_folder_is_the_group_itself(groups):
    assert quota(*groups(["0::/"], {"cpu.max": "200000 100000"})) == 2
    assert quota(*groups(["0::/../../outside"], {"cpu.max": "200000 100000"})) == 2
    files = {"cpu/cpu.cfs_quota_us": 200000, "cpu/cpu.cfs_period_us": 100000}
    assert quota(*groups(["4:cpu,cpuacct:/docker/0123abc"], files)) == 2


def test_both_versions_at_once(groups):
    lines = ["1:cpu:/a", "0::/b"]
    files = {"cpu/a/cpu.cfs_quota_us": 500000, "cpu/a/cpu.cfs_period_us": 100000}
    assert quota(*groups(lines, files)) == 5
    assert quota(*groups(lines, {**files, "unified/b/cpu.max": "300000 100000"})) == 3


def test_no_control_groups(groups, tmp_path):
    assert quota(str(tmp_path / "none"), str(tmp_path)) is None
    assert quota(*groups([], {})) is None
    assert quota(*groups(["", "garbage", "0:", "::", "0::"], {})) is None


@pytest.fixture
def machine(monkeypatch):
    def make(bound, own):
        monkeypatch.setattr(processors, "bound_processors", lambda: bound)
        monkeypatch.setattr(processors, "own_quota", lambda: own)

    return make


@pytest.mark.parametrize(("bound", "own", "expected"), [(8, None, 8), (8, 2, 2), (2, 8, 2), (1, 8, 1), (64, 1, 1)])
def test_the_fewer_of_both(machine, bound, own, expected):
    machine(bound, own)
    assert available() == worker_count(None) == worker_count(0) == worker_count(np.int64(0)) == expected
    assert worker_count(5) == worker_count(np.int32(5)) == 5  # what is asked for is used


def test_files_are_read_only_where_they_can_matter(monkeypatch):
    monkeypatch.setattr(processors, "bound_processors", lambda: 1)
    monkeypatch.setattr(processors, "own_quota", lambda: pytest.fail("read"))
    assert available() == 1


@pytest.mark.parametrize("threads", [-1, 1025, 1.0, 0.0, "2", True, False, float("nan"), [], object(), 10**30])
def test_what_is_no_number_of_threads(threads):
    with pytest.raises(SpecError, match=r"threads must be a whole number from 0 \(all cores\) to 1,024; got"):
        worker_count(threads)
    with pytest.raises(SpecError, match="threads must be"):
        tri.BLEU()(["a"], ["a"], threads=threads)


def test_the_affinity_of_the_process_is_heeded():
    if not hasattr(os, "sched_setaffinity"):
        pytest.skip("no affinity on this system")
    bind = "import os; os.sched_setaffinity(0, {min(os.sched_getaffinity(0))})"
    code = f"{bind}; from tricolore.processors import available; print(available())"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "1\n"
