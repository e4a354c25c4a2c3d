"""Files that are written and read: whole or not at all, told of before anything is lost, and trusted or not."""

import json
import os
import pathlib
import resource
import subprocess
import tempfile
import unittest

BINARY = os.environ["WARPCHECK_BINARY"]

# Shipped, so that nothing need be compiled. Under `stack` it deadlocks.
TAS = """subject = "locks/tas"
workload = "counter"
[grid]
lanes = 4
[[run]]
reconvergence = "stack"
memory = "sc"
[[run]]
reconvergence = "stack"
memory = "ptx"
"""

# More states than the limits of the tests.
LARGE = """subject = "locks/ticket"
workload = "counter"
repeat = 2
[grid]
lanes = 5
[[run]]
memory = "sc"
"""

BUFFERING = """subject = "idioms/load_buffering"
workload = "kernel"
clients = "lane"
[grid]
blocks = 2
lanes = 1
[[run]]
reconvergence = "its"
memory = "ptx"
"""

WRONG = """#include <simt/simt.hpp>
struct wrong {
  simt::atomic<int> value{0};
  SIMT_FN void operator()() { value.store(1); }
  bool check() const { return value.host_value() == 2; }
};
SIMT_SUBJECT(wrong);
"""


def no_file_may_grow():
    """As on a full disk: whatever is written to a file fails."""
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))


class in_a_folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        (self.root / "tas.toml").write_text(TAS)
        (self.root / "large.toml").write_text(LARGE)

    def warpcheck(self, *arguments, **options):
        options = {"stdout": subprocess.PIPE, **options}
        return subprocess.run([BINARY, *arguments], cwd=self.root, stderr=subprocess.PIPE, text=True,
                              stdin=subprocess.DEVNULL, timeout=300, check=False, **options)

    def refused(self, *arguments, says, **options):
        result = self.warpcheck(*arguments, **options)
        self.assertEqual(result.returncode, 2, result.stderr)
        for text in [says] if isinstance(says, str) else says:
            self.assertIn(text, result.stderr)
        return result


class pipes(in_a_folder):
    def test_a_named_pipe_is_refused_before_anybody_waits_for_its_writer(self):
        for name, command in (("tas_pipe.toml", "run"), ("pipe.litmus", "litmus")):
            os.mkfifo(self.root / name)
            self.refused(command, name, says=f"{name}: is a named pipe")


