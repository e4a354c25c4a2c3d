"""The Python module, and the plugin for pytest."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

BINARY = os.environ["WARPCHECK_BINARY"]
SOURCE = pathlib.Path(os.environ["WARPCHECK_SOURCE"])
os.environ["WARPCHECK"] = BINARY
sys.path.insert(0, str(SOURCE / "python"))

import warpcheck  # noqa: E402

PYTHON = "/usr/bin/python3"  # Debian's, which finds Debian's pytest

LOCK = """#include <simt/simt.hpp>
struct my_lock {
  simt::atomic<int> held{0};
  SIMT_FN void lock() { while (held.exchange(1, simt::memory_order_acquire) != 0) {} }
  SIMT_FN void unlock() { held.store(0, simt::memory_order_release); }
};
SIMT_SUBJECT(my_lock);
"""

SCENARIO = """source = "my_lock.hpp"
subject = "my_lock"
workload = "counter"
[grid]
lanes = 4
[[run]]
reconvergence = "stack"
memory = "sc"
[[run]]
reconvergence = "its"
memory = "sc"
"""


class scenarios(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        (self.root / "locks").mkdir()
        (self.root / "locks/my_lock.hpp").write_text(LOCK)
        self.file = self.root / "locks/my_lock.toml"
        self.file.write_text(SCENARIO)


class module(scenarios):
    def test_run(self):
        results = warpcheck.run(self.file)
        self.assertEqual([r.verdict for r in results], ["simt-deadlock", "ok"])
        self.assertEqual([r.as_expected for r in results], [False, True])
        self.assertFalse(results.ok or results.as_expected)
        self.assertIn("All 4 lanes can never finish.", results.report)
        [violation] = results[0].violations
        self.assertEqual(violation.verdict, "simt-deadlock")
        self.assertIn("All 4 lanes can never finish.", violation.why)
        self.assertTrue(violation.counterexample["choices"])
        self.assertTrue(results[1].ok and results[1].complete)
        self.assertEqual(results[1].expected, "ok")

    def test_options(self):
        self.assertEqual(warpcheck.options_of({"max_states": 5, "first": True, "only": ["a", "b"], "time": None}),
                         ["--max-states", "5", "--first", "--only", "a", "--only", "b"])
        [result] = warpcheck.run(self.file, only="its-sc-fair", max_states=2)
        self.assertEqual((result.verdict, result.complete), ("inconclusive", False))
        self.assertEqual(warpcheck.runs_of(self.file), ["stack-sc-fair", "its-sc-fair"])

    def test_check(self):
        ptx = SOURCE / "examples/cuda/ticket.ptx"
        how = {"block": (3, 1, 1), "buffers": {"counter": "1:s32"}, "args": ["counter"]}
        for kernel in [ptx, ptx.read_text()]:
            results = warpcheck.check(kernel, **how)
            self.assertEqual([r.verdict for r in results], ["ok", "race"])

    def test_mistakes(self):
        with self.assertRaisesRegex(warpcheck.Error, "gone.toml: no such file"):
            warpcheck.run("gone.toml")
        with self.assertRaisesRegex(warpcheck.Error, "no option --bogus"):
            warpcheck.run(self.file, bogus=1)


class plugin(scenarios):
    def pytest(self, *arguments):
        environment = {**os.environ, "PYTHONPATH": str(SOURCE / "python")}
        there = subprocess.run([PYTHON, "-c", "import pytest"], capture_output=True).returncode == 0
        if not there:
            self.assertNotIn("CI", os.environ, "python3-pytest is missing: tools/setup --tests installs it")
            self.skipTest("needs python3-pytest")
        return subprocess.run([PYTHON, "-m", "pytest", "-p", "warpcheck.pytest_plugin", "-p", "no:cacheprovider",
                               *arguments], cwd=self.root, env=environment, capture_output=True, text=True, timeout=300)

    def configure(self, more=""):
        (self.root / "pytest.ini").write_text(f"[pytest]\nwarpcheck_scenarios = locks\n{more}")

    def test_runs_are_tests(self):
        self.configure()
        result = self.pytest("-v")
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        self.assertIn("my_lock.toml::stack-sc-fair FAILED", result.stdout)
        self.assertIn("my_lock.toml::its-sc-fair PASSED", result.stdout)
        self.assertIn("All 4 lanes can never finish.", result.stdout)
        self.assertNotIn("Traceback", result.stdout)

    def test_marks_and_names(self):
        self.configure()
        (self.root / "test_other.py").write_text("def test_other(): pass\n")
        self.assertIn("2 deselected", self.pytest("-m", "not warpcheck").stdout)
        result = self.pytest("locks/my_lock.toml::its-sc-fair", "--strict-markers")
        self.assertEqual(result.returncode, 0, result.stdout)
        self.assertIn("1 passed", result.stdout)

    def test_options(self):
        self.configure("warpcheck_options = --max-states 2\n")
        self.assertIn("inconclusive", self.pytest("locks/my_lock.toml::its-sc-fair").stdout)

    def test_nothing_is_collected_unless_it_is_named(self):
        self.assertEqual(self.pytest().returncode, 5)  # no tests

    def test_a_scenario_with_a_mistake(self):
        self.configure()
        self.file.write_text(SCENARIO.replace("lanes", "lane"))
        result = self.pytest()
        self.assertEqual(result.returncode, 2, result.stdout)
        self.assertIn('unknown key "lane"; did you mean "lanes"?', result.stdout)


if __name__ == "__main__":
    unittest.main()
