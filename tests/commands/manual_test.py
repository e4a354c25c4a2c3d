"""The manual page and the completions of shells: made of the same description as --help, and read by their readers."""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

BINARY = os.environ["WARPCHECK_BINARY"]
SHELLS = ["bash", "zsh", "fish"]


def warpcheck(*arguments, **environment):
    result = subprocess.run([BINARY, *arguments], capture_output=True, text=True, stdin=subprocess.DEVNULL,
                            timeout=60, env={**os.environ, **environment})
    assert result.returncode == 0, result.stderr
    return result.stdout


def commands():
    text = warpcheck("--help").split("\nCommands:\n")[1].split("\n\n")[0]
    return re.findall(r"^  (\w+) ", text, re.M)


def options_of(command):
    """The long options of a command, by its help."""
    return set(re.findall(r"^  (?:-\w, )?(--[\w-]+)", warpcheck("help", command), re.M))


class manual(unittest.TestCase):
    def needs(self, program):
        if shutil.which(program):
            return
        self.assertNotIn("CI", os.environ, f"{program} is missing: tools/setup --tests installs it")
        self.skipTest(f"needs {program}")

    def test_help_is_as_wide_as_asked(self):
        for command in commands():
            for line in warpcheck("help", command).split("\nExample:")[0].splitlines():
                self.assertLessEqual(len(line), 100, line)

    def test_the_manual_page_has_every_option(self):
        text = warpcheck("help", "--man").replace("\\-", "-")
        for command in commands():
            section = text.split(f"\n.SS {command}\n")[1].split("\n.SS ")[0]
            for option in options_of(command):
                self.assertIn(option, section, command)

    def test_the_manual_page_can_be_read(self):
        self.needs("mandoc")
        result = subprocess.run(["mandoc", "-T", "lint", "-W", "error"], input=warpcheck("help", "--man"),
                                capture_output=True, text=True)
        self.assertEqual(result.stdout, "")
        page = subprocess.run(["mandoc", "-T", "utf8"], input=warpcheck("help", "--man"), capture_output=True,
                              text=True).stdout
        self.assertIn("warpcheck run", re.sub(".\b", "", page))

    def test_completions_have_every_option(self):
        for shell in SHELLS:
            text = warpcheck("help", "--completion", shell)
            for command in commands():
                for option in options_of(command):
                    self.assertRegex(text, rf"{option}\b|-l {option[2:]}\b", (shell, command))

    def test_shells_read_their_completions(self):
        with tempfile.TemporaryDirectory() as folder:
            for shell in SHELLS:
                self.needs(shell)
                file = pathlib.Path(folder, shell)
                file.write_text(warpcheck("help", "--completion", shell))
                result = subprocess.run([shell, "-n", file], capture_output=True, text=True)
                self.assertEqual((result.returncode, result.stderr), (0, ""), shell)

    def completed_by_bash(self, *words):
        script = f"""source <({BINARY} help --completion bash)
            compopt() {{ :; }}
            COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _warpcheck; printf '%s\\n' "${{COMPREPLY[@]}}" """
        return subprocess.run(["bash", "-c", script, "bash", "warpcheck", *words], capture_output=True,
                              text=True).stdout.split()

    def test_bash(self):
        self.assertEqual(self.completed_by_bash("rep"), ["replay"])
        self.assertEqual(self.completed_by_bash("run", "--counter"), ["--counterexamples"])
        self.assertEqual(self.completed_by_bash("run", "--search", ""), ["random", "pct", "swarm"])
        self.assertEqual(self.completed_by_bash("help", "lit"), ["litmus"])
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "lock.toml").touch()
            self.assertEqual(self.completed_by_bash("run", f"{folder}/lo"), [f"{folder}/lock.toml"])

    def test_fish(self):
        self.needs("fish")
        for typed, expected in {"warpcheck rep": "replay", "warpcheck run --counter": "--counterexamples",
                                "warpcheck run --search p": "pct"}.items():
            script = f"{BINARY} help --completion fish | source; complete -C '{typed}'"
            result = subprocess.run(["fish", "--no-config", "-c", script], capture_output=True, text=True)
            self.assertEqual([line.split("\t")[0] for line in result.stdout.splitlines()], [expected], result.stderr)


class colour(unittest.TestCase):
    def colours(self, *arguments, **environment):
        # The scenario is shipped, so that any folder will do.
        source = os.environ["WARPCHECK_SOURCE"]
        text = warpcheck("run", f"{source}/scenarios/locks/tas.toml", "--only", "its-sc-fair", *arguments,
                         **environment)
        return "\x1b[" in text

    def test_colours(self):
        self.assertFalse(self.colours())
        self.assertFalse(self.colours("--color", "auto"))
        self.assertTrue(self.colours("--color", "always"))
        self.assertTrue(self.colours("--color=always", NO_COLOR="1"))
        self.assertFalse(self.colours("--color", "never", CLICOLOR_FORCE="1"))

    def test_other_words(self):
        result = subprocess.run([BINARY, "list", "--color", "red"], capture_output=True, text=True)
        self.assertEqual(result.returncode, 2)
        self.assertIn('--color: there is no "red"; it is one of auto, always, never', result.stderr)


if __name__ == "__main__":
    unittest.main()
