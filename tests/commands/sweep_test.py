"""sweep: many runs, each in a process of its own, on as many ranks as mpirun starts."""

import json
import os
import pathlib
import shutil
import signal
import subprocess
import tempfile
import time
import unittest
import xml.etree.ElementTree as ElementTree

BINARY = os.environ["WARPCHECK_BINARY"]
SOURCE = pathlib.Path(os.environ["WARPCHECK_SOURCE"])
MPIRUN = shutil.which("mpirun")
LISTED = ["scenarios/locks/tas.toml", "scenarios/locks/opposite_order.toml", "scenarios/counters/lost_update.toml"]


def has_mpi():
    libraries = subprocess.run(["ldd", BINARY], capture_output=True, text=True, timeout=60).stdout
    return MPIRUN is not None and "libmpi" in libraries


def command(ranks, *arguments):
    start = [MPIRUN, "--allow-run-as-root", "--oversubscribe", "-n", str(ranks)] if ranks > 1 else []
    return [*start, BINARY, "sweep", *map(str, arguments)]


def sweep(ranks, *arguments):
    return subprocess.run(command(ranks, *arguments), cwd=SOURCE, capture_output=True, text=True, timeout=300)


def without_times(results):
    document = json.loads(results)
    for one in document["results"]:
        one.pop("seconds")
        one.pop("peak_bytes")
    return document


def processes_below(pid):
    found = []
    for task in pathlib.Path(f"/proc/{pid}/task").iterdir():
        for child in (task / "children").read_text().split():
            found += [int(child), *processes_below(int(child))]
    return found


class sweeping(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def write_list(self):
        listed = self.folder / "listed.txt"
        listed.write_text("# what to check\n\n" + "".join(f"{SOURCE / one}\n" for one in LISTED))
        return listed

    def test_results_are_those_of_run_for_any_number_of_ranks(self):
        plain = subprocess.run([BINARY, "run", *LISTED, "--threads", "1", "--json"], cwd=SOURCE, capture_output=True,
                               text=True, timeout=300)
        for ranks in [1, 2, 3] if has_mpi() else [1]:
            with self.subTest(ranks=ranks):
                junit = self.folder / f"{ranks}.xml"
                swept = sweep(ranks, self.write_list(), "--json", "--junit", junit)
                self.assertEqual(swept.returncode, plain.returncode, swept.stderr)
                self.assertEqual(without_times(swept.stdout), without_times(plain.stdout))
                cases = ElementTree.parse(junit).getroot().findall(".//testcase")
                self.assertEqual(len(cases), len(json.loads(plain.stdout)["results"]))

    def test_a_run_that_is_not_as_expected(self):
        swept = sweep(1, "scenarios/locks/tas.toml", "--only", "its-sc-fair", "--max-states", "3", "--quiet")
        self.assertEqual(swept.returncode, 3, swept.stderr)
        self.assertIn("the limit of 3 states is reached", swept.stdout)
        self.assertIn("1 run: 1 inconclusive", swept.stdout)

    def test_a_crash_is_one_failed_run(self):
        large = self.folder / "large.toml"
        large.write_text((SOURCE / "scenarios/locks/mcs.toml").read_text().split("[[run]]")[0]
                         .replace("lanes  = 4", "lanes  = 32") + '[[run]]\nreconvergence = "its"\nmemory = "sc"\n')
        results, junit = self.folder / "results.json", self.folder / "junit.xml"
        swept = subprocess.Popen(
            command(1, large, "scenarios/locks/tas.toml", "--results", results, "--junit", junit, "--time", "60"),
            cwd=SOURCE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        for _ in range(600):
            # (MPI may have started a daemon of its own.)
            below = [pid for pid in processes_below(swept.pid)
                     if pathlib.Path(f"/proc/{pid}/comm").read_text().strip() == "warpcheck"]
            if below:
                break
            time.sleep(0.05)
        os.kill(below[0], signal.SIGKILL)
        swept.communicate(timeout=200)
        self.assertEqual(swept.returncode, 1)
        found = json.loads(results.read_text())["results"]
        self.assertEqual(found[0]["verdict"], "inconclusive")
        self.assertIn("ended by signal 9 (Killed)", found[0]["stopped"])
        self.assertTrue(all(one["as_expected"] for one in found[1:]))
        failed = ElementTree.parse(junit).getroot().findall(".//failure")
        self.assertEqual([one.get("type") for one in failed], ["crashed"])

    def test_mistakes(self):
        for arguments, message in [
            ((), "sweep needs scenario files"),
            (("none.toml",), "none.toml: no such file or folder"),
            (("scenarios/locks/tas.toml", "--only", "its"), "--only: there is no run \"its\""),
            (("scenarios/locks/tas.toml", "--seed", "3"), "--seed: belongs to a search"),
            (("scenarios/locks/tas.toml", "--save", "there"), "there is no option --save"),
        ]:
            with self.subTest(arguments=arguments):
                swept = sweep(1, *arguments)
                self.assertEqual(swept.returncode, 2)
                self.assertIn(message, swept.stderr)
        empty = self.folder / "empty.txt"
        empty.write_text("# nothing\n")
        self.assertIn("names no scenarios; write the path", sweep(1, empty).stderr)


if __name__ == "__main__":
    unittest.main()
