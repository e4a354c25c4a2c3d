"""`warpcheck lesson` goes through the lessons; each solution is right.

Tests of shipped scenarios run the broken kernels. Of the lessons but the first one, a tenth is due.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

BINARY = os.environ["WARPCHECK_BINARY"]
SOURCE = pathlib.Path(os.environ["WARPCHECK_SOURCE"])
sys.path.insert(0, str(SOURCE / "tests/scenarios"))
from due import IS_THOROUGH, is_due  # noqa: E402

LESSONS = sorted((SOURCE / "scenarios/lessons").iterdir())


class lessons(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)

    def warpcheck(self, *arguments, **environment):
        return subprocess.run([BINARY, *map(str, arguments)], cwd=self.root, capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, timeout=120,
                              env={**os.environ, "XDG_STATE_HOME": str(self.root / "state"), **environment})

    def test_they_are_whole(self):
        self.assertEqual([int(folder.name[:2]) for folder in LESSONS], list(range(1, len(LESSONS) + 1)))
        self.assertEqual(len(LESSONS), 16)
        for folder in LESSONS:
            text = (folder / "lesson.md").read_text()
            self.assertEqual(re.findall("^#+ (.*)", text, re.M)[1:], ["Question", "Task", "Answer"], folder.name)
            self.assertTrue(text.startswith(f"# Lesson {int(folder.name[:2])}: "), folder.name)

    def test_each_solution_is_right_and_no_broken_kernel_is(self):
        for number, folder in enumerate(LESSONS, 1):
            if number != 1 and not is_due("lessons/" + folder.name):
                continue
            with self.subTest(lesson=folder.name):
                (solution,) = folder.glob("solution.*")
                copy = f"{number}{solution.suffix}"
                self.assertEqual(self.warpcheck("lesson", number, "--copy", copy).returncode, 0)
                result = self.warpcheck("lesson", number, "--check", copy)
                self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
                self.assertIn("Not yet: ", result.stdout)
                result = self.warpcheck("lesson", number, "--check", solution)
                self.assertEqual(result.returncode, 0, result.stdout + result.stderr)
                self.assertIn(f"Lesson {number} is done", result.stdout)
        if IS_THOROUGH:
            self.assertIn("All lessons are done.", self.warpcheck("lesson").stdout)

    def test_what_is_done_is_remembered(self):
        self.assertIn("Next: warpcheck lesson 1\n", self.warpcheck("lesson").stdout)
        self.warpcheck("lesson", "1", "--check", LESSONS[0] / "solution.hpp")
        text = self.warpcheck("lesson").stdout
        self.assertIn("✓  1  a lost update", text)
        self.assertIn("Next: warpcheck lesson 2\n", text)
        self.assertEqual(json.loads((self.root / "state/warpcheck/lessons.json").read_text())["done"], [1])
        # A file that is damaged is as good as none, and one that cannot be written does no harm.
        (self.root / "state/warpcheck/lessons.json").write_text("{")
        self.assertIn("Next: warpcheck lesson 1\n", self.warpcheck("lesson").stdout)
        result = self.warpcheck("lesson", "1", "--check", LESSONS[0] / "solution.hpp", XDG_STATE_HOME="/proc/none")
        self.assertEqual(result.returncode, 0)
        self.assertIn("this is not remembered", result.stderr)
        self.warpcheck("lesson", "2", "--check", LESSONS[1] / "solution.hpp")
        self.warpcheck("lesson", "--reset")
        self.assertNotIn("✓", self.warpcheck("lesson").stdout)

    def test_the_text(self):
        text = self.warpcheck("lesson", "2").stdout
        self.assertIn("Question\n\nWhich lane could open the lock", text)
        self.assertIn("warpcheck lesson 2 --check FILE.hpp", text)
        self.assertNotIn("parked behind it", text)
        self.assertIn("parked behind it", self.warpcheck("lesson", "2", "--answer").stdout)

    def test_places_are_in_the_readers_file(self):
        self.warpcheck("lesson", "2", "--copy", "own.hpp")
        self.assertIn("own.hpp:", self.warpcheck("lesson", "2", "--check", "own.hpp").stdout)

    def test_a_litmus_test_is_mended_by_fences_alone(self):
        solution = (LESSONS[-1] / "solution.litmus").read_text()
        own = self.root / "own.litmus"
        for before, after, says in [
                ("", "", None), ("P0:r1 == 1 /", "P0:r1 == 2 /", "the last line is not that of the lesson"),
                ("expects 1", "expects 2", "the start is not"),
                ("fence.proxy.async     ", "beq r1, 0, END        ", "an instruction"),
                ("fence.proxy.async", "fence.nothing    ", "own.litmus:8:")]:
            own.write_text(solution.replace(before, after, 1) if before else solution)
            result = self.warpcheck("lesson", len(LESSONS), "--check", own)
            self.assertEqual(result.returncode, 2 if says else 0, result.stderr)
            self.assertIn(says or "", result.stderr)

    def test_mistakes(self):
        for arguments, says in {
                ("99",): "there is no lesson 99; there are 1 to ",
                ("--check", "x.hpp"): "--check: of which lesson? For example: warpcheck lesson 1 --check mine.hpp",
                ("1", "--check", "gone.hpp"): "gone.hpp is no file; make one with: warpcheck lesson 1 --copy gone.hpp",
                ("one",): "not a number"}.items():
            result = self.warpcheck("lesson", *arguments)
            self.assertEqual(result.returncode, 2)
            self.assertIn(says, result.stderr)
        (self.root / "there.hpp").write_text("mine")
        self.assertIn("is there already", self.warpcheck("lesson", "1", "--copy", "there.hpp").stderr)
        (self.root / "there.hpp").write_text("int x = ;")
        self.assertIn("there.hpp:1", self.warpcheck("lesson", "1", "--check", "there.hpp").stderr)


if __name__ == "__main__":
    unittest.main()
