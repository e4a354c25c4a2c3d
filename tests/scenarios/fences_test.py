"""Leaves out one fence of a subject after the other, or weakens one memory order: each time one of its scenarios goes
wrong. Unless everything is asked for, a tenth of the fences and orders is due.

  fences_test.py WARPCHECK SCENARIOS

Some fences make no difference in the scenarios there are; then all of them must say ok, but for those of
one fence, where promises are too many to tell. The runs are those with reconvergence = "its", memory = "ptx" and fair progress, which
with all fences are ok (the scenarios expect that).
"""

import concurrent.futures
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from due import is_due

# Of each subject: how its scenarios' names go on, how many fences it has, and those that make no difference.
SUBJECTS = {
    "deques/cederman_tsigas_fenced": (["_again", "_last", "_push", "_thieves"], 7, []),
    "idioms/message_fences": ([""], 2, []),
    "locks/he_yu_fenced": ([""], 2, []),
    "locks/mcs_cas_fenced": ([""], 5, []),
    "locks/ticket_ring_fenced": ([""], 2, [0]),
    "mutexes/ring_cleared_fenced": (["", "_lanes", "_blocks"], 4, [2]),
    "mutexes/spin_exchange_fenced": ([""], 2, []),
    "queues/cederman_tsigas_blocking_fenced": ([""], 2, []),
    "sets/marked_list_fenced": (["", "_erase"], 2, []),
}
# Likewise, and how many orders it has that are stronger than relaxed.
ORDERED = {
    "deques/arora_weak": (["", "_again", "_thieves"], 6),
}
UNDECIDED = {("locks/ticket_ring_fenced", 0)}  # spare fences without which the run is inconclusive
WRONG = {"race", "assertion", "deadlock", "not-linearizable", "bad-access"}
ORDER = re.compile(r"memory_order_(acquire|release|acq_rel|seq_cst)")
FENCE = re.compile(r"^ *simt::(__threadfence|atomic_thread_fence)\(.*\);\n", re.MULTILINE)
binary, scenarios = sys.argv[1], pathlib.Path(sys.argv[2])
algorithms = scenarios.parent / "algorithms"


def verdict(scenario):
    """Of the one run."""
    done = subprocess.run([binary, "run", scenario, "--only", "its-ptx-fair", "--first", "--json"],
                          capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False, timeout=200)
    if done.returncode not in (0, 1, 3):
        return f"exit status {done.returncode}: {done.stderr}"
    (run,) = json.loads(done.stdout)["results"]
    return run["verdict"]


def seen_with(subject, endings, text, suffix, folder):
    """The verdicts of its scenarios with that text, up to the first wrong one."""
    name = pathlib.Path(subject).name
    source = (folder / subject).with_name(f"{name}-{suffix}.hpp")  # beside copies of what it includes
    source.write_text(text)
    seen = []
    for ending in endings:
        mutated = folder / f"{name}{ending}-{suffix}.toml"
        shipped = (scenarios / f"{subject}{ending}.toml").read_text()
        mutated.write_text(shipped.replace(f'"{subject}"', f'"{name}"\nsource = "{source}"'))
        seen.append(verdict(mutated))
        if seen[-1] in WRONG:
            break
    return seen


def without_fence(subject, fence, folder):
    """What is not as it should be without that fence, by number."""
    endings, _, spare = SUBJECTS[subject]
    text = (algorithms / f"{subject}.hpp").read_text()
    place = list(FENCE.finditer(text))[fence]
    seen = seen_with(subject, endings, text[:place.start()] + text[place.end():], str(fence), folder)
    line = text[:place.start()].count("\n") + 1
    said = f"{subject}.hpp:{line}: without this fence: {', '.join(seen)}"
    print(said)
    without_it = "inconclusive" if (subject, fence) in UNDECIDED else "ok"
    is_right = set(seen) == {without_it} if fence in spare else seen[-1] in WRONG
    return None if is_right else said


def weaker(order, line):
    """The next weaker order that an access of this line may have."""
    if order != "seq_cst":
        return "relaxed"
    return "acquire" if ".load(" in line else "release"


def with_weaker_order(subject, number, folder):
    """What is not as it should be with that order weakened."""
    endings, _ = ORDERED[subject]
    text = (algorithms / f"{subject}.hpp").read_text()
    place = list(ORDER.finditer(text))[number]
    line = text[:place.start()].count("\n") + 1
    order = weaker(place[1], text.splitlines()[line - 1])
    seen = seen_with(subject, endings, text[:place.start(1)] + order + text[place.end():], f"order-{number}", folder)
    said = f"{subject}.hpp:{line}: {order} in place of {place[1]}: {', '.join(seen)}"
    print(said)
    return None if seen[-1] in WRONG else said


wrong = []
with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(2) as pool:
    shutil.copytree(algorithms, folder, dirs_exist_ok=True)
    left = []
    for each, (_, count, _) in SUBJECTS.items():
        fences = len(FENCE.findall((algorithms / f"{each}.hpp").read_text()))
        if fences != count:
            wrong.append(f"{each}.hpp has {fences} fences, not {count}")
        left += [pool.submit(without_fence, each, i, pathlib.Path(folder)) for i in range(fences)
             if is_due(f"{each}, fence {i}")]
    for each, (_, count) in ORDERED.items():
        orders = len(ORDER.findall((algorithms / f"{each}.hpp").read_text()))
        if orders != count:
            wrong.append(f"{each}.hpp has {orders} orders, not {count}")
        left += [pool.submit(with_weaker_order, each, i, pathlib.Path(folder)) for i in range(orders)
                 if is_due(f"{each}, order {i}")]
    wrong += [found for found in (each.result() for each in left) if found]
sys.exit("\n".join(wrong) or 0)
