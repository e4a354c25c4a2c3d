"""Which runs a command is about: names, parts of names, models and families; and the limits of those that explore."""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

BINARY = os.environ["WARPCHECK_BINARY"]
SOURCE = pathlib.Path(os.environ["WARPCHECK_SOURCE"])
TAS = "scenarios/locks/tas.toml"


def warpcheck(*arguments, says=None):
    given = {"stdin": subprocess.DEVNULL} if says is None else {"input": says}
    return subprocess.run([BINARY, *map(str, arguments)], cwd=SOURCE, capture_output=True, text=True, timeout=120,
                          **given)


class commands(unittest.TestCase):
    def document(self, *arguments, status=0):
        result = warpcheck(*arguments, "--json")
        self.assertEqual(result.returncode, status, result.stderr)
        return json.loads(result.stdout)

    def refused(self, *arguments, says):
        result = warpcheck(*arguments)
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertIn(says, result.stderr)


class filters(commands):
    def models(self, *arguments):
        return [(r["reconvergence"], r["memory"]) for r in self.document(*arguments)["results"]]

    def test_runs_by_model(self):
        every = self.models("run", TAS)
        for at, option in enumerate(["--reconvergence", "--memory"]):
            for value in sorted({model[at] for model in every}):
                fitting = [model for model in every if model[at] == value]
                self.assertEqual(self.models("run", TAS, option, value), fitting)
                self.assertLess(len(fitting), len(every))
        both = self.models("run", TAS, "--reconvergence", "stack", "--memory", "sc")
        self.assertEqual(both, [("stack", "sc")])
        self.assertEqual(self.models("sweep", TAS, "--reconvergence", "stack", "--memory", "sc"), both)

    def test_none_is_left(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder, "one.toml")
            file.write_text('subject = "locks/tas"\n[[run]]\nreconvergence = "its"\nmemory = "sc"\nexpect = "ok"\n')
            for command in ["run", "explain", "play", "sweep"]:
                self.refused(command, file, "--memory", "ptx", says="--memory ptx: no run here is under this model")
            self.refused("run", file, "--memory", "ptx", "--reconvergence", "stack",
                         says="--reconvergence stack --memory ptx: no run here is under both")
            self.refused("run", file, "-k", "one", "--memory", "ptx",
                         says="--memory ptx: no run of these is under this model")
            self.assertEqual(self.models("run", file, TAS, "--memory", "ptx")[:1], [("stack", "ptx")])

    def test_explain_and_play(self):
        def explained(*options):
            (result,) = self.document("explain", TAS, *options)["results"]
            return [(r["reconvergence"], r["memory"]) for r in result["runs"]]

        self.assertEqual(explained("--only", "its-sc-fair"), [("its", "sc")])
        self.assertEqual(set(explained("--memory", "sc")), {("stack", "sc"), ("its", "sc")})
        self.assertEqual(set(explained("-k", "STACK")), {("stack", "sc"), ("stack", "ptx")})
        played = warpcheck("play", TAS, "--reconvergence", "its", says="q\n")
        self.assertIn("[its, sc, fair]", played.stdout.splitlines()[0])

    def test_exec_has_the_same_filters(self):
        text = warpcheck("help", "exec").stdout
        for option in ["--only", "-k", "--reconvergence", "--memory"]:
            self.assertIn(f"\n  {option} ", text)


class listing(commands):
    def test_a_family(self):
        every, some = self.document("list"), self.document("list", "locks")
        self.assertEqual(some["subjects"], [s for s in every["subjects"] if s["subject"].startswith("locks/")])
        self.assertEqual(some["scenarios"],
                         [s for s in every["scenarios"] if s["file"].startswith("scenarios/locks/")])
        two = self.document("list", "locks", "stacks")["subjects"]
        self.assertEqual({s["subject"].split("/")[0] for s in two}, {"locks", "stacks"})
        self.refused("list", "lcoks", says='there is no file, folder or family "lcoks"; did you mean "locks"?')
        self.refused("list", "locks", TAS, says="list one kind at a time")

    def test_parts_of_names(self):
        found = self.document("list", "-k", "Treiber_Tag")
        self.assertEqual([s["subject"] for s in found["subjects"]], ["stacks/treiber_tagged"])
        self.assertTrue(found["scenarios"])
        for scenario in found["scenarios"]:
            self.assertIn("treiber_tag", scenario["file"])
        (scenario,) = self.document("list", TAS, "-k", "its")["scenarios"]
        self.assertTrue(scenario["run_names"] and all("its" in name for name in scenario["run_names"]))
        self.refused("list", "locks", "-k", "treiber_tag", says='-k: no subject has "treiber_tag" in its name')
        self.refused("list", TAS, "-k", "treiber", says='-k: no run has "treiber" in its file or its name')


class limits(commands):
    def test_time_and_states_of_explain(self):
        large = "scenarios/queues/michael_scott.toml"
        (result,) = self.document("explain", large, "--only", "its-sc-fair", "--max-states", "20")["results"]
        self.assertFalse(result["runs"][0]["complete"])
        text = warpcheck("explain", large, "--only", "its-sc-fair", "--max-states", "20").stdout
        self.assertIn("so far (the limit of 20 states is reached)", text)
        self.refused("explain", TAS, "--time", "soon", says='--time: "soon" is not a time')

    def test_time_of_a_replay(self):
        with tempfile.TemporaryDirectory() as folder:
            warpcheck("run", TAS, "--only", "stack-sc-fair", "--counterexamples", folder)
            (file,) = pathlib.Path(folder).iterdir()
            self.assertEqual(warpcheck("replay", file, "--time", "1m").returncode, 0)
            late = warpcheck("replay", file, "--time", "0.000001")
            self.assertEqual((late.returncode, late.stdout), (3, ""))
            self.assertIn("the limit of 1e-06 s is reached; whether it reproduces is not known", late.stderr)
            document = self.document("replay", file, "--time", "0.000001", status=3)
            self.assertEqual((document["reproduced"], document["interrupted"]), (None, False))

    def test_time_of_a_lesson(self):
        self.refused("lesson", "1", "--time", "3", says="--time belongs to --check")
        kernel = SOURCE / "scenarios/lessons/01_lost_update/solution.hpp"
        with tempfile.TemporaryDirectory() as folder:
            result = subprocess.run([BINARY, "lesson", "1", "--check", kernel, "--time", "0.000001"], text=True,
                                    capture_output=True, env={**os.environ, "XDG_STATE_HOME": folder})
        self.assertEqual(result.returncode, 3, result.stderr)
        self.assertIn("inconclusive", result.stdout)


if __name__ == "__main__":
    unittest.main()
