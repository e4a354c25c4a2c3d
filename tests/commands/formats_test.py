"""SARIF and trace events: their form, and that they say what the report says."""

import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

BINARY = os.environ["WARPCHECK_BINARY"]
SOURCE = pathlib.Path(os.environ["WARPCHECK_SOURCE"])
OWN = "tests/golden/scenarios/"


def warpcheck(*arguments, cwd=SOURCE):
    return subprocess.run([BINARY, *map(str, arguments)], cwd=cwd, capture_output=True, text=True,
                          stdin=subprocess.DEVNULL, timeout=120)


# The parts of the schema of SARIF 2.1.0 that are used: for each object its properties, with a type or an object of
# their own; those with "!" are required. A list has one element, the form of its items.
PLACE = {"physicalLocation!": {"artifactLocation!": {"uri!": str, "uriBaseId": str}, "region": {"startLine!": int}},
         "message": {"text!": str}}
SARIF = {
    "$schema!": str,
    "version!": str,
    "runs!": [{
        "tool!": {"driver!": {"name!": str, "version!": str, "rules!": [
            {"id!": str, "shortDescription!": {"text!": str}, "help!": {"text!": str}}]}},
        "invocations!": [{"executionSuccessful!": bool, "toolExecutionNotifications": [
            {"level!": str, "message!": {"text!": str}}]}],
        "columnKind!": str,
        "results!": [{
            "ruleId!": str, "ruleIndex!": int, "level!": str, "message!": {"text!": str}, "locations!": [PLACE],
            "partialFingerprints!": {"run/v1!": str},
            "codeFlows": [{"threadFlows!": [{"locations!": [{"location!": PLACE, "executionOrder!": int}]}]}],
        }],
    }],
}


# Debian has no package with the official schema, and it is no part of this repository. Where it is at hand (schemas/ of
# https://docs.oasis-open.org/sarif/sarif/v2.1.0), this variable names it.
SCHEMA = os.environ.get("WARPCHECK_SARIF_SCHEMA")
VALIDATE = """
import json, sys
import jsonschema
schema, document = [json.load(open(name)) for name in sys.argv[1:]]
for error in jsonschema.validators.validator_for(schema)(schema).iter_errors(document):
    print(error.json_path, error.message[:300])
"""


def breaches(value, path=""):
    """Where values are not as the schema asks, beside their types: ranges, words and lists that may not be empty."""
    if isinstance(value, list):
        return [each for i, item in enumerate(value) for each in breaches(item, f"{path}[{i}]")]
    if not isinstance(value, dict):
        return []
    checks = {
        "level": lambda text: text in ["none", "note", "warning", "error"],
        "columnKind": lambda text: text in ["utf16CodeUnits", "unicodeCodePoints"],
        "uri": lambda text: re.fullmatch(r"[A-Za-z0-9/._~:%-]+", text) and not re.search(r"%(?![0-9A-F]{2})", text),
        "$schema": lambda text: text.startswith("https://"),
        "startLine": lambda number: number >= 1,
        "ruleIndex": lambda number: number >= -1,
        "executionOrder": lambda number: number >= -1,
        "threadFlows": len,  # the schema wants one element or more
        "text": len,
        "rules": lambda rules: len({rule["id"] for rule in rules}) == len(rules),
    }
    found = [f"{path}.{key}" for key, check in checks.items() if key in value and not check(value[key])]
    return found + [each for key, item in value.items() for each in breaches(item, f"{path}.{key}")]


def misfits(value, form, path=""):
    """Where `value` has not the form."""
    if isinstance(form, list):
        if not isinstance(value, list):
            return [path]
        return [each for i, item in enumerate(value) for each in misfits(item, form[0], f"{path}[{i}]")]
    if isinstance(form, dict):
        if not isinstance(value, dict):
            return [path]
        known = {name.rstrip("!"): part for name, part in form.items()}
        found = [f"{path}.{name}" for name in value if name not in known]
        found += [f"{path}.{name}" for name in form if name.endswith("!") and name[:-1] not in value]
        return found + [each for name in value if name in known
                        for each in misfits(value[name], known[name], f"{path}.{name}")]
    return [] if type(value) is form else [path]


