"""Reports, byte for byte but for times and memory, as files in this folder.

WARPCHECK_UPDATE_GOLDEN=1 writes them anew; review the difference. Violations of the scenarios of
this folder are replayed; those of shipped ones are in tests/scenarios.
"""

import difflib
import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

BINARY = os.environ["WARPCHECK_BINARY"]
SOURCE = pathlib.Path(os.environ["WARPCHECK_SOURCE"])
FOLDER = pathlib.Path(__file__).parent
UPDATE = os.environ.get("WARPCHECK_UPDATE_GOLDEN", "0") not in ("", "0")

OWN = "tests/golden/scenarios/"
HISTORIES = "tests/golden/histories/"
# golden file: exit status and arguments, run at the root of the source tree
CASES = {
    "simt_deadlock.txt": (0, ["run", "scenarios/locks/tas.toml"]),
    "simt_deadlock_ticket.txt": (0, ["run", "scenarios/locks/ticket.toml"]),
    "simt_deadlock_eight_lanes.txt": (0, ["run", OWN + "tas_warp.toml"]),
    "weak_race_scope.txt": (0, ["run", "scenarios/locks/tas_block_scope_blocks.toml", "--only", "its-ptx-fair"]),
    "weak_race.txt": (0, ["run", "scenarios/idioms/message_one_fence.toml", "--only", "its-ptx-fair", "-v"]),
    "weak_race_learnt.txt": (1, ["run", OWN + "learnt_through_barrier.toml"]),
    "weak_race_narrow_fence.txt": (1, ["run", OWN + "learnt_by_narrow_fence.toml"]),
    "assertion_old_value.txt": (1, ["run", OWN + "learnt_old_value.toml"]),
    "deadlock_named_barrier.txt": (1, ["run", OWN + "named_barrier.toml"]),
    "deadlock_thresholds.txt": (1, ["run", OWN + "thresholds.toml"]),
    "deadlock_astray.txt": (1, ["run", OWN + "astray.toml"]),
    "race_block_shared.txt": (1, ["run", OWN + "cells.toml"]),
    "load_buffering.txt": (0, ["run", "scenarios/idioms/load_buffering.toml", "-v"]),
    "load_buffering_left_out.txt": (3, ["run", "scenarios/idioms/load_buffering.toml", "--no-promises", "--only", "its-ptx-fair"]),
    "deadlock.txt": (0, ["run", "scenarios/locks/opposite_order.toml"]),
    "deadlock_never_released.txt": (0, ["run", "scenarios/locks/never_released.toml"]),
    "deadlock_resident.txt": (0, ["run", "scenarios/grids/producer_consumer.toml"]),
    "livelock_models.txt": (0, ["run", "scenarios/grids/early_producer.toml"]),
    "livelock_strong.txt": (0, ["run", "scenarios/progress/two_locks_backoff.toml"]),
    "livelock_fair.txt": (1, ["run", OWN + "polite.toml"]),
    "race.txt": (0, ["run", "scenarios/flags/grote_3_3_intended_weak.toml"]),
    "race_scope.txt": (1, ["run", OWN + "scope.toml"]),
    "assertion_final.txt": (0, ["run", "scenarios/counters/lost_update.toml"]),
    "assertion_in_kernel.txt": (1, ["run", OWN + "claim.toml"]),
    "barrier_divergence.txt": (0, ["run", "scenarios/barriers/syncthreads_in_both_arms.toml"]),
    "prints.txt": (1, ["run", OWN + "prints.toml"]),
    "prints.json": (1, ["run", OWN + "prints.toml", "--json"]),
    "bad_access.txt": (1, ["run", OWN + "overrun.toml"]),
    "bad_access_retired.txt": (0, ["run", "scenarios/stacks/treiber_retire_early.toml"]),
    "bad_access_retired_twice.txt": (0, ["run", "scenarios/stacks/treiber_retire_twice.toml"]),
    "wrong_linearization_point.txt": (0, ["run", "scenarios/stacks/treiber_wrong_point.toml"]),
    "aba.txt": (0, ["run", "scenarios/stacks/treiber_tagged.toml",
                    "scenarios/stacks/treiber_hazard.toml", "--aba", "--verbose", "--only", "its-sc-fair"]),
    "not_linearizable.txt": (0, ["run", "scenarios/queues/vyukov.toml"]),
    "not_linearizable.json": (0, ["run", "scenarios/counters/counter_two_steps.toml", "--json"]),
    "zombie.txt": (0, ["run", "scenarios/stm/blocking_zombie.toml", "--only", "its-sc-fair"]),
    "write_skew.txt": (0, ["run", "scenarios/stm/tl2_no_validation.toml", "--only", "its-sc-fair"]),
    "progress_violated.txt": (0, ["run", "scenarios/guarantees/wait_free_counter_cas.toml"]),
    "progress_violated.json": (0, ["run", "scenarios/guarantees/lock_free_michael_scott_no_help.toml",
                                   "--json"]),
    "obstruction_free.txt": (0, ["run", "scenarios/guarantees/obstruction_free_counter_polite.toml"]),
    "deadlock_for_ever.txt": (0, ["run", "scenarios/guarantees/blocking_locked_ring_kept.toml"]),
    "starvation.txt": (0, ["run", "scenarios/guarantees/starvation_tas.toml", "--only", "its-sc-fair"]),
    "claims_hold.txt": (0, ["run", "scenarios/guarantees/wait_free_counter.toml"]),
    "blocked.txt": (1, ["run", OWN + "waits_at_barrier.toml"]),
    "guarantees.txt": (0, ["explain", "scenarios/guarantees/lock_free_counter_stolen.toml"]),
    "ok.txt": (0, ["run", "scenarios/locks/ticket_done_flag.toml"]),
    "inconclusive.txt": (3, ["run", OWN + "bounded.toml", "--max-states", "10"]),
    "search.txt": (3, ["run", "scenarios/locks/tas.toml", "--search", "pct", "--runs", "20"]),
    "search_weak.txt": (0, ["run", "scenarios/idioms/load_buffering.toml", "--search", "swarm", "--runs",
                            "300", "--only", "its-ptx-fair"]),
    "search.json": (3, ["run", "scenarios/locks/tas_four_warps.toml", "--search", "swarm", "--runs",
                        "20", "--seed", "7", "--json"]),
    "unexpected.txt": (1, ["run", OWN + "wrong_expectation.toml", "scenarios/counters"]),
    "quiet.txt": (1, ["run", OWN + "wrong_expectation.toml", "scenarios/counters", "--quiet"]),
    "folder.txt": (0, ["run", "scenarios/counters", "scenarios/flags"]),
    "report.json": (1, ["run", OWN + "wrong_expectation.toml", "--json"]),
    "history_queue.txt": (1, ["history", HISTORIES + "queue.jsonl", "--spec", "queue"]),
    "history_queue_search.txt": (1, ["history", HISTORIES + "queue.jsonl", "--spec", "queue",
                                     "--only-search"]),
    "history_stack.txt": (1, ["history", HISTORIES + "stack.jsonl", "--spec", "stack"]),
    "history_map.txt": (1, ["history", HISTORIES + "map.jsonl", "--spec", "map"]),
    "history_map.json": (1, ["history", HISTORIES + "map.jsonl", "--spec", "map", "--json"]),
    "history_counter.txt": (1, ["history", HISTORIES + "counter.jsonl", "--spec", "counter"]),
    "history_order.txt": (0, ["history", HISTORIES + "queue_ok.jsonl", "--spec", "queue", "--order"]),
    "history_skew.txt": (1, ["history", HISTORIES + "write_skew.jsonl", "--spec", "stm",
                             "--consistency", "strictly-serializable"]),
    "history_zombie.txt": (1, ["history", HISTORIES + "zombie.jsonl", "--spec", "stm"]),
    "history_zombie.json": (1, ["history", HISTORIES + "zombie.jsonl", "--spec", "stm", "--json"]),
    "history_zombie_order.txt": (0, ["history", HISTORIES + "zombie.jsonl", "--spec", "stm", "--order",
                                     "--consistency", "strictly-serializable"]),
    "explain.txt": (0, ["explain", "scenarios/locks/ticket.toml"]),
    "explain.json": (0, ["explain", "scenarios/locks/ticket.toml", "--json"]),
    "progress.txt": (0, ["progress", "scenarios/progress/examples.jsonl"]),
    "progress_evidence.txt": (0, ["progress", "scenarios/progress/examples.jsonl", "--explain",
                                  "--model", "OBE", "--model", "FAIR"]),
    "progress_labels.txt": (1, ["progress", OWN + "labels.jsonl"]),
    "progress.json": (1, ["progress", OWN + "labels.jsonl", "--explain", "--json"]),
    "progress_inconclusive.txt": (3, ["progress", "scenarios/progress/examples.jsonl",
                                      "--max-states", "10"]),
}


