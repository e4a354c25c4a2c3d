"""Generated programs have the same violations as CUDA that nvcc compiles, with -O0 and -O3, and as subjects of the API.

  generated_test.py BINARY [FIRST COUNT [FAMILY]]

There are two families: `words`, threads that share a few words of global memory, and `blocks`, kernels as they are
mostly written: shared memory with a cell for each lane, barriers in loops, shuffles, votes, atomics with and without
their results, fences and atomics of a block's scope, several blocks. Each program is one text. As CUDA it calls CUDA's functions, as a subject those of the API that are called the same.
Where a program has a race, -O0 must have it, too. What else is found is compared where there is none, since a compiler
may do anything with a race: with -O3 it may go away with a plain load whose value is known, or decides nothing. The
first tier makes eight programs of each family, WARPCHECK_THOROUGH two thousand.
"""

import collections
import json
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

BATCH = 8  # programs in one file of CUDA
SHAPES = [(2, 1), (1, 2), (1, 3), (2, 2)]  # blocks, threads
LIMIT = "10"  # seconds for a run


class program:
    """Threads that share x[0..2]. Each value that is read goes into what the thread stores at its end: nvcc leaves loads
    out that nobody needs, with -G as well."""

    shapes = SHAPES

    def __init__(self, number):
        self.random = random.Random(number)
        self.number = number
        self.blocks, self.threads = self.random.choice(self.shapes)
        self.has_spin = False
        self.body = self.statements(self.random.randint(3, 6), 0)

    def place(self):
        return f"x[{self.random.randrange(3)}]"

    def register(self):
        return f"r{self.random.randrange(2)}"

    def statements(self, count, depth):
        return "".join("  " * (depth + 2) + self.statement(depth) + "\n" for _ in range(count))

    def condition(self):
        if self.random.random() < 0.5:
            return f"me == {self.random.randrange(self.blocks * self.threads)}"
        return f"{self.register()} == {self.random.randrange(3)}"

    def statement(self, depth):
        value, at, into = self.random.randint(1, 2), self.place(), self.register()
        kind = self.random.randrange(13)
        if kind < 2:
            return f"{into} = {into} * 3 + {at};"
        if kind < 4:
            return f"{at} = {value};"
        if kind == 4:
            return f"{into} = {into} * 3 + *(volatile int*)&{at};"
        if kind == 5:
            return f"*(volatile int*)&{at} = {value};"
        if kind == 6:
            return f"{into} = {into} * 3 + API atomicAdd(&{at}, {value});"
        if kind == 7:
            return f"{into} = {into} * 3 + API atomicCAS(&{at}, {value - 1}, {value});"
        if kind == 8:
            return "API __threadfence();"
        if kind == 9 and (depth == 0 or self.random.random() < 0.2):
            return "BARRIER();"
        if kind == 10:
            return f"if ({into} == {self.random.randrange(4)}) {{ FAIL(); }}"
        if kind == 11 and not self.has_spin:
            self.has_spin = True
            return f"while (*(volatile int*)&{at} == 0) {{ }}"
        if depth < 2:
            text = f"if ({self.condition()}) {{\n" + self.statements(self.random.randint(1, 2), depth + 1)
            return text + "  " * (depth + 2) + "}"
        return f"API atomicExch(&{at}, {value});"

    def cuda(self):
        return (f"extern \"C\" __global__ void g{self.number}(int* x, int* out) {{\n"
                "    const unsigned me = blockIdx.x * blockDim.x + threadIdx.x;\n"
                f"{self.front()}    int r0 = 0, r1 = 0;\n{self.body}    out[me] = r0 + 5 * r1;\n}}\n")

    def front(self):
        """What the body begins with."""
        return ""

    def subject(self):
        return (f"struct g{self.number} {{\n  int x[3] = {{}};\n  int out[4] = {{}};\n  SIMT_FN void operator()() {{\n"
                "    const unsigned me = simt::thread_rank();\n"
                f"{self.front()}    int r0 = 0, r1 = 0;\n{self.body}    out[me] = r0 + 5 * r1;\n  }}\n}};\n"
                f"SIMT_SUBJECT(g{self.number});\n")