class formats(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def sarif(self, status, *arguments):
        file = self.folder / "results.sarif"
        self.assertEqual(warpcheck(*arguments, "--sarif", file).returncode, status)
        document = json.loads(file.read_text())
        self.assertEqual(misfits(document, SARIF), [])
        self.assertEqual(breaches(document), [])
        if SCHEMA:
            official = subprocess.run(["/usr/bin/python3", "-c", VALIDATE, SCHEMA, file], capture_output=True, text=True)
            self.assertEqual((official.returncode, official.stdout), (0, ""), official.stderr)
        self.assertEqual(document["version"], "2.1.0")
        (run,) = document["runs"]
        for result in run["results"]:
            self.assertEqual(run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"], result["ruleId"])
        return run

    def test_a_violation_has_its_place_its_cause_and_its_steps(self):
        run = self.sarif(1, "run", OWN + "claim.toml")
        (result,) = run["results"]
        self.assertEqual((result["ruleId"], result["level"]), ("assertion", "error"))
        place = result["locations"][0]["physicalLocation"]
        self.assertEqual(place["artifactLocation"], {"uri": OWN + "claim.hpp", "uriBaseId": "%SRCROOT%"})
        self.assertEqual(place["region"]["startLine"], 11)
        self.assertIn("only one lane may be first", result["message"]["text"])
        (flow,) = result["codeFlows"]
        texts = [step["location"]["message"]["text"] for step in flow["threadFlows"][0]["locations"]]
        self.assertEqual(texts[0], "step 1: w0.l0 fetch_add turn")

    def test_what_is_as_expected_is_no_result(self):
        self.assertEqual(self.sarif(0, "run", "scenarios/locks/tas.toml")["results"], [])

    def test_inconclusive_runs_are_warnings(self):
        (result,) = self.sarif(3, "run", OWN + "bounded.toml", "--max-states", "10")["results"]
        self.assertEqual((result["ruleId"], result["level"]), ("inconclusive", "warning"))
        self.assertNotIn("codeFlows", result)

    def test_scenarios_that_cannot_run_are_notifications(self):
        file = self.folder / "bad.toml"
        file.write_text("subject = 1\n")
        (invocation,) = self.sarif(2, "run", file)["invocations"]
        self.assertFalse(invocation["executionSuccessful"])
        self.assertIn("bad.toml:1", invocation["toolExecutionNotifications"][0]["message"]["text"])

    def test_paths_that_are_no_uris(self):
        folder = self.folder / "a folder with 100 %"
        folder.mkdir()
        (folder / "wrong ü.toml").write_text('subject = "locks/tas"\nworkload = "counter"\n[grid]\nlanes = 4\n'
                                            '[[run]]\nreconvergence = "its"\nmemory = "sc"\nexpect = "livelock"\n')
        (result,) = self.sarif(1, "run", folder)["results"]
        uri = result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"]
        self.assertTrue(uri.endswith("/a%20folder%20with%20100%20%25/wrong%20%C3%BC.toml"), uri)

    def test_the_checks_see_what_is_wrong(self):
        self.assertEqual(breaches({"level": "bad", "region": {"startLine": 0}, "uri": "a b"}),
                         [".level", ".uri", ".region.startLine"])

    def test_trace_events_are_the_rows_of_the_table(self):
        warpcheck("run", "scenarios/locks/tas.toml", "--counterexamples", self.folder)
        file = self.folder / "trace.json"
        replay = warpcheck("replay", self.folder / "tas-stack-sc-fair-simt-deadlock.json", "--trace", file)
        self.assertEqual(replay.returncode, 0, replay.stderr)
        document = json.loads(file.read_text())
        steps = [event for event in document["traceEvents"] if event["ph"] == "X"]
        self.assertEqual([event["args"]["step"] for event in sorted(steps, key=lambda event: event["ts"])],
                         list(range(1, 8)))
        for event in document["traceEvents"]:
            if event["ph"] != "M":
                self.assertIn(event["name"], replay.stdout)
        names = [event["args"]["name"] for event in document["traceEvents"] if event["name"] == "thread_name"]
        self.assertEqual(names, ["w0.l0", "w0.l1", "w0.l2", "w0.l3"])
        (parked,) = [event for event in document["traceEvents"] if event["ph"] == "i"]
        self.assertEqual((parked["name"], parked["tid"], parked["ts"]), ("parked: tas.hpp:12", 0, 4))


if __name__ == "__main__":
    unittest.main()
