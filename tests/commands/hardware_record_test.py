"""tools/hardware_record: what `warpcheck hardware --json` printed becomes a record, and is counted."""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

TOOL = pathlib.Path(os.environ["WARPCHECK_SOURCE"]) / "tools/hardware_record"
OUTCOMES = ["finished", "hang", "check-failed", "assertion", "device-error", "no-result", "not-linearizable"]


def counts(**some):
    return {outcome: some.get(outcome.replace("-", "_"), 0) for outcome in OUTCOMES}


def result(name, model="its", grid="1x1x4", scale=1, predicted=(), conclusion="agrees", **seen):
    made = {"file": f"scenarios/{name}.toml", "reconvergence": model, "grid": grid, "scale": scale,
            "predicted": list(predicted), "complete": True, "conclusion": conclusion, "histories": 0,
            "trials": counts(**seen)}
    if model == "stack":
        made["by_arms"] = [{"arms": "as written", "trials": counts(**seen)},
                           {"arms": "swapped", "trials": counts(finished=7)}]
    return made


def document(*results, gpu="A GPU", date="2026-11-21"):
    return {"gpu": gpu, "architecture": "sm_90", "driver": "580.1", "cuda": "13.0", "nvcc": "13.0.88",
            "date": date, "deadline": 1.5, "seed": 1, "results": list(results)}


class hardware_record(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        self.record = self.folder / "record.json"

    def run_tool(self, *documents):
        files = []
        for i, each in enumerate(documents):
            files.append(self.folder / f"{i}.json")
            files[-1].write_text(json.dumps(each))
        return subprocess.run([TOOL, self.record, *files], capture_output=True, text=True)

    def runs(self):
        return json.loads(self.record.read_text())["runs"]

    def test_outputs_are_merged(self):
        made = self.run_tool(
            document(result("locks/tas", finished=1000), result("locks/tas", grid="1x1x8", scale=2, finished=9)),
            document(result("locks/tas", model="stack", predicted=["simt-deadlock"], conclusion="confirmed", hang=3)))
        self.assertEqual(made.returncode, 0, made.stderr)
        self.assertEqual([(r["scenario"], r["model"], r["grid"], r["conclusion"]) for r in self.runs()],
                         [("locks/tas", "its", "1x1x4", "agrees"), ("locks/tas", "its", "1x1x8", "agrees"),
                          ("locks/tas", "stack", "1x1x4", "confirmed")])
        self.assertEqual(self.runs()[0]["seen"], {"finished": 1000})
        self.assertEqual(self.runs()[2]["seen"], {"as written": {"hang": 3}, "swapped": {"finished": 7}})

    def test_the_source_is_kept(self):
        self.run_tool(document(result("locks/tas", finished=1) | {"fingerprint": "c0ffee"},
                               result("locks/mcs", finished=1)))
        self.assertEqual([r.get("fingerprint") for r in self.runs()], [None, "c0ffee"])

    def test_a_later_run_takes_the_place_of_an_earlier_one(self):
        self.run_tool(document(result("locks/tas", finished=20), result("locks/mcs", finished=20)))
        self.run_tool(document(result("locks/tas", finished=1000), date="2026-11-22"))
        self.assertEqual([(r["scenario"], r["seen"], r["date"]) for r in self.runs()],
                         [("locks/mcs", {"finished": 20}, "2026-11-21"),
                          ("locks/tas", {"finished": 1000}, "2026-11-22")])

    def test_a_record_is_of_one_gpu(self):
        self.run_tool(document(result("locks/tas", finished=20)))
        other = self.run_tool(document(result("locks/tas", finished=20), gpu="Another"))
        self.assertNotEqual(other.returncode, 0)
        self.assertIn("give it a record of its own", other.stderr)

    def test_counts(self):
        self.run_tool(document(
            result("locks/tas", finished=1000),
            result("locks/two_held", predicted=["deadlock"], conclusion="not seen", finished=1000),
            result("locks/opposite", predicted=["deadlock"], conclusion="confirmed", hang=3),
            result("locks/tas", model="stack", predicted=["simt-deadlock"], conclusion="confirmed", hang=3)))
        counted = self.run_tool()
        self.assertEqual(counted.returncode, 0, counted.stderr)
        self.assertIn("| launches | 2,003 | 0 | 10 | 0 |", counted.stdout)
        self.assertIn("| `confirmed` | 1 | 0 | 1 | 0 |", counted.stdout)
        self.assertIn("| `deadlock` | 1 of 2 |", counted.stdout)
        self.assertIn("| `simt-deadlock` |  |  | 1 of 1 |", counted.stdout)

    def test_missing(self):
        def scenario(name, *runs, head=""):
            file = self.folder / f"scenarios/locks/{name}.toml"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(head + "".join(f"\n[[run]]\n{run}\n" for run in runs))
            return file

        its, stack = 'reconvergence = "its"', 'reconvergence = "stack"'
        scenario("tas", its, stack)
        mcs = scenario("mcs", its, stack)
        scenario("no_fair_run", its + '\nprogress = "unfair"', its + '\nfairness = "strong"',
                 its + '\nmemory = "ptx"')
        scenario("for_ever", its, head='repeat = "forever"\n')
        few = scenario("few_places", its + "\nresident = 1", stack, head="[grid]\nblocks = 2\n")
        scenario("generated", its, head="[generate]\nthreads = 2\n")
        self.run_tool(document(result("locks/tas", finished=1), result("locks/tas", model="stack", finished=1),
                               result("locks/mcs", finished=1),
                               result("locks/mcs", model="stack", scale=2, finished=1)))

        def missing(*paths):
            made = subprocess.run([TOOL, self.record, "--missing", *paths], capture_output=True, text=True)
            self.assertEqual(made.returncode, 0, made.stderr)
            return made.stdout.splitlines()

        self.assertEqual(missing(self.folder / "scenarios"), [f"{few}  stack", f"{mcs}  stack"])
        self.assertEqual(missing(mcs), [f"{mcs}  stack"])


if __name__ == "__main__":
    unittest.main()
