"""Thin kernels on the headers of CUDA's toolkit have the verdicts that docs/kernels.md says, and each twin, with an order,
a scope or a barrier taken out of its PTX, is found.

  toolkit_test.py BINARY [--table] [KERNEL...]

--table writes the table of the page. Without nvcc the test is left out.
"""

import dataclasses
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).resolve().parent
LIMIT = {"sc": 60, "ptx": 300}  # seconds


@dataclasses.dataclass
class twin:
    """What is taken out: a pattern in the kernel's PTX, what takes its place, and where (None: everywhere)."""
    says: str
    pattern: str
    instead: str
    which: int | None = None
    memory: str = "ptx"
    finds: tuple = ("race",)


@dataclasses.dataclass
class kernel:
    file: str
    name: str
    launch: str
    twins: list
    right: tuple = ("ok", "ok")  # under sc, under ptx; None: not asked

    def text(self, ptx):
        """Where the kernel begins and ends in the PTX."""
        begin = re.search(rf"^\.visible \.entry {self.name}\(", ptx, re.MULTILINE).start()
        behind = re.compile(r"^\.visible \.entry ", re.MULTILINE).search(ptx, begin + 1)
        return begin, behind.start() if behind else len(ptx)

    def changed(self, ptx, one):
        begin, end = self.text(ptx)
        places = list(re.finditer(one.pattern, ptx[begin:end]))
        wanted = places if one.which is None else [places[one.which]]
        assert wanted, f"{self.name}: there is no {one.pattern}"
        for place in reversed(wanted):
            ptx = (ptx[:begin + place.start()] + place.expand(one.instead) + ptx[begin + place.end():])
        return ptx


BARRIER = r"\bbar(?:rier)?\.sync\s+0;"
TWO = "--grid 2 --block 64 --buffer in=128:s32:iota"
ALL = [
    kernel("groups", "block", f"{TWO} --shared 256 --buffer out=128:s32",
           [twin("no barrier", BARRIER, "", memory="sc", finds=("race", "bad-access"))]),
    kernel("groups", "tiles", f"{TWO} --buffer out=2:s32",
           [twin("no barrier", BARRIER, "", memory="sc", finds=("race", "bad-access"))]),
    kernel("groups", "scans", f"{TWO} --buffer out=128:s32",
           [twin("a lane is not named by the last shuffle's mask", r"-1;", "0x7fffffff;", -1, "sc",
                 ("barrier-divergence", "deadlock"))]),
    kernel("groups", "coalesced", "--grid 2 --block 3 --buffer in=6:s32:iota --buffer count=1:s32 --buffer out=6:s32",
           [twin("the counter's scope is the block", r"atom\.global\.add", "atom.relaxed.cta.global.add", memory="sc")]),
    kernel("groups", "grid", f"{TWO} --cooperative --buffer out=128:s32",
           [twin("relaxed arrival", r"atom\.add\.release", "atom.add.relaxed"),
            twin("relaxed wait", r"ld\.acquire", "ld.relaxed"),
            twin("the arrival's scope is the block", r"atom\.add\.release\.gpu", "atom.add.release.cta", memory="sc"),
            twin("no barrier in front of the arrival", BARRIER, "", 0)]),
    kernel("groups", "wide_tile", "--grid 1 --block 64 --buffer in=64:s32:iota --buffer out=64:s32",
           [twin("relaxed arrival", r"atom\.or\.acq_rel", "atom.or.relaxed"),
            twin("relaxed wait", r"ld\.acquire", "ld.relaxed")], (None, None)),
    kernel("synchronization", "barrier", "--grid 1 --block 3 --buffer in=3:s32:iota --buffer out=3:s32",
           [twin("no barrier behind the initialization", BARRIER, "", memory="sc",
                 finds=("race", "assertion", "bad-access")),
            twin("relaxed arrivals", r"mbarrier\.arrive\.shared", "mbarrier.arrive.relaxed.cta.shared")]),
    kernel("synchronization", "latch", "--grid 2 --block 2 --buffer all=1:s64:4 --buffer cells=4:s32 --buffer out=4:s32",
           [twin("relaxed arrival", r"atom\.add\.release", "atom.add.relaxed"),
            twin("relaxed wait", r"ld\.acquire", "ld.relaxed"),
            twin("the arrival's scope is the block", r"atom\.add\.release\.gpu", "atom.add.release.cta", memory="sc")]),
    kernel("synchronization", "latch_of_blocks",
           "--grid 2 --block 64 --buffer all=1:s64:2 --buffer cells=128:s32 --buffer out=128:s32",
           [twin("relaxed arrival", r"atom\.add\.release", "atom.add.relaxed"),
            twin("no barrier in front of the arrival", BARRIER, "", 0),
            twin("no barrier behind the wait", BARRIER, "", 1, "sc")]),
    kernel("synchronization", "semaphore", "--grid 2 --block 64 --buffer only=1:s32:1 --buffer count=1:s32",
           [twin("relaxed acquisition", r"atom\.exch\.acquire", "atom.exch.relaxed"),
            twin("relaxed release", r"st\.release", "st.relaxed")]),
    kernel("synchronization", "wait_for", "--grid 2 --block 64 --buffer flag=1:s32 --buffer data=64:s32 "
           "--buffer out=64:s32",
           [twin("relaxed store of the flag", r"st\.release", "st.relaxed"),
            twin("relaxed wait", r"ld\.acquire", "ld.relaxed"),
            twin("the store's scope is the block", r"st\.release\.gpu", "st.release.cta", memory="sc"),
            twin("no barrier in front of the store", BARRIER, "", 0, "sc")]),
    kernel("cub_kernels", "block_sum", f"{TWO} --buffer out=2:s32",
           [twin("no barrier between two uses of one storage", BARRIER, "", 1, "sc")]),
    kernel("cub_kernels", "scan", f"--grid 2 --block 64 --buffer state=34:u64:{'0,' * 32}99,99 "
           "--buffer in=128:s32:iota --buffer out=128:s32 --arg {0:state} --arg in --arg out --arg 128",
           [twin("the scope of a tile's status is the block", r"(st|ld)\.relaxed\.gpu", r"\1.relaxed.cta", memory="sc"),
            twin("weak loads of a tile's status", r"ld\.relaxed\.gpu\.v2", "ld.v2", memory="sc")]),
    kernel("cub_kernels", "select_even", f"--grid 2 --block 64 --buffer state=34:u64:{'0,' * 32}99,99 "
           "--buffer in=128:s32:iota --buffer out=128:s32 --buffer selected=1:s32 "
           "--arg {0:state} --arg in --arg out --arg selected --arg 128",
           [twin("the scope of a tile's status is the block", r"(st|ld)\.relaxed\.gpu", r"\1.relaxed.cta", memory="sc")]),
    kernel("cub_kernels", "onesweep", "--grid 2 --block 64 --buffer lookback=128:s32 --buffer counter=1:s32 "
           f"--buffer bins=64:u32:{','.join(str(2 * digit) for digit in range(64))} --buffer in=128:u32:iota --buffer out=128:u32 "
           "--arg lookback --arg counter --arg bins --arg in --arg out --arg 128",
           [twin("weak stores of a block's counts", r"st\.volatile\.global", "st.global", memory="sc")], (None, None)),
]


