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
# Under ptx, with the verdicts that ranks come to.
WEAK = {"locks/ticket": {"ok", "livelock"}, "locks/no_exclusion_weak": {"race"}, "locks/opposite_order": {"deadlock"},
        "counters/lost_update": {"assertion"}, "barriers/early_return": {"barrier-divergence"},
        "grids/early_producer": {"ok", "livelock"}, "locks/mcs": {"ok", "livelock"}, "lists/coarse_mcs": {"ok"}}
# Reductions with which one process and ranks come to their results in the same way: otherwise the first states decide
# whether weaker fences are tried.
ALIKE = ["--reduce", "merge,symmetry,order"]

# Two lanes store to one location, but no state has both of them at their stores. Whoever sees a part of the states may
# think that one lane alone uses the location, and miss the race.
APART = """#include <simt/simt.hpp>

struct apart {
  simt::atomic<int, simt::thread_scope_device> held{0};
  int shared = 0;

  SIMT_FN void operator()() {
    if (held.exchange(1, simt::memory_order_relaxed) != 0) return;
    shared = 1;
    held.exchange(0, simt::memory_order_relaxed);
  }
};
SIMT_SUBJECT(apart);
"""
# Stores have to be promised, but only once both lanes have met.
LATE = """#include <simt/simt.hpp>

struct late {
  simt::atomic<int, simt::thread_scope_device> met{0}, x{0}, y{0};
  int seen[2] = {};

  SIMT_FN void operator()() {
    met.fetch_add(1, simt::memory_order_acq_rel);
    while (met.load(simt::memory_order_acquire) < 2) {}
    if (simt::thread_rank() == 0) {
      const int r = x.load(simt::memory_order_relaxed);
      y.store(1, simt::memory_order_relaxed);
      seen[0] = r;
    } else {
      const int r = y.load(simt::memory_order_relaxed);
      x.store(1, simt::memory_order_relaxed);
      seen[1] = r;
    }
  }
  const char* check() const { return seen[0] == 1 && seen[1] == 1 ? "both were read early" : nullptr; }
};
SIMT_SUBJECT(late);
"""

# Each lane stores the address of its node, and other lanes follow it.
POINTERS = """#include <simt/simt.hpp>

struct pointers {
  struct node {
    simt::atomic<node*, simt::thread_scope_device> next{nullptr};
  };
  node nodes[3];
  simt::atomic<node*, simt::thread_scope_device> head{nullptr};

  SIMT_FN void operator()() {
    node* const mine = &nodes[simt::thread_rank()];
    node* first = head.load(simt::memory_order_acquire);
    do {
      mine->next.store(first, simt::memory_order_release);
    } while (!head.compare_exchange_strong(first, mine, simt::memory_order_acq_rel));
    int length = 0;
    for (node* n = mine; n != nullptr; n = n->next.load(simt::memory_order_acquire)) ++length;
    simt::check(length <= 3, "the list goes round");
  }
};
SIMT_SUBJECT(pointers);
"""


def has_mpi():
    libraries = subprocess.run(["ldd", BINARY], capture_output=True, text=True, timeout=60).stdout
    return MPIRUN is not None and "libmpi" in libraries


def start(ranks, *arguments):
    by = [MPIRUN, "--allow-run-as-root", "--oversubscribe", "-n", str(ranks)] if ranks > 1 else []
    return [*by, BINARY, "run", *map(str, arguments)]


def run(ranks, *arguments):
    return subprocess.run(start(ranks, *arguments), cwd=SOURCE, capture_output=True, text=True, timeout=500)


def compared(results, memory="sc"):
    """What must not depend on the number of ranks. (Addresses are others in each process.)"""
    results = re.sub(r"\b14[0-9]{13}\b", "0", re.sub(r"0x7f[0-9a-f]{10}", "an address", results))
    all_runs = []
    for one in json.loads(results)["results"]:
        if one["memory"] != memory:
            continue
        what = {key: one.get(key) for key in ["file", "reconvergence", "progress", "verdict", "as_expected", "complete"]}
        # A proof that a state is dead leaves states out, and one process alone proves. Under `stack`, one process alone
        # runs ahead to branches.
        if one["verdict"] in ("ok", "livelock") and one["reconvergence"] == "its":
            what["states"] = one["states"]
        what["violations"] = one["violations"]
        if memory == "ptx":  # (the sentences also name what lanes would do in other turns of one process)
            what["violations"] = [(v["verdict"], v["counterexample"]) for v in one["violations"]]
        all_runs.append(what)
    return all_runs


