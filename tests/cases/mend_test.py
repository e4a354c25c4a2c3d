"""Small inputs that once got a wrong answer, a wrong exit status, or none: the files of cases/mend beside the published
suites, which are not part of this repository. What each must give is below. The one that takes ten seconds is due by
tenths (tests/faults has the like).

Where they are not there, the test is skipped; with CI=true it fails.
"""

import json
import os
import pathlib
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

BINARY = os.environ["WARPCHECK_BINARY"]
SOURCE = pathlib.Path(os.environ["WARPCHECK_SOURCE"])
sys.path.insert(0, str(SOURCE / "tests/scenarios"))
from cases_beside import find_cases, skip  # noqa: E402
from due import is_due  # noqa: E402

CASES = find_cases("mend")


class gives:
    """That each run of the scenario has this verdict (under ptx: `weak`), and what the terminal says of it."""

    def __init__(self, verdict, *says, weak=None, cpu=20):
        self.verdict, self.says, self.weak, self.cpu = verdict, says, weak or verdict, cpu

    def judge(self, test, file):
        done = test.warpcheck("run", file, "--results", test.folder / "results.json", cpu=self.cpu)
        results = json.loads((test.folder / "results.json").read_text())["results"]
        test.assertTrue(results, done.stderr)
        for result in results:
            verdict = self.weak if result["memory"] == "ptx" else self.verdict
            test.assertEqual(result["verdict"], verdict, done.stdout)
        test.assertEqual(done.returncode, 0 if self.verdict == "ok" else 1, done.stderr)
        for pattern in self.says:
            test.assertRegex(" ".join(done.stdout.split()), pattern)


class refused:
    """That it is the user's mistake, and what the message says."""

    def __init__(self, *says, cpu=20):
        self.says, self.cpu = says, cpu

    def judge(self, test, file):
        done = test.warpcheck("run", file, cpu=self.cpu)
        test.assertEqual(done.returncode, 2, done.stdout + done.stderr)
        for pattern in self.says:
            test.assertRegex(done.stderr, pattern)


class answers:
    """That the statement of a litmus test does not hold."""

    def __init__(self, *options):
        self.options = options

    def judge(self, test, file):
        done = test.warpcheck("litmus", file, *self.options, "--json", cpu=20)
        (result,) = json.loads(done.stdout)["results"]
        test.assertEqual((done.returncode, result["holds"]), (1, False))


def once_config_is_there(test, folder):
    """A header that is made beside the subject, which asks for it by __has_include, belongs to it."""
    copy = test.folder / "copy"
    shutil.copytree(folder, copy)
    gives("ok").judge(test, copy / "k.toml")
    (copy / "config.hpp").write_text("#define WRONG 1\n")
    gives("assertion").judge(test, copy / "k.toml")


MEND = {
    # Members that the API looks for and that do not fit: which one, and the form that is wanted.
    "barrier_parties_private.toml": refused(r"barrier_parties_private\.hpp:\d+", r"parties\(\)"),
    "chk_arg.toml": refused(r"chk_arg\.hpp:\d+", r"bool check\(.*\) const"),
    "chk_nonconst.toml": refused(r"chk_nonconst\.hpp:\d+", r"bool check\(.*\) const"),
    "chk_private.toml": refused(r"chk_private\.hpp:\d+", r"bool check\(.*\) const"),
    "chk_shape_ref.toml": refused(r"chk_shape_ref\.hpp:\d+", r"bool check\(.*\) const"),
    "init_private.toml": refused(r"init_private\.hpp:\d+", r"void init\(\)"),
    "lock_check.toml": refused(r"lock_check\.hpp:\d+", r"check\("),
    "check_race_only.toml": gives("ok", "Only race was looked for"),
    "stale_cache": once_config_is_there,
    "dead_loads_dl.toml": gives("race"),
    "dead_loads_dl2.toml": gives("race"),
    "dead_loads_dl3.toml": gives("race"),
    "passed_on_a10.toml": gives("ok"),
    "passed_on_a11.toml": gives("ok"),
    "passed_on_a13.toml": gives("ok"),
    "passed_on_a20.toml": gives("ok"),
    "passed_on_a21.toml": gives("ok"),
    "passed_on_a22.toml": gives("ok"),
    "passed_on.litmus": answers(),
    # Two lanes increment a plain variable, whose name is no mangled one.
    "glob_g.toml": gives("race", r"`g` is written"),
    "folded_branch.toml": gives("deadlock"),
    "mixed_sizes.toml": gives("deadlock", weak="inconclusive"),
    "local_loop.toml": gives("ok", cpu=10),
    # Host code of a subject that ends or never comes back: the subject and the phase.
    "check_assert.toml": refused(r'"s"', r"check\(\)"),
    "check_exit0.toml": refused(r'"s"', r"check\(\)"),
    "check_loop.toml": refused(r'"s"', r"check\(\)", cpu=60),
    "ctor_div0.toml": refused(r'"s"', r"constructor"),
    # The place, and what to do.
    "empty.toml": refused(r"empty\.(hpp|toml)", r"SIMT_SUBJECT"),
    "no_subject.toml": refused(r"no_subject\.(hpp|toml)", r"SIMT_SUBJECT"),
    "global_extern.toml": refused(r"global_extern\.(hpp|toml)", r"ext\b"),
    "sc_barrier_wait.litmus": answers("--memory", "sc"),
}

# They wait for the end of host code that has none.
SLOW = {"check_loop.toml"}

# Known gaps: their answers are still wrong.
WRONG_YET = set()


class ended:
    """What a command left, and the CPU time that it and all that it started took."""

    def __init__(self, status, seconds, stdout, stderr):
        self.returncode, self.seconds, self.stdout, self.stderr = status, seconds, stdout, stderr


class mend(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def warpcheck(self, *arguments, cpu):
        """Runs it with a limit of CPU time, in seconds, and with a cache of its own."""
        def limit():
            resource.setrlimit(resource.RLIMIT_CPU, (cpu, cpu + 1))
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        # A session of its own, so that what it leaves behind can be ended with it.
        with subprocess.Popen([BINARY, *map(str, arguments)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.PIPE, text=True, preexec_fn=limit, start_new_session=True,
                              env={**os.environ, "WARPCHECK_CACHE": str(self.folder / "cache")}) as process:
            try:
                stdout, stderr = process.communicate(timeout=30 * cpu)  # only where it waits for ever
            finally:
                try:
                    os.killpg(process.pid, signal.SIGKILL)
                except ProcessLookupError:
                    pass
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        self.assertLess(seconds, cpu, f"took {seconds:.1f} s of CPU; {stdout}{stderr}")
        return ended(process.returncode, seconds, stdout, stderr)


def case(name, expected):
    def test(self):
        if name in SLOW and not is_due(name):
            self.skipTest("not due")
        if callable(expected):
            expected(self, CASES / name)
        else:
            expected.judge(self, CASES / name)
    return unittest.expectedFailure(test) if name in WRONG_YET else test


for each, right in MEND.items():
    setattr(mend, "test_" + each.replace(".", "_"), case(each, right))


def main():
    if CASES is None:
        skip("mend")
    here = {each.name for each in CASES.iterdir() if each.suffix in (".toml", ".litmus") or each.is_dir()}
    for name in sorted(here - MEND.keys()):
        print(f"{name}: is there, and not in the list of this test")
    unittest.main()


if __name__ == "__main__":
    main()
