"""play: a person as the scheduler, by standard input; help, and options that are misspelt."""

import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

BINARY = os.environ["WARPCHECK_BINARY"]
SOURCE = pathlib.Path(os.environ["WARPCHECK_SOURCE"])
CROSSED = "scenarios/locks/opposite_order.toml"


def warpcheck(*arguments, says=""):
    return subprocess.run([BINARY, *map(str, arguments)], cwd=SOURCE, capture_output=True, text=True, input=says,
                          timeout=120)


def play(scenario, *lines, only="its-sc-fair"):
    result = warpcheck("play", scenario, "--only", only, says="\n".join(lines) + "\n")
    return result.returncode, result.stdout, result.stderr


class playing(unittest.TestCase):
    def test_a_run_to_its_end(self):
        status, said, errors = play(CROSSED, *["1"] * 8)
        self.assertEqual((status, errors), (0, ""))
        self.assertIn("1  w0.l0  exchange a.held → 0  a.held  0 → 1  spin_mutex.hpp:10 (lock)", said)
        self.assertIn("All lanes have finished after 8 steps, and all is well", said)

    def test_hints_come_true(self):
        _, said, _ = play(CROSSED, "1", "h", "2", "h")
        self.assertIn("  2 can lead to deadlock: from there, no schedule finishes.\n", said)
        self.assertNotIn("  1 can lead to", said.split("2 can lead to")[0])
        self.assertIn("deadlock after 2 steps: from here no schedule finishes", said)
        self.assertIn("Both lanes can never finish", said)

    def test_a_choice_is_taken_back(self):
        _, said, _ = play(CROSSED, "1", "2", "b", "1", "r", "b", "b", "b")
        self.assertIn("This is the beginning", said)
        table = said.split("step  ")[1]
        self.assertIn("exchange b.held → 0", table)

    def test_what_may_be_read(self):
        _, said, _ = play("scenarios/idioms/load_buffering.toml", "h", "3", "m", only="its-ptx-fair")
        self.assertNotIn("deadlock", said)
        self.assertIn("is visible already", said)
        self.assertRegex(said, r"y may be read as 0 by b0\.w0\.l0 and b1\.w0\.l0\n  y may be read as 1 by b1\.w0\.l0\n")
        self.assertRegex(said, r"can lead to assertion")

    def test_what_was_made_to_fail_replays(self):
        with tempfile.TemporaryDirectory() as folder:
            for scenario, only, choices, verdict in [
                    (CROSSED, "its-sc-fair", ["1", "2"], "deadlock"),
                    ("scenarios/locks/tas.toml", "stack-sc-fair", ["1"], "simt-deadlock"),
                    ("scenarios/counters/lost_update.toml", "its-sc-fair", ["1", "2", "1", "1", "1", "1"], None)]:
                file = pathlib.Path(folder, "mine.json")
                _, said, _ = play(scenario, "w", *choices, f"w {file}", only=only)
                self.assertIn("w needs a file", said)
                if verdict is None:
                    continue
                self.assertIn("Written. Replay: warpcheck replay", said)
                replay = warpcheck("replay", file)
                self.assertEqual(replay.returncode, 0, replay.stderr)
                self.assertIn(f", {verdict}.\n", replay.stdout)

    def test_a_run_without_violation_is_not_written(self):
        _, said, _ = play(CROSSED, "w none.json", "0", "9", "x", "?")
        self.assertIn("no violation so far", said)
        self.assertIn("There is no choice 9; there are 2", said)
        self.assertIn('There is no command "x"', said)
        self.assertIn("h        a hint", said)

    def test_wrong_use(self):
        for arguments, why in [([], "play needs a scenario"), (["scenarios/locks"], "not a folder"),
                               ([CROSSED, "--only", "x"], "there is no run")]:
            result = warpcheck("play", *arguments)
            self.assertEqual(result.returncode, 2)
            self.assertIn(why, result.stderr)