class written(in_a_folder):
    def files(self, folder="."):
        return sorted(each.name for each in (self.root / folder).iterdir())

    def test_folders_that_cannot_be_written_are_told_of_at_once(self):
        for option in ["--save", "--counterexamples", "--spill"]:
            for folder in ["/proc", "/dev/null", "tas.toml/x"]:
                result = self.refused("run", "large.toml", option, folder, says=f"{option}: ")
                self.assertEqual(result.stdout, "")
        for option in ["--results", "--junit"]:
            result = self.refused("run", "large.toml", option, "/proc/x", says=f"{option}: /proc/x cannot be written")
            self.assertEqual(result.stdout, "")
        tests = pathlib.Path(os.environ["WARPCHECK_SOURCE"]) / "scenarios/progress/examples.jsonl"
        self.assertEqual(self.refused("progress", tests, "--scenarios", "/proc", says="--scenarios: ").stdout, "")
        self.assertEqual(self.refused("hardware", "tas.toml", "--prepare", "/proc", says="--prepare: ").stdout, "")
        self.assertEqual(self.files(), ["large.toml", "tas.toml"])

    def test_a_full_disk_takes_nothing_from_the_report(self):
        result = self.refused("run", "tas.toml", "--counterexamples", "found", preexec_fn=no_file_may_grow,
                              says="--counterexamples: found/tas-stack-sc-fair-simt-deadlock.json cannot be written: "
                                   "File too large")
        self.assertIn("All 4 lanes can never finish", result.stdout)
        self.assertIn("2 runs: 2 not as expected", result.stdout)
        self.assertNotIn("Replay:", result.stdout)
        self.assertEqual(self.files("found"), [])
        limited = ["run", "large.toml", "--max-states", "500", "--save", "stopped"]
        result = self.refused(*limited, preexec_fn=no_file_may_grow,
                              says="--save: stopped/large-its-sc-fair.search cannot be written: File too large")
        self.assertIn("the limit of 500 states is reached", " ".join(result.stdout.split()))
        self.assertNotIn("Saved as", result.stdout)
        self.assertEqual(self.files("stopped"), [])

    def test_files_that_cannot_be_replaced_stay_as_they_are(self):
        self.warpcheck("run", "tas.toml", "--results", "r.json", "--junit", "r.xml")
        before = (self.root / "r.json").read_text(), (self.root / "r.xml").read_text()
        self.refused("run", "tas.toml", "--results", "r.json", "--junit", "r.xml", preexec_fn=no_file_may_grow,
                     says="--results: r.json cannot be written: File too large")
        self.assertEqual(((self.root / "r.json").read_text(), (self.root / "r.xml").read_text()), before)
        self.assertEqual(self.files(), ["large.toml", "r.json", "r.xml", "tas.toml"])

    def test_counterexamples_of_each_memory_model_have_a_name_of_their_own(self):
        for memory in ["sc", "ptx"]:
            result = self.warpcheck("run", "tas.toml", "--only", f"stack-{memory}-fair", "--counterexamples", "found")
            self.assertEqual(result.returncode, 1, result.stderr)
            file = f"found/tas-stack-{memory}-fair-simt-deadlock.json"
            self.assertIn(f"Replay: warpcheck replay {file} --step\n", result.stdout)
        self.assertEqual(self.files("found"), ["tas-stack-ptx-fair-simt-deadlock.json",
                                               "tas-stack-sc-fair-simt-deadlock.json"])

    def test_choices_under_ptx_have_names(self):
        (self.root / "buffering.toml").write_text(BUFFERING)
        result = self.warpcheck("run", "buffering.toml", "--counterexamples", "found")
        self.assertEqual(result.returncode, 1, result.stderr)
        [file] = self.files("found")
        file = f"found/{file}"
        document = json.loads((self.root / file).read_text())
        self.assertEqual(document["version"], 2)
        self.assertNotIn("memory_facts", document)
        promise = "b0.w0.l0 promises object+4 = 1 by a relaxed store for gpu, older 0 (behind 0)"
        self.assertEqual(document["choices"][0], promise)
        self.assertEqual(self.warpcheck("replay", file).returncode, 0)
        steps = json.loads(self.warpcheck("replay", file, "--json").stdout)["violation"]["counterexample"]
        self.assertEqual(steps["choices"], document["choices"])
        self.assertEqual(steps["steps"][0]["choice"], promise)

        def with_(**changes):
            (self.root / file).write_text(json.dumps({**document, **changes}))
            return file

        other = promise.replace("= 1", "= 2")
        self.refused("replay", with_(choices=[other, *document["choices"][1:]]),
                     says=f'{file}: choice 1, "{other}": this cannot happen here')
        self.refused("replay", with_(choices=[promise[:-1], *document["choices"][1:]]),
                     says=f'"choices[0]" is wrong: "{promise[:-1]}" is not a choice of this grid')
        # Files of version 1 have numbers, which have a meaning only with the facts of the program.
        self.refused("replay", with_(version=1), says='"memory_facts" is missing; `warpcheck run FILE')
        self.refused("replay", with_(version=3), says='"version" is neither 1 nor 2: another warpcheck wrote this file')

    def test_nothing_to_resume(self):
        self.refused("run", "large.toml", "--resume", "gone",
                     says="--resume: gone has no search to go on with, such as large-its-sc-fair.search; run it with "
                          "--save gone first")
        (self.root / "gone").mkdir()
        self.refused("run", "large.toml", "--resume", "gone", says="--resume: gone has no search")
        # Of several runs, those that had ended begin anew.
        (self.root / "two.toml").write_text(LARGE + '[[run]]\nmemory = "sc"\nreconvergence = "stack"\n')
        stopped = self.warpcheck("run", "two.toml", "--only", "its-sc-fair", "--max-states", "500", "--save", "stopped")
        self.assertEqual(stopped.returncode, 3, stopped.stderr)
        resumed = self.warpcheck("run", "two.toml", "--resume", "stopped", "--max-states", "600")
        self.assertEqual(resumed.stdout.count("Went on with stopped/two-its-sc-fair.search"), 1)
        self.assertEqual(resumed.returncode, 1, resumed.stderr)

    def test_names_that_are_not_utf_8(self):
        bad = os.fsencode(self.root) + b"/caf\xe9.toml"
        pathlib.Path(os.fsdecode(bad)).write_text(TAS)
        for command in ["run", "list", "explain"]:
            for argument in [b"caf\xe9.toml", b"."]:
                done = subprocess.run([BINARY, command, argument], cwd=self.root, capture_output=True, check=False)
                self.assertEqual(done.returncode, 2, done.stderr)
                self.assertIn(b"caf\xe9.toml: this name is not UTF-8", done.stderr)
                self.assertIn(b"rename it", done.stderr)

    def test_text_that_is_not_utf_8_is_escaped(self):
        text = WRONG.replace("value.store(1);", 'simt::check(false, "caf\xe9");')
        (self.root / "wrong.hpp").write_bytes(text.encode("latin-1"))
        (self.root / "wrong.toml").write_text('source = "wrong.hpp"\nsubject = "wrong"\n[[run]]\nmemory = "sc"\n')
        done = subprocess.run([BINARY, "run", "wrong.toml", "--json", "--counterexamples", "found"], cwd=self.root,
                              capture_output=True, check=False)
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn('It says: "caf\\xe9".', json.loads(done.stdout)["results"][0]["violations"][0]["why"])


