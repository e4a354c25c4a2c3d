"""run --accept writes expectations and leaves everything else; --jobs says what one process says; - is standard input."""

import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

BINARY = os.environ["WARPCHECK_BINARY"]
SOURCE = pathlib.Path(os.environ["WARPCHECK_SOURCE"])

LOCK = """#include <simt/simt.hpp>
struct my_lock {
  simt::atomic<int> held{0};
  SIMT_FN void lock() { while (held.exchange(1, simt::memory_order_acquire) != 0) {} }
  SIMT_FN void unlock() { held.store(0, simt::memory_order_release); }
};
SIMT_SUBJECT(my_lock);
"""

# Umlauts before a value, keys that line up, comments everywhere: all of it stays.
SCENARIO = """# Ein Schloß.
title   = "Schloß"  # "quoted"
source  = "my_lock.hpp"
subject = "my_lock"
workload = "counter"

[grid]
lanes = 4

[[run]]  # before Volta
reconvergence = "stack"
memory        = "sc"
# nothing is expected here

[[run]]
expect = "race" # ß, and no race
reconvergence = "its"

[[run]]
reconvergence = "its"
memory = "sc"
expect_violations = [
  "race",   # one
  "livelock",
]  # at the end
"""

ACCEPTED = """# Ein Schloß.
title   = "Schloß"  # "quoted"
source  = "my_lock.hpp"
subject = "my_lock"
workload = "counter"

[grid]
lanes = 4

[[run]]  # before Volta
reconvergence = "stack"
memory        = "sc"
expect        = "simt-deadlock"
# nothing is expected here

[[run]]
expect = "ok" # ß, and no race
reconvergence = "its"

[[run]]
reconvergence = "its"
memory = "sc"
expect_violations = []  # at the end
"""


