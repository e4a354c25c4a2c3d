"""On a terminal: lines fit its width, and a line says how long many tasks will take. Elsewhere a row is a line."""

import fcntl
import os
import pathlib
import pty
import re
import struct
import subprocess
import tempfile
import termios
import unittest

BINARY = os.environ["WARPCHECK_BINARY"]
SOURCE = pathlib.Path(os.environ["WARPCHECK_SOURCE"])
PLAIN = {name: value for name, value in os.environ.items()
         if name not in ["NO_COLOR", "CLICOLOR_FORCE", "OMPI_COMM_WORLD_RANK", "PMIX_RANK"]}


def on_terminal(*arguments, columns=100, says="", environment=None):
    """What a terminal of this width shows, with all that is written over."""
    outer, inner = pty.openpty()
    fcntl.ioctl(inner, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    process = subprocess.Popen([BINARY, *map(str, arguments)], cwd=SOURCE, stdin=subprocess.PIPE, stdout=inner,
                               stderr=inner, env={**PLAIN, "TERM": "xterm", **(environment or {})})
    os.close(inner)
    process.stdin.write(says.encode())
    process.stdin.close()
    text = b""
    while True:
        try:
            part = os.read(outer, 65536)
        except OSError:  # the terminal has no writer any more
            break
        if not part:
            break
        text += part
    process.wait()
    os.close(outer)
    return text.decode()


def lines(text):
    return re.sub(r"\x1b\[[0-9;]*[mK]", "", text).replace("\r\n", "\n").splitlines()


class width(unittest.TestCase):
    def fits(self, *arguments, columns=70, says=""):
        shown = lines(on_terminal(*arguments, columns=columns, says=says))
        self.assertGreater(len(shown), 3)
        for line in shown:
            # A word is not broken, and a prompt has no line of its own here.
            if " " in line.strip().removeprefix("> "):
                self.assertLessEqual(len(line.removeprefix("> ")), columns, line)
        return shown

    def test_lists(self):
        shown = self.fits("list", "locks")
        whole = subprocess.run([BINARY, "list", "locks"], cwd=SOURCE, capture_output=True, text=True).stdout
        self.assertEqual(" ".join(shown).split(), whole.split())
        self.assertGreater(max(map(len, whole.splitlines())), 70)
        self.fits("list", "scenarios/locks/tas.toml", columns=50)

    def test_explanations(self):
        shown = self.fits("explain", "scenarios/locks/tas.toml")
        # What follows a break stands below its column.
        at = next(i for i, line in enumerate(shown) if line.startswith("  threads     "))
        self.assertTrue(shown[at + 1].startswith(" " * 14) and shown[at + 1].strip())

    def test_litmus_tests(self):
        self.fits("litmus", "scenarios/litmus/coherence.litmus", "scenarios/litmus/mp_weak.litmus", "--explain")

    def test_games(self):
        self.fits("play", "scenarios/locks/opposite_order.toml", says="?\n1\nh\nm\n2\nr\nq\n")

    def test_progress(self):
        self.fits("progress", "scenarios/progress/examples.jsonl", columns=90)


class colours(unittest.TestCase):
    def coloured(self, **environment):
        return "\x1b[3" in on_terminal("run", "scenarios/locks/tas.toml", "--only", "its-sc-fair",
                                       environment=environment) or \
               "\x1b[1" in on_terminal("lesson", "1", environment=environment)

    def test_ranks_have_none_unless_they_are_asked_for(self):
        self.assertTrue(self.coloured())
        # mpirun gives a rank a pseudo-terminal even if its output goes to a file.
        self.assertFalse("\x1b[1" in on_terminal("lesson", "1", environment={"PMIX_RANK": "0"}))
        self.assertFalse("\x1b[1" in on_terminal("lesson", "1", environment={"OMPI_COMM_WORLD_RANK": "0"}))
        self.assertTrue("\x1b[1" in on_terminal("lesson", "1", environment={"PMIX_RANK": "0", "CLICOLOR_FORCE": "1"}))


class remaining_time(unittest.TestCase):
    def test_many_runs(self):
        with tempfile.TemporaryDirectory() as folder:
            for name in "abcd":
                pathlib.Path(folder, f"{name}.toml").write_text(
                    'subject = "locks/ttas"\nworkload = "counter"\nrepeat = 4\n[grid]\nlanes = 8\n'
                    '[[run]]\nmemory = "sc"\nreconvergence = "its"\n')
            run = ["run", folder, "--time", "1.5", "--reduce", "none"]
            text = on_terminal(*run, "--quiet", columns=160)
            self.assertRegex(text, r"2 of 4 runs, about \d+:\d\d left")
            self.assertRegex(text, r"3 of 4 runs, about \d+:\d\d left")
            self.assertNotIn("0 of 4", text)
            text = on_terminal(*run, "--quiet", "--jobs", "2", columns=160)
            self.assertRegex(text, r"[23] of 4 scenarios, about \d+:\d\d left")
            self.assertNotIn("left", on_terminal(*run, "--json", columns=160))


if __name__ == "__main__":
    unittest.main()
