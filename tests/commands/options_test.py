"""One meaning for each name of an option over all commands, and one name for each meaning.

docs/options.md has a line for each name: its value, its meaning and its commands. A new option, or
an option that a further command gets, needs that page: who writes it there sees what the name
means already.
"""

import os
import pathlib
import re
import subprocess
import unittest

BINARY = os.environ["WARPCHECK_BINARY"]
SOURCE = pathlib.Path(os.environ["WARPCHECK_SOURCE"])
PAGE = (SOURCE / "docs/options.md").read_text()
COMMAND = re.compile(r"^  ([a-z]+) {2,}", re.MULTILINE)
OPTION = re.compile(r"^  (?:(-\w), )?(--[\w-]+|-\w)(?: (\S+))?(?: {2,}.*)?$", re.MULTILINE)
# So many names are no type of a value in the page.
LONG = re.compile(r"^\w+(\|\w+){4,}$")


def warpcheck(*arguments):
    return subprocess.run([BINARY, *arguments], cwd=SOURCE, capture_output=True, text=True,
                          stdin=subprocess.DEVNULL, timeout=300)


def value(text):
    """The type of an option's value; the order of words does not matter."""
    return "|".join(sorted((text or "").split("|")))


class options(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        listed = warpcheck("--help").stdout
        cls.commands = COMMAND.findall(listed[listed.index("Commands:"):])
        cls.found = {}  # name: {command: (short name, value)}
        for command in cls.commands:
            for short, name, kind in OPTION.findall(warpcheck("help", command).stdout):
                cls.found.setdefault(name, {})[command] = (short, value(kind))
        cls.page = {}  # name: (short name, value, meaning, commands)
        for row in PAGE[:PAGE.index("## Former names")].splitlines():
            if not row.startswith("| `"):
                continue
            names, meaning, commands = (
                cell.strip() for cell in re.split(r"(?<!\\)\|", row)[1:-1])
            short, name, kind = re.fullmatch(
                r"(?:`(-\w)`, )?`(--?[\w-]+)(?: ([^`]+))?`", names).groups()
            named = set(re.findall(r"`(\w+)`", commands))
            if commands.startswith("all"):
                named = set(cls.commands) - named
            assert name not in cls.page, name
            cls.page[name] = (short or "", value((kind or "").replace("\\|", "|")), meaning, named)

    def test_the_commands_are_all_there(self):
        self.assertIn("run", self.commands)
        self.assertIn("help", self.commands)
        self.assertGreater(len(self.found), 100)

    def test_each_option_has_a_line(self):
        self.assertEqual(sorted(self.found), sorted(self.page), "docs/options.md")

    def test_a_name_is_the_same_in_all_commands(self):
        for name, by_command in self.found.items():
            short, kind, _, commands = self.page[name]
            with self.subTest(option=name):
                self.assertEqual(set(by_command), commands, "docs/options.md")
                self.assertEqual({s for s, _ in by_command.values()}, {short})
                kinds = {k for _, k in by_command.values() if not LONG.match(k)}
                self.assertLessEqual(kinds, {kind})

    def test_a_meaning_has_one_name(self):
        meanings = [meaning for _, _, meaning, _ in self.page.values()]
        self.assertEqual(len(meanings), len(set(meanings)))
        shorts = [short for short, _, _, _ in self.page.values() if short]
        self.assertEqual(len(shorts), len(set(shorts)))

    def test_former_names(self):
        rows = re.findall(r"^\| `(\w+)` \| `(--[\w-]+)` \| `(--[\w-]+)` \|$",
                          PAGE[PAGE.index("## Former names"):], re.MULTILINE)
        table = re.findall(r'former_name\{"(\w+)", "([^"]+)", "([^"]+)"\}',
                           (SOURCE / "checker/options/former_names.cpp").read_text())
        self.assertEqual(sorted(rows), sorted(table))
        for command, before, now in rows:
            with self.subTest(command=command, before=before):
                self.assertIn(command, self.found[now])
                # The former name is no option of that command now.
                self.assertNotIn(command, self.found.get(before, {}))

    def test_a_former_name_works_and_says_so(self):
        told = "litmus: --model is called --memory now"
        for former in (["--model", "sc"], ["--model=sc"]):
            before = warpcheck("litmus", "scenarios/litmus/mp.litmus", *former)
            now = warpcheck("litmus", "scenarios/litmus/mp.litmus", "--memory", "sc")
            self.assertEqual(before.stdout, now.stdout)
            self.assertEqual(before.returncode, now.returncode)
            self.assertIn(told, before.stderr)
            self.assertEqual(now.stderr, "")
        history = ["history", "tests/golden/histories/queue_ok.jsonl", "--spec", "queue"]
        self.assertIn("--only-search", warpcheck(*history, "--search").stderr)
        # Where the name means something, it keeps its meaning.
        self.assertIn("there is no search", warpcheck("run", "x.toml", "--search", "quick").stderr)


if __name__ == "__main__":
    unittest.main()
