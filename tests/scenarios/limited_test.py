"""Runs that no scenario can state, since they are limited: of shipped scenarios, with memory = "ptx", where a whole run has
no end, or takes too long. What they find is there; what else there may be is not known. docs/catalogue.md shows them.

  limited_test.py WARPCHECK SCENARIOS RESULTS

Writes RESULTS/limited.json, and the counterexamples to RESULTS/limited. Unless everything is asked for, the runs of a
tenth of the scenarios are due; the others' scenarios are listed in the file.
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import tomllib

from due import is_due

NO_PROMISES = ["--no-promises"]  # without load buffering; what is then found is found with it, too
FIRST = ["--no-promises", "--first"]
PROMISED = ["--first"]  # what only load buffering shows
SOME = ["--no-promises", "--max-states", "1000"]  # of clients that never end
MANY = ["--no-promises", "--max-states", "20000"]


def chance(kind, seed):  # of a run that finds it
    return ["--search", kind, "--runs", "20000", "--first", "--seed", str(seed)]


# A scenario; reconvergence, progress and fairness; the options; what is found; what is looked for, if not everything.
RUNS = [
    ("barriers/atomic_two_stage", "stack fair weak", NO_PROMISES, ["assertion"]),
    ("barriers/atomic_two_stage", "its fair weak", NO_PROMISES, ["assertion"]),
    ("barriers/atomic_two_stage", "its unfair weak", NO_PROMISES, ["assertion", "livelock"]),
    ("barriers/atomic_two_stage_lanes", "stack fair weak", NO_PROMISES, ["assertion"]),
    ("barriers/atomic_two_stage_lanes", "its fair weak", NO_PROMISES, ["assertion"]),
    ("mutexes/ring_cleared_blocks", "stack fair weak", NO_PROMISES, ["deadlock", "race"]),
    ("mutexes/ring_cleared_blocks", "its fair weak", NO_PROMISES, ["deadlock", "race"]),
    ("mutexes/ring_cleared_blocks", "its unfair weak", NO_PROMISES, ["deadlock", "race", "livelock"]),
    ("mutexes/ring_cleared_fenced_order", "stack fair weak", NO_PROMISES, ["simt-deadlock"]),
    ("mutexes/ring_cleared_fenced_order", "its fair weak", NO_PROMISES, []),
    ("mutexes/ring_cleared_fenced_order", "its unfair weak", NO_PROMISES, ["livelock"]),
    ("mutexes/ring_cleared_fenced_order_blocks", "stack fair weak", NO_PROMISES, []),
    ("mutexes/ring_cleared_fenced_order_blocks", "its fair weak", NO_PROMISES, []),
    ("mutexes/ring_cleared_fenced_order_blocks", "its unfair weak", NO_PROMISES, ["livelock"]),
    ("mutexes/ring_cleared_order", "its fair weak", NO_PROMISES, ["deadlock", "assertion"]),
    ("mutexes/spin_printed", "stack fair weak", NO_PROMISES, ["simt-deadlock"]),
    ("semaphores/sleeping_order", "its fair weak", NO_PROMISES, []),
    ("semaphores/sleeping_order", "its unfair weak", NO_PROMISES, ["livelock"]),
    ("semaphores/sleeping_order_blocks", "stack fair weak", NO_PROMISES, []),
    ("semaphores/sleeping_order_blocks", "its fair weak", NO_PROMISES, []),
    ("semaphores/sleeping_order_blocks", "its unfair weak", NO_PROMISES, ["livelock"]),
    ("semaphores/sleeping_order_of_arrival", "its fair weak", NO_PROMISES, ["assertion"]),
    ("semaphores/sleeping_order_of_arrival", "its unfair weak", NO_PROMISES, ["assertion", "livelock"]),
    ("semaphores/sleeping_order_of_arrival_blocks", "stack fair weak", NO_PROMISES, ["assertion"]),
    ("semaphores/sleeping_order_of_arrival_blocks", "its fair weak", NO_PROMISES, ["assertion"]),
    ("semaphores/sleeping_order_of_arrival_blocks", "its unfair weak", NO_PROMISES, ["assertion", "livelock"]),
    ("semaphores/spin_backoff_1_master", "stack fair weak", NO_PROMISES, ["livelock"]),
    ("semaphores/spin_backoff_2_master", "stack fair weak", NO_PROMISES, ["livelock"]),
    ("semaphores/spin_backoff_10_master", "stack fair weak", NO_PROMISES, ["livelock"]),
    ("semaphores/spin_backoff_120_master", "stack fair weak", NO_PROMISES, ["livelock"]),
    ("semaphores/spin_backoff_post_1_master", "stack fair weak", NO_PROMISES, ["livelock"]),
    ("queues/michael_scott_hazard_next", "its fair weak", chance("swarm", 360), ["race"], ["race"]),
    ("queues/michael_scott_hazard_next_blocks", "stack fair weak", chance("swarm", 360), ["race"], ["race"]),
    ("queues/michael_scott_hazard_next_blocks", "its fair weak", chance("swarm", 360), ["race"], ["race"]),
    ("queues/michael_scott_no_help", "its unfair weak", FIRST, ["livelock"]),
    ("queues/michael_scott_no_help_blocks", "stack unfair weak", FIRST, ["livelock"]),
    ("queues/michael_scott_uncounted_next", "its fair weak", MANY, ["bad-access", "not-linearizable"]),
    ("queues/michael_scott_uncounted_next_blocks", "stack fair weak", MANY, ["bad-access", "not-linearizable"]),
    ("queues/michael_scott_uncounted_next_blocks", "its fair weak", MANY, ["bad-access", "not-linearizable"]),
    ("queues/pourmeidani_nonblocking_waits", "its unfair weak", FIRST, ["livelock"]),
    ("stm/structures/pair_counter_one_lock_two", "its fair weak", SOME, []),
    ("balancing/octree_lock_free_queue_leaves", "its fair weak", FIRST, ["assertion"]),
    ("balancing/octree_stealing_no_tag", "its fair weak", FIRST, ["race"]),
    ("graphs/queue_bfs_blocking", "its fair weak", NO_PROMISES, []),
    ("graphs/queue_bfs_blocking_levels", "its fair weak", NO_PROMISES, ["assertion"]),
    ("graphs/queue_bfs_blocking_shorter", "its fair weak", NO_PROMISES, []),
    ("graphs/queue_bfs_nonblocking", "its fair weak", NO_PROMISES, []),
    ("graphs/queue_bfs_nonblocking_levels", "its fair weak", FIRST, ["assertion"]),
    ("graphs/queue_bfs_nonblocking_shorter", "its fair weak", FIRST, ["assertion"]),
    ("moves/stack_stack_hazard_late_mark", "its fair weak", FIRST, ["not-linearizable"]),
    ("moves/stack_stack_own_mark", "its fair weak", FIRST, ["not-linearizable"]),
    ("moves/stack_stack_printed", "its fair weak", FIRST, ["not-linearizable"]),
    ("moves/stack_stack_returns_early", "its fair weak", FIRST, ["not-linearizable"]),
    ("stacks/treiber_tagged_pairs", "its fair weak", PROMISED, ["wrong-linearization-point"]),
    ("stacks/treiber_hazard_unvalidated", "its fair weak",
     chance("pct", 3853), ["not-linearizable"], ["not-linearizable"]),
    ("stacks/treiber_hazard_unvalidated_blocks", "stack fair weak",
     chance("pct", 3853), ["not-linearizable"], ["not-linearizable"]),
    ("stacks/treiber_hazard_unvalidated_blocks", "its fair weak",
     chance("pct", 3853), ["not-linearizable"], ["not-linearizable"]),
    ("guarantees/starvation_spin", "stack fair weak", SOME, ["starvation"], ["starvation"]),
    ("guarantees/starvation_spin", "its fair weak", SOME, ["starvation"], ["starvation"]),
    ("guarantees/starvation_spin", "its unfair weak", SOME, ["starvation"], ["starvation"]),
    ("guarantees/starvation_spin_backoff", "stack fair weak", SOME, ["starvation"], ["starvation"]),
    ("guarantees/starvation_spin_backoff", "its fair weak", SOME, ["starvation"], ["starvation"]),
    ("guarantees/starvation_spin_backoff", "its unfair weak", SOME, ["starvation"], ["starvation"]),
    ("guarantees/starvation_spin_backoff_1", "stack fair weak", SOME, ["starvation"], ["starvation"]),
    ("guarantees/starvation_spin_backoff_1", "its fair weak", SOME, ["starvation"], ["starvation"]),
    ("guarantees/starvation_spin_backoff_1", "its unfair weak", SOME, ["starvation"], ["starvation"]),
]


def states(scenario, run):
    """Whether the scenario has that run."""
    own = [(each.get("reconvergence", "its"), each.get("progress", "fair"), each.get("fairness", "weak"))
           for each in tomllib.loads(scenario)["run"] if each.get("memory") == "ptx"]
    return tuple(run.values()) in own


def limited(binary, scenarios, results, path, model, options, kinds, check=None):
    """The result of the run, and what is wrong with it."""
    shipped = (scenarios / f"{path}.toml").read_text()
    run = dict(zip(("reconvergence", "progress", "fairness"), model.split()))
    said = f"{path} [{model}]"
    if states(shipped, run):
        return None, f"{said}: the scenario has this run itself"
    lines = [f'{key} = "{value}"' for key, value in run.items()] + ([f"check = {json.dumps(check)}"] if check else [])
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / f"{path.replace('/', '_')}.toml"
        file.write_text(shipped[:shipped.index("[[run]]")] + "\n".join(["[[run]]", 'memory = "ptx"', *lines, ""]))
        done = subprocess.run([binary, "run", file, "--json", "--threads", "1", "--counterexamples", results / "limited",
                               *options], capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False, timeout=200)
    if done.returncode not in (0, 1, 3):
        return None, f"{said}: exit status {done.returncode}: {done.stderr}"
    (result,) = json.loads(done.stdout)["results"]
    found = [each["verdict"] for each in result["violations"]]
    print(f"{said}: {', '.join(found) or 'nothing'} ({result['seconds']:.2f} s; {result['stopped']})")
    if found != kinds:
        return None, f"{said}: found {found}, not {kinds}"
    if result["complete"]:
        return None, f"{said}: is complete; the scenario should have this run"
    return {"scenario": path, "options": options, "result": result}, None


def main():
    binary, scenarios, results = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    (results / "limited").mkdir(parents=True, exist_ok=True)
    made = [limited(binary, scenarios, results, *run) for run in RUNS if is_due(run[0])]
    wrong = [message for _, message in made if message]
    if not wrong:
        (results / "limited.json").write_text(json.dumps({"runs": [each for each, _ in made],
                                                           "left_out": sorted({run[0] for run in RUNS if not is_due(run[0])})},
                                                          indent=1) + "\n")
    sys.exit("\n".join(wrong) or 0)


if __name__ == "__main__":
    main()
