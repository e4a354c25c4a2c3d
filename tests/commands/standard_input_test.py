"""- in place of a file: each command reads standard input, or says why it needs a file."""

import os
import pathlib
import subprocess
import tempfile
import unittest

BINARY = os.environ["WARPCHECK_BINARY"]
SOURCE = pathlib.Path(os.environ["WARPCHECK_SOURCE"])
TAS = SOURCE / "scenarios/locks/tas.toml"
PTX = SOURCE / "examples/cuda/ticket.ptx"


class standard_input(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.environment = {**os.environ, "XDG_STATE_HOME": str(self.folder / "state")}

    def warpcheck(self, *arguments, file, status=0, cwd=SOURCE):
        result = subprocess.run([BINARY, *map(str, arguments)], cwd=cwd, capture_output=True, text=True,
                                input=pathlib.Path(file).read_text(), timeout=120, env=self.environment)
        self.assertEqual(result.returncode, status, result.stdout + result.stderr)
        return result

    def refused(self, *arguments, file, says):
        self.assertIn(says, self.warpcheck(*arguments, file=file, status=2).stderr)

    def test_kernels(self):
        named = self.warpcheck("check", PTX, "--list", file=PTX).stdout
        self.assertEqual(self.warpcheck("check", "-", "--list", file=PTX).stdout, named)
        self.refused("check", "-", file=TAS, says="standard input has no .version, so it is no PTX")

    def test_kernels_replay(self):
        kernel = self.folder / "race.ptx"
        kernel.write_text(""".version 8.0
.target sm_70
.address_size 64
.visible .entry race(.param .u64 out) {
  .reg .b32 %r<2>;
  .reg .b64 %rd<3>;
  ld.param.u64 %rd1, [out];
  cvta.to.global.u64 %rd2, %rd1;
  mov.u32 %r1, %tid.x;
  st.global.u32 [%rd2], %r1;
  ret;
}
""")
        found = self.folder / "found"
        self.warpcheck("check", "-", "--block", "2", "--buffer", "o=1:u32", "--arg", "o", "--memory", "sc",
                       "--counterexamples", found, file=kernel, status=1)
        (file,) = found.iterdir()
        replayed = self.warpcheck("replay", "-", "--trust", file=file)
        self.assertIn("race", replayed.stdout)

    def test_counterexamples(self):
        self.warpcheck("run", TAS, "--only", "stack-sc-fair", "--counterexamples", self.folder / "found", file=TAS)
        (file,) = (self.folder / "found").iterdir()
        named = self.warpcheck("replay", file, file=TAS).stdout
        self.assertEqual(self.warpcheck("replay", "-", file=file).stdout, named)
        self.assertIn("-: this is no counterexample", self.warpcheck("replay", "-", file=TAS, status=2).stderr)

    def test_a_counterexample_with_a_source_needs_trust(self):
        claim = "tests/golden/scenarios/claim.toml"
        self.warpcheck("run", claim, "--counterexamples", self.folder / "found", file=TAS, status=1)
        file = sorted((self.folder / "found").iterdir())[0]
        # Standard input has no folder, so no source lies in it: not even one in the working directory.
        refused = self.warpcheck("replay", "-", file=file, status=2)
        self.assertIn("would run with your rights; if you trust it, add --trust", refused.stderr)
        self.assertIn("assertion", self.warpcheck("replay", "-", "--trust", file=file).stdout)

    def test_lessons(self):
        folder = SOURCE / "scenarios/lessons/01_lost_update"
        self.assertIn("Not yet", self.warpcheck("lesson", "1", "--check", "-", file=folder / "kernel.hpp",
                                                status=1).stdout)
        self.assertIn("Lesson 1 is done", self.warpcheck("lesson", "1", "--check", "-",
                                                         file=folder / "solution.hpp").stdout)

    def test_a_lesson_of_a_litmus_test(self):
        (kernel,) = list((SOURCE / "scenarios/lessons").glob("*/kernel.litmus"))[:1]
        number = str(int(kernel.parent.name.split("_")[0]))
        self.assertIn("Not yet", self.warpcheck("lesson", number, "--check", "-", file=kernel, status=1).stdout)
        self.assertIn("is done", self.warpcheck("lesson", number, "--check", "-",
                                                file=kernel.with_name("solution.litmus")).stdout)

    def test_commands_that_need_a_file(self):
        self.refused("play", "-", file=TAS, says="standard input is where your choices come from")
        self.refused("sweep", "-", file=TAS, says="each run is a process of its own, which reads the scenario again")


if __name__ == "__main__":
    unittest.main()
