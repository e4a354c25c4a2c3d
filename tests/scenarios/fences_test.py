"""Leaves out one fence or barrier of a subject after the other, or weakens one memory order: each time one of its
scenarios goes wrong. Unless everything is asked for, a tenth of the fences and orders is due.

  fences_test.py WARPCHECK SCENARIOS

Some fences and orders make no difference in the scenarios there are; then all of them must say ok, but for those of one
fence, where promises are too many to tell. Without all such orders at once they must say ok, too. The runs are those
with reconvergence = "its", memory = "ptx" and fair progress, which with all fences are ok (the scenarios expect that).
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

# Of each subject: how its scenarios' names go on, how many fences and barriers it has, and those that make no
# difference.
SUBJECTS = {
    "deques/cederman_tsigas_fenced": (["_again", "_last", "_push", "_thieves"], 7, []),
    "idioms/message_fences": ([""], 2, []),
    "locks/he_yu_fenced": ([""], 2, []),
    "locks/mcs_cas_fenced": ([""], 5, []),
    "locks/ticket_ring_fenced": ([""], 2, [0]),
    "mutexes/ring_cleared_fenced": (["", "_lanes", "_blocks"], 4, [2]),
    "mutexes/spin_exchange_fenced": ([""], 2, []),
    "queues/cederman_tsigas_blocking_fenced": ([""], 2, []),
    "queues/warp_tickets": ([""], 2, []),
    "sets/marked_list_fenced": (["", "_erase"], 2, []),
    "sets/warp_table": (["_own"], 2, []),
}
# Where these are, if not in the subject's header.
SHARED = {"queues/warp_tickets": "queues/warp_tickets_of", "sets/warp_table": "sets/warp_table_of"}
# Of each subject: the header with its orders, how its scenarios' names go on, how many orders it has that are stronger
# than relaxed, and which weaker ones make no difference there, alone or all at once.
ORDERED = {
    "deques/arora_weak": ("deques/arora_weak", ["", "_again", "_thieves"], 6, []),
    "primitives/ll_sc": ("primitives/load_linked", [""], 2, [(0, "relaxed"), (1, "acquire"), (1, "release")]),
    "queues/warp_tickets": ("queues/warp_tickets_of", ["", "_wrap"], 6, []),
    "sets/marked_list": ("sets/marked_nodes", ["_three_once"], 3, [(1, "release"), (2, "relaxed")]),
    "sets/skip_list": ("sets/skip_nodes", ["_blocks"], 4, [(1, "release"), (2, "relaxed"), (3, "relaxed")]),
    "sets/warp_table": ("sets/warp_table_of", ["_own", "_again"], 3, [(0, "relaxed"), (1, "relaxed"), (2, "relaxed")]),
    "stm/blocking": ("stm/blocking_memory", [""], 9, [(0, "acquire"), (0, "release"), (2, "relaxed"), (5, "relaxed"),
                                                      (7, "relaxed"), (8, "relaxed")]),
    "stm/tl2": ("stm/tl2_memory", ["", "_skew"], 9, [(3, "acquire"), (3, "release"), (7, "relaxed"), (8, "relaxed")]),
    "trees/cas_insert": ("trees/search_trees", [""], 5, [(0, "release"), (1, "relaxed"), (3, "relaxed")]),
}
UNDECIDED = {("locks/ticket_ring_fenced", 0)}  # spare fences without which the run is inconclusive
WRONG = {"race", "assertion", "deadlock", "not-linearizable", "bad-access", "not-opaque", "not-strictly-serializable"}
ORDER = re.compile(r"memory_order_(acquire|release|acq_rel|seq_cst)")
FENCE = re.compile(r"^ *(simt::(__threadfence|atomic_thread_fence)|lanes\.meet)\(.*\);\n", re.MULTILINE)
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


def seen_with(subject, endings, header, text, suffix, folder):
    """The verdicts of its scenarios with that text of a header, up to the first wrong one."""
    name = pathlib.Path(subject).name
    copy = folder / f"{name}-{suffix}"
    shutil.copytree(algorithms, copy)
    (copy / f"{header}.hpp").write_text(text)
    source = copy / f"{subject}.hpp"
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
    header = SHARED.get(subject, subject)
    text = (algorithms / f"{header}.hpp").read_text()
    place = list(FENCE.finditer(text))[fence]
    seen = seen_with(subject, endings, header, text[:place.start()] + text[place.end():], str(fence), folder)
    line = text[:place.start()].count("\n") + 1
    said = f"{header}.hpp:{line}: without this fence: {', '.join(seen)}"
    print(said)
    without_it = "inconclusive" if (subject, fence) in UNDECIDED else "ok"
    is_right = set(seen) == {without_it} if fence in spare else seen[-1] in WRONG
    return None if is_right else said


def weaker(order, line):
    """The next weaker orders that an access of this line may have."""
    if order == "acq_rel":
        return ["acquire", "release"]
    if order != "seq_cst":
        return ["relaxed"]
    return ["acquire" if ".load(" in line else "release"]


def with_weaker_order(subject, number, order, folder):
    """What is not as it should be with that order in place of its own."""
    header, endings, _, spare = ORDERED[subject]
    text = (algorithms / f"{header}.hpp").read_text()
    place = list(ORDER.finditer(text))[number]
    line = text[:place.start()].count("\n") + 1
    changed = text[:place.start(1)] + order + text[place.end(1):]
    seen = seen_with(subject, endings, header, changed, f"order-{number}-{order}", folder)
    said = f"{header}.hpp:{line}: {order} in place of {place[1]}, {subject}: {', '.join(seen)}"
    print(said)
    is_right = set(seen) == {"ok"} if (number, order) in spare else seen[-1] in WRONG
    return None if is_right else said


def without_spare_orders(subject, folder):
    """What is not as it should be with all spare orders weakened at once: the others are a smallest set then."""
    header, endings, _, spare = ORDERED[subject]
    text = (algorithms / f"{header}.hpp").read_text()
    for number, place in reversed(list(enumerate(ORDER.finditer(text)))):
        orders = [order for i, order in spare if i == number]
        if orders:
            text = text[:place.start(1)] + (orders[0] if len(orders) == 1 else "relaxed") + text[place.end(1):]
    seen = seen_with(subject, endings, header, text, "order-spare", folder)
    said = f"{header}.hpp: without spare orders, {subject}: {', '.join(seen)}"
    print(said)
    return None if set(seen) == {"ok"} else said


def weaker_orders(header):
    """By number of an order: what it may be replaced by."""
    text = (algorithms / f"{header}.hpp").read_text()
    lines = text.splitlines()
    return [weaker(place[1], lines[text[:place.start()].count("\n")]) for place in ORDER.finditer(text)]


wrong = []
with tempfile.TemporaryDirectory() as folder, concurrent.futures.ThreadPoolExecutor(2) as pool:
    left = []
    for each, (_, count, _) in SUBJECTS.items():
        fences = len(FENCE.findall((algorithms / f"{SHARED.get(each, each)}.hpp").read_text()))
        if fences != count:
            wrong.append(f"{each}.hpp has {fences} fences, not {count}")
        left += [pool.submit(without_fence, each, i, pathlib.Path(folder)) for i in range(fences)
             if is_due(f"{each}, fence {i}")]
    for each, (header, _, count, spare) in ORDERED.items():
        if spare and is_due(f"{each}, spare"):
            left.append(pool.submit(without_spare_orders, each, pathlib.Path(folder)))
        orders = weaker_orders(header)
        if len(orders) != count:
            wrong.append(f"{header}.hpp has {len(orders)} orders, not {count}")
        left += [pool.submit(with_weaker_order, each, i, order, pathlib.Path(folder))
                 for i, all_of_it in enumerate(orders) for order in all_of_it
                 if is_due(f"{each}, order {i} {order}")]
    wrong += [found for found in (each.result() for each in left) if found]
sys.exit("\n".join(wrong) or 0)
