"""examples/ci, and warpcheck_add_scenarios: with an installed warpcheck, as a user has it."""

import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree as xml

SOURCE = pathlib.Path(os.environ["WARPCHECK_SOURCE"])
BUILD = os.environ["WARPCHECK_BUILD"]
EXAMPLE = SOURCE / "examples/ci"

TESTS = ["spin_lock/one_warp/stack-sc-fair", "spin_lock/one_warp/its-sc-fair",
         "spin_lock/one_warp/its-sc-unfair", "spin_lock/two_blocks/stack-sc-fair",
         "spin_lock/two_blocks/its-sc-fair"]

NAIVE = """#include <simt/simt.hpp>

struct spin_lock {
  simt::atomic<int> held{0};
  SIMT_FN void lock() {
    while (held.exchange(1, simt::memory_order_acquire) != 0) {}
  }
  SIMT_FN void unlock() { held.store(0, simt::memory_order_release); }
};
SIMT_SUBJECT(spin_lock);
"""

PROJECT = """cmake_minimum_required(VERSION 3.25)
project(user LANGUAGES NONE)
find_package(warpcheck 0.1 REQUIRED)
enable_testing()
"""

SCENARIO = """subject = "locks/tas"
[grid]
lanes = 4
[[run]]
reconvergence = "its"
memory = "sc"
"""


class installed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.prefix = pathlib.Path(folder.name, "a prefix")
        subprocess.run(["cmake", "--install", BUILD, "--prefix", cls.prefix], check=True,
                       capture_output=True)

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name, "project")
        self.build = self.root / "build"
        self.environment = dict(os.environ, WARPCHECK_CACHE=str(self.root.parent / "cache"),
                                PATH=f"{self.prefix}/bin:{os.environ['PATH']}")
        self.environment.pop("GITHUB_WORKSPACE", None)

    def run_here(self, *command):
        return subprocess.run([*map(str, command)], cwd=self.root, env=self.environment,
                              capture_output=True, text=True, timeout=300)

    def configure(self):
        return self.run_here("cmake", "-G", "Ninja", "-B", "build",
                             f"-DCMAKE_PREFIX_PATH={self.prefix}")

    def succeeds(self, result):
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    def listed(self):
        """Name to properties."""
        result = self.run_here("ctest", "--test-dir", "build", "--show-only=json-v1")
        self.succeeds(result)
        return {test["name"]: {p["name"]: p["value"] for p in test["properties"]} |
                {"command": test.get("command")} for test in json.loads(result.stdout)["tests"]}

    def failed(self, result):
        return set(re.findall(r"^\t *\d+ - (\S+) \((?:Failed|Not Run)\)", result.stdout, re.M))

    def ctest(self, *arguments):
        return self.run_here("ctest", "--test-dir", "build", "--output-on-failure", *arguments)