class program_of_blocks(program):
    """Blocks whose lanes have a cell each, s[lane], meet at barriers, and exchange values by shuffles and votes."""

    shapes = [(1, 2), (1, 3), (2, 2), (2, 1), (1, 4)]

    def front(self):
        return "    const unsigned lane = LANE();\n    SHARED(s);\n    s[lane] = 0;\n    BARRIER();\n"

    def place(self):
        lane = self.random.choice(["lane", "lane", f"(lane + 1) % {self.threads}",
                                   str(self.random.randrange(self.threads))])
        return f"s[{lane}]" if self.random.random() < 0.6 else f"x[{self.random.randrange(3)}]"

    def condition(self):
        if self.random.random() < 0.3:
            return f"lane == {self.random.randrange(self.threads)}"
        return super().condition()

    def statement(self, depth):
        mask, at, into = f"{(1 << self.threads) - 1}u", self.place(), self.register()
        value, scope = self.random.randint(1, 2), self.random.choice(["", "", "_block"])
        # What all lanes come to stands mostly where all lanes come.
        is_for_all = depth == 0 or self.random.random() < 0.1
        kind = self.random.randrange(14)
        if kind < 2 and is_for_all:
            return "BARRIER();"
        if kind == 2 and is_for_all:
            return f"{into} = {into} * 3 + SHFL({mask}, {self.register()}, (lane + 1) % {self.threads});"
        if kind == 3 and is_for_all:
            vote = self.random.choice(["BALLOT", "ANY", "ALL"])
            return f"{into} = {into} * 3 + (int){vote}({mask}, {self.register()} == {self.random.randrange(2)});"
        if kind == 4 and is_for_all:
            return f"SYNCWARP({mask});"
        if kind == 5 and depth < 2:
            # Only depth 0 counts as what all lanes come to, but a loop changes nothing in that.
            inner = self.statements(self.random.randint(1, 2), depth + (depth > 0))
            barrier = "BARRIER(); " if self.random.random() < 0.5 and depth == 0 else ""
            name = f"k{len(self.loops)}"
            self.loops.append(name)
            return f"for (int {name} = 0; {name} < 2; ++{name}) {{\n{inner}    {barrier}}}"
        if kind == 6:
            return f"API __threadfence{scope}();"
        if kind == 7:
            return f"API atomicAdd{scope}(&{at}, {value});"
        if kind == 8:
            return f"{into} = {into} * 3 + API atomicAdd{scope}(&{at}, {value});"
        if kind == 9:
            return f"{at} = {self.random.choice([str(value), self.register()])};"
        if kind == 10:
            return f"{into} = {into} * 3 + {at};"
        return super().statement(depth)

    def __init__(self, number):
        self.loops = []
        super().__init__(number)


FAMILIES = {"words": program, "blocks": program_of_blocks}

CUDA_FRONT = ("#define API\n#define BARRIER() __syncthreads()\n#define FAIL() __trap()\n"
              "#define LANE() threadIdx.x\n#define SHARED(s) __shared__ int s[4]\n#define SHFL __shfl_sync\n"
              "#define BALLOT __ballot_sync\n#define ANY __any_sync\n#define ALL __all_sync\n"
              "#define SYNCWARP __syncwarp\n")
SUBJECT_FRONT = ("#pragma once\n#include <simt/simt.hpp>\n#define API simt::\n#define BARRIER() simt::syncthreads()\n"
                 "#define FAIL() simt::check(false, \"trap\")\n#define LANE() simt::lane_index()\n"
                 "struct cells {\n  int at[4];\n};\n#define SHARED(s) int(&s)[4] = simt::block_shared<cells>().at\n"
                 "#define SHFL simt::shfl\n#define BALLOT simt::ballot\n#define ANY simt::any\n#define ALL simt::all\n"
                 "#define SYNCWARP simt::syncwarp\n")


