"""Ordinary kernels, of phases between barriers: the files of cases/ordinary beside the published suites, which are not
part of this repository. Some are right, and are explored in a few states. Some are wrong, and their reports say why.

Where they are not there, the test is skipped; with CI=true it fails.
"""

import json
import os
import pathlib
import resource
import subprocess
import tempfile
import unittest

from cases_beside import find_cases, skip

BINARY = os.environ["WARPCHECK_BINARY"]

# Of each file: the most states that one of its runs may take.
MOST_STATES = {
    "n8.toml": 4,
    "n16.toml": 4,
    "n32.toml": 4,
    "v_two_syncs_32.toml": 8,
    "w_two_syncs_32.toml": 8,
    "v_shuffle_sync_32.toml": 8,
    "w_shuffle_sync_32.toml": 8,
    "scale_shfl_32.toml": 8,
    "block_32.toml": 20,
    "tile_masks.toml": 8,
    "groups.toml": 8,
}
MOST_CPU_SECONDS = 20

# Of each file that is wrong: what its report says, and what it does not say, line breaks aside.
REPORTS = {
    "names_u.toml": (["`x` is written by w0.l0"], ["+0"]),
    "names_e.toml": (["`x` is written by w0.l0"], ["+0"]),
    "names_b.toml": (["`x[1]` is written by w0.l0"], ["+4"]),
    "read_by_leader.toml": (
        ["b1.w0.l0 has read `flag` (step 4) behind what b0.w0.l0 stored there (step 3)", "memory_order_acquire at"], []),
    "read_by_other.toml": (
        ["b0.w0.l0 stores `flag` in step 3, and b1.w0.l0 reads it in step 4; b1.w0.l0 and b1.w1.l0 meet at syncthreads",
         "The link from step 3 to step 4 is missing: the load is no acquire", "memory_order_acquire at leader.hpp:14"],
        ["has read nothing"]),
    "wait_bit.toml": (["until `n` is 4, 5, 6, 7 or another value whose bit 2 is 1"], ["until `n` is 4."]),
    "wait_at_least.toml": (["until `n` is 4 or more"], ["until `n` is 4."]),
}

# Of each file: runs that are decided though merging continuations alone would take minutes, and what they find.
DECIDED = {
    "grow_stuck.toml": {"stack-sc-fair": "simt-deadlock"},
}

CASES = find_cases("ordinary")


class Ordinary(unittest.TestCase):
    def test_all(self):
        for name, most in MOST_STATES.items():
            with self.subTest(name), tempfile.TemporaryDirectory() as folder:
                results = pathlib.Path(folder) / "results.json"
                limit = (MOST_CPU_SECONDS, MOST_CPU_SECONDS)
                done = subprocess.run(
                    [BINARY, "run", CASES / name, "--results", results], capture_output=True, text=True,
                    preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, limit))
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
                for run in json.loads(results.read_text())["results"]:
                    self.assertEqual(run["verdict"], "ok", done.stdout)
                    self.assertLessEqual(run["states"], most, done.stdout)

    def test_decided(self):
        for name, runs in DECIDED.items():
            for run, verdict in runs.items():
                with self.subTest(name, run=run), tempfile.TemporaryDirectory() as folder:
                    results = pathlib.Path(folder) / "results.json"
                    limit = (MOST_CPU_SECONDS, MOST_CPU_SECONDS)
                    done = subprocess.run(
                        [BINARY, "run", CASES / name, "--only", run, "--results", results],
                        capture_output=True, text=True,
                        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, limit))
                    self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
                    found, = json.loads(results.read_text())["results"]
                    self.assertEqual(found["verdict"], verdict, done.stdout)
                    self.assertTrue(found["complete"], done.stdout)

    def test_reports(self):
        for name, (said, not_said) in REPORTS.items():
            with self.subTest(name):
                done = subprocess.run([BINARY, "run", CASES / name], capture_output=True, text=True)
                self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
                text = " ".join(done.stdout.split())
                for part in said:
                    self.assertIn(part, text, done.stdout)
                for part in not_said:
                    self.assertNotIn(part, text, done.stdout)


if __name__ == "__main__":
    if CASES is None:
        skip("ordinary")
    unittest.main()
