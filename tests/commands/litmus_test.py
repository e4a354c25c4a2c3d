"""warpcheck litmus: options, statuses, the document; and what the pages on it show."""

import collections
import json
import os
import pathlib
import re
import subprocess
import tempfile
import unittest

BINARY = os.environ["WARPCHECK_BINARY"]
SOURCE = pathlib.Path(os.environ["WARPCHECK_SOURCE"])
MP = "scenarios/litmus/mp.litmus"
LB = "scenarios/litmus/lb.litmus"
NEVER = "tests/litmus/clauses/waits_are_not_circular.litmus"


def warpcheck(*arguments):
    return subprocess.run([BINARY, *map(str, arguments)], cwd=SOURCE, capture_output=True, text=True,
                          stdin=subprocess.DEVNULL, timeout=100)


def without_times(text):
    return re.sub(r" +[\d.]+ s$", "", text, flags=re.M)


class litmus(unittest.TestCase):
    def document(self, *arguments, status=0):
        result = warpcheck("litmus", *arguments, "--json")
        self.assertEqual((result.returncode, result.stderr), (status, ""))
        document = json.loads(result.stdout)
        self.assertEqual(document["version"], 1)
        return document["results"]

    def refused(self, *arguments, says):
        result = warpcheck("litmus", *arguments)
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertIn(says, result.stderr)

    def test_pages_show_what_is_printed(self):
        commands = collections.Counter()
        for page in ["docs/memory-model.md", "docs/litmus.md"]:
            text = (SOURCE / page).read_text(encoding="utf-8")
            for block in re.findall(r"^```console\n(.*?)^```$", text, re.M | re.S):
                command, _, printed = block.partition("\n")
                words = command.split()
                self.assertEqual(words[:2], ["$", "warpcheck"])
                with self.subTest(page=page, command=command):
                    found = warpcheck(*words[2:]).stdout
                    if words[2] == "run":
                        found, printed = without_times(found), without_times(printed)
                    self.assertEqual(found, printed)
                commands[words[2]] += 1
        self.assertEqual(set(commands), {"litmus", "run"})
        self.assertGreater(commands["litmus"], 12)
        self.assertGreaterEqual(commands["run"], 2)

    def test_the_shipped_tests_hold(self):
        results = self.document("scenarios/litmus")
        self.assertEqual({r["as_expected"] for r in results}, {True})
        self.assertEqual({r["terminates"] for r in results}, {True})
        self.assertEqual(len(results), len(list((SOURCE / "scenarios/litmus").glob("*.litmus"))))

    def test_the_document(self):
        [result] = self.document(MP, "--explain")
        self.assertEqual((result["file"], result["model"], result["quantifier"]),
                         (MP, "ptx", "~exists"))
        self.assertEqual((result["holds"], result["terminates"], result["complete"]),
                         (True, True, True))
        self.assertEqual([o["values"] for o in result["outcomes"]],
                         [{"P1:r1": a, "P1:r2": b} for a, b in [(0, 0), (0, 1), (1, 1)]])
        self.assertEqual(result["races"][0]["accesses"][0],
                         {"thread": 0, "line": 6, "instruction": "st.weak x, 1"})
        self.assertEqual(result["races"][0]["remedy"],
                         "order them by release and acquire, or make both relaxed.gpu")
        self.assertTrue(result["forbidden"][0].startswith("Causality forbids it."))
        [result] = self.document(NEVER, status=1)
        self.assertEqual((result["holds"], result["terminates"]), (False, False))
        self.assertEqual(len(result["endless"]), 2)

    def test_models(self):
        [ptx], [sc] = self.document(LB), self.document(LB, "--memory", "SC", status=1)
        self.assertEqual((ptx["holds"], sc["holds"]), (True, False))
        self.assertEqual((len(ptx["outcomes"]), len(sc["outcomes"])), (4, 3))

    def test_why_sc_forbids(self):
        def forbidden(name, status):
            return self.document(f"{name}.litmus", "--memory", "sc", "--explain",
                                 status=status)[0]["forbidden"]

        for name, status, ptx in [("scenarios/litmus/sb", 1, "allows it"),
                                  ("scenarios/litmus/lb_data", 0, "forbids it too"),
                                  ("scenarios/litmus/mp_barrier", 0, "forbids it too"),
                                  ("tests/litmus/clauses/sc_per_location", 1, "forbids it too")]:
            why = forbidden(name, status)
            self.assertTrue(why[0].startswith("Sequential order forbids it."))
            self.assertIn(f"the PTX model {ptx}", why[-1])
            circle = why[why.index("one after the other, these would go round in a circle:") + 1:-1]
            ends = [edge.strip().rsplit(": ", 1)[0].split(" → ") for edge in circle]
            self.assertGreaterEqual(len(ends), 2)
            self.assertEqual([to for _, to in ends], [at for at, _ in ends[1:] + ends[:1]])
        why = forbidden("scenarios/litmus/increments", 0)
        self.assertTrue(why[0].startswith("Atomicity forbids it."))
        self.assertIn(" comes between what ", why[-2])

    def test_a_graph(self):
        result = warpcheck("litmus", LB, "--dot")
        self.assertEqual(result.returncode, 0)
        self.assertTrue(result.stdout.startswith('digraph "scenarios/litmus/lb.litmus" {'))
        self.assertEqual(len(re.findall(r'label="rf"', result.stdout)), 2)

    def test_a_key(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            for name in ["mp", "lb"]:
                (folder / f"{name}.litmus").write_text(
                    (SOURCE / f"scenarios/litmus/{name}.litmus").read_text())
            key = folder / "key.csv"
            key.write_text("file,quantifier,expected_witness_or_holds,liveness\n"
                           "mp.litmus,~exists,1,1\nlb.litmus,exists,,0\n")
            result = warpcheck("litmus", folder, "--key", key, "-q")
            self.assertEqual(result.returncode, 1)
            self.assertIn("lb.litmus", result.stdout)
            self.assertIn("expected: one never ends", result.stdout)
            self.assertIn("2 tests: 1 as in the key, 1 not\n", result.stdout)
            self.assertEqual(warpcheck("litmus", folder / "mp.litmus", "--key", key).returncode, 0)
            key.write_text("file,liveness\nmp.litmus,yes\n")
            self.refused(folder, "--key", key, says='key.csv:2: "yes" is no answer')

    def test_inconclusive(self):
        [result] = self.document("scenarios/litmus/lock.litmus", "--max-steps", "5", status=3)
        self.assertEqual((result["holds"], result["terminates"], result["complete"]),
                         (None, None, False))

    def test_a_file_that_cannot_be_read_costs_no_answer(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            text = (SOURCE / MP).read_text(encoding="utf-8")
            (folder / "a.litmus").write_text("PTX")
            (folder / "b.litmus").write_text(text)
            (folder / "c.litmus").write_text(text.replace("P1:r2", "P1:r3"))
            (folder / "d.litmus").symlink_to("nowhere")
            (folder / "empty").mkdir()
            arguments = [folder, folder / "gone.litmus", folder / "empty"]
            says = ["a.litmus:1:", "c.litmus:", "no instruction has P1:r3", "gone.litmus: cannot be read", "d.litmus: cannot be read",
                    "empty: has no litmus tests"]
            result = warpcheck("litmus", *arguments)
            self.assertEqual(result.returncode, 2)
            self.assertIn("b.litmus  [ptx]  ~exists", result.stdout)
            for one in says:
                self.assertIn(one, result.stderr)
            result = warpcheck("litmus", *arguments, "-q")
            self.assertEqual((result.returncode, result.stdout),
                             (2, "1 test: 1 holds; 5 files could not be read\n"))
            result = warpcheck("litmus", *arguments, "--json")
            self.assertEqual(result.returncode, 2)
            document = json.loads(result.stdout)
            self.assertEqual([r["holds"] for r in document["results"]], [True])
            self.assertEqual(sorted(pathlib.Path(r["file"]).name for r in document["refused"]),
                             ["a.litmus", "c.litmus", "d.litmus", "empty", "gone.litmus"])
            for one in says:
                self.assertTrue(any(one in r["message"] for r in document["refused"]), one)
            # On a GPU all are compiled together.
            result = warpcheck("litmus", *arguments, "--hardware", "--build", folder / "made", "--arch", "sm_90")
            self.assertEqual((result.returncode, result.stdout), (2, ""))

    def test_a_limit_of_time(self):
        with tempfile.TemporaryDirectory() as folder:
            racy = pathlib.Path(folder) / "racy.litmus"
            column = ["LC00:", "ld.weak r0, x", "st.weak y, r0", "ld.weak r1, y", "st.weak x, 1", "st.weak y, 2", "bne r1, 2, LC00"]
            racy.write_text("PTX racy {}\n" + " | ".join(f"P{t}@cta {t},gpu 0" for t in range(3)) + " ;\n" +
                            "".join(" | ".join([row] * 3) + " ;\n" for row in column) + "exists (x == 7)\n")
            for more in [[], ["--explain"], ["--memory", "sc"]]:
                result = warpcheck("litmus", racy, LB, "--time", "0.2", *more)
                self.assertIn("not all executions: time is up; --time TIME gives it more", result.stdout)
                self.assertIn("lb.litmus", result.stdout)  # each test has so much
            [result] = self.document(racy, "--time", "0.2", status=3)
            self.assertEqual((result["holds"], result["complete"]), (None, False))

    def test_a_limit_of_memory(self):
        result = warpcheck("litmus", LB, "--max-memory", "1")
        self.assertEqual(result.returncode, 3)
        self.assertIn("it needs more memory; --max-memory SIZE gives it more", result.stdout)
        [result] = self.document(LB, "--max-memory", "1", status=3)
        self.assertEqual((result["holds"], result["complete"]), (None, False))
        # More than enough changes nothing.
        self.assertEqual(self.document(LB, "--max-memory", "4G"), self.document(LB))

    def test_wrong_use(self):
        self.refused(says="litmus needs tests, or folders of them")
        self.refused("gone.litmus", says="gone.litmus: cannot be read")
        self.refused("docs", says="docs: has no litmus tests; name a .litmus file")
        self.refused("README.md", says="README.md:1:1: a litmus test begins with the word PTX")
        self.refused(MP, "--memory", "tso", says='--memory: there is no "tso"; it is one of ptx, sc')
        self.refused(MP, "--json", "--dot", says="do not go together")
        self.refused(MP, "--key", "README.md", says="has no columns file and")


if __name__ == "__main__":
    unittest.main()