def scenario_of(folder, name, source, blocks):
    """A scenario of this source under ptx, one lane in each block."""
    (pathlib.Path(folder) / f"{name}.hpp").write_text(source)
    scenario = pathlib.Path(folder) / f"{name}.toml"
    scenario.write_text(f'subject = "{name}"\nsource = "{name}.hpp"\nworkload = "kernel"\n'
                        f'[grid]\nblocks = {blocks}\nlanes = 1\n[[run]]\nreconvergence = "its"\nmemory = "ptx"\n')
    return scenario


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

    def test_weak_memory(self):
        for name, verdicts in WEAK.items():
            if name not in ("locks/ticket", "locks/no_exclusion_weak") and not is_due(f"ranks: {name}, ptx"):
                continue
            file = f"scenarios/{name}.toml"
            alone = compared(run(1, file, "--json", *ALIKE).stdout, "ptx")
            for count in 2, 3, 4, 7:
                if count != 3 and not is_due(f"ranks: {name}, ptx, {count}"):
                    continue
                with self.subTest(name=name, ranks=count):
                    together = run(count, file, "--json", "--share-after", 1, *ALIKE)
                    self.assertEqual(compared(together.stdout, "ptx"), alone, together.stderr)
                    shared = [one for one in json.loads(together.stdout)["results"]
                              if one["memory"] == "ptx" and one.get("ranks")]
                    self.assertEqual({one["ranks"]["count"] for one in shared}, {count})
                    self.assertGreaterEqual({one["verdict"] for one in shared}, verdicts)

    def test_what_one_rank_sees_of_weak_memory_counts_for_all(self):
        with tempfile.TemporaryDirectory() as folder:
            scenario = scenario_of(folder, "apart", APART, 2)
            for count in 2, 3, 4, 7, 8:
                if count != 8 and not is_due(f"ranks: apart, {count}"):
                    continue
                with self.subTest(ranks=count):
                    found = json.loads(run(count, scenario, "--json", "--share-after", 1, "--reduce",
                                           "none").stdout)["results"][0]
                    self.assertEqual(found["ranks"]["count"], count)
                    self.assertEqual(found["verdict"], "race")

    def test_messages_may_hold_addresses(self):
        with tempfile.TemporaryDirectory() as folder:
            arguments = [scenario_of(folder, "pointers", POINTERS, 3), "--json", "--reduce", "none"]
            alone = json.loads(run(1, *arguments).stdout)["results"][0]
            together = json.loads(run(3, *arguments, "--share-after", 1).stdout)["results"][0]
            self.assertEqual(together["ranks"]["count"], 3)
            for key in "verdict", "states", "transitions":
                self.assertEqual(together[key], alone[key])

    def test_limits_under_weak_memory(self):
        result = json.loads(run(2, "scenarios/locks/mcs.toml", "--only", "its-ptx-fair", "--share-after", 1,
                                "--max-states", 300, "--json", *ALIKE).stdout)["results"][0]
        self.assertEqual((result["verdict"], result["ranks"]["count"]), ("inconclusive", 2))

    def test_counterexamples_under_weak_memory_can_be_replayed(self):
        with tempfile.TemporaryDirectory() as folder:
            result = run(3, "scenarios/locks/no_exclusion_weak.toml", "--only", "its-ptx-fair", "--share-after", 1,
                         "--counterexamples", folder, "--json")
            self.assertEqual(json.loads(result.stdout)["results"][0]["ranks"]["count"], 3)
            files = list(pathlib.Path(folder).iterdir())
            self.assertEqual(len(files), 1, result.stderr)
            again = subprocess.run([BINARY, "replay", files[0]], cwd=SOURCE, capture_output=True, text=True, timeout=60)
            self.assertEqual(again.returncode, 0, again.stdout + again.stderr)
            self.assertIn("race", again.stdout)

    def test_weaker_fences(self):
        # One process tries weaker fences for this one, too.
        arguments = ["scenarios/locks/tas.toml", "--only", "its-ptx-fair", "--json"]
        for after in 1, 40:
            found = json.loads(run(2, *arguments, "--share-after", after).stdout)["results"][0]
            self.assertEqual((found["verdict"], found["ranks"]["count"]), ("ok", 2))

    def test_the_first_rank_alone(self):
        # Stores are promised; the host starts several launches.
        for name, only in ("idioms/load_buffering", "its-ptx-fair"), ("graphs/level_bfs", "its-sc-fair"):
            with self.subTest(name=name):
                arguments = [f"scenarios/{name}.toml", "--only", only, "--json"]
                alone = json.loads(run(1, *arguments).stdout)["results"][0]
                together = json.loads(run(2, *arguments, "--share-after", 2).stdout)["results"][0]
                self.assertNotIn("ranks", together)
                for key in "verdict", "states", "complete":
                    self.assertEqual(together[key], alone[key])

    def test_ranks_hand_back_what_needs_promises(self):
        with tempfile.TemporaryDirectory() as folder:
            arguments = [scenario_of(folder, "late", LATE, 2), "--json"]
            alone = json.loads(run(1, *arguments).stdout)["results"][0]
            self.assertEqual(alone["verdict"], "assertion")
            for after in 1, 3:  # ranks begin to share it
                together = json.loads(run(3, *arguments, "--share-after", after).stdout)["results"][0]
                self.assertNotIn("ranks", together)
                for key in "verdict", "states", "complete":
                    self.assertEqual(together[key], alone[key])

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
