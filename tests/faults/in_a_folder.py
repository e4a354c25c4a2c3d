"""What the tests of faults share: a folder of their own with some scenarios, and a cache of their own."""

import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

BINARY = os.environ["WARPCHECK_BINARY"]
SOURCE = pathlib.Path(os.environ["WARPCHECK_SOURCE"])
sys.path.insert(0, str(SOURCE / "tests/scenarios"))  # for due

# A subject that has to be compiled. Two lanes at once make its final check fail.
WRONG = """#include <simt/simt.hpp>
struct wrong {
  simt::atomic<int> value{0};
  SIMT_FN void operator()() { value.store(value.load() + 1); }
  bool check() const { return value.host_value() == 2; }
};
SIMT_SUBJECT(wrong);
"""

OWN = """subject = "wrong"
source = "wrong.hpp"
[grid]
lanes = 2
[[run]]
memory = "sc"
"""

# Shipped: nothing need be compiled. Under `stack` it deadlocks.
SMALL = """subject = "locks/tas"
workload = "counter"
[grid]
lanes = 4
[[run]]
reconvergence = "stack"
memory = "sc"
expect = "simt-deadlock"
[[run]]
memory = "sc"
"""

# More states than any limit of the tests.
LARGE = """subject = "locks/ticket"
workload = "counter"
repeat = 3
[grid]
lanes = 8
[[run]]
memory = "sc"
"""


class in_a_folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        for name, text in [("wrong.hpp", WRONG), ("own.toml", OWN), ("small.toml", SMALL), ("large.toml", LARGE)]:
            (self.root / name).write_text(text)
        self.environment = {**os.environ, "WARPCHECK_CACHE": str(self.root / "cache")}

    def start(self, *arguments, **options):
        options = {"cwd": self.root, "env": self.environment, **options}
        return subprocess.Popen([BINARY, *map(str, arguments)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.PIPE, text=True, start_new_session=True, **options)

    def warpcheck(self, *arguments, **options):
        """Runs it to its end."""
        with self.start(*arguments, **options) as process:
            stdout, stderr = process.communicate(timeout=300)
        return subprocess.CompletedProcess(arguments, process.returncode, stdout, stderr)