class example(installed):
    def setUp(self):
        super().setUp()
        shutil.copytree(EXAMPLE, self.root)
        self.succeeds(self.configure())
        self.succeeds(self.run_here("cmake", "--build", "build"))

    def test_all_is_as_expected(self):
        self.assertEqual(list(self.listed()), TESTS)
        self.succeeds(self.ctest())
        readme = (EXAMPLE / "README.md").read_text()
        self.assertEqual(re.findall(r"Test #\d+: (\S+) \.+ +Passed", readme), TESTS)

    def test_a_lock_that_breaks_is_found_without_a_build(self):
        (self.root / "include/spin_lock.hpp").write_text(NAIVE)
        result = self.ctest()
        self.assertEqual(self.failed(result), {"spin_lock/one_warp/stack-sc-fair"})
        self.assertIn("simt-deadlock", result.stdout)
        self.assertIn("spin_lock.hpp:6", result.stdout)

    def test_a_header_that_does_not_compile(self):
        (self.root / "include/spin_lock.hpp").write_text(NAIVE.replace("!= 0", "!= zero"))
        result = self.ctest()
        self.assertEqual(self.failed(result), set(TESTS))
        self.assertIn("undeclared identifier 'zero'", result.stdout)

    def test_scenarios_that_change_come_and_go(self):
        scenario = self.root / "scenarios/two_blocks.toml"
        scenario.write_text(scenario.read_text() + '[[run]]\nmemory = "sc"\nblock_order = "index"\nresident = 1\n')
        shutil.copy(scenario, self.root / "scenarios/new.toml")
        (self.root / "scenarios/one_warp.toml").unlink()
        new = {f"spin_lock/{file}/{run}" for file in ["new", "two_blocks"] for run in
               ["stack-sc-fair", "its-sc-fair", "its-sc-fair-resident-1-index-order"]}
        self.assertEqual(set(self.listed()), new)
        self.succeeds(self.ctest())

    def test_a_scenario_with_a_mistake_is_a_test_that_fails(self):
        scenario = self.root / "scenarios/two_blocks.toml"
        scenario.write_text(scenario.read_text().replace("blocks =", "block ="))
        result = self.ctest()
        self.assertEqual(self.failed(result), {"spin_lock/two_blocks"})
        self.assertIn('two_blocks.toml:9:1: unknown key "block"; did you mean "blocks"?',
                      result.stdout)

    def test_the_workflow(self):
        text = (EXAMPLE / ".github/workflows/warpcheck.yml").read_text()
        command = shlex.split(re.search(r"^ +run: (warpcheck run .*)$", text, re.M)[1])
        result = self.run_here(*command)
        self.succeeds(result)
        self.assertNotIn("::", result.stdout)
        (self.root / "include/spin_lock.hpp").write_text(NAIVE)
        result = self.run_here(*command)
        self.assertEqual(result.returncode, 1)
        self.assertIn("\n::error file=include/spin_lock.hpp,line=6,title=scenarios/one_warp.toml",
                      result.stdout)
        cases = xml.parse(self.root / "build/warpcheck.xml").getroot().iter("testcase")
        self.assertEqual(len([c for c in cases if c.find("failure") is not None]), 1)
        self.assertTrue(list((self.root / "build/found").glob("*stack*.json")))


class something_new(installed):
    def test_its_runs_are_tests(self):
        self.root.mkdir()
        self.succeeds(self.run_here("warpcheck", "new", "my_lock"))
        self.succeeds(self.configure())
        names = {f"my_lock/my_lock/{run}" for run in ["stack-sc-fair", "its-sc-fair", "its-ptx-fair"]}
        self.assertEqual(set(self.listed()), names)
        # Lanes of a warp deadlock before Volta, which the scenario does not expect yet.
        self.assertEqual(self.failed(self.ctest()), {"my_lock/my_lock/stack-sc-fair"})
        self.succeeds(self.run_here("warpcheck", "run", "my_lock.toml", "--accept"))
        self.succeeds(self.ctest())

    def test_a_second_one_says_what_to_add(self):
        self.root.mkdir()
        self.succeeds(self.run_here("warpcheck", "new", "one"))
        made = self.run_here("warpcheck", "new", "two")
        self.succeeds(made)
        line = made.stdout.splitlines()[-1].strip()
        with open(self.root / "CMakeLists.txt", "a") as file:
            file.write(line + "\n")
        self.succeeds(self.configure())
        self.assertEqual({name.split("/")[0] for name in self.listed()}, {"one", "two"})