class toolkit:
    def __init__(self, binary, folder):
        self.binary, self.folder = binary, folder
        self.failures, self.rows = [], []

    def check(self, file, one, memory, *how):
        done = subprocess.run([self.binary, "check", file, "--kernel", one.name, *one.launch.split(), "--memory", memory,
                               "--time", str(LIMIT[memory]), "--threads", "1", "--json", *how],
                              cwd=self.folder, capture_output=True, text=True, check=False)
        if done.returncode not in (0, 1, 3) or not done.stdout:
            return {"verdict": f"error: {done.stderr.strip()}", "states": 0, "seconds": 0}
        (result,) = json.loads(done.stdout)["results"]
        return result

    def note(self, one, says, memory, result, wanted):
        good = result["verdict"] in wanted
        self.rows.append((one, says, memory, result))
        print(f"{'as it should' if good else 'NOT AS IT SHOULD'}: {one.name}, {says}, {memory}: {result['verdict']}, "
              f"{result['states']:,} states, {result['seconds']:.1f} s", flush=True)
        if not good:
            self.failures.append(f"{one.name}, {says}, {memory}: {result['verdict']}")

    def compare(self, one):
        ptx = (self.folder / f"{one.file}.ptx").read_text()
        for memory, verdict in zip(("sc", "ptx"), one.right):
            if verdict is not None:
                self.note(one, "", memory, self.check(f"{one.file}.ptx", one, memory), (verdict,))
        for number, other in enumerate(one.twins):
            name = f"{one.name}_{number}.ptx"
            (self.folder / name).write_text(one.changed(ptx, other))
            self.note(one, other.says, other.memory, self.check(name, one, other.memory, "--first"), other.finds)

    def table(self):
        print("| kernel | blocks × threads | `sc` | `ptx` | found without, under |\n|---|---|---|---|---|")
        for one in ALL:
            rows = [row for row in self.rows if row[0] is one]
            if not rows:
                continue
            right = {memory: f"{result['verdict']}, {result['states']:,}, {result['seconds']:.1f} s"
                     for _, says, memory, result in rows if not says}
            found = "; ".join(f"{says} (`{memory}`: {result['verdict']})" for _, says, memory, result in rows if says)
            size = " × ".join(re.search(rf"--{what} (\d+)", one.launch)[1] for what in ("grid", "block"))
            print(f"| `{one.name}` | {size} | {right.get('sc', '')} | {right.get('ptx', '')} | {found} |")


def main():
    nvcc = shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"
    if not pathlib.Path(nvcc).is_file():
        print("left out: there is no nvcc")
        return 0
    names = [name for name in sys.argv[2:] if name != "--table"]
    chosen = [one for one in ALL if not names or one.name in names]
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for file in sorted({one.file for one in chosen}):
            subprocess.run([nvcc, "-ptx", "-arch=sm_90", "-lineinfo", "-w", HERE / f"{file}.cu", "-o",
                            folder / f"{file}.ptx"], check=True)
        all_kernels = toolkit(str(pathlib.Path(sys.argv[1]).resolve()), folder)
        for one in chosen:
            all_kernels.compare(one)
        if "--table" in sys.argv:
            all_kernels.table()
        return 1 if all_kernels.failures else 0


if __name__ == "__main__":
    sys.exit(main())