class standard_output(in_a_folder):
    def test_a_full_disk(self):
        with open("/dev/full", "w") as full:
            for arguments in [["run", "tas.toml"], ["run", "tas.toml", "--json"], ["list"], ["run", "--help"],
                              ["run", "tas.toml", "--only", "stack-sc-fair", "-q"]]:
                self.refused(*arguments, stdout=full, says="standard output cannot be written: No space left on device")

    def test_no_file_can_be_written(self):
        with open("/dev/full", "w") as full:
            for arguments in [["run", "tas.toml"], ["list"], ["run", "missing.toml"]]:
                done = subprocess.run([BINARY, *arguments], cwd=self.root, stdout=full, stderr=full, check=False)
                self.assertEqual(done.returncode, 2, arguments)

    def test_closed(self):
        result = self.refused("run", "tas.toml", "--results", "r.json", stdout=None, preexec_fn=lambda: os.close(1),
                              says="standard output is closed; send it to a file, or to /dev/null")
        self.assertFalse((self.root / "r.json").exists(), result)

    def test_nobody_reads_it_any_more(self):
        reads, writes = os.pipe()
        os.close(reads)
        try:
            self.refused("run", "tas.toml", "--results", "r.json", stdout=writes,
                         says="standard output was closed by who reads it")
        finally:
            os.close(writes)
        # What had ended is in the files.
        self.assertEqual(len(json.loads((self.root / "r.json").read_text())["results"]), 1)

    def test_other_standard_files_may_be_closed(self):
        def close():
            os.close(0)
            os.close(2)
        result = self.warpcheck("run", "tas.toml", "--counterexamples", "found", preexec_fn=close)
        self.assertEqual(result.returncode, 1)
        for file in (self.root / "found").iterdir():
            json.loads(file.read_text())


class replayed(in_a_folder):
    def setUp(self):
        super().setUp()
        (self.root / "mine").mkdir()
        (self.root / "mine/wrong.hpp").write_text(WRONG)
        (self.root / "mine/wrong.toml").write_text('source = "wrong.hpp"\nsubject = "wrong"\n[[run]]\nmemory = "sc"\n')

    def counterexample(self, folder):
        result = self.warpcheck("run", "mine/wrong.toml", "--counterexamples", folder)
        self.assertEqual(result.returncode, 1, result.stderr)
        return f"{folder}/wrong-its-sc-fair-assertion.json", result.stdout

    def replays(self, file, *options):
        result = self.warpcheck("replay", file, *options)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("Replayed", result.stdout)

    def test_a_source_elsewhere_must_be_trusted(self):
        file, said = self.counterexample("found")
        self.assertIn(f"Replay: warpcheck replay {file} --step --trust\n", said)
        outside = f"its source {os.path.realpath(self.root)}/mine/wrong.hpp is outside of this file's folder"
        self.refused("replay", file, says=[outside, "add --trust"])
        self.replays(file, "--trust")
        # A link leads out of the folder; a copy is in it.
        (self.root / "found/wrong.hpp").symlink_to(self.root / "mine/wrong.hpp")
        self.refused("replay", file, says="is outside of this file's folder")
        (self.root / "found/wrong.hpp").unlink()
        (self.root / "found/wrong.hpp").write_text(WRONG)
        self.replays(file)

    def test_a_source_in_the_folder_needs_no_trust(self):
        for folder in ["mine", "."]:
            file, said = self.counterexample(folder)
            self.assertIn(f"replay {file.removeprefix('./')} --step\n", said)
            self.replays(file)

    def test_the_limits_are_those_of_scenarios(self):
        file, _ = self.counterexample("mine")
        document = json.loads((self.root / file).read_text())

        def with_scenario(**changes):
            (self.root / file).write_text(json.dumps({**document, "scenario": {**document["scenario"], **changes}}))
            return file

        for grid, says in [({"blocks": 4096, "lanes": [32] * 32}, "has 4194304 threads, more than 4096"),
                           ({"blocks": 4097, "lanes": [1]}, '"scenario.blocks" is not a number from 1 to 4096')]:
            self.refused("replay", with_scenario(grid=grid), says=says.replace("scenario.blocks", "scenario.grid.blocks"))
        self.refused("replay", with_scenario(arrays={"a": 1 << 21}), says="is not a number from 1 to 1048576")
        self.refused("replay", with_scenario(repeat=1 << 21), says="is not a number from 1 to 1000000")
        self.refused("replay", with_scenario(subject="other"), says=f"{file}: scenario.subject: there is no subject")


if __name__ == "__main__":
    unittest.main()
