"""Outputs that depend on the schedule (--deterministic), with and without reductions."""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

BINARY = os.environ["WARPCHECK_BINARY"]
KERNEL = """
.version 7.0
.target sm_70
.address_size 64

.visible .entry f(.param .u64 out, .param .u64 tickets)
{
  .reg .b32 %r<6>;
  .reg .b64 %a<6>;
  ld.param.u64 %a0, [out];
  ld.param.u64 %a1, [tickets];
  mov.u32 %r0, %tid.x;
  mov.u32 %r3, %ctaid.x;
  mov.u32 %r4, %ntid.x;
  mad.lo.u32 %r0, %r3, %r4, %r0;
  mul.wide.u32 %a2, %r0, 4;
  add.u64 %a3, %a0, %a2;
  BODY
  ret;
}
"""
# Instructions, and whether what they leave in `out` is the same in all runs. %r0 is the thread's number, %a3 the
# address of its own element of `out` (%a0), %a1 that of `tickets`.
BODIES = {
    "own element": ("st.global.u32 [%a3], %r0;", True),
    "sum": ("atom.global.add.u32 %r1, [%a0], %r0;", True),
    "maximum": ("atom.global.max.u32 %r1, [%a0], %r0;", True),
    "last": ("atom.global.exch.b32 %r1, [%a0], %r0;", False),
    "last of the same": ("atom.global.exch.b32 %r1, [%a0], 7;", True),
    "ticket": ("atom.global.add.u32 %r1, [%a1], 1; st.global.u32 [%a3], %r1;", False),
    "ticket as a place": (
        "atom.global.add.u32 %r1, [%a1], 1; mul.wide.u32 %a4, %r1, 4; add.u64 %a4, %a0, %a4;"
        "st.global.u32 [%a4], %r0;", False),
    "the same at a ticket's place": (
        "atom.global.add.u32 %r1, [%a1], 1; mul.wide.u32 %a4, %r1, 4; add.u64 %a4, %a0, %a4;"
        "st.global.u32 [%a4], 5;", True),
    "what was before": ("atom.global.or.b32 %r1, [%a1], 1; atom.global.add.u32 %r2, [%a0], %r1;", True),
    "who was before": ("atom.global.exch.b32 %r1, [%a1], %r0; atom.global.max.u32 %r2, [%a0], %r1;", False),
    "relaxed": ("st.relaxed.gpu.global.u32 [%a1], 1; ld.relaxed.gpu.global.u32 %r1, [%a1+4];"
                "st.relaxed.gpu.global.u32 [%a1+4], 1; st.global.u32 [%a3], %r1;", False),
}


class determinism(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def check(self, body, *options, status, grid=1, block=3):
        (self.folder / "f.ptx").write_text(KERNEL.replace("BODY", body), encoding="utf-8")
        done = subprocess.run([BINARY, "check", "f.ptx", "--grid", str(grid), "--block", str(block),
                               "--buffer", "out=4:u32", "--buffer", "tickets=2:u32", "--arg", "out", "--arg", "tickets",
                               *options], cwd=self.folder, capture_output=True, text=True, timeout=300)
        self.assertEqual(done.returncode, status, body + done.stdout + done.stderr)
        return done.stdout + done.stderr

    def test_the_same_verdicts_as_from_the_plain_search(self):
        for name, (body, is_deterministic) in BODIES.items():
            for grid, block in [(1, 3), (3, 1)]:
                for reduce in ["all", "none", "symmetry", "order", "merge"]:
                    with self.subTest(name, grid=grid, reduce=reduce):
                        said = self.check(body, "--deterministic=out", "--reduce", reduce, grid=grid, block=block,
                                          status=0 if is_deterministic else 1)
                        self.assertEqual("ends as" in said, not is_deterministic)

    def test_a_block_that_holds_a_lock_at_its_barrier(self):
        # Thread 0 of each block takes the lock in tickets[0] and gives it back behind a barrier.
        body = """
          mov.u32 %r2, %tid.x;
          setp.ne.u32 %p0, %r2, 0;
          @%p0 bra MEET;
        TAKE:
          atom.global.cas.b32 %r1, [%a1], 0, 1;
          setp.ne.u32 %p1, %r1, 0;
          @%p1 bra TAKE;
        MEET:
          bar.sync 0;
          atom.global.add.u32 %r1, [%a0], 1;
          bar.sync 0;
          @%p0 bra END;
          atom.global.exch.b32 %r1, [%a1], 0;
        END:
        """
        self.check("{ .reg .pred %p<2>;" + body + "}", "--deterministic=out", "--memory", "sc", grid=2, block=2,
                   status=0)

    def test_two_schedules_and_the_first_element(self):
        said = self.check(BODIES["last"][0], "--deterministic", "--counterexamples", "found", status=1)
        self.assertRegex(said, r"`out\[0\]` ends as [01] here, and as 2 where each\s+thread in its turn")
        for file in (self.folder / "found").glob("*.json"):
            self.assertEqual(json.loads(file.read_text())["run"]["deterministic"], [])
            replayed = subprocess.run([BINARY, "replay", "--trust", str(file)], cwd=self.folder, capture_output=True,
                                      text=True, timeout=300)
            self.assertEqual(replayed.returncode, 0, replayed.stdout + replayed.stderr)
            self.assertIn("ends as", replayed.stdout)

    def test_only_what_is_named(self):
        body = BODIES["the same at a ticket's place"][0] + "atom.global.exch.b32 %r1, [%a1+4], %r0;"
        self.check(body, "--deterministic=out", status=0)
        self.assertIn("`tickets[1]`", self.check(body, "--deterministic=out,tickets", status=1))
        self.assertIn("`tickets[1]`", self.check(body, "--deterministic", status=1))
        self.check(body, status=0)
        self.assertIn("there is out, tickets", self.check(body, "--deterministic=in", status=2))


if __name__ == "__main__":
    unittest.main()
