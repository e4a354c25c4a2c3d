"""Ctrl-C in litmus, progress and replay: the command ends with what it knows, its JSON is whole, its status 3."""

import json
import os
import pathlib
import re
import signal
import subprocess
import time
import unittest

from in_a_folder import BINARY, WRONG, in_a_folder

# More coherence orders than anybody waits for.
THREADS = 5
LITMUS = "PTX Large\n{\n}\n" + " | ".join(f"P{i}@cta {i},gpu 0" for i in range(THREADS)) + " ;\n" + "".join(
    " | ".join(f"st.relaxed.gpu x, {THREADS * row + i + 1}" for i in range(THREADS)) + " ;\n" for row in range(4)
) + "exists (x == 1)\n"
SMALL_LITMUS = "PTX Small\n{\n}\n P0@cta 0,gpu 0 ;\n st.weak x, 1 ;\nexists (x == 1)\n"

# More states than fit anywhere.
PROGRESS = [{"id": name, "threads": [[f"store m{t} {i % 2}" for i in range(length)] for t in range(threads)]}
            for name, threads, length in [("small", 1, 1), ("large", 8, 200), ("last", 1, 1)]]

# Fails at once where it was written, and does not come back where it is replayed.
SUBJECT = WRONG.replace("value{0};\n", "value{0};\n  %s\n")


class interrupt(in_a_folder):
    def interrupted(self, *arguments, after=2.0):
        """What it says on both, where Ctrl-C comes after so many seconds."""
        process = self.start(*arguments)
        time.sleep(after)
        self.assertIsNone(process.poll(), "it ended by itself")
        process.send_signal(signal.SIGINT)
        stdout, stderr = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 3, stdout + stderr)
        return stdout, stderr

    def test_litmus(self):
        for name, text in [("a.litmus", SMALL_LITMUS), ("b.litmus", LITMUS), ("c.litmus", SMALL_LITMUS)]:
            (self.root / name).write_text(text)
        files = ["litmus", "a.litmus", "b.litmus", "c.litmus"]
        stdout, stderr = self.interrupted(*files)
        self.assertIn("not all executions: interrupted", stdout)
        self.assertIn("2 tests: 1 holds, 1 inconclusive", stdout)
        self.assertIn("interrupted; 1 test was not asked", stderr)
        document = json.loads(self.interrupted(*files, "--json")[0])
        self.assertTrue(document["interrupted"])
        self.assertEqual([r["holds"] for r in document["results"]][:1], [True])
        self.assertEqual([r["complete"] for r in document["results"]], [True, False])
        self.assertFalse(json.loads(self.warpcheck("litmus", "a.litmus", "--json").stdout)["interrupted"])

    def test_progress(self):
        (self.root / "p.jsonl").write_text("".join(json.dumps(test) + "\n" for test in PROGRESS))
        arguments = ["progress", "p.jsonl", "--max-states", "100M"]
        stdout, stderr = self.interrupted(*arguments)
        self.assertIn("1 test is inconclusive: interrupted", stdout)
        self.assertIn("interrupted; 1 test was not asked", stderr)
        document = json.loads(self.interrupted(*arguments, "--json")[0])
        self.assertTrue(document["interrupted"])
        self.assertEqual([(r["id"], r["complete"]) for r in document["results"]], [("small", True), ("large", False)])

    def test_replay(self):
        source = self.root / "wrong.hpp"
        source.write_text(SUBJECT % "")
        self.warpcheck("run", "own.toml", "--counterexamples", "found")
        [file] = (self.root / "found").iterdir()
        arguments = ["replay", file.relative_to(self.root), "--trust"]
        self.assertEqual(self.warpcheck(*arguments).returncode, 0)
        source.write_text(SUBJECT % "wrong() { for (volatile int i = 0; i < 1;) { } }")
        self.warpcheck("explain", "own.toml")  # compiles it
        _, stderr = self.interrupted(*arguments)
        self.assertIn("interrupted; whether it reproduces is not known", stderr)
        document = json.loads(self.interrupted(*arguments, "--json")[0])
        self.assertEqual((document["reproduced"], document["interrupted"]), (None, True))

    def waits_for_caught(self, process, caught):
        """Until the process has a handler for Ctrl-C, or has none any more."""
        for _ in range(6000):
            self.assertIsNone(process.poll(), "it ended by itself")
            status = pathlib.Path(f"/proc/{process.pid}/status").read_text()
            mask = int(re.search(r"^SigCgt:\s*(\w+)$", status, re.MULTILINE)[1], 16)
            if (mask >> (signal.SIGINT - 1) & 1) == caught:
                return
            time.sleep(0.01)
        self.fail("its handler of Ctrl-C " + ("never comes" if caught else "stays"))

    def test_a_second_one_ends_at_once(self):
        """After the first one it would wait for ever: nobody reads what it says."""
        (self.root / "p.jsonl").write_text("".join(json.dumps(test) + "\n" for test in PROGRESS))
        reading, writing = os.pipe()
        self.addCleanup(os.close, reading)
        os.set_blocking(writing, False)
        try:
            while True:
                os.write(writing, b"x" * 4096)
        except BlockingIOError:
            os.set_blocking(writing, True)
        process = subprocess.Popen([BINARY, "progress", "p.jsonl", "--max-states", "100M", "--json"], cwd=self.root,
                                   env=self.environment, stdout=writing, stderr=subprocess.DEVNULL)
        self.addCleanup(process.kill)
        os.close(writing)
        self.waits_for_caught(process, True)
        process.send_signal(signal.SIGINT)
        self.waits_for_caught(process, False)
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.wait(timeout=60), -signal.SIGINT)


if __name__ == "__main__":
    unittest.main()
