"""A watchdog: `--time` and Ctrl-C end every command soon, with an exit status that is documented and, for JSON, a whole
document. Over inputs with large numbers, the cases that are tried beside the checkout (cases/mend), and the shipped
scenarios. One of each kind of input, and of the others a tenth, is due each time; all of them where WARPCHECK_THOROUGH
is set.

What a process takes is counted as CPU time, with one thread, so that a busy machine makes no difference; the clock on the
wall only ends what hangs. Subjects are compiled before anything is counted.
"""

import json
import os
import pathlib
import random
import resource
import signal
import subprocess
import time
import unittest

from in_a_folder import BINARY, SOURCE, in_a_folder  # first: it says where due is
from due import is_due

LIMIT = 0.3  # seconds, of --time
GRACE = 3  # what a result may take beyond it
WALL = 60  # seconds after which a process hangs, on however busy a machine

LOCK = """subject = "locks/{lock}"
workload = "counter"
repeat = {repeat}
[grid]
blocks = {blocks}
warps = {warps}
lanes = {lanes}
[[run]]
reconvergence = "{reconvergence}"
memory = "{memory}"
"""

# Host code and device code of a subject that takes long, or for ever.
SUBJECT = """#include <simt/simt.hpp>
[[maybe_unused]] static volatile int zero = 0;
struct s {{
  simt::atomic<int> value{{0}};
  {members}
  s() {{ {constructor} }}
  SIMT_FN void operator()() {{ {body} }}
  bool check() const {{ {check} return true; }}
}};
SIMT_SUBJECT(s);
"""
CODES = {
    "constructor": {"constructor": "for (;;) zero = 0;"},
    "check": {"check": "for (;;) zero = 0;"},
    "local": {"body": "int sum = 0; for (int i = 0; i < 100000000; ++i) sum += i; value.store(sum);"},
    "asking": {"body": "for (;;) { if (simt::thread_rank() > 1000000) value.store(1); }"},
    "long": {"body": "for (int i = 0; i < 1000000; ++i) value.fetch_add(1);"},
    "silent": {"body": "for (int k = 0; k < 1000; ++k) { unsigned x = 1; "
                       "for (int i = 0; i < 30000; ++i) x = 3 * x + 1; value.store(int(x)); }"},
    # Lanes with names, in a loop that counts without end: each number has to be renamed.
    "counting": {"members": "simt::atomic<unsigned> next{0}, serving{0};",
                 "body": "unsigned mine = next.fetch_add(1); while (serving.load() != mine) {} "
                         "if (simt::lane_index() == 1) value.store(1); serving.fetch_add(1); "
                         "while (value.load() == 0) next.fetch_add(1);"},
    # Each lane has its own way through a long loop with branches.
    "branching": {"body": "unsigned x = simt::lane_index(); for (unsigned i = 0; i < 300000; ++i) "
                          "{ if (x % 3 == 1) x += i; else x = 3 * x + 1; } value.store(int(x));"},
}
OWN = """subject = "s"
source = "{name}.hpp"
[grid]
lanes = 4
[[run]]
reconvergence = "{reconvergence}"
memory = "sc"
"""

SPEC = """#include <simt/spec.hpp>
static volatile int zero = 0;
struct odd {
  static constexpr const char* name = "odd";
  static std::vector<simt::spec::operation> operations() {
    return {{"put", {{"item", simt::spec::type::value}}, simt::spec::type::boolean}};
  }
  simt::spec::state initial() const { return {}; }
  void apply(const simt::spec::state&, const simt::spec::call&, simt::spec::outcomes& out) const {
    for (;;) zero = 0;
    out.add(simt::spec::some(1), {});
  }
};
SIMT_SPEC(odd);
"""

# More executions than anybody waits for: each of four threads stores to the same place and loads from it.
LITMUS = """PTX large
{{
}}
 P0@cta 0,gpu 0 | P1@cta 1,gpu 0 | P2@cta 2,gpu 0 | P3@cta 3,gpu 0 ;
{rows}
~exists (P0:r0 == 3 /\\ P1:r1 == 1)
"""