class pages(unittest.TestCase):
    """play --html: the graph of a scenario, in which runs are kept as files for replay."""

    def graph_of(self, scenario, only):
        with tempfile.TemporaryDirectory() as folder:
            page = pathlib.Path(folder, "play.html")
            result = warpcheck("play", scenario, "--only", only, "--html", page)
            self.assertEqual((result.returncode, result.stderr), (0, ""), scenario)
            return json.loads(re.search('<script id="data" type="application/json">(.*?)</script>', page.read_text(),
                                        re.S)[1])

    def ways(self, nodes):
        """The choices of a shortest way to each node."""
        found = {0: []}
        for at in range(len(nodes)):
            for edge in nodes[at]["edges"]:
                if "to" in edge and edge["to"] not in found:
                    found[edge["to"]] = [*found[at], edge["choice"]]
        return found

    def test_runs_that_never_finish_replay(self):
        # Under stack, lanes that spin for ever go round in a cycle. A way may go round before it ends.
        for name in ["locks/tas", "locks/ttas", "locks/peterson_one_fence_lanes"]:
            with self.subTest(name):
                document = self.graph_of(f"scenarios/{name}.toml", "stack-sc-fair")
                document = document.get("play", document)
                ways = self.ways(document["nodes"])
                doomed = [n for n, node in enumerate(document["nodes"]) if node.get("cycle")]
                self.assertGreater(len(doomed), 1)
                for n in [*doomed[:3], *doomed[-3:]]:
                    node = document["nodes"][n]
                    kept = {**document["counterexample"], "verdict": node["verdict"], "detail": node["detail"],
                            "choices": ways[n] + node["more"], "cycle": node["cycle"]}
                    with tempfile.TemporaryDirectory() as folder:
                        file = pathlib.Path(folder, "kept.json")
                        file.write_text(json.dumps(kept))
                        replay = warpcheck("replay", file)
                        self.assertEqual(replay.returncode, 0, replay.stderr)
                        self.assertIn(f", {node['verdict']}.\n", replay.stdout)


class graphs(unittest.TestCase):
    def draw(self, scenario, only):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "graph.dot")
            result = warpcheck("explain", scenario, "--only", only, "--graph", file)
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            return result.stdout, file.read_text()

    def test_the_deadlock_is_red_and_the_end_is_green(self):
        said, dot = self.draw(CROSSED, "its-sc-fair")
        self.assertIn("19 states", said)
        self.assertEqual(len(re.findall("^    s[0-9]+ \\[", dot, re.M)), 19)
        self.assertEqual(dot.count("fillcolor=mistyrose"), 1)
        self.assertEqual(dot.count("color=darkgreen"), 1)
        self.assertIn('label="w0.l0–l1"', dot)

    def test_red_states_are_there_where_run_finds_a_deadlock(self):
        for name in ["locks/opposite_order", "idioms/load_buffering", "barriers/syncthreads_in_both_arms"]:
            scenario = f"scenarios/{name}.toml"
            for line in warpcheck("list", scenario).stdout.splitlines():
                found = re.search(r"\b(stack|its)-(sc|ptx)-fair\b", line)
                if not found:
                    continue
                _, dot = self.draw(scenario, found[0])
                report = warpcheck("run", scenario, "--only", found[0], "--reduce", "none", "--json").stdout
                is_dead = '"verdict": "deadlock"' in report or '"verdict": "simt-deadlock"' in report
                self.assertEqual("mistyrose" in dot, is_dead, f"{scenario} {found[0]}")

    def test_too_many_states(self):
        result = warpcheck("explain", "scenarios/locks/ticket.toml", "--graph", "none.dot")
        self.assertEqual(result.returncode, 2)
        self.assertIn("more than 400 states", result.stderr)

    def test_other_pictures(self):
        result = warpcheck("explain", CROSSED, "--graph", "none.png")
        self.assertEqual(result.returncode, 2)
        self.assertIn("none.png is neither a .svg nor a .dot", result.stderr)
        self.assertFalse((SOURCE / "none.png").exists())

    def test_graphviz_draws_or_is_named(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "graph.svg")
            result = subprocess.run([BINARY, "explain", CROSSED, "--graph", file], cwd=SOURCE, capture_output=True,
                                    text=True, env={**os.environ, "PATH": folder})
            self.assertEqual(result.returncode, 2)
            self.assertIn("install the package graphviz", result.stderr)
            result = warpcheck("explain", CROSSED, "--graph", file)
            if result.returncode == 2 and "CI" not in os.environ:
                self.skipTest("Graphviz is not installed")
            self.assertIn("<svg", file.read_text())


