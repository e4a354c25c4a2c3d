"""What a user of the command line meets: help, mistakes, exit statuses."""

import json
import os
import pathlib
import signal
import shutil
import subprocess
import tempfile
import time
import unittest

BINARY = os.environ["WARPCHECK_BINARY"]
SOURCE = pathlib.Path(os.environ["WARPCHECK_SOURCE"])
COMMANDS = ["list", "run", "replay", "explain", "hardware", "progress", "history",
            "litmus"]


def warpcheck(*arguments, cwd=SOURCE):
    return subprocess.run([BINARY, *map(str, arguments)], cwd=cwd, capture_output=True, text=True,
                          stdin=subprocess.DEVNULL, timeout=300)


class command_line(unittest.TestCase):
    def refused(self, *arguments, says, cwd=SOURCE):
        result = warpcheck(*arguments, cwd=cwd)
        self.assertEqual(result.returncode, 2, result.stderr)
        self.assertIn(says, result.stderr)
        self.assertEqual(result.stdout, "")

    def test_help(self):
        for command in [[], *([c] for c in COMMANDS)]:
            result = warpcheck(*command, "--help")
            self.assertEqual(result.returncode, 0)
            self.assertIn("Example:\n  warpcheck ", result.stdout)
            self.assertEqual(result.stderr, "")
            for line in result.stdout.splitlines():
                self.assertLessEqual(len(line), 110, line)

    def test_help_names_every_command(self):
        text = warpcheck("--help").stdout
        for command in COMMANDS:
            self.assertIn(f"\n  {command} ", text)

    def test_version(self):
        self.assertRegex(warpcheck("--version").stdout, r"^warpcheck \d+\.\d+\.\d+\n$")

    def test_commands_that_do_not_exist(self):
        self.refused("rnu", says='there is no command "rnu"; did you mean "run"?')
        self.refused("frobnicate", says='there is no command "frobnicate"; warpcheck --help shows')
        self.refused("x.toml", says="warpcheck run x.toml")
        self.refused(says="a command is missing; `warpcheck --help` shows them")

    def test_options_that_do_not_exist(self):
        for command in COMMANDS:
            self.refused(command, "--bogus", says="--bogus")

    def test_options_that_exclude_each_other(self):
        self.refused("run", "x.toml", "--quiet", "--verbose", says="do not go together")

    def test_arguments_that_are_missing(self):
        for command in ["run", "explain", "hardware"]:
            self.refused(command, says=f"{command} needs scenario files, or folders of them")
        self.refused("replay", says="replay needs a counterexample")
        self.refused("litmus", says="litmus needs tests, or folders of them")
        self.refused("progress", says="progress needs a file of tests")

    def test_limits(self):
        self.refused("run", "x.toml", "--max-memory", "4X",
                     says='--max-memory: "4X" is not a size; write for example 500M or 4G')
        self.refused("run", "x.toml", "--time", "soon", says='--time: "soon" is not a time')
        self.refused("run", "x.toml", "--max-states", "0", says='--max-states: "0" is not a number')

    def test_options_of_searches(self):
        for option in ["--seed", "--runs", "--steps", "--depth"]:
            self.refused("run", "x.toml", option, "3",
                         says=f"{option}: belongs to a search; add --search random, pct or swarm")
        self.refused("run", "x.toml", "--search", "pc",
                     says='--search: there is no search "pc"; did you mean "pct"?')
        self.refused("run", "x.toml", "--search", "everything", says="write random, pct or swarm")
        for kind in ["random", "swarm"]:
            self.refused("run", "x.toml", "--search", kind, "--depth", "2",
                         says=f"--depth: belongs to --search pct, not to {kind}")
        search = ["run", "x.toml", "--search", "pct"]
        self.refused(*search, "--depth", "65", says="--depth: 65 is more than 64")
        self.refused(*search, "--runs", "0", says='--runs: "0" is not a number of at least 1')
        self.refused(*search, "--seed", "-1", says='--seed: "-1" is not a number from 0 to')
        self.refused(*search, "--reduce", "none", says="--reduce: a search follows single runs")
        self.refused(*search, "--max-states", "9", says="--max-states: a search keeps no states")

    def test_searches(self):
        with tempfile.TemporaryDirectory() as folder:
            for kind in ["random", "pct", "swarm"]:
                search = ["--search", kind, "--runs", "300", "--first"]
                # Lanes of a warp that deadlock under `stack`.
                scenario = pathlib.Path(folder, "wrong.toml")
                scenario.write_text('subject = "locks/tas"\nworkload = "counter"\n[grid]\n'
                                    'warps = 2\nlanes = 8\n'
                                    '[[run]]\nmemory = "sc"\nreconvergence = "stack"\n')
                result = warpcheck("run", scenario, *search, "--json", "--counterexamples",
                                   pathlib.Path(folder, kind))
                self.assertEqual(result.returncode, 1, result.stderr)
                self.assertEqual(result.stderr, "")
                run = json.loads(result.stdout)["results"][0]
                self.assertEqual(run["verdict"], "simt-deadlock")
                self.assertFalse(run["complete"])
                self.assertEqual(run["search"]["kind"], kind)
                self.assertEqual([f["verdict"] for f in run["search"]["found"]], ["simt-deadlock"])
                replayed = warpcheck("replay", *pathlib.Path(folder, kind).iterdir())
                self.assertEqual(replayed.returncode, 0, replayed.stderr)
                self.assertIn("simt-deadlock", replayed.stdout)

                # Nothing is wrong: that is not ok.
                scenario = pathlib.Path(folder, "right.toml")
                scenario.write_text('subject = "locks/tas"\nworkload = "counter"\n[grid]\n'
                                    'lanes = 4\n[[run]]\nmemory = "sc"\nreconvergence = "its"\nexpect = "ok"\n')
                result = warpcheck("run", scenario, *search)
                self.assertEqual(result.returncode, 3, result.stderr)
                text = " ".join(result.stdout.split())
                self.assertIn("inconclusive", text)
                self.assertIn("Nothing was found, which proves nothing", text)
                self.assertIn(f"searched by {kind}, not explored: 300 runs", text)
                self.assertEqual("1/(n k^(d-1))" in text, kind == "pct")

    def test_searches_that_are_saved_and_gone_on_with(self):
        with tempfile.TemporaryDirectory() as folder:
            scenario = pathlib.Path(folder, "large.toml")
            scenario.write_text('subject = "locks/ttas"\nworkload = "counter"\nrepeat = 2\n'
                                '[grid]\nlanes = 5\n[[run]]\nmemory = "sc"\nreconvergence = "its"\n'
                                'expect = "ok"\n')
            stopped = pathlib.Path(folder, "stopped")
            run = ["run", scenario, "--reduce", "none", "--spill", pathlib.Path(folder, "spilled")]

            result = warpcheck(*run, "--max-states", "200k", "--save", stopped)
            self.assertEqual(result.returncode, 3, result.stderr)
            text = " ".join(result.stdout.split())
            self.assertIn("the limit of 200000 states is reached", text)
            self.assertIn(f"run it again with --resume {stopped} to go on", text)
            self.assertEqual([f.name for f in stopped.iterdir()], ["large-its-sc-fair.search"])

            # Ctrl-C, in another process, with other addresses.
            process = subprocess.Popen([BINARY, *map(str, run), "--resume", str(stopped), "--save",
                                        str(stopped)], stdout=subprocess.PIPE, text=True)
            time.sleep(0.2)
            process.send_signal(signal.SIGINT)
            output, _ = process.communicate(timeout=300)
            self.assertIn("Went on with", " ".join(output.split()))

            document = json.loads(warpcheck(*run, "--resume", stopped, "--json").stdout)
            at_once = json.loads(warpcheck(*run, "--json").stdout)
            self.assertNotIn("resumed", at_once["results"][0])
            for key in ["verdict", "states", "transitions", "complete"]:
                self.assertEqual(document["results"][0][key], at_once["results"][0][key])
            self.assertEqual(document["results"][0]["verdict"], "ok")
            self.assertEqual(document["results"][0]["resumed"],
                             str(stopped / "large-its-sc-fair.search"))

            result = warpcheck("run", scenario, "--resume", stopped)
            self.assertEqual(result.returncode, 2)
            self.assertIn("of another list of reductions", result.stderr)
            (stopped / "large-its-sc-fair.search").write_text("nothing")
            result = warpcheck(*run, "--resume", stopped)
            self.assertEqual(result.returncode, 2)
            self.assertIn("this is no saved search to go on with", result.stderr)
            self.refused("run", scenario, "--save", scenario, says="--save: ")
            self.refused("run", scenario, "--spill", scenario, says="--spill: ")

    def test_generated_clients(self):
        with tempfile.TemporaryDirectory() as folder:
            def run(subject, generate, *options):
                scenario = pathlib.Path(folder, "all.toml")
                scenario.write_text(f'subject = "{subject}"\ngenerate = {generate}\n'
                                    '[[run]]\nmemory = "sc"\nreconvergence = "its"\n')
                return warpcheck("run", scenario, *options)

            result = run("queues/tail_first", "{ threads = 3, operations = 2 }", "--json",
                         "--counterexamples", pathlib.Path(folder, "found"))
            self.assertEqual(result.returncode, 1, result.stderr)
            found = json.loads(result.stdout)["results"][0]
            self.assertEqual(found["verdict"], "not-linearizable")
            self.assertEqual(found["generated"]["all"], 83)
            # A dequeue that another client's enqueue makes empty.
            self.assertEqual(found["generated"]["threads"], [["enqueue 1"], ["enqueue 2", "dequeue"]])
            self.assertLess(found["generated"]["checked"], 83)
            replayed = warpcheck("replay", *pathlib.Path(folder, "found").iterdir())
            self.assertEqual(replayed.returncode, 0, replayed.stderr)

            result = run("queues/tail_first", "{ threads = 2, operations = 2 }")
            self.assertIn('threads = [["enqueue 1"], ["enqueue 2", "dequeue"]]',
                          " ".join(result.stdout.split()))

            result = run("queues/michael_scott", "{ threads = 2, operations = 2 }")
            self.assertEqual(result.returncode, 0, result.stdout)
            self.assertIn("every interleaving of each of 27 combinations",
                          " ".join(result.stdout.split()))

            self.assertIn('"threads" cannot be 9; give it a value from 1 to 8',
                          run("queues/michael_scott", "{ threads = 9, operations = 2 }").stderr)
            self.assertIn('"operations" is missing',
                          run("queues/michael_scott", "{ threads = 2 }").stderr)
            self.assertIn("has no operations",
                          run("locks/tas", "{ threads = 2, operations = 2 }").stderr)
            self.assertIn("more than 100000 combinations",
                          run("queues/michael_scott", "{ threads = 8, operations = 8 }").stderr)

    def test_aba(self):
        result = warpcheck("run", "scenarios/stacks/treiber_reuse.toml", "--only", "its-sc-fair", "--json")
        run = json.loads(result.stdout)["results"][0]
        self.assertEqual(run["verdict"], "not-linearizable")
        self.assertEqual([(f["kind"], f["variable"], f["violation"]) for f in run["findings"]],
                         [("aba", "top", "not-linearizable")])
        read, *changes, exchange = run["findings"][0]["biography"]
        self.assertEqual(read["lane"], exchange["lane"])
        self.assertEqual((read["old"], exchange["operation"]), (exchange["old"], "compare_exchange"))
        self.assertGreaterEqual(len(changes), 2)
        value = read["old"]
        for change in changes:
            self.assertEqual(change["old"], value)
            value = change["new"]
        self.assertEqual(value, read["old"])
        # What nodes are used once for, and what counts beside them are for.
        some = [] if "WARPCHECK_THOROUGH" in os.environ else ["--only", "its-sc-fair"]
        for name in ["stacks/treiber", "stacks/treiber_store", "stacks/treiber_tagged",
                     "queues/michael_scott_counted"]:
            result = warpcheck("run", f"scenarios/{name}.toml", "--json", *some)
            for run in json.loads(result.stdout)["results"]:
                self.assertEqual(run["findings"], [], name)

    def test_benign_aba(self):
        def findings(subject, *options):
            result = warpcheck("run", f"scenarios/stacks/{subject}.toml", "--only", "its-sc-fair",
                               "--json", *options)
            self.assertEqual(result.returncode, 0, result.stderr)
            run = json.loads(result.stdout)["results"][0]
            return run["findings"], run.get("aba")

        self.assertEqual(findings("treiber"), ([], None))
        [found], aba = findings("treiber", "--aba")
        self.assertTrue(aba["complete"] and aba["found"])
        self.assertEqual((found["kind"], found["variable"]), ("aba", "top"))
        self.assertEqual((found["violation"], found["benign"]), (None, True))
        self.assertEqual(found["biography"][-1]["step"], len(found["steps"]))
        none, aba = findings("treiber_tagged", "--aba")
        self.assertEqual(none, [])
        self.assertTrue(aba["complete"] and not aba["found"])
        self.assertGreater(aba["states"], 1000)
        text = warpcheck("run", "scenarios/stacks/treiber_tagged.toml", "--only", "its-sc-fair", "--aba",
                         "--max-states", "3500").stdout
        self.assertIn("not all were looked at", " ".join(text.split()))
        self.refused("run", "scenarios/stacks/treiber.toml", "--aba", "--search", "random",
                     says="--aba: ")

    def test_generated_clients_keep_one_limit_of_time(self):
        with tempfile.TemporaryDirectory() as folder:
            scenario = pathlib.Path(folder, "all.toml")
            scenario.write_text('subject = "queues/michael_scott"\n'
                                'generate = { threads = 4, operations = 3 }\n'
                                '[[run]]\nmemory = "sc"\nreconvergence = "its"\n')
            result = warpcheck("run", scenario, "--time", "0.3", "--json")
            self.assertEqual(result.returncode, 3, result.stderr)
            found = json.loads(result.stdout)["results"][0]
            self.assertEqual(found["stopped"], "the limit of 0.3 s is reached")

    def test_generated_runs_that_are_saved_and_gone_on_with(self):
        with tempfile.TemporaryDirectory() as folder:
            scenario = SOURCE / "scenarios/stacks/treiber_hazard_all.toml"
            saved = pathlib.Path(folder, "saved")

            def run(*options):
                result = warpcheck("run", scenario, "--only", "its-sc-fair", "--json", *options)
                self.assertEqual(result.stderr, "")
                return result.returncode, json.loads(result.stdout)["results"][0]

            status, whole = run()
            self.assertEqual((status, whole["verdict"]), (0, "ok"))
            status, part = run("--max-states", "300", "--save", saved)
            self.assertEqual((status, part["verdict"]), (3, "inconclusive"))
            progress = saved / "treiber_hazard_all-its-sc-fair.generated"
            self.assertEqual(part["saved"], str(progress))
            done = json.loads(progress.read_text())["done"]
            self.assertTrue(0 < len(done) < whole["generated"]["all"])
            status, rest = run("--resume", saved)
            self.assertEqual((status, rest["verdict"]), (0, "ok"))
            self.assertEqual(rest["resumed"], str(progress))
            self.assertEqual(rest["generated"], whole["generated"])
            self.assertGreater(rest["states"], part["states"])
            self.refused_after_a_summary(
                "run", scenario, "--only", "its-sc-fair", "--resume", saved, "--reduce", "none",
                says="it is of another scenario, source, reductions or version")
            progress.write_text("{}")
            self.refused_after_a_summary("run", scenario, "--only", "its-sc-fair", "--resume", saved,
                                         says="it is damaged")

    def refused_after_a_summary(self, *arguments, says):
        result = warpcheck(*arguments)
        self.assertEqual(result.returncode, 2, result.stdout)
        self.assertIn(says, result.stderr)

    def test_generate_leaves_out_members_that_are_no_operations(self):
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "own.hpp").write_text("""
#include <simt/simt.hpp>
struct own {
  static constexpr const char* spec = "counter";
  simt::atomic<int> value{0};
  SIMT_FN int insert(int by) { return value.fetch_add(by); }
  SIMT_FN void increment() { insert(1); }
  SIMT_FN int read() { return value.load(); }
};
SIMT_SUBJECT(own);
""")
            scenario = pathlib.Path(folder, "own.toml")
            scenario.write_text('source = "own.hpp"\nsubject = "own"\n'
                                'generate = { threads = 2, operations = 1 }\n[[run]]\nmemory = "sc"\n')
            result = warpcheck("run", scenario, "--json")
            self.assertEqual(result.returncode, 0, result.stderr)
            # One or two clients that increment or read.
            self.assertEqual(json.loads(result.stdout)["results"][0]["generated"]["all"], 5)
            scenario.write_text(scenario.read_text().replace("generate", 'spec = "queue"\ngenerate'))
            self.refused_after_a_summary(
                "run", scenario, says='none of the operations of "own" is one of the '
                'specification "queue"')

    def test_list_passes_over_what_an_interrupted_build_has_left(self):
        subjects = pathlib.Path(BINARY).parent / "subjects"
        with tempfile.TemporaryDirectory(prefix="warpcheck-") as elsewhere:
            folder = subjects / "locks/.warpcheck-unfinished" / pathlib.Path(elsewhere).name
            folder.mkdir(parents=True)
            self.addCleanup(shutil.rmtree, folder)
            (folder / "subject.so").write_text("half of a subject")
            result = warpcheck("list")
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn("locks/tas ", result.stdout)
            self.assertNotIn("warpcheck-", result.stdout.split("scenarios")[0])

    def test_files_that_do_not_exist(self):
        for command in ["run", "explain", "hardware"]:
            self.refused(command, "gone.toml", says="gone.toml: no such file or folder")
        self.refused("replay", "gone.json", says="gone.json: no such file")

    def test_folder_without_scenarios(self):
        with tempfile.TemporaryDirectory() as folder:
            self.refused("run", folder, says=f"{folder}: has no scenarios")

    def test_all_mistakes_of_all_scenarios_at_once(self):
        with tempfile.TemporaryDirectory() as folder:
            pathlib.Path(folder, "a.toml").write_text('subject = "a"\nlane = 4\n')
            pathlib.Path(folder, "b.toml").write_text('subject = \n')
            result = warpcheck("run", ".", "gone", cwd=folder)
            self.assertEqual(result.returncode, 2)
            self.assertEqual([line.split(":")[0] for line in result.stderr.splitlines()],
                             ["gone", "./a.toml", "./b.toml"])

    def test_mistakes_that_the_subject_shows_have_a_place(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "a.toml")
            for text, says in [
                    ('subject = "locks/none"\n', "1:11: there is no shipped subject \"locks/none\""),
                    ('subject = "' + 300 * "x" + '"\n', "1:11: there is no shipped subject \"xxx"),
                    ('subject = "locks/tas"\nworkload = "phases"\n',
                     '2:12: subject "locks/tas" does not fit workload "phases", for which a type has arrive_and_wait(), all of '
                     'them public; it fits counter'),
                    ('subject = "locks/tas"\nworkload = "phazes"\n', '2:12: there is no workload "phazes"; subject "locks/tas" '
                     'fits counter'),
                    ('subject = "queues/michael_scott"\n', "1:11: subject \"queues/michael_scott\" is an object"),
                    ('subject = "locks/tas"\nthreads = [["lock"]]\n', "2:11: subject \"locks/tas\" has no operations"),
                    ('subject = "barriers/atomic_counter"\nrepeat = "forever"\n',
                     '2:10: repeat = "forever" is for objects and for the workloads counter, capacity and kernel'),
                    ('subject = "locks/tas"\n[arrays]\nx = 3\n', '3:5: [arrays] names "x"'),
                    ('subject = "queues/michael_scott"\nthreads = [["enqueue 1"]]\nspec = "non"\n',
                     "3:8: spec: there is no specification \"non\"")]:
                file.write_text(text + '[[run]]\nmemory = "sc"\n')
                result = warpcheck("run", file)
                self.assertEqual(result.returncode, 2, text)
                self.assertIn(f"{file}:{says}", result.stderr)

    def test_folder_for_counterexamples_that_cannot_be_made(self):
        with tempfile.TemporaryDirectory() as folder:
            scenario = pathlib.Path(folder, "a.toml")
            scenario.write_text('subject = "locks/tas"\n[[run]]\nmemory = "sc"\n')
            self.refused("run", scenario, "--counterexamples", scenario / "x",
                         says="--counterexamples: ")

    def test_list(self):
        text = warpcheck("list")
        self.assertEqual(text.returncode, 0, text.stderr)
        document = json.loads(warpcheck("list", "--json").stdout)
        self.assertEqual(document["version"], 1)
        for subject in document["subjects"]:
            self.assertIn(subject["subject"], text.stdout)
            self.assertTrue(all(t["type"] and t["workloads"] for t in subject["types"]), subject)
        for scenario in document["scenarios"]:
            self.assertIn(scenario["file"], text.stdout)
            self.assertGreater(scenario["runs"], 0)

    def test_every_shipped_header_with_a_subject_is_listed(self):
        listed = {s["subject"] for s in json.loads(warpcheck("list", "--json").stdout)["subjects"]}
        folder = SOURCE / "algorithms"
        shipped = {str(h.relative_to(folder).with_suffix("")) for h in folder.rglob("*.hpp")
                   if any(line.startswith("SIMT_SUBJECT") for line in h.read_text().splitlines())}
        self.assertEqual(listed, shipped)


if __name__ == "__main__":
    unittest.main()