class comparison:
    def __init__(self, binary, folder):
        self.binary, self.folder = binary, folder
        self.unlike, self.unfinished, self.runs, self.raced, self.gone = [], 0, 0, 0, 0
        self.found = collections.Counter()  # kinds of violations of subjects

    def results(self, *arguments):
        done = subprocess.run([self.binary, *arguments, "--json", "--time", LIMIT], cwd=self.folder,
                              capture_output=True, text=True)
        if done.returncode not in (0, 1, 3) or not done.stdout:
            raise RuntimeError(f"{' '.join(arguments)}: {done.stdout}{done.stderr}")
        return json.loads(done.stdout)["results"]

    def kinds(self, result):
        """The kinds of violations; None: not finished."""
        if not result["complete"] or result["verdict"] == "inconclusive":
            return None
        return {violation["verdict"] for violation in result["violations"]}

    def compare(self, one):
        (self.folder / f"g{one.number}.toml").write_text(
            f"title = \"g{one.number}\"\nsource = \"subjects.hpp\"\nsubject = \"g{one.number}\"\nworkload = \"kernel\"\n"
            f"[grid]\nblocks = {one.blocks}\nwarps = 1\nlanes = {one.threads}\n"
            "[[run]]\nreconvergence = \"its\"\nmemory = \"sc\"\n[[run]]\nreconvergence = \"its\"\nmemory = \"ptx\"\n")
        written = self.results("run", f"g{one.number}.toml")
        for level in ("0", "3"):
            compiled = self.results("check", f"O{level}.ptx", "--kernel", f"g{one.number}", "--grid", str(one.blocks),
                                    "--block", str(one.threads), "--buffer", "x=3:s32", "--buffer", "out=4:s32",
                                    "--arg", "x", "--arg", "out")
            for of_source, of_ptx in zip(written, compiled):
                self.runs += 1
                a, b = self.kinds(of_source), self.kinds(of_ptx)
                self.raced += a is not None and "race" in a
                self.found.update(["not finished"] if a is None else a or ["ok"])
                if a is None or b is None:
                    self.unfinished += 1
                elif level == "3" and "race" in a and "race" not in b:
                    self.gone += 1
                elif ("race" in a) != ("race" in b) or ("race" not in a and a != b):
                    self.unlike.append(f"program {one.number}, -O{level}, {of_source['memory']}: subject {sorted(a)}, "
                                       f"PTX {sorted(b)}\n{one.cuda()}")


def main():
    nvcc = shutil.which("nvcc") or "/usr/local/cuda/bin/nvcc"
    if not pathlib.Path(nvcc).is_file():
        print("left out: there is no nvcc")
        return 0
    binary = str(pathlib.Path(sys.argv[1]).resolve())
    thorough = "WARPCHECK_THOROUGH" in os.environ
    count = 2000 if thorough else BATCH
    first = 0 if thorough else BATCH * int(os.environ.get("WARPCHECK_TENTH", "0"))
    if len(sys.argv) > 3:
        first, count = int(sys.argv[2]), int(sys.argv[3])
    failed = False
    for family in sys.argv[4:] or FAMILIES:
        failed |= compare_all(nvcc, binary, family, first, count)
    return 1 if failed else 0


def compare_all(nvcc, binary, family, first, count):
    """Whether some programs of the family differ."""
    with tempfile.TemporaryDirectory() as name:
        all_runs = comparison(binary, pathlib.Path(name))
        for begin in range(first, first + count, BATCH):
            programs = [FAMILIES[family](number) for number in range(begin, min(begin + BATCH, first + count))]
            source = all_runs.folder / "programs.cu"
            source.write_text(CUDA_FRONT + "".join(one.cuda() for one in programs))
            (all_runs.folder / "subjects.hpp").write_text(SUBJECT_FRONT + "".join(one.subject() for one in programs))
            for level in ("0", "3"):
                debug = ["-G"] if level == "0" else ["-lineinfo"]  # (nvcc optimizes but for -G)
                subprocess.run([nvcc, "-ptx", "-w", "-arch=sm_90", *debug, source, "-o", all_runs.folder / f"O{level}.ptx"],
                               check=True)
            for one in programs:
                all_runs.compare(one)
        print(f"{family}: {count} programs from {first} on, {all_runs.runs} runs compared, {all_runs.unfinished} of them "
              f"not finished, {len(all_runs.unlike)} differ; {all_runs.raced} have a race, and -O3 takes away "
              f"{all_runs.gone} of these; {', '.join(f'{n} {kind}' for kind, n in sorted(all_runs.found.items()))}")
        for text in all_runs.unlike:
            print(text)
        return bool(all_runs.unlike) or all_runs.gone * 10 > all_runs.raced + 10


if __name__ == "__main__":
    sys.exit(main())
