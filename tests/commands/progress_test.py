"""warpcheck progress: options, statuses, the document, and scenarios that it writes."""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

BINARY = os.environ["WARPCHECK_BINARY"]
SOURCE = pathlib.Path(os.environ["WARPCHECK_SOURCE"])
EXAMPLES = "scenarios/progress/examples.jsonl"
MODELS = ["HSA", "OBE", "HSA_OBE", "LOBE", "FAIR"]


def warpcheck(*arguments):
    return subprocess.run([BINARY, *map(str, arguments)], cwd=SOURCE, capture_output=True, text=True,
                          stdin=subprocess.DEVNULL, timeout=100)


class progress(unittest.TestCase):
    def document(self, *arguments, status=0):
        result = warpcheck("progress", *arguments, "--json")
        self.assertEqual((result.returncode, result.stderr), (status, ""))
        return json.loads(result.stdout)

    def refused(self, *arguments, says):
        result = warpcheck("progress", *arguments)
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertIn(says, result.stderr)

    def test_the_document(self):
        document = self.document(EXAMPLES)
        self.assertEqual((document["version"], document["file"]), (1, EXAMPLES))
        lines = (SOURCE / EXAMPLES).read_text().splitlines()
        self.assertEqual(len(document["results"]), len(lines))
        for number, (result, line) in enumerate(zip(document["results"], lines), 1):
            test = json.loads(line)
            self.assertEqual((result["id"], result["line"]), (test["id"], number))
            self.assertTrue(result["complete"] and result["as_expected"])
            for notion in ["weak", "strong"]:
                self.assertEqual(result[notion], test[notion])
                self.assertEqual(result["labels"][notion], test[notion])
                self.assertEqual(list(document["agreement"][notion]), MODELS)
        self.assertEqual(document["agreement"]["weak"]["LOBE"],
                         {"guaranteed": 3, "labels": 5, "agree": 5})

    def test_narrowed(self):
        document = self.document(EXAMPLES, "--only", "lockstep", "--only", "no_loops", "--model",
                                 "hsa_obe", "--fairness", "strong", "--explain")
        self.assertEqual([r["id"] for r in document["results"]], ["lockstep", "no_loops"])
        self.assertEqual(document["results"][0]["strong"], {"HSA_OBE": True})
        self.assertNotIn("weak", document["results"][0])
        self.assertEqual(document["results"][0]["evidence"], {})

    def test_evidence(self):
        document = self.document(EXAMPLES, "--only", "waits_for_lower", "--model", "OBE",
                                 "--explain")
        evidence = document["results"][0]["evidence"]
        for notion in ["weak", "strong"]:
            steps = evidence[notion]["OBE"]["prefix"] + evidence[notion]["OBE"]["cycle"]
            self.assertEqual([s["thread"] for s in steps], [1, 1])
            self.assertEqual([s["owed"] for s in steps], [[], [1]])
            self.assertEqual(steps[0]["instruction"], "branch m0 0 0")
        self.assertEqual(evidence["strong"]["OBE"]["states"], 1)

    def test_inconclusive(self):
        document = self.document(EXAMPLES, "--max-states", "5", status=3)
        self.assertEqual([r["complete"] for r in document["results"]],
                         [True, True, False, False, True])
        self.assertIsNone(document["results"][2]["weak"]["FAIR"])

    def test_labels_that_are_wrong(self):
        result = warpcheck("progress", "tests/golden/scenarios/labels.jsonl", "-q")
        self.assertEqual(result.returncode, 1)
        self.assertIn("labels.jsonl:1: mislabelled, weak OBE: termination is not "
                      "guaranteed, but the label says true", result.stdout)

    def test_scenarios(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(warpcheck("progress", EXAMPLES, "--scenarios", folder).returncode, 0)
            document = json.loads(warpcheck("run", folder, "--json").stdout)
            self.assertEqual(len(document["results"]), 10)
            for run in document["results"]:
                self.assertTrue(run["as_expected"], run["file"])
            verdicts = {(pathlib.Path(r["file"]).stem, r["reconvergence"]): r["verdict"]
                        for r in document["results"]}
            self.assertEqual(verdicts["lockstep", "its"], "livelock")
            self.assertEqual(verdicts["lockstep", "stack"], "ok")
            self.assertEqual(verdicts["waits_for_higher", "its"], "ok")
            self.assertEqual(verdicts["waits_for_higher", "stack"], "simt-deadlock")

    def test_scenarios_of_blocks(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(warpcheck("progress", EXAMPLES, "--scenarios", folder, "--placement",
                                       "block").returncode, 0)
            document = json.loads(warpcheck("run", folder, "--json").stdout)
            self.assertEqual(len(document["results"]), 50)
            lines = (SOURCE / EXAMPLES).read_text().splitlines()
            tests = {test["id"]: test for test in map(json.loads, lines)}
            for run in document["results"]:
                test = tests[pathlib.Path(run["file"]).stem]
                guaranteed = test[run["fairness"]][run["progress"].upper()]
                self.assertEqual(run["verdict"], "ok" if guaranteed else "livelock", run["file"])
            file = pathlib.Path(folder, "odd.jsonl")
            file.write_text(json.dumps({"id": "idle", "threads": [["store m0 1"], []]}) + "\n")
            self.refused(file, "--scenarios", folder, "--placement", "block",
                         says="thread 1 of idle has no instructions")
            self.refused(EXAMPLES, "--placement", "block", says="--placement belongs to --scenarios")
            self.refused(EXAMPLES, "--scenarios", folder, "--placement", "warp",
                         says='--placement: there is no "warp"')

    def test_scenarios_of_odd_tests(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "odd.jsonl")
            tests = [{"id": "a/b \"\n\x7f\u00e9", "threads": [[]]},
                     {"id": "a-b------", "threads": [[], ["store m3 65535", "branch m3 65535 1"]]}]
            file.write_text("".join(json.dumps(t) + "\n" for t in tests))
            self.assertEqual(warpcheck("progress", file, "--scenarios", folder).returncode, 0)
            result = warpcheck("run", folder, "--json")
            self.assertEqual(result.returncode, 0, result.stderr)
            found = [(r["scenario"], r["reconvergence"], r["verdict"])
                     for r in json.loads(result.stdout)["results"]]
            self.assertIn(("Forward-progress test " + tests[0]["id"], "its", "ok"), found)
            self.assertIn(("Forward-progress test a-b------", "stack", "deadlock"), found)
            file.write_text(json.dumps({"id": "many", "threads": [["store m0 1"]] * 33}) + "\n")
            self.refused(file, "--scenarios", folder, "--max-states", "10", says="33 threads")

    def test_wrong_use(self):
        self.refused("gone.jsonl", says="gone.jsonl: cannot be read")
        self.refused("scenarios", says="scenarios: is a folder; name a file of tests")
        self.refused(EXAMPLES, "--only", "lockstp", says='did you mean "lockstep"?')
        self.refused(EXAMPLES, "--model", "OBEY", says='--model: there is no "OBEY"; it is one of')
        self.refused(EXAMPLES, "--fairness", "none", says='--fairness: there is no "none"')
        self.refused(EXAMPLES, "--scenarios", EXAMPLES, says="--scenarios: ")
        self.refused(EXAMPLES, "--explain", "-q", says="do not go together")


if __name__ == "__main__":
    unittest.main()