def warpcheck(*arguments):
    return subprocess.run([BINARY, *map(str, arguments)], cwd=SOURCE, capture_output=True, text=True,
                          stdin=subprocess.DEVNULL, timeout=400)


def masked(text):
    text = re.sub(r"\d+\.\d{3} s\b", "0.000 s", text)
    return re.sub(r'("(?:seconds|peak_bytes)": )[-+.e\d]+', r"\g<1>0", text)


class golden(unittest.TestCase):
    maxDiff = None

    def compare(self, name, text):
        file = FOLDER / name
        if UPDATE:
            file.write_text(text)
        wanted = file.read_text() if file.exists() else ""
        if text != wanted:
            self.fail(f"{name} differs; if it should: WARPCHECK_UPDATE_GOLDEN=1\n" + "".join(
                difflib.unified_diff(wanted.splitlines(True), text.splitlines(True), "golden", "now")))

    def test_reports(self):
        for name, (status, arguments) in CASES.items():
            with self.subTest(name):
                result = warpcheck(*arguments)
                self.assertEqual((result.returncode, result.stderr), (status, ""), result.stdout)
                self.compare(name, masked(result.stdout))
                if name.endswith(".txt"):
                    self.assertNotIn("\033", result.stdout)
                    for line in result.stdout.splitlines():
                        # A file's own line is as long as the file's name makes it.
                        of_a_file = re.match(r"\S+\.(?:toml|jsonl)\b(.*)", line)
                        text = of_a_file[1] if of_a_file else line
                        limit = 85 if of_a_file else 100 if line.startswith(" ") else 120
                        self.assertLessEqual(len(text), limit, f"{name}: {line}")
                        self.assertEqual(line, line.rstrip(), f"{name}: trailing spaces")
                else:
                    json.loads(result.stdout)

    def test_every_violation_replays(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in ["polite", "overrun", "scope", "claim", "wrong_expectation", "tas_warp"]:
                warpcheck("run", OWN + name + ".toml", "--counterexamples", folder)
            files = sorted(pathlib.Path(folder).iterdir())
            self.assertGreaterEqual(len(files), 6)
            for file in files:
                with self.subTest(file.name):
                    result = warpcheck("replay", file, "--json", "--trust")
                    self.assertEqual((result.returncode, result.stderr), (0, ""))
                    replayed = json.loads(result.stdout)
                    self.assertTrue(replayed["reproduced"])
                    self.assertFalse(replayed["source_changed"])


if __name__ == "__main__":
    unittest.main()
