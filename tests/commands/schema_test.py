"""docs/schema/warpcheck.schema.json describes what commands print with --json, and nothing else."""

import copy
import json
import os
import pathlib
import subprocess
import tempfile
import unittest

BINARY = os.environ["WARPCHECK_BINARY"]
SOURCE = pathlib.Path(os.environ["WARPCHECK_SOURCE"])
SCHEMA = json.loads((SOURCE / "docs/schema/warpcheck.schema.json").read_text())
HISTORIES = "tests/golden/histories"

# Debian's validator, which only its own interpreter finds.
VALIDATE = """
import json, sys
import jsonschema
schema, document = json.load(sys.stdin)
jsonschema.Draft202012Validator.check_schema(schema)
for error in jsonschema.Draft202012Validator(schema).iter_errors(document):
    print(error.json_path, error.message[:300])
"""


def misfits(command, document):
    schema = {**SCHEMA, "anyOf": [{"$ref": f"#/$defs/{command}"}]}
    one = {"$schema": SCHEMA["$schema"], "$ref": f"#/$defs/{command}", "$defs": schema["$defs"]}
    result = subprocess.run(["/usr/bin/python3", "-c", VALIDATE], input=json.dumps([one, document]),
                            capture_output=True, text=True)
    assert result.returncode == 0, result.stderr
    return result.stdout


class schema(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        there = subprocess.run(["/usr/bin/python3", "-c", "import jsonschema"], capture_output=True).returncode == 0
        if not there:
            assert "CI" not in os.environ, "python3-jsonschema is missing: tools/setup --tests installs it"
            raise unittest.SkipTest("needs python3-jsonschema")

    def document(self, *arguments):
        result = subprocess.run([BINARY, *map(str, arguments)], cwd=SOURCE, capture_output=True, text=True,
                                stdin=subprocess.DEVNULL, timeout=300)
        self.assertIn(result.returncode, [0, 1, 3], result.stderr)
        return json.loads(result.stdout)

    def fits(self, command, *arguments):
        document = self.document(*arguments)
        self.assertEqual(misfits(command, document), "", arguments)
        return document

    def test_check_list(self):
        document = self.fits("check_list", "check", "--list", "--json", "examples/cuda/ticket.ptx")
        self.assertEqual(document["kernels"][0]["unsupported"], [])

    def test_run(self):
        document = self.fits("run", "run", "--json", "scenarios/locks/tas.toml",
                             "tests/golden/scenarios/bounded.toml", "tests/golden/scenarios/claim.toml",
                             "tests/golden/scenarios/prints.toml", "tests/golden/scenarios/learnt_old_value.toml")
        self.fits("run", "run", "--json", "--aba", "--only", "its-sc-fair", "scenarios/stacks/treiber.toml")
        self.fits("run", "run", "--json", "scenarios/locks/tas.toml", "--search", "pct", "--runs", "20")
        self.fits("run", "run", "--json", "scenarios/locks/mcs.toml", "--max-states", "10")
        self.fits("run", "check", "--json", "examples/cuda/ticket.ptx", "--block", "3", "--buffer", "counter=1:s32",
                  "--arg", "counter", "--deterministic")
        # It is no schema that everything fits.
        for change in [lambda d: d["results"][0].update(more=1), lambda d: d["results"][0].pop("verdict"),
                       lambda d: d["results"][0].update(verdict="fine"), lambda d: d.update(version=2)]:
            changed = copy.deepcopy(document)
            change(changed)
            self.assertNotEqual(misfits("run", changed), "")

    def test_replay(self):
        with tempfile.TemporaryDirectory() as folder:
            self.document("run", "--json", "scenarios/locks/tas.toml", "--counterexamples", folder)
            for file in pathlib.Path(folder).iterdir():
                self.fits("replay", "replay", file, "--json")

    def test_list_and_explain(self):
        self.fits("list", "list", "--json")
        self.fits("list", "list", "--json", "scenarios/locks")
        self.fits("explain", "explain", "--json", "scenarios/locks/tas.toml")

    def test_litmus(self):
        self.fits("litmus", "litmus", "--json", "--explain", "scenarios/litmus/mp.litmus", "scenarios/litmus/sb.litmus")
        self.fits("litmus", "litmus", "--json", "--memory", "sc", "scenarios/litmus/mp.litmus")

    def test_history(self):
        self.fits("history", "history", "--json", f"{HISTORIES}/queue.jsonl", "--spec", "queue")
        self.fits("history", "history", "--json", f"{HISTORIES}/queue_ok.jsonl", "--spec", "queue", "--order")

    def test_progress(self):
        self.fits("progress", "progress", "--json", "--explain", "scenarios/progress/examples.jsonl")

    def test_hardware(self):
        result = subprocess.run([BINARY, "hardware", "--json", "--trials", "10", "scenarios/locks/ticket.toml"], cwd=SOURCE,
                                capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=300)
        if result.returncode == 77:
            self.skipTest("needs a GPU")
        self.assertEqual(misfits("hardware", json.loads(result.stdout)), "")


if __name__ == "__main__":
    unittest.main()
