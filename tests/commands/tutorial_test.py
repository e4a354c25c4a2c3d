"""README.md and docs/first-lock.md: their code blocks are written to files, its commands run, its verdicts compared.

A line "`FOLDER/FILE`:" names the file that the next code block is. In a `console` block, lines that
begin with "$ " are commands, and the rest is what they print: each headline of a run and each summary
must be as the page has it, apart from times and spaces. A line "…" stands for what is left out.
"""

import json
import os
import pathlib
import re
import shlex
import subprocess
import tempfile
import unittest

BINARY = os.environ["WARPCHECK_BINARY"]
SOURCE = pathlib.Path(os.environ["WARPCHECK_SOURCE"])
README = (SOURCE / "README.md").read_text(encoding="utf-8")
TUTORIAL = (SOURCE / "docs/first-lock.md").read_text(encoding="utf-8")
REPORTS = (SOURCE / "docs/reports.md").read_text(encoding="utf-8")

BLOCK = re.compile(r"(?:^`(?P<file>[^`]+)`:\n\n)?^```(?P<language>\w+)\n(?P<text>.*?)^```$", re.M | re.S)
TELLING = re.compile(r"\[(stack|its), |^  expected|^\d+ runs?: |^  Replayed: ")


def blocks(page):
    return [m.groupdict() for m in BLOCK.finditer(page)]


def telling_lines(text):
    """Headlines and summaries, without times and without the width of columns."""
    lines = [line for line in text.splitlines() if TELLING.search(line)]
    return [" ".join(re.sub(r" +[\d.]+ s$", "", line).split()) for line in lines]


def transcript(text):
    """Pairs of a command and what it prints."""
    parts = re.split(r"^\$ (.*)\n", text, flags=re.M)
    return list(zip(parts[1::2], parts[2::2]))


class readme(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "scenarios").symlink_to(SOURCE / "scenarios")
        self.environment = dict(os.environ, WARPCHECK_CACHE=str(self.folder / "cache"))

    def carry_out(self, command):
        words = shlex.split(command, comments=True)
        self.assertEqual(words[0], "./warpcheck")
        return subprocess.run([BINARY, *words[1:]], cwd=self.folder, env=self.environment,
                              capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=300)

    def write(self, block):
        file = self.folder / block["file"]
        file.parent.mkdir(exist_ok=True)
        file.write_text(block["text"], encoding="utf-8")

    def commands_of(self, page):
        """Carries out what the page shows, in its order. The commands, by their names."""
        commands = []
        for block in blocks(page):
            if block["file"]:
                self.write(block)
            if block["language"] != "console":
                continue
            for command, printed in transcript(block["text"]):
                with self.subTest(command=command):
                    result = self.carry_out(command)
                    self.assertIn(result.returncode, (0, 1), result.stderr)
                    expected, found = telling_lines(printed), telling_lines(result.stdout)
                    if "…" in printed.splitlines():
                        self.assertTrue(set(expected) <= set(found), result.stdout)
                    else:
                        self.assertEqual(expected, found, result.stdout)
                    commands.append(command.split()[1])
        return commands

    def test_every_command_prints_what_it_says(self):
        self.assertEqual(self.commands_of(README), ["run", "run"])

    def test_tutorial_prints_what_it_says(self):
        self.assertEqual(self.commands_of(TUTORIAL), ["run", "run", "replay", "run"])

    def test_lock_before_and_after(self):
        verdicts, statuses = [], []
        scenario = None
        for block in blocks(TUTORIAL):
            if not block["file"]:
                continue
            self.write(block)
            scenario = block["file"] if block["file"].endswith(".toml") else scenario
            if scenario is None:
                continue
            result = self.carry_out(f"./warpcheck run {scenario} --json")
            verdicts.append([r["verdict"] for r in json.loads(result.stdout)["results"]])
            statuses.append(result.returncode)
        self.assertEqual(verdicts, [["simt-deadlock", "ok", "ok"], ["ok", "ok", "ok"]])
        self.assertEqual(statuses, [1, 0])

    def test_lock_of_readme_is_that_of_the_tutorial(self):
        files = [{b["file"]: b["text"] for b in reversed(blocks(page)) if b["file"]}
                 for page in (README, TUTORIAL)]
        self.assertEqual(files[0], files[1])

    def test_hardware(self):
        for block in blocks(README):
            if block["file"]:
                self.write(block)
        result = self.carry_out("./warpcheck hardware mine/my_lock.toml")
        # 77: no GPU; 2: a GPU, but no CUDA Toolkit
        self.assertIn(result.returncode, (0, 2, 77), result.stdout + result.stderr)

    def test_two_commands_are_there(self):
        shell = [b["text"] for b in blocks(README) if b["language"] == "sh"]
        self.assertIn("./warpcheck run scenarios/locks/tas.toml\ntools/check\n", shell)

    def test_readme_is_short(self):
        self.assertLessEqual(len(README.splitlines()), 150)

    def test_options_exist(self):
        for block in blocks(README) + blocks(TUTORIAL):
            if block["language"] != "sh":
                continue
            for command in re.findall(r"^\./warpcheck (\w+) (.*)$", block["text"], re.M):
                known = self.carry_out(f"./warpcheck {command[0]} --help").stdout
                for option in re.findall(r"--[a-z-]+", command[1]):
                    self.assertIn(option, known)

    def test_verdicts_in_order(self):
        listed = re.findall(r"^\| `([a-z-]+)` \|", REPORTS.split("## Verdicts")[1].split("## ")[0], re.M)
        self.assertEqual(listed, ["bad-access", "barrier-divergence", "simt-deadlock", "deadlock",
                                  "assertion", "not-linearizable", "wrong-linearization-point", "race", "livelock",
                                  "starvation", "progress-violated", "inconclusive", "ok"])


if __name__ == "__main__":
    unittest.main()
