"""Replays the counterexamples that the tests of the shipped scenarios wrote, or the tenth of them that is due.

  counterexamples_test.py WARPCHECK RESULTS
"""

import concurrent.futures
import json
import pathlib
import subprocess
import sys

from due import IS_THOROUGH, is_due

ALL_KINDS = {"simt-deadlock", "deadlock", "livelock", "race", "assertion", "barrier-divergence", "bad-access",
             "not-linearizable", "not-sequentially-consistent", "not-quiescently-consistent",
             "not-strictly-serializable", "not-opaque", "wrong-linearization-point", "starvation",
             "progress-violated"}
binary, results = sys.argv[1], pathlib.Path(sys.argv[2])


def replay(file):
    """The kind of violation, and what is wrong with its replay."""
    # Lessons have sources of their own, which are ours.
    done = subprocess.run([binary, "replay", file, "--json", "--trust"], capture_output=True, text=True,
                          stdin=subprocess.DEVNULL, check=False, timeout=200)
    if done.returncode != 0 or done.stderr:
        return None, f"{file}: exit status {done.returncode}: {done.stderr}"
    replayed = json.loads(done.stdout)
    if not replayed["reproduced"] or replayed["source_changed"]:
        return None, f"{file}: is not reproduced"
    return replayed["verdict"], None


# Runs that have violations have a folder of counterexamples beside their file.
files = sorted(file for run in results.rglob("*.json") for file in run.with_suffix("").glob("*.json")
               if is_due(str(file.relative_to(results))))
with concurrent.futures.ThreadPoolExecutor(2) as pool:
    replayed = list(pool.map(replay, files))
wrong = [message for _, message in replayed if message]
missing = ALL_KINDS - {kind for kind, _ in replayed}
if missing and IS_THOROUGH:
    wrong.append("no counterexample of " + ", ".join(sorted(missing)))
print(f"{len(files)} counterexamples")
sys.exit("\n".join(wrong) or 0)
