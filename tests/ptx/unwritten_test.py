"""Reads of shared memory that nobody has written: generated kernels, with all reductions and with none.

  unwritten_test.py BINARY [FIRST COUNT]

The threads of a kernel write, read and add to three words of shared memory, meet, and branch on what they have read. A
run that is explored to the end must show the same violations whatever the reductions. In half of the kernels, further
threads exit at once: from 16 threads on, reductions ask what others may do while a thread stands still.
"""

import json
import os
import pathlib
import random
import subprocess
import sys
import tempfile

USUAL, THOROUGH = 12, 400  # programs
LIMIT = "10"  # seconds for a run
SHAPES = [(1, 2), (1, 3), (2, 2)]  # blocks, threads
FEWEST_TO_ASK = 16  # threads
FRONT = """.version 8.0
.target sm_80
.address_size 64
.visible .entry k()
{
  .reg .pred %p<2>;
  .reg .b16 %h<2>;
  .reg .b32 %r<9>;
  .reg .b64 %rd<2>;
  .shared .align 8 .b8 words[16];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, 0;
"""


class program:
    """%r1 is the thread's number, %r2 what it has read."""

    def __init__(self, number):
        self.random = random.Random(number)
        self.blocks, self.threads = self.random.choice(SHAPES)
        self.labels = 0
        front = FRONT
        if self.random.random() < 0.5:
            front += f"  setp.ge.u32 %p1, %r1, {self.threads};\n  @%p1 bra $L_end;\n"
            self.threads = FEWEST_TO_ASK // self.blocks
        self.text = front + self.setup() + self.statements(self.random.randint(2, 5), 0) + "$L_end:\n  ret;\n}\n"

    def setup(self):
        """Most words get a value, most often in front of a barrier."""
        stores = "".join(f"  st.volatile.shared.u32 [words+{4 * i}], 1;\n" for i in range(3)
                         if self.random.random() < 0.7)
        text = f"  setp.ne.u32 %p1, %r1, 0;\n  @%p1 bra $L_ready;\n{stores}$L_ready:\n"
        return text + ("  bar.sync 0;\n" if self.random.random() < 0.8 else "")

    def statements(self, count, depth):
        return "".join(self.statement(depth) for _ in range(count))

    def take(self, read):
        return read + "  mad.lo.u32 %r2, %r2, 3, %r3;\n"

    def statement(self, depth):
        at = f"[words+{4 * self.random.randrange(3)}]"
        value = self.random.randint(0, 1)
        kind = self.random.randrange(14)
        if kind < 3:
            return f"  st.volatile.shared.u32 {at}, {value};\n"
        if kind < 5:
            return self.take(f"  ld.volatile.shared.u32 %r3, {at};\n")
        if kind == 5:
            return self.take(f"  atom.relaxed.cta.shared.add.u32 %r3, {at}, 1;\n")
        if kind == 6:
            return f"  red.relaxed.cta.shared.add.u32 {at}, 1;\n"
        if kind == 7:
            return f"  atom.relaxed.cta.shared.exch.b32 %r4, {at}, {value};\n"
        if kind == 8:
            return self.random.choice([
                f"  st.shared.u32 {at}, {value};\n", self.take(f"  ld.shared.u32 %r3, {at};\n"),
                "  mov.u16 %h1, 1;\n  st.volatile.shared.u8 [words+5], %h1;\n",
                "  ld.volatile.shared.u64 %rd1, [words];\n  cvt.u32.u64 %r2, %rd1;\n"])
        if kind == 9 and depth == 0:
            return "  bar.sync 0;\n"
        if kind == 10:
            return f"  setp.eq.u32 %p1, %r2, {self.random.randrange(4)};\n  @%p1 trap;\n"
        self.labels += 1
        label = f"$L{self.labels}"
        condition = self.random.choice(["%r1", "%r1", "%r2"])
        if kind == 11 and depth == 0:
            return f"{label}:\n  ld.volatile.shared.u32 %r3, {at};\n  setp.eq.u32 %p1, %r3, 0;\n  @%p1 bra {label};\n"
        return (f"  setp.ne.u32 %p1, {condition}, {self.random.randrange(2)};\n  @%p1 bra {label};\n"
                + (self.statements(self.random.randint(1, 2), depth + 1) if depth < 2 else "") + f"{label}:\n")


def kinds(result):
    """The violations of a run; None: it was not explored to the end."""
    if not result["complete"] or result["verdict"] == "inconclusive":
        return None
    return sorted(violation["verdict"] for violation in result["violations"])


def main():
    binary = str(pathlib.Path(sys.argv[1]).resolve())
    thorough = "WARPCHECK_THOROUGH" in os.environ
    count = THOROUGH if thorough else USUAL
    first = 0 if thorough else USUAL * int(os.environ.get("WARPCHECK_TENTH", "0"))
    if len(sys.argv) > 2:
        first, count = int(sys.argv[2]), int(sys.argv[3])
    compared, unfinished, bad, unlike = 0, 0, 0, []
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary)
        for number in range(first, first + count):
            one = program(number)
            (folder / "k.ptx").write_text(one.text, encoding="utf-8")
            for reconvergence in ("its", "stack"):
                results = []
                for reduce in ("all", "none"):
                    done = subprocess.run(
                        [binary, "check", "k.ptx", "--grid", str(one.blocks), "--block", str(one.threads),
                         "--reconvergence", reconvergence, "--json", "--time", LIMIT, "--reduce", reduce],
                        cwd=folder, capture_output=True, text=True,
                        env=dict(os.environ, WARPCHECK_CACHE=str(folder / "cache")))
                    if done.returncode not in (0, 1, 3) or not done.stdout:
                        raise RuntimeError(f"program {number}: {done.stdout}{done.stderr}\n{one.text}")
                    results.append(json.loads(done.stdout)["results"])
                for reduced, plain in zip(*results):
                    a, b = kinds(reduced), kinds(plain)
                    if a is None or b is None:
                        unfinished += 1
                        continue
                    compared += 1
                    bad += "bad-access" in b
                    if a != b:
                        unlike.append(f"program {number}, {reconvergence}, {reduced['memory']}: {a}, without reductions "
                                      f"{b}\n{one.text}")
    print(f"programs {first} to {first + count - 1}: {compared} runs compared, {bad} with a bad access, "
          f"{unfinished} not explored to the end")
    for text in unlike:
        print(text)
    return 1 if unlike or bad == 0 or compared < unfinished else 0


if __name__ == "__main__":
    sys.exit(main())
