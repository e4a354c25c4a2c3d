"""docs/from-cuda.md: the right-hand side of each row of its tables compiles, and so does its example."""

import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

BINARY = os.environ["WARPCHECK_BINARY"]
SOURCE = pathlib.Path(os.environ["WARPCHECK_SOURCE"])
PAGE = (SOURCE / "docs/from-cuda.md").read_text(encoding="utf-8")

TABLES = PAGE[PAGE.index("## Functions and places"):PAGE.index("## What is not there")]
ROW = re.compile(r"^\| (?P<cuda>[^\n]*?) \| `(?P<simt>[^\n]*)` \|$", re.M)
AT_NAMESPACE_SCOPE = ("SIMT_", "constexpr int h(", "struct ", "template ")

SCENARIO = """title = "all"
source = "all.hpp"
subject = "rows"
[grid]
blocks = 1
warps = 1
lanes = 1
[[run]]
reconvergence = "its"
memory = "sc"
check = ["bad-access"]
"""


def rows():
    return [(m["cuda"], m["simt"].replace("\\|", "|")) for m in ROW.finditer(TABLES)]


def program(codes):
    outside = [code for code in codes if code.startswith(AT_NAMESPACE_SCOPE)]
    inside = [code for code in codes if not code.startswith(AT_NAMESPACE_SCOPE)]
    lines = ["#include <simt/simt.hpp>", *outside, "struct rows {", "  int x = 1;", "  unsigned u = 1;",
             "  SIMT_FN void operator()() {", "    const unsigned mask = simt::full_mask;",
             "    simt::atomic_ref<int> ref(x);"]
    lines += [f"    {{ {code}; }}" for code in inside]
    return "\n".join([*lines, "  }", "};", "SIMT_SUBJECT(rows);", ""])


class from_cuda(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_file(self, name):
        environment = dict(os.environ, WARPCHECK_CACHE=str(self.folder / "cache"))
        return subprocess.run([BINARY, "run", name, "--json"], cwd=self.folder, env=environment,
                              capture_output=True, text=True, timeout=300)

    def test_every_row_compiles(self):
        table_rows = [line for line in TABLES.splitlines() if line.startswith("| ")]
        titles = TABLES.count("| CUDA | simt |")
        self.assertEqual(len(rows()), len(table_rows) - titles, "a row has another form")
        self.assertGreater(len(rows()), 40)
        (self.folder / "all.hpp").write_text(program([simt for _, simt in rows()]), encoding="utf-8")
        (self.folder / "all.toml").write_text(SCENARIO, encoding="utf-8")
        done = self.run_file("all.toml")
        self.assertNotEqual(done.returncode, 2, done.stderr + done.stdout)
        results = json.loads(done.stdout)["results"]
        self.assertEqual(len(results), 1, done.stderr)

    def test_a_row_that_does_not_compile_is_seen(self):
        (self.folder / "all.hpp").write_text(program(["x = threadIdx.x"]), encoding="utf-8")
        (self.folder / "all.toml").write_text(SCENARIO, encoding="utf-8")
        done = self.run_file("all.toml")
        self.assertEqual(done.returncode, 2)
        self.assertIn("simt::thread_rank()", done.stderr + done.stdout)

    def test_the_example(self):
        code, scenario = re.findall(r"^```(?:cpp|toml)\n(.*?)^```$", PAGE, re.M | re.S)
        (self.folder / "increment.hpp").write_text(code, encoding="utf-8")
        (self.folder / "increment.toml").write_text(scenario, encoding="utf-8")
        done = self.run_file("increment.toml")
        self.assertEqual(done.returncode, 0, done.stderr + done.stdout)
        self.assertEqual([r["verdict"] for r in json.loads(done.stdout)["results"]], ["ok"])


if __name__ == "__main__":
    unittest.main()