def find_cases():
    given = os.environ.get("WARPCHECK_SUITES")
    folders = [pathlib.Path(given), pathlib.Path(given).parent] if given else [SOURCE.parent / "shared"]
    return next((each / "cases/mend" for each in folders if (each / "cases/mend").is_dir()), None)


def shipped(pattern):
    """The shipped scenarios that are due, in an order by chance that is always the same."""
    files = [f for f in sorted((SOURCE / "scenarios").glob(pattern)) if is_due("time/" + f.stem)]
    random.Random(1).shuffle(files)
    return files


class ends_in_time(in_a_folder):
    def setUp(self):
        super().setUp()
        for name, codes in CODES.items():
            usual = {"members": "", "constructor": "", "body": "value.fetch_add(1);", "check": ""}
            subject = SUBJECT.format(**{**usual, **codes})
            (self.root / f"{name}.hpp").write_text(subject)
            for reconvergence in ["its", "stack"]:
                text = OWN.format(name=name, reconvergence=reconvergence)
                (self.root / f"{name}_{reconvergence}.toml").write_text(text)

    def lock(self, lock="tas", reconvergence="stack", memory="sc", repeat=1, blocks=1, warps=1, lanes=4):
        """A scenario that no time suffices for, as a file."""
        file = self.root / f"{lock}-{reconvergence}-{memory}-{repeat}-{blocks}-{warps}-{lanes}.toml"
        file.write_text(LOCK.format(lock=lock, reconvergence=reconvergence, memory=memory, repeat=repeat,
                                    blocks=blocks, warps=warps, lanes=lanes))
        return file

    def cpu_of(self, pid):
        """Seconds of CPU that a running process has taken, with those that it has waited for."""
        fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")

    def ends(self, *arguments, limit=LIMIT, runs=1, compiles=False, stop=None, statuses=(0, 1, 3)):
        """Runs it, and judges how long it takes. `stop`: a signal, sent after a while."""
        if compiles:  # first, and so that it is not counted
            self.warpcheck("run", *[a for a in arguments[1:] if str(a).endswith(".toml")], "--time", "0.1")
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        already = 0
        with self.start(*arguments, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CORE, (0, 0))) as process:
            try:
                if stop is not None:
                    time.sleep(0.7)
                    if process.poll() is None:
                        already = self.cpu_of(process.pid)
                        process.send_signal(stop)
                stdout, stderr = process.communicate(timeout=WALL + 10 * limit * runs)
            except subprocess.TimeoutExpired:
                os.killpg(process.pid, signal.SIGKILL)
                process.communicate()
                self.fail(f"{' '.join(map(str, arguments))} does not end")
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime - already
        most = (0 if stop is not None else limit * runs) + GRACE * runs
        shown = f"{' '.join(map(str, arguments))}\n{stdout[-2000:]}{stderr[-2000:]}"
        self.assertLess(seconds, most, f"took {seconds:.1f} s of CPU: {shown}")
        self.assertIn(process.returncode, statuses, shown)
        if "--json" in arguments:
            return json.loads(stdout)
        return stdout + stderr

    def run_ends(self, file, *options, limit=LIMIT, **how):
        return self.ends("run", file, "--time", limit, "--threads", 1, *options, limit=limit, **how)

    def test_bodies_that_repeat(self):
        for lock in ["tas", "ticket", "mcs"]:
            for reconvergence in ["stack", "its"]:
                for memory in ["sc", "ptx"]:
                    if lock != "tas" and not is_due(f"repeats: {lock} {reconvergence} {memory}"):
                        continue
                    with self.subTest(lock + reconvergence + memory):
                        file = self.lock(lock, reconvergence, memory, repeat=1000000)
                        (result,) = self.run_ends(file, "--json")["results"]
                        self.assertEqual(result["verdict"], "inconclusive")
                        # A deadlock that was seen has half of the time, which is little here for its kind.
                        self.assertRegex(result["stopped"], "limit of|whether a deadlock could end .* is not decided")

    def test_large_grids(self):
        for shape in [(4096, 1, 1), (128, 1, 32), (4, 32, 32)]:
            for reconvergence in ["stack", "its"]:
                for memory in ["sc", "ptx"]:
                    name = f"{shape} {reconvergence} {memory}"
                    # Its limit is long enough that it ends on the way to the first state, which takes a minute.
                    is_first = name == "(4096, 1, 1) its ptx"
                    is_one_of_sc = name in ["(4096, 1, 1) its sc", "(4, 32, 32) stack sc"]
                    if not is_first and not is_one_of_sc and not is_due(name):
                        continue
                    with self.subTest(name):
                        blocks, warps, lanes = shape
                        file = self.lock("tas", reconvergence, memory, blocks=blocks, warps=warps, lanes=lanes)
                        self.run_ends(file, "--json", limit=1 if is_first else LIMIT)

    def test_searches(self):
        files = [self.lock(repeat=1000000), self.lock(blocks=128, lanes=32),
                 self.lock("mcs", "its", repeat=1000000), self.lock("tas", "stack", "ptx", repeat=1000000),
                 self.lock("tas", "its", "ptx", blocks=2048, lanes=1)]
        for number, file in enumerate(files):
            for kind in ["random", "pct", "swarm"]:
                if number != 0 and not (kind == "random" and number == 4) and not is_due(f"{kind} {number}"):
                    continue
                with self.subTest(f"{kind} {file.name}"):
                    self.run_ends(file, "--search", kind, "--json")
        # Under `stack`, each step of a lane passes 30000 branches.
        self.run_ends("silent_stack.toml", "--search", "random", "--json", compiles=True)

    def test_other_questions(self):
        claims = self.root / "claims.toml"
        claims.write_text('claims = "blocking"\n' + self.lock("mcs", "its", blocks=128, lanes=8).read_text())
        self.run_ends(claims, "--json")
        self.run_ends(self.lock("ticket", "its", repeat=1000000), "--aba", "--json")
        self.run_ends(self.lock("ticket", "its", repeat=1000000), "--reduce", "none", "--json")

    def test_code_of_subjects(self):
        for name in CODES:
            for reconvergence in ["its", "stack"] if name != "silent" else []:  # test_searches has it
                always = reconvergence == "its" or name == "counting"
                if not always and not is_due(f"code: {name}"):
                    continue
                with self.subTest(f"{name} {reconvergence}"):
                    (result,) = self.run_ends(f"{name}_{reconvergence}.toml", "--json", compiles=True)["results"]
                    if name == "counting":  # its deadlock may be seen in time
                        kind = "simt-deadlock" if reconvergence == "stack" else "deadlock"
                        self.assertIn(result["verdict"], ["inconclusive", kind])
                    elif name == "asking" and reconvergence == "its":  # no step of it is visible, and it has no end
                        self.assertIn(result["verdict"], ["inconclusive", "deadlock"])
                    elif name != "branching":  # a fast machine comes to its end
                        self.assertEqual(result["verdict"], "inconclusive")
                    if name in ["constructor", "check"]:
                        self.assertIn(name, result["stopped"])

    def test_explain(self):
        """Which has five seconds."""
        files = [self.lock(blocks=4096, lanes=1), self.lock("mcs", blocks=128, lanes=32),
                 self.lock(blocks=64, lanes=8), self.lock("mcs", "its", repeat=1000000)]
        for number, file in enumerate(files):
            if number == 1 or is_due(f"explain {number}"):
                with self.subTest(file.name):
                    self.ends("explain", file, "--json", limit=5)
        if is_due("explain constructor"):  # otherwise test_interrupts has it
            self.ends("explain", "constructor_its.toml", "--json", limit=5, compiles=True)

    def test_histories(self):
        def write(name, put, take):
            events = []
            clients = range(1000)
            for part in range(3):
                values = [part * len(clients) + c + 1 for c in clients]
                events += [{"event": "call", "client": c, "op": put, "args": [values[c]]} for c in clients]
                events += [{"event": "return", "client": c} for c in clients]
                taken = random.Random(part).sample(values, len(values))
                if part == 2:
                    taken[0] = taken[1]
                events += [{"event": "call", "client": c, "op": take} for c in clients]
                events += [{"event": "return", "client": c, "result": taken[c]} for c in clients]
            (self.root / name).write_text("".join(json.dumps(e) + "\n" for e in events))

        write("queue.jsonl", "enqueue", "dequeue")
        write("stack.jsonl", "push", "pop")
        for spec in ["queue", "stack"]:
            for options in [(), ("--search",), ("--consistency", "sequential"), ("--consistency", "quiescent")]:
                if options and not is_due(f"history {spec} {options[-1]}"):
                    continue
                with self.subTest(spec + " ".join(options)):
                    self.ends("history", f"{spec}.jsonl", "--spec", spec, "--time", LIMIT, "--json", *options)
        (self.root / "odd.hpp").write_text(SPEC)
        (self.root / "odd.jsonl").write_text('{"event": "call", "client": 0, "op": "put", "args": [1]}\n'
                                             '{"event": "return", "client": 0, "result": true}\n')
        arguments = ("history", "odd.jsonl", "--spec", "odd", "--source", "odd.hpp", "--time")
        self.warpcheck(*arguments, 0.1)
        said = self.ends(*arguments, LIMIT, statuses=(3,))
        self.assertIn("odd", said)

    def test_litmus(self):
        rows = []
        for number in range(5):
            stores = " | ".join(f"st.relaxed.gpu x, {4 * number + thread + 1}" for thread in range(4))
            loads = " | ".join(f"ld.relaxed.gpu r{number}, x" for _ in range(4))
            rows += [f" {stores} ;", f" {loads} ;"]
        (self.root / "large.litmus").write_text(LITMUS.format(rows="\n".join(rows)))
        for options in [(), ("--model", "sc"), ("--explain",)]:
            with self.subTest("large" + " ".join(options)):
                self.ends("litmus", "large.litmus", "--time", LIMIT, "--json", *options)
        for file in shipped("litmus/**/*.litmus"):
            with self.subTest(file.name):
                self.ends("litmus", file, "--time", LIMIT, "--json")

    def test_replay(self):
        self.ends("run", "small.toml", "--counterexamples", "found", "--time", 5, limit=5)
        for file in self.root.glob("found/*.json"):
            self.ends("replay", file, "--json")

    def test_shipped_scenarios(self):
        for file in shipped("**/*.toml"):
            with self.subTest(file.name):
                runs = json.loads(self.warpcheck("list", file, "--json").stdout)["scenarios"][0]["runs"]
                self.run_ends(file, "--json", limit=0.1, runs=runs)

    def test_cases(self):
        cases = find_cases()
        if cases is None:
            if os.environ.get("CI") == "true":
                self.fail("cases/mend is not there; set WARPCHECK_SUITES")
            self.skipTest("cases/mend is not there; set WARPCHECK_SUITES")
        for file in sorted(cases.glob("*.toml")):
            if not is_due("time/" + file.stem):
                continue
            with self.subTest(file.name):
                self.run_ends(file, runs=4, compiles=True, statuses=(0, 1, 2, 3))
        for file in sorted(cases.glob("*.litmus")):
            with self.subTest(file.name):
                self.ends("litmus", file, "--time", LIMIT, "--json")

    def test_interrupts(self):
        own = [f"{name}_its.toml" for name in ["constructor", "check"]]
        for file in own:
            self.warpcheck("run", file, "--time", "0.1")
        commands = [("run", self.lock("mcs", "its", repeat=1000000), "--json"),
                    ("run", self.lock(repeat=1000000), "--json", "--search", "swarm"),
                    ("run", self.lock(blocks=128, lanes=32), "--json"),
                    ("explain", self.lock("mcs", blocks=128, lanes=32), "--json"),
                    ("explain", "constructor_its.toml", "--json"),
                    *[("run", file, "--json") for file in own]]
        for number, command in enumerate(commands):
            with self.subTest(" ".join(map(str, command))):
                which = signal.SIGTERM if number % 2 else signal.SIGINT
                self.ends(*command, stop=which, statuses=(1, 3))


if __name__ == "__main__":
    unittest.main()