class scenarios(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        (self.root / "my_lock.hpp").write_text(LOCK)
        self.file = self.root / "my_lock.toml"
        self.file.write_text(SCENARIO)

    def warpcheck(self, *arguments, **more):
        return subprocess.run([BINARY, *map(str, arguments)], cwd=self.root, capture_output=True, text=True,
                              timeout=300, **({"stdin": subprocess.DEVNULL} | more))


class accept(scenarios):
    def test_what_was_found_is_written_and_nothing_else_changes(self):
        result = self.warpcheck("run", self.file, "--accept")
        self.assertEqual(result.returncode, 0, result.stderr + result.stdout)
        self.assertEqual(self.file.read_text(), ACCEPTED)
        self.assertIn("my_lock.toml: now expects simt-deadlock (line 10), ok (line 15), ok (line 19)", result.stdout)
        again = self.warpcheck("run", self.file, "--accept")
        self.assertEqual(again.returncode, 0)
        self.assertNotIn("now expects", again.stdout)
        self.assertEqual(self.file.read_text(), ACCEPTED)

    def test_only_the_runs_that_were_made(self):
        result = self.warpcheck("run", self.file, "--accept", "--only", "stack-sc-fair")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertEqual(self.file.read_text(), ACCEPTED.replace('"ok" #', '"race" #').replace(
            "= []", '= [\n  "race",   # one\n  "livelock",\n]'))
        # One of the two runs of a table without memory.
        before = self.file.read_text()
        result = self.warpcheck("run", self.file, "--accept", "--only", "its-ptx-fair")
        self.assertEqual(result.returncode, 1)
        self.assertIn("my_lock.toml:16: nothing is written for this [[run]]: it is 2 runs", result.stderr)
        self.assertEqual(self.file.read_text(), before)

    def test_runs_that_differ_are_told(self):
        self.file.write_text('subject = "locks/tas"\n[grid]\nblocks = 2\n')
        (self.root / "plain.hpp").write_text(LOCK.replace("my_lock", "plain").replace(
            "memory_order_acquire", "memory_order_relaxed"))
        self.file.write_text('source = "plain.hpp"\nsubject = "plain"\nworkload = "counter"\n[grid]\nblocks = 2\n'
                             '[[run]]\n')
        before = self.file.read_text()
        result = self.warpcheck("run", self.file, "--accept")
        self.assertEqual(result.returncode, 1, result.stdout)
        self.assertIn("its runs differ (ok under sc, race under ptx)", result.stderr)
        self.assertEqual(self.file.read_text(), before)

    def test_what_is_inconclusive_is_not_accepted(self):
        result = self.warpcheck("run", self.file, "--accept", "--only", "its-sc-fair", "--max-states", "2")
        self.assertEqual(result.returncode, 3, result.stdout)
        self.assertEqual(self.file.read_text(), SCENARIO)

    def test_standard_input_is_no_file(self):
        result = self.warpcheck("run", "-", "--accept", stdin=None, input=SCENARIO)
        self.assertEqual(result.returncode, 2)
        self.assertIn("--accept: standard input is no file to write to", result.stderr)


class standard_input(scenarios):
    def test_a_scenario_whose_source_is_in_the_working_directory(self):
        result = self.warpcheck("run", "-", "--json", "--counterexamples", "found", stdin=None, input=SCENARIO)
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertEqual([r["verdict"] for r in json.loads(result.stdout)["results"]],
                         ["simt-deadlock", "ok", "ok", "ok"])
        (kept,) = (self.root / "found").iterdir()
        self.assertEqual(kept.name, "stdin-stack-sc-fair-simt-deadlock.json")
        self.assertEqual(self.warpcheck("replay", kept, "--trust").returncode, 0)

    def test_mistakes(self):
        result = self.warpcheck("run", "-", stdin=None, input=SCENARIO.replace("lanes =", "lane ="))
        self.assertEqual(result.returncode, 2)
        self.assertIn('-:8:1: unknown key "lane"', result.stderr)

    def test_litmus_and_histories(self):
        text = (SOURCE / "scenarios/litmus/mp.litmus").read_text()
        self.assertEqual(self.warpcheck("litmus", "-", stdin=None, input=text).returncode, 0)
        history = (SOURCE / "tests/golden/histories/queue_ok.jsonl").read_text()
        result = self.warpcheck("history", "-", "--spec", "queue", stdin=None, input=history)
        self.assertEqual(result.returncode, 0, result.stderr)


class jobs(scenarios):
    def setUp(self):
        super().setUp()
        for i in range(2):
            text = SCENARIO.replace("lanes = 4", f"lanes = {i + 2}")
            # Its last run has a story, behind which a line is left empty.
            (self.root / f"more_{i}.toml").write_text(text + '[[run]]\nreconvergence = "stack"\nmemory = "ptx"\n')

    def without_times(self, text):
        return re.sub(r"\d+\.\d+ s|\d\.\d+ GiB|\d+ MiB", "TIME", re.sub(r'time(stamp)?="[^"]*"', "", text))

    def test_it_says_what_one_process_says(self):
        for options in [[], ["--quiet", "--github"]]:
            one = self.warpcheck("run", ".", *options)
            several = self.warpcheck("run", ".", "--jobs", "3", *options)
            self.assertEqual(several.returncode, one.returncode, several.stderr)
            self.assertEqual(self.without_times(several.stdout), self.without_times(one.stdout))

    def test_documents(self):
        made = {}
        for name, options in {"one": [], "several": ["--jobs", "2"]}.items():
            result = self.warpcheck("run", ".", "--json", *options, "--junit", f"{name}.xml", "--sarif",
                                    f"{name}.sarif", "--results", f"{name}.json")
            self.assertEqual(result.returncode, 1, result.stderr)
            printed = json.loads(result.stdout)
            self.assertEqual(json.loads((self.root / f"{name}.json").read_text()), printed)
            for run in printed["results"]:
                del run["seconds"], run["peak_bytes"]
            made[name] = [printed, self.without_times((self.root / f"{name}.xml").read_text()),
                          json.loads((self.root / f"{name}.sarif").read_text())["runs"][0]["results"]]
        self.maxDiff = 2000
        self.assertEqual(made["one"], made["several"])

    def test_accept(self):
        self.assertEqual(self.warpcheck("run", ".", "--accept", "--jobs", "2").returncode, 0)
        self.assertEqual(self.warpcheck("run", ".", "--jobs", "2").returncode, 0)

    def test_the_end_after_enough(self):
        result = self.warpcheck("run", ".", "--jobs", "2", "--maxfail", "1", "--quiet")
        self.assertEqual(result.returncode, 1)

    def test_what_does_not_go_together(self):
        result = self.warpcheck("run", ".", "--jobs", "2", "--html", "x.html")
        self.assertEqual(result.returncode, 2)
        self.assertIn("leave --jobs out", result.stderr)
        (self.root / "sub").mkdir()
        (self.root / "sub/more_1.toml").write_text(SCENARIO.replace("my_lock.hpp", "../my_lock.hpp"))
        result = self.warpcheck("run", ".", "--jobs", "2", "--counterexamples", "found")
        self.assertEqual(result.returncode, 2)
        self.assertIn("two scenarios are named more_1", result.stderr)


if __name__ == "__main__":
    unittest.main()
