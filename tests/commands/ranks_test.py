"""run under mpirun: explorations and searches by several ranks, and ranks that die."""

import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest

sys.path.insert(0, str(pathlib.Path(os.environ["WARPCHECK_SOURCE"]) / "tests/scenarios"))
from due import is_due  # noqa: E402

BINARY = os.environ["WARPCHECK_BINARY"]
SOURCE = pathlib.Path(os.environ["WARPCHECK_SOURCE"])
MPIRUN = shutil.which("mpirun")

# Each is explored by all ranks from its first state on.
EXPLORED = ["locks/tas", "locks/ticket", "locks/mcs", "locks/opposite_order", "counters/lost_update",
            "barriers/early_return", "grids/early_producer"]


def has_mpi():
    libraries = subprocess.run(["ldd", BINARY], capture_output=True, text=True, timeout=60).stdout
    return MPIRUN is not None and "libmpi" in libraries


def start(ranks, *arguments):
    by = [MPIRUN, "--allow-run-as-root", "--oversubscribe", "-n", str(ranks)] if ranks > 1 else []
    return [*by, BINARY, "run", *map(str, arguments)]


def run(ranks, *arguments):
    return subprocess.run(start(ranks, *arguments), cwd=SOURCE, capture_output=True, text=True, timeout=500)


def compared(results):
    """What must not depend on the number of ranks. (Addresses are others in each process.)"""
    results = re.sub(r"\b14[0-9]{13}\b", "0", re.sub(r"0x7f[0-9a-f]{10}", "an address", results))
    all_runs = []
    for one in json.loads(results)["results"]:
        if one["memory"] != "sc":
            continue
        what = {key: one.get(key) for key in ["file", "reconvergence", "progress", "verdict", "as_expected", "complete"]}
        # A proof that a state is dead leaves states out, and one process alone proves. Under `stack`, one process alone
        # runs ahead to branches.
        if one["verdict"] in ("ok", "livelock") and one["reconvergence"] == "its":
            what["states"] = one["states"]
        what["violations"] = one["violations"]
        all_runs.append(what)
    return all_runs


def large(folder, lanes):
    scenario = folder / "large.toml"
    text = (SOURCE / "scenarios/locks/ticket.toml").read_text().split("[[run]]")[0]
    scenario.write_text(text.replace("lanes  = 4", f"lanes  = {lanes}").replace("[grid]", "repeat = 2\n[grid]") +
                        '[[run]]\nreconvergence = "its"\nmemory = "sc"\n')
    return scenario


def ranks_below(pid):
    found = []
    for task in pathlib.Path(f"/proc/{pid}/task").iterdir():
        try:
            children = (task / "children").read_text().split()
        except OSError:
            continue
        for child in children:
            try:
                name = pathlib.Path(f"/proc/{child}/cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            if name[0] == BINARY.encode() and name[1] == b"run":
                found.append(int(child))
    return found


@unittest.skipUnless(has_mpi(), "this warpcheck has no Open MPI, or there is no mpirun")
class ranks(unittest.TestCase):
    def test_explorations_do_not_depend_on_the_number_of_ranks(self):
        files = [f"scenarios/{one}.toml" for one in EXPLORED if one == "locks/tas" or is_due(f"ranks: {one}")]
        alone = compared(run(1, *files, "--json").stdout)
        for count in 2, 3:
            with self.subTest(ranks=count):
                together = run(count, *files, "--json", "--share-after", 1)
                self.assertEqual(compared(together.stdout), alone, together.stderr)

    def test_plain_searches_too(self):
        files = ["scenarios/locks/tas.toml", "scenarios/locks/opposite_order.toml"]
        for reduce in "none", "merge", "symmetry,order":
            if reduce != "none" and not is_due(f"ranks: {reduce}"):
                continue
            with self.subTest(reduce=reduce):
                alone = compared(run(1, *files, "--json", "--reduce", reduce).stdout)
                together = run(3, *files, "--json", "--reduce", reduce, "--share-after", 1)
                self.assertEqual(compared(together.stdout), alone, together.stderr)

    def test_figures(self):
        found = json.loads(run(2, "scenarios/locks/ticket.toml", "--only", "its-sc-fair", "--share-after", 1,
                               "--json").stdout)["results"][0]["ranks"]
        self.assertEqual(found["count"], 2)
        self.assertGreater(found["bytes_sent"], 0)
        self.assertLess(found["imbalance"], 2)

    def test_limits(self):
        with tempfile.TemporaryDirectory() as folder:
            for limit, words in [(("--max-states", 5000), "states is reached"), (("--time", "1"), "the limit of")]:
                result = run(2, large(pathlib.Path(folder), 24), "--share-after", 100, *limit)
                self.assertIn("inconclusive", result.stdout)
                self.assertIn(words, result.stdout)

    def test_a_rank_that_is_killed_ends_the_run(self):
        with tempfile.TemporaryDirectory() as folder:
            began = subprocess.Popen(start(3, large(pathlib.Path(folder), 28), "--share-after", 100), cwd=SOURCE,
                                     stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            for _ in range(400):
                below = ranks_below(began.pid)
                if len(below) == 3:
                    break
                time.sleep(0.05)
            time.sleep(4)
            os.kill(below[-1], signal.SIGKILL)
            said, errors = began.communicate(timeout=60)
            self.assertNotEqual(began.returncode, 0)
            if not said:  # mpirun was faster: it has ended the others
                self.assertIn("noticed that process rank", errors)
                return
            self.assertIn("another rank has ended, or does not answer", said, errors)
            self.assertRegex(re.sub(r"\s+", " ", said), r"Covered: [0-9,]+ states")

    def test_searches_use_each_seed_once(self):
        arguments = ["scenarios/counters/lost_update.toml", "--only", "its-sc-fair", "--search", "swarm", "--runs", 500,
                     "--json"]
        documents = []
        for count in 1, 2, 3:
            document = json.loads(run(count, *arguments).stdout)
            for key in "seconds", "peak_bytes":
                document["results"][0].pop(key)
            documents.append(document)
        self.assertEqual(documents[1], documents[0])
        self.assertEqual(documents[2], documents[0])

    def test_the_first_violation_ends_all(self):
        result = run(2, "scenarios/counters/lost_update.toml", "--only", "its-sc-fair", "--search", "random", "--first",
                     "--time", "100")
        self.assertIn("stopped at the first violation", re.sub(r"\s+", " ", result.stdout))

    def test_mistakes_are_told_once(self):
        result = run(3, "scenarios/none.toml")
        self.assertEqual(result.returncode, 2)
        self.assertEqual(result.stderr.count("no such file or folder"), 1)


class without_mpi(unittest.TestCase):
    @unittest.skipIf(has_mpi(), "this warpcheck has Open MPI")
    def test_it_says_so(self):
        result = subprocess.run([BINARY, "run", "scenarios/locks/tas.toml"], cwd=SOURCE, capture_output=True, text=True,
                                env={**os.environ, "OMPI_COMM_WORLD_SIZE": "2"}, timeout=60)
        self.assertEqual(result.returncode, 2)
        self.assertIn("built without Open MPI; install", result.stderr)


if __name__ == "__main__":
    unittest.main()