class habits(unittest.TestCase):
    """-k, --maxfail, cache, new."""

    def test_runs_by_a_part_of_their_name(self):
        said = warpcheck("run", "scenarios/locks/tas.toml", CROSSED, "-k", "OPPOSITE", "-k", "tas.toml its-sc-fair").stdout
        self.assertNotIn("tas.toml  [stack", said)
        self.assertIn("tas.toml  [its, sc, fair]", said)
        self.assertIn("opposite_order.toml  [stack, sc, fair]", said)
        nothing = warpcheck("run", CROSSED, "-k", "no such part")
        self.assertEqual(nothing.returncode, 2)
        self.assertIn('no run has "no such part"', nothing.stderr)

    def test_enough_surprises(self):
        surprise = "tests/golden/scenarios/claim.toml"
        result = warpcheck("run", surprise, "tests/golden/scenarios/overrun.toml", "--maxfail", "1")
        self.assertEqual(result.returncode, 1)
        self.assertIn("1 run: 1 not as expected; --maxfail is reached, the rest was not run", result.stdout)

    def test_something_new(self):
        with tempfile.TemporaryDirectory() as folder:
            made = warpcheck("new", f"{folder}/mine/my_lock")
            self.assertEqual(made.returncode, 0, made.stderr)
            run = warpcheck("run", f"{folder}/mine/my_lock.toml")
            self.assertEqual(run.returncode, 1, run.stderr)
            self.assertIn("3 runs: 2 as expected, 1 not as expected", run.stdout)
            again = warpcheck("new", f"{folder}/mine/my_lock")
            self.assertEqual(again.returncode, 2)
            self.assertIn("is there already", again.stderr)
            self.assertIn("no name for a type", warpcheck("new", f"{folder}/my-lock").stderr)

    def test_the_cache(self):
        with tempfile.TemporaryDirectory() as folder:
            environment = {**os.environ, "WARPCHECK_CACHE": folder}

            def run(*arguments):
                return subprocess.run([BINARY, *arguments], cwd=SOURCE, capture_output=True, text=True, env=environment,
                                      timeout=120).stdout

            self.assertEqual(run("cache", "--where"), f"{folder}\n")
            run("run", "tests/golden/scenarios/claim.toml")
            self.assertRegex(run("cache"), r": [1-9]\d* files?, [\d,]+ bytes")
            own = [pathlib.Path(folder) / name for name in ("notes.txt", "x-0123456789abcdef0123456789abcdef.so", "empty")]
            for file in own:
                file.write_text("mine\n" * 20 if file != own[2] else "")
            self.assertIn("removed from", run("cache", "--clear"))
            self.assertIn(": 0 files, 0 bytes", run("cache"))
            self.assertEqual(sorted(pathlib.Path(folder).glob("*[!d]")), sorted(own))


class help(unittest.TestCase):
    def test_of_a_command(self):
        self.assertEqual(warpcheck("help", "run").stdout, warpcheck("run", "--help").stdout)
        self.assertIn("Commands:", warpcheck("help").stdout)
        self.assertIn('did you mean "replay"', warpcheck("help", "repaly").stderr)

    def test_options_that_are_misspelt(self):
        result = warpcheck("run", CROSSED, "--htm", "x")
        self.assertEqual(result.returncode, 2)
        self.assertIn("run: there is no option --htm; did you mean --html?", result.stderr)
        self.assertIn("`warpcheck help run` shows them", warpcheck("run", "--nothing-like-it").stderr)


if __name__ == "__main__":
    unittest.main()
