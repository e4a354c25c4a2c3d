"""SPIN's verifiers of the models in bench/models: compiled, run, and measured at their best."""
import dataclasses
import hashlib
import os
import re
import tempfile

from building import MODELS, check_call

# Sizes of the hash table, as powers of two: the default, and the better second choices for few
# states (the whole table is in the cache) and for many.
DEFAULT_TABLE, SMALL_TABLE, LARGE_TABLE = 24, 18, 26
MANY_STATES = 1 << 20
STATES_A_SECOND = 2_000_000  # that SPIN stores at most: what a table can get full of within a limit
SHORT = 0.5  # seconds: below, the best of three runs counts,
LONG_SET_UP = 0.02  # if each is not mostly setting up: no large table is the better for a short run

SAFETY, LIVENESS = "safety", "liveness"


@dataclasses.dataclass
class Outcome:
    """A verification by SPIN. `stopped`: why it did not finish, or empty."""
    states: int = 0
    transitions: int = 0
    seconds: float = 0.0  # of the search alone
    process_seconds: float = 0.0
    peak_bytes: int = 0  # of the process
    state_bytes: int = 0  # what the tool itself says that states take
    table: int = 0
    error: str = ""  # what SPIN found wrong
    stopped: str = ""


class Verifier:
    """`kind`: SAFETY (assertions, invalid end states) or LIVENESS (fair acceptance cycles).
    `defines`: macros for the model; `flags`: for gcc. Compiled once, and kept in `build`."""

    def __init__(self, build, ruler, lock, lanes, acquisitions, kind, defines=(), flags=("-O3",), fair=True):
        self.ruler, self.kind, self.fair = ruler, kind, fair
        model = MODELS / f"{lock}.pml"
        flags = [*flags, "-w", "-DNOBOUNDCHECK"]
        # Room for N + 1 units of fairness: pan says "too many processes" otherwise.
        flags.append("-DSAFETY" if kind == SAFETY else f"-DNFAIR={(lanes + 1) // 4 + 2}")
        defines = [f"-DN={lanes}", f"-DK={acquisitions}", *defines]
        key = hashlib.sha256("\0".join([model.read_text(), *defines, *flags]).encode()).hexdigest()[:16]
        self.binary = build / "spin" / f"{lock}-{lanes}x{acquisitions}-{key}"
        if not self.binary.exists():
            self.binary.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryDirectory(dir=self.binary.parent) as folder:
                check_call(["spin", "-a", *defines, model], cwd=folder)
                check_call(["gcc", *flags, "-o", "pan", "pan.c"], cwd=folder)
                os.rename(f"{folder}/pan", self.binary)

    def run(self, limit, memory, table=DEFAULT_TABLE, depth=10_000):
        """Runs the verifier once. Setting up the tables (a run that stops at depth 1) counts neither
        as `seconds` nor towards the `limit`."""
        options = [] if self.kind == SAFETY else ["-a", "-f"] if self.fair else ["-a"]
        command = [str(self.binary), *options, f"-w{table}", "-n"]
        set_up = self.ruler.run([*command, "-m1"], limit, memory).wall
        if set_up < LONG_SET_UP:
            set_up = min(set_up, *(self.ruler.run([*command, "-m1"], limit, memory).wall for _ in range(4)))
        result = Outcome(table=table)
        for _ in range(3):
            done = self.ruler.run([*command, f"-m{depth}"], limit + set_up, memory)
            seconds = max(done.wall - set_up, 0.0)
            if done.late or seconds > limit:
                result.stopped = "time"
            elif "out of memory" in done.output or "Cannot allocate" in done.output + done.errors:
                result.stopped = "memory"
            elif "max search depth too small" in done.output:
                return self.run(limit, memory, table, depth * 10)
            elif done.status != 0 and "errors:" not in done.output:
                result.stopped = f"SPIN's verifier failed: {done.output.strip()[:200]} {done.errors.strip()[:200]}"
            if result.stopped:
                return result
            error = re.search(r"^pan:\d+: (.*?)(?: \(at depth \d+\))?$", done.output, re.M)
            result.error = error[1] if error else ""
            if not result.error and "errors: 0" not in done.output:
                result.error = "unknown"
            result.states = int(re.search(r"(\d+) states, stored", done.output)[1])
            result.transitions = int(re.search(r"(\d+) transitions", done.output)[1])
            megabytes = re.search(r"([\d.]+)\s+actual memory usage for states", done.output) or re.search(
                r"([\d.]+)\s+equivalent memory usage for states", done.output)
            result.state_bytes = int(float(megabytes[1]) * 2**20)
            result.peak_bytes = max(result.peak_bytes, done.resident)
            if result.process_seconds == 0 or seconds < result.seconds:
                result.seconds, result.process_seconds = seconds, done.wall
            if seconds > SHORT or set_up > LONG_SET_UP:
                break
        return result

    def best(self, limit, memory):
        """Runs with two sizes of table. Returns the better time and, independently, the better memory."""
        first = self.run(limit, memory)
        if first.error or first.stopped not in ("", "time", "memory"):
            return first
        if first.stopped == "time" and limit * STATES_A_SECOND < 2**DEFAULT_TABLE:
            return first
        small = first.stopped == "memory" or (not first.stopped and first.states < MANY_STATES)
        second = self.run(limit, memory, SMALL_TABLE if small else LARGE_TABLE)
        done = [outcome for outcome in (first, second) if not outcome.stopped]
        if not done:
            return first
        # A difference of two long times says little about a short one.
        told = [o for o in done if o.seconds > o.process_seconds - o.seconds or o.table == SMALL_TABLE]
        fastest = min(told or done, key=lambda outcome: outcome.seconds)
        return dataclasses.replace(fastest, peak_bytes=min(outcome.peak_bytes for outcome in done))
