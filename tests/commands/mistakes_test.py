"""Mistakes in the use of options: each command says what is wrong in its own words, and what to write."""

import os
import pathlib
import subprocess
import unittest

BINARY = os.environ["WARPCHECK_BINARY"]
SOURCE = pathlib.Path(os.environ["WARPCHECK_SOURCE"])


class mistakes(unittest.TestCase):
    def says(self, arguments, message):
        result = subprocess.run([BINARY, *arguments.split()], cwd=SOURCE, capture_output=True, text=True,
                                stdin=subprocess.DEVNULL, timeout=60)
        self.assertEqual((result.returncode, result.stdout, result.stderr), (2, "", message + "\n"))

    def test_options_that_do_not_exist(self):
        self.says("run --tme 3 x", "run: there is no option --tme; did you mean --time?")
        self.says("run --tme=3 x", "run: there is no option --tme; did you mean --time?")
        self.says("run x -z", "run: there is no option -z; `warpcheck help run` shows them")
        self.says("cache -k", "cache: there is no option -k; `warpcheck help cache` shows them")
        self.says("--vresion", "there is no option --vresion before a command; did you mean --version?")
        self.says("--bogus run", "there is no option --bogus before a command; `warpcheck --help` shows them")

    def test_values(self):
        self.says("run x --only", "run: --only needs a value: --only NAME")
        self.says("list -k", "list: -k needs a value: -k PART")
        self.says("run x --color", "run: --color needs a value: --color auto|always|never")
        self.says("run x --time 1 --time 2", "run: --time is given 2 times; write it once")
        self.says("run x --quiet=maybe", "run: --quiet takes no value; write --quiet alone")

    def test_options_of_others(self):
        self.says("run x -q -v", "run: --quiet and --verbose do not go together; leave one out")
        self.says("cache --clear --where", "cache: --where and --clear do not go together; leave one out")
        self.says("progress x --placement lane",
                  "progress: --placement belongs to --scenarios; add that, or leave --placement out")

    def test_words(self):
        self.says("", "a command is missing; `warpcheck --help` shows them; for example: warpcheck run scenarios/locks")
        self.says("play a.toml b.toml", 'play: "b.toml" is one word too many; play takes one FILE')
        self.says("cache x", 'cache: "x" is one word too many; cache takes only options')


if __name__ == "__main__":
    unittest.main()