class function(installed):
    def setUp(self):
        super().setUp()
        self.root.mkdir()
        (self.root / "tas.toml").write_text(SCENARIO)

    def project(self, text):
        (self.root / "CMakeLists.txt").write_text(PROJECT + text)
        return self.configure()

    def test_all_arguments(self):
        (self.root / "more").mkdir()
        (self.root / "more/CMakeLists.txt").write_text(
            "warpcheck_add_scenarios(NAME more FILES ../tas.toml)\n")
        self.succeeds(self.project(
            "warpcheck_add_scenarios(FILES tas.toml)\n"
            "warpcheck_add_scenarios(NAME large FILES tas.toml LABELS slow gpu TIMEOUT 77\n"
            "                        OPTIONS --time 1m --threads 3)\n"
            "add_subdirectory(more)\n"))
        tests = self.listed()
        self.assertEqual(set(tests), {"warpcheck/tas/its-sc-fair", "large/tas/its-sc-fair",
                                      "more/../tas/its-sc-fair"})
        one, large = tests["warpcheck/tas/its-sc-fair"], tests["large/tas/its-sc-fair"]
        self.assertEqual(one["LABELS"], ["warpcheck"])
        self.assertEqual(one["command"][1:], ["run", f"{self.root}/tas.toml", "--only",
                                              "its-sc-fair", "--threads", "1"])
        self.assertNotIn("TIMEOUT", one)
        self.assertEqual(large["LABELS"], ["gpu", "slow", "warpcheck"])
        self.assertEqual(large["TIMEOUT"], 77)
        self.assertEqual(large["PROCESSORS"], 3)
        self.assertEqual(large["command"][-4:], ["--time", "1m", "--threads", "3"])
        self.succeeds(self.ctest())
        self.assertIn("100% tests passed, 0 tests failed out of 2",
                      self.ctest("-L", "warpcheck", "-E", "more").stdout)

    def test_inconclusive_fails(self):
        self.succeeds(self.project("warpcheck_add_scenarios(FILES tas.toml OPTIONS --max-states 2)"))
        self.assertEqual(self.failed(self.ctest()), {"warpcheck/tas/its-sc-fair"})

    def test_a_file_that_is_gone_fails(self):
        self.succeeds(self.project("warpcheck_add_scenarios(FILES tas.toml)"))
        (self.root / "tas.toml").unlink()
        result = self.ctest()
        self.assertEqual(self.failed(result), {"warpcheck/tas"})
        self.assertIn("no such file", result.stdout)

    def test_results(self):
        self.succeeds(self.project("""
            warpcheck_add_scenarios(NAME my FILES tas.toml RESULTS kept)
            add_test(NAME reads COMMAND ${CMAKE_COMMAND} -E cat kept/tas/its-sc-fair.json)
            set_property(TEST reads PROPERTY FIXTURES_REQUIRED my_results)"""))
        for _ in range(2):
            (self.build / "kept").mkdir(exist_ok=True)
            (self.build / "kept/stale.json").write_text("of before")
            result = self.ctest("-R", "reads")  # runs what it needs, and that first
            self.assertEqual(self.failed(result), set())
            self.assertFalse((self.build / "kept/stale.json").exists())
            (one,) = json.loads((self.build / "kept/tas/its-sc-fair.json").read_text())["results"]
            self.assertEqual(one["verdict"], "ok")

    def test_wrong_use(self):
        for text, says in {
                "": "give it either FILES or DIRECTORY",
                "FILES tas.toml DIRECTORY .": "give it either FILES or DIRECTORY",
                "FILES gone.toml": "there is no",
                "DIRECTORY gone": "there is no",
                "tas.toml": 'unknown argument "tas.toml"',
                "FILES tas.toml NAME": "nothing follows NAME",
                "FILES tas.toml OPTIONS --threads": "nothing follows --threads"}.items():
            result = self.project(f"warpcheck_add_scenarios({text})")
            self.assertNotEqual(result.returncode, 0, text)
            self.assertIn(says, result.stderr)
            shutil.rmtree(self.build, ignore_errors=True)

    def test_a_program_that_is_gone_fails(self):
        self.succeeds(self.project("warpcheck_add_scenarios(FILES tas.toml)"))
        program = self.prefix / "bin/warpcheck"
        program.rename(program.with_suffix(".away"))
        try:
            self.assertEqual(self.failed(self.ctest()), {"warpcheck/warpcheck-is-not-built"})
        finally:
            program.with_suffix(".away").rename(program)


if __name__ == "__main__":
    unittest.main()
