"""Files for GitHub in examples/ci: the steps of the action run, and the problem matcher matches what warpcheck prints."""

import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

BINARY = pathlib.Path(os.environ["WARPCHECK_BINARY"])
SOURCE = pathlib.Path(os.environ["WARPCHECK_SOURCE"])
CI = SOURCE / "examples/ci"

# Debian's module, which only its own interpreter finds.
READ_YAML = "import json, sys, yaml; print(json.dumps(yaml.safe_load(sys.stdin)))"


class action(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        if subprocess.run(["/usr/bin/python3", "-c", "import yaml"], capture_output=True).returncode != 0:
            self.assertNotIn("CI", os.environ, "python3-yaml is missing: tools/setup --tests installs it")
            self.skipTest("needs python3-yaml")
        read = subprocess.run(["/usr/bin/python3", "-c", READ_YAML], input=(CI / "action/action.yml").read_text(),
                              capture_output=True, text=True, check=True)
        self.action = json.loads(read.stdout)
        self.stubs = self.root / "stubs"
        self.stubs.mkdir()
        self.log = self.root / "log"

    def stub(self, name, script):
        file = self.stubs / name
        file.write_text(f'#!/bin/sh\necho {name} "$@" >> {self.log}\n{script}\n')
        file.chmod(0o755)

    def step(self, name, **inputs):
        """Runs a step as GitHub does, with the inputs' defaults where none is given."""
        (step,) = [step for step in self.action["runs"]["steps"] if step["name"] == name]
        given = {key: inputs.get(key, what.get("default")) for key, what in self.action["inputs"].items()}

        def value(text):
            return re.sub(r"\$\{\{ inputs\.(\w+) \}\}", lambda found: given[found[1]], text)

        self.assertEqual(step["shell"], "bash")
        environment = {**os.environ, **{key: value(text) for key, text in step.get("env", {}).items()}}
        environment["PATH"] = f"{self.stubs}:{BINARY.parent}:{os.environ['PATH']}"
        environment["GITHUB_WORKSPACE"] = str(CI)
        # https://docs.github.com/en/actions/reference/workflow-syntax-for-github-actions: shell: bash
        return subprocess.run(["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", value(step["run"])], cwd=CI,
                              env=environment, capture_output=True, text=True, timeout=300)

    def test_it_is_a_composite_action(self):
        self.assertEqual(self.action["runs"]["using"], "composite")
        self.assertTrue(self.action["name"] and self.action["description"])
        for name, what in self.action["inputs"].items():
            self.assertTrue(what["description"], name)
            self.assertTrue(what.get("required") or "default" in what, name)
        for step in self.action["runs"]["steps"]:
            self.assertIn("name", step)
            self.assertEqual("run" in step, "uses" not in step)
            used = set(re.findall(r"\$\{\{ inputs\.(\w+) \}\}", json.dumps(step)))
            self.assertLessEqual(used, set(self.action["inputs"]))

    def test_it_installs_a_package(self):
        self.stub("apt-get", "")
        self.stub("curl", "")
        self.stub("cp", "")
        for package, fetched in [("https://example.org/w.deb", "curl --fail"), ("dir/w.deb", "cp dir/w.deb")]:
            self.log.write_text("")
            result = self.step("Install warpcheck", package=package)
            self.assertEqual(result.returncode, 0, result.stderr)
            calls = self.log.read_text().splitlines()
            self.assertTrue(any(call.startswith(fetched) and package in call for call in calls), calls)
            self.assertRegex(calls[-1], r"^apt-get install -y .*/tmp/warpcheck\.deb$")

    def test_a_step_that_fails_ends_the_job(self):
        self.stub("apt-get", "exit 100")
        self.assertEqual(self.step("Install warpcheck", package="w.deb").returncode, 100)

    def test_it_checks_the_scenarios(self):
        results = self.root / "results"
        result = self.step("Check the scenarios", results=str(results))
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
        runs = json.loads((results / "results.json").read_text())["results"]
        self.assertEqual(len(runs), 5)
        self.assertIn("<testsuites", (results / "junit.xml").read_text())
        self.assertEqual(json.loads((results / "warpcheck.sarif").read_text())["version"], "2.1.0")

    def test_what_is_wrong_fails_the_step(self):
        scenario = self.root / "wrong.toml"
        scenario.write_text('subject = "locks/tas"\nworkload = "counter"\n[grid]\nlanes = 4\n'
                            '[[run]]\nreconvergence = "stack"\nmemory = "sc"\n')
        results = self.root / "results"
        result = self.step("Check the scenarios", scenarios=str(scenario), results=str(results))
        self.assertEqual(result.returncode, 1, result.stderr)
        self.assertIn("::error file=", result.stdout)
        self.assertEqual(len(list((results / "found").iterdir())), 1)


class matcher(unittest.TestCase):
    def setUp(self):
        self.matchers = json.loads((CI / "problem-matcher.json").read_text())["problemMatcher"]
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)

    def problems(self, text):
        """What GitHub would show: the patterns of a matcher match lines that follow one another."""
        lines = text.splitlines()
        found = []
        for matcher in self.matchers:
            patterns = matcher["pattern"]
            for at in range(len(lines) - len(patterns) + 1):
                matches = [re.search(p["regexp"], line) for p, line in zip(patterns, lines[at:])]
                if not all(matches):
                    continue
                one = {"owner": matcher["owner"], "severity": matcher["severity"]}
                for pattern, match in zip(patterns, matches):
                    one |= {key: match[group] for key, group in pattern.items() if key != "regexp"}
                found.append(one)
        return found

    def run_on(self, text, *options):
        file = self.root / "one.toml"
        file.write_text(text)
        result = subprocess.run([BINARY, "run", "one.toml", *options], cwd=self.root, capture_output=True, text=True,
                                timeout=120)
        return self.problems(result.stdout + result.stderr)

    LOCK = 'subject = "locks/tas"\nworkload = "counter"\n[grid]\nlanes = 4\n'

    def test_owners_differ(self):
        owners = [matcher["owner"] for matcher in self.matchers]
        self.assertEqual(len(owners), len(set(owners)))

    def test_runs_that_are_not_as_expected(self):
        run = '[[run]]\nreconvergence = "{}"\nmemory = "sc"\n'
        self.assertEqual(self.run_on(self.LOCK + run.format("stack") + run.format("its")),
                         [{"owner": "warpcheck-run", "severity": "error", "file": "one.toml", "code": "simt-deadlock",
                           "message": "expected: ok"}])

    def test_runs_that_are_inconclusive(self):
        self.assertEqual(self.run_on(self.LOCK + '[[run]]\nreconvergence = "its"\nmemory = "sc"\nexpect = "ok"\n',
                                     "--max-states", "2"),
                         [{"owner": "warpcheck-inconclusive", "severity": "warning", "file": "one.toml",
                           "code": "inconclusive", "message": "expected: ok"}])

    def test_files_that_cannot_be_read(self):
        (found,) = self.run_on("subject = 1\n")
        self.assertEqual((found["owner"], found["file"], found["line"], found["column"]),
                         ("warpcheck-read", "one.toml", "1", "11"))
        self.assertIn('"subject" is an integer', found["message"])

    def test_headers_that_do_not_compile(self):
        (self.root / "own.hpp").write_text("#include <simt/simt.hpp>\nstruct own { int x = y; };\nSIMT_SUBJECT(own);\n")
        found = self.run_on('source = "own.hpp"\nsubject = "own"\n[[run]]\nmemory = "sc"\n')
        self.assertTrue(found)
        self.assertTrue(found[0]["file"].endswith("own.hpp"), found)
        self.assertEqual(found[0]["line"], "2")


if __name__ == "__main__":
    unittest.main()
