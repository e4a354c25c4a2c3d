"""What `run` leaves for a CI server: --junit, --github, and --only to repeat a single run."""

import json
import os
import pathlib
import re
import signal
import subprocess
import tempfile
import time
import unittest
import xml.etree.ElementTree as xml

BINARY = os.environ["WARPCHECK_BINARY"]

LOCK = """#include <simt/simt.hpp>

struct my_lock {
  simt::atomic<int> held{0};
  SIMT_FN void lock() {
    while (held.exchange(1, simt::memory_order_acquire) != 0) {}
  }
  SIMT_FN void unlock() { held.store(0, simt::memory_order_release); }
};
SIMT_SUBJECT(my_lock);
"""

# A result of each kind: as expected, a violation, something else than expected.
SCENARIO = """title = "TITLE"
source = "my_lock.hpp"
subject = "my_lock"
[grid]
lanes = 4

[[run]]
reconvergence = "stack"
memory = "sc"
expect = "simt-deadlock"

[[run]]
reconvergence = "stack"
memory = "sc"

[[run]]
reconvergence = "its"
memory = "sc"
expect = "livelock"
"""

# Takes minutes at least.
LARGE = """subject = "locks/ticket"
repeat = 3
[grid]
lanes = 8
[[run]]
reconvergence = "its"
memory = "sc"
[[run]]
reconvergence = "stack"
memory = "sc"
"""

# What each element may have and hold, by the schema of Jenkins' xUnit plugin (junit-10.xsd), and, of
# cases, the file, which others read.
SCHEMA = {
    "testsuites": ({"name", "time", "tests", "failures", "errors"}, {"testsuite"}),
    "testsuite": ({"name", "tests", "failures", "errors", "time", "skipped", "timestamp", "file"},
                  {"properties", "testcase"}),
    "properties": (set(), {"property"}),
    "property": ({"name", "value"}, set()),
    "testcase": ({"name", "time", "classname", "file"},
                 {"skipped", "error", "failure", "system-out"}),
    "skipped": ({"type", "message"}, set()),
    "error": ({"type", "message"}, set()),
    "failure": ({"type", "message"}, set()),
    "system-out": (set(), set()),
}


class ci(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.environment = dict(os.environ)
        self.environment.pop("GITHUB_WORKSPACE", None)
        self.write("my_lock.hpp", LOCK)

    def write(self, name, text):
        file = self.root / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    def start(self, *arguments, cwd=None):
        return subprocess.Popen([BINARY, *map(str, arguments)], cwd=cwd or self.root,
                                env=self.environment, stdin=subprocess.DEVNULL,
                                stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)

    def warpcheck(self, *arguments, cwd=None, status=0):
        process = self.start(*arguments, cwd=cwd)
        process.stdout_text, process.stderr_text = process.communicate(timeout=300)
        self.assertEqual(process.returncode, status, process.stderr_text)
        return process

    def junit(self, file="r.xml"):
        """Cases by class and name; what is true of every document is asserted."""
        root = xml.parse(self.root / file).getroot()
        self.assertEqual(root.tag, "testsuites")
        self.assert_valid(root)
        self.assert_sums(root, root.iter("testcase"))
        for suite in root:
            self.assert_sums(suite, suite.iter("testcase"))
            self.assertEqual(int(suite.get("skipped")), len(list(suite.iter("skipped"))))
            self.assertRegex(suite.get("timestamp"), r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$")
            for case in suite.iter("testcase"):
                self.assertEqual(case.get("file"), suite.get("name"))
        cases = {(c.get("classname"), c.get("name")): c for c in root.iter("testcase")}
        self.assertEqual(len(cases), int(root.get("tests")))  # none has another's name
        return cases

    def assert_valid(self, element):
        attributes, children = SCHEMA[element.tag]
        self.assertLessEqual(set(element.attrib), attributes, element.tag)
        self.assertLessEqual({"name", "classname", "file", "time"} & attributes,
                             set(element.attrib))
        for child in element:
            self.assertIn(child.tag, children)
            self.assert_valid(child)

    def assert_sums(self, element, cases):
        cases = list(cases)
        self.assertEqual(int(element.get("tests")), len(cases))
        for tag, attribute in [("failure", "failures"), ("error", "errors")]:
            self.assertEqual(int(element.get(attribute)),
                             len([c for c in cases if c.find(tag) is not None]))
        self.assertRegex(element.get("time"), r"^\d+\.\d{3}$")

    def annotations(self, text):
        found = []
        for line in text.splitlines():
            if not line.startswith("::"):
                continue
            properties, message = re.fullmatch(r"::error ([^:]*)::(.*)", line).groups()
            properties = dict(p.split("=", 1) for p in properties.split(","))
            self.assertLessEqual(set(properties), {"file", "line", "title"})
            decoded = {}
            for key, value in [*properties.items(), ("message", message)]:
                for code, char in [("%3A", ":"), ("%2C", ","), ("%0A", "\n"), ("%0D", "\r"),
                                   ("%25", "%")]:
                    value = value.replace(code, char)
                decoded[key] = value
            found.append(decoded)
        return found


class results(ci):
    def runs(self, file):
        document = json.loads((self.root / file).read_text())
        self.assertEqual(document["version"], 1)
        return [(r["file"], r["reconvergence"], r["verdict"]) for r in document["results"]]

    def test_what_json_prints(self):
        self.write("x.toml", SCENARIO)
        printed = self.warpcheck("run", "x.toml", "--json", "--results", "new/r.json", status=1)
        self.assertEqual((self.root / "new/r.json").read_text(), printed.stdout_text)
        report = self.warpcheck("run", "x.toml", "--results", "r.json", status=1)
        self.assertIn("simt-deadlock", report.stdout_text)
        self.assertEqual(self.runs("r.json"), [("x.toml", "stack", "simt-deadlock"),
                                               ("x.toml", "stack", "simt-deadlock"),
                                               ("x.toml", "its", "ok")])

    def test_files_that_cannot_be_written_or_read(self):
        self.write("x.toml", SCENARIO)
        result = self.warpcheck("run", "x.toml", "--results", "x.toml/r.json", status=2)
        self.assertIn("--results: x.toml/r.json cannot be written: ", result.stderr_text)
        self.assertEqual(result.stdout_text, "")
        self.warpcheck("run", "x.toml", "gone.toml", "--results", "r.json", status=2)
        self.assertEqual(self.runs("r.json"), [])


class junit(ci):
    def test_a_case_for_each_run(self):
        self.write("a/b.c/x.toml", SCENARIO.replace("my_lock.hpp", "../../my_lock.hpp"))
        self.warpcheck("run", ".", "--junit", "r.xml", status=1)
        cases = self.junit()
        self.assertEqual(list(cases), [("a.b_c.x", "stack-sc-fair"), ("a.b_c.x", "stack-sc-fair-2"),
                                       ("a.b_c.x", "its-sc-fair")])
        expected, violation, other = cases.values()
        self.assertEqual([c.tag for c in expected], ["system-out"])
        self.assertIn("simt-deadlock  ✓", expected[0].text)
        self.assertEqual([c.tag for c in violation], ["failure"])
        self.assertEqual(violation[0].attrib,
                         {"type": "simt-deadlock", "message": "simt-deadlock, expected ok"})
        for part in ["✗", "expected: ok", "All 4 lanes can never finish.", "my_lock.hpp:6 (lock)",
                     "⟳", "Remedy: ", "Under independent thread scheduling (its): ok."]:
            self.assertIn(part, violation[0].text)
        self.assertNotIn("\033", violation[0].text)
        self.assertEqual(other[0].attrib, {"type": "ok", "message": "ok, expected livelock"})

    def test_the_same_with_other_output(self):
        self.write("x.toml", SCENARIO)
        documents = []
        for options in [[], ["--json"], ["--quiet"], ["--verbose"], ["--github"]]:
            result = self.warpcheck("run", "x.toml", "--junit", "r.xml", *options, status=1)
            cases = self.junit()
            documents.append([(c[0].tag, c[0].get("message")) for c in cases.values()])
            if "--json" in options:
                json.loads(result.stdout_text)
        self.assertEqual(documents, [documents[0]] * 5)

    def test_violations_that_were_not_expected_beside_one_that_was(self):
        self.write("x.toml", SCENARIO.replace('expect = "simt-deadlock"', "expect_violations = "
                                              '["simt-deadlock", "race"]'))
        self.warpcheck("run", "x.toml", "--only", "stack-sc-fair", "--junit", "r.xml", status=1)
        (case,) = self.junit().values()
        self.assertEqual(case[0].get("message"),
                         "simt-deadlock, but not the expected set of violations")

    def test_what_was_looked_for_where_that_is_less(self):
        self.write("wrong.hpp", "#include <simt/simt.hpp>\nstruct wrong {\n  simt::atomic<int> value{0};\n"
                   "  SIMT_FN void operator()() { value.store(1); }\n  bool check() const { return false; }\n};\n"
                   "SIMT_SUBJECT(wrong);\n")
        self.write("wrong.toml", """source = "wrong.hpp"
subject = "wrong"
[[run]]
memory = "sc"
check = ["race"]
[[run]]
reconvergence = "stack"
memory = "sc"
check = ["race"]
expect = "race"
[[run]]
memory = "sc"
check = ["bad-access", "barrier-divergence", "simt-deadlock", "deadlock", "race", "livelock"]
""")
        done = self.warpcheck("run", "wrong.toml", "--junit", "r.xml", "--results", "r.json", "--github", status=1)
        only = 'Only race was looked for: "check" names nothing else.'
        others = 'assertion was not looked for: "check" does not name it.'
        self.assertEqual(done.stdout_text.count(f"\n  {only}\n"), 2)
        self.assertEqual(done.stdout_text.count(f"\n  {others}\n"), 1)
        annotation, = [line for line in done.stdout_text.splitlines() if line.startswith("::error")]
        self.assertIn(f"Every reachable state was explored.%0A{only}%0A", annotation)
        results = json.loads((self.root / "r.json").read_text())["results"]
        self.assertEqual([each["verdict"] for each in results], ["ok"] * 3)
        self.assertEqual([each["looked_for"] for each in results[:2]], [["race"]] * 2)
        self.assertEqual(len(results[2]["looked_for"]), 6)
        cases = self.junit()
        self.assertIn(only, cases["wrong", "its-sc-fair"].find("system-out").text)
        self.assertIn(only, cases["wrong", "stack-sc-fair"].find("failure").text)
        # Nothing is said where all is looked for.
        self.write("lock.toml", SCENARIO.replace("TITLE", "lock"))
        done = self.warpcheck("run", "lock.toml", "--results", "r.json", status=1)
        self.assertNotIn("looked for", done.stdout_text)
        for each in json.loads((self.root / "r.json").read_text())["results"]:
            self.assertNotIn("looked_for", each)

    def test_inconclusive_is_an_error(self):
        self.write("x.toml", LARGE)
        self.warpcheck("run", "x.toml", "--max-states", "9", "--junit", "r.xml", "--only",
                       "its-sc-fair", status=3)
        (case,) = self.junit().values()
        self.assertEqual(case[0].tag, "error")
        self.assertEqual(case[0].get("type"), "inconclusive")
        self.assertIn("inconclusive, expected ok: ", case[0].get("message"))
        self.assertIn("not explored to the end", case[0].text)

    def test_files_that_cannot_be_read(self):
        self.write("good.toml", SCENARIO)
        self.write("bad.toml", SCENARIO.replace("lanes", "lane"))
        self.warpcheck("run", "good.toml", "bad.toml", "gone.toml", "--junit", "r.xml", status=2)
        cases = self.junit()
        self.assertEqual(cases["bad", "read"][0].tag, "error")
        self.assertEqual(cases["bad", "read"][0].get("type"), "refused")
        self.assertIn('bad.toml:5:1: unknown key "lane"', cases["bad", "read"][0].text)
        self.assertIn("no such file", cases["gone", "read"][0].text)
        for run in ["stack-sc-fair", "stack-sc-fair-2", "its-sc-fair"]:
            self.assertEqual(cases["good", run][0].tag, "skipped")
            self.assertIn("cannot be read", cases["good", run][0].get("message"))

    def test_headers_that_do_not_compile(self):
        self.write("my_lock.hpp", LOCK.replace("!= 0", "!= zero"))
        self.write("a.toml", SCENARIO)
        self.write("b.toml", 'subject = "locks/tas"\n[[run]]\nmemory = "sc"\n')
        self.warpcheck("run", "a.toml", "b.toml", "--junit", "r.xml", status=2)
        cases = self.junit()
        for (file, _), case in cases.items():
            self.assertEqual(case[0].tag, "error" if file == "a" else "system-out")
            self.assertIn("undeclared identifier 'zero'" if file == "a" else "ok", case[0].text)

    def test_text_that_xml_cannot_hold(self):
        self.write("x.toml", SCENARIO.replace("TITLE", r"\u0001 \u001b[31m <&>\"' \n ✓"))
        self.warpcheck("run", "x.toml", "--junit", "r.xml", status=1)
        self.junit()
        properties = xml.parse(self.root / "r.xml").getroot().iter("property")
        self.assertEqual(next(properties).get("value"), "\ufffd \ufffd[31m <&>\"' \n ✓")
        # A name that is not UTF-8 is refused.
        for name, status, shown in [(b"\xc3\xa9\x02.toml", 1, "\xe9\ufffd"), (b"\xff\x02.toml", 2, "\ufffd\ufffd")]:
            whole = os.fsencode(self.root) + b"/" + name
            os.rename(next(self.root.glob("*.toml")), whole)
            result = subprocess.run([BINARY, "run", whole, "--junit", self.root / "r.xml"],
                                    cwd=self.root, capture_output=True)
            self.assertEqual(result.returncode, status)
            self.assertEqual({c for c, _ in self.junit()}, {shown})

    def test_where_the_file_goes(self):
        self.write("x.toml", 'subject = "locks/tas"\n[[run]]\nmemory = "sc"\n')
        self.warpcheck("run", "x.toml", "--junit", "new/folder/r.xml")
        self.assertEqual(len(self.junit("new/folder/r.xml")), 1)
        self.assertEqual(os.listdir(self.root / "new/folder"), ["r.xml"])
        # A link stays one.
        (self.root / "link.xml").symlink_to("new/folder/r.xml")
        (self.root / "new/folder/r.xml").write_text("old")
        self.warpcheck("run", "x.toml", "--junit", "link.xml")
        self.assertTrue((self.root / "link.xml").is_symlink())
        self.junit("new/folder/r.xml")
        # Told before anything is run.
        for path in ["new", "x.toml/r.xml", "/dev/null"]:
            result = self.warpcheck("run", "x.toml", "--junit", path, status=2)
            self.assertIn(f"--junit: {path} cannot be written: ", result.stderr_text)
            self.assertEqual(result.stdout_text, "")

    def interruptible(self):
        process = self.start("run", ".", "--reduce", "none", "--junit", "r.xml")
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        self.wait_for_a_run(process)
        return process

    def wait_for_a_run(self, process):
        """Waits until the file says that the large run has begun."""
        for _ in range(3000):
            if (self.root / "r.xml").exists():
                if self.junit()["b", "its-sc-fair"][0].get("type") == "unfinished":
                    return
            self.assertIsNone(process.poll(), "it ended by itself")
            time.sleep(0.01)
        self.fail("nothing has begun")

    def test_interrupted(self):
        self.write("a.toml", 'subject = "locks/tas"\n[[run]]\nmemory = "sc"\n')
        self.write("b.toml", LARGE)
        for number in [signal.SIGINT, signal.SIGTERM]:
            process = self.interruptible()
            process.send_signal(number)
            process.communicate(timeout=100)
            self.assertEqual(process.returncode, 3)
            cases = self.junit()
            self.assertEqual(cases["a", "its-sc-fair"][0].tag, "system-out")
            self.assertEqual(cases["b", "its-sc-fair"][0].get("type"), "inconclusive")
            self.assertIn("interrupted", cases["b", "its-sc-fair"][0].get("message"))
            self.assertEqual(cases["b", "stack-sc-fair"][0].tag, "skipped")
            self.assertIn("interrupted", cases["b", "stack-sc-fair"][0].get("message"))
            (self.root / "r.xml").unlink()

    def test_interrupted_is_not_as_expected(self):
        self.write("b.toml", LARGE.partition('[[run]]\nreconvergence = "stack"')[0] + 'expect = "inconclusive"\n')
        process = self.interruptible()
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=100)
        self.assertEqual(process.returncode, 3)

    def test_killed(self):
        self.write("b.toml", LARGE)
        process = self.interruptible()
        process.kill()
        process.communicate(timeout=100)
        cases = self.junit()
        self.assertEqual(cases["b", "its-sc-fair"][0].tag, "error")
        self.assertEqual(cases["b", "its-sc-fair"][0].get("type"), "unfinished")
        self.assertEqual(cases["b", "stack-sc-fair"][0].tag, "skipped")


class github(ci):
    def test_places(self):
        self.write("sub/x.toml", SCENARIO.replace("my_lock.hpp", "../my_lock.hpp"))
        result = self.warpcheck("run", "sub/x.toml", "--github", status=1)
        violation, other = self.annotations(result.stdout_text)
        self.assertEqual(violation["file"], "my_lock.hpp")
        self.assertEqual(violation["line"], "6")
        self.assertEqual(violation["title"],
                         "sub/x.toml [stack, sc, fair]: simt-deadlock, expected ok")
        lines = violation["message"].split("\n")
        self.assertEqual(lines[0], "All 4 lanes can never finish.")
        self.assertIn("Only w0.l0 would set it to 0 (my_lock.hpp:8, unlock).", lines)
        self.assertEqual(lines[-1], "warpcheck run sub/x.toml --only stack-sc-fair-2")
        # Nothing in the user's code is to blame where a violation is missing.
        self.assertEqual((other["file"], other["line"]), ("sub/x.toml", "16"))
        self.assertEqual(other["title"], "sub/x.toml [its, sc, fair]: ok, expected livelock")

    def test_quiet_and_nothing_to_say(self):
        self.write("x.toml", SCENARIO)
        self.assertEqual(len(self.annotations(
            self.warpcheck("run", "x.toml", "--github", "-q", status=1).stdout_text)), 2)
        result = self.warpcheck("run", "x.toml", "--only", "stack-sc-fair", "--github")
        self.assertEqual(self.annotations(result.stdout_text), [])

    def test_root_of_the_checkout(self):
        self.write("sub/x.toml", SCENARIO.replace("my_lock.hpp", "../my_lock.hpp"))
        self.environment["GITHUB_WORKSPACE"] = str(self.root)
        result = self.warpcheck("run", "x.toml", "--github", cwd=self.root / "sub", status=1)
        violation, other = self.annotations(result.stdout_text)
        self.assertEqual(violation["file"], "my_lock.hpp")
        self.assertEqual(other["file"], "sub/x.toml")

    def test_source_elsewhere_is_not_the_users(self):
        # A shipped subject, from a folder that is not above its source.
        self.write("x.toml", 'subject = "locks/tas"\n[grid]\nlanes = 2\n\n\n[[run]]\nmemory = "sc"\n'
                             'reconvergence = "stack"\n')
        (found,) = self.annotations(
            self.warpcheck("run", "x.toml", "--github", status=1).stdout_text)
        self.assertEqual((found["file"], found["line"]), ("x.toml", "6"))

    def test_refused(self):
        self.write("bad.toml", SCENARIO.replace("lanes", "lane"))
        (found,) = self.annotations(
            self.warpcheck("run", ".", "--github", status=2).stdout_text)
        self.assertEqual((found["file"], found["line"]), ("bad.toml", "5"))
        self.assertIn('did you mean "lanes"?', found["message"])
        (self.root / "bad.toml").unlink()
        self.write("my_lock.hpp", LOCK.replace("!= 0", "!= zero"))
        self.write("x.toml", SCENARIO)
        (found,) = self.annotations(
            self.warpcheck("run", ".", "--github", status=2).stdout_text)
        self.assertEqual((found["file"], found["line"]), ("my_lock.hpp", "6"))
        self.assertIn("undeclared identifier 'zero'\n", found["message"])

    def test_inconclusive(self):
        self.write("x.toml", LARGE)
        (found,) = self.annotations(self.warpcheck(
            "run", "x.toml", "--github", "--max-states", "9", "--only", "its-sc-fair",
            status=3).stdout_text)
        self.assertEqual((found["file"], found["line"]), ("x.toml", "5"))
        self.assertIn("inconclusive, expected ok", found["title"])
        self.assertIn("Not explored to the end: ", found["message"])

    def test_escapes(self):
        name = "100%, a:b.toml"
        self.write(name, SCENARIO)
        result = self.warpcheck("run", name, "--github", status=1)
        self.assertIn("file=100%25%2C a%3Ab.toml,line=16,", result.stdout_text)
        self.assertEqual(self.annotations(result.stdout_text)[1]["file"], name)

    def test_not_with_json(self):
        result = self.warpcheck("run", "x.toml", "--github", "--json", status=2)
        self.assertIn("do not go together", result.stderr_text)


class selection(ci):
    def results(self, *arguments):
        result = self.warpcheck("run", *arguments, "--json", status=1)
        return [(r["file"], r["reconvergence"], r["expected"])
                for r in json.loads(result.stdout_text)["results"]]

    def test_runs_of_one_name(self):
        self.write("x.toml", SCENARIO)
        self.write("y.toml", SCENARIO[:SCENARIO.index("[[run]]\nreconvergence = \"its\"")])
        self.assertEqual(self.results(".", "--only", "its-sc-fair"),
                         [("x.toml", "its", "livelock")])
        self.assertEqual(self.results(".", "--only", "stack-sc-fair-2", "--only", "its-sc-fair"),
                         [("x.toml", "stack", None), ("x.toml", "its", "livelock"),
                          ("y.toml", "stack", None)])

    def test_names_that_no_run_has(self):
        self.write("x.toml", SCENARIO)
        for name, remedy in [("its-sc-fiar", 'did you mean "its-sc-fair"?'),
                             ("everything", "`warpcheck list FILE` shows the runs")]:
            result = self.warpcheck("run", "x.toml", "--only", name, status=2)
            self.assertIn(f'--only: there is no run "{name}"; {remedy}', result.stderr_text)

    def test_list_of_runs(self):
        self.write("x.toml", SCENARIO)
        result = self.warpcheck("list", "x.toml")
        self.assertEqual(result.stdout_text,
                         "x.toml  TITLE\n"
                         "  stack-sc-fair    expects simt-deadlock\n"
                         "  stack-sc-fair-2  expects ok\n"
                         "  its-sc-fair      expects livelock\n")
        self.write("bad.toml", SCENARIO.replace("lanes", "lane"))
        result = self.warpcheck("list", ".", "--json", status=2)
        document = json.loads(result.stdout_text)
        self.assertEqual([(s["file"], s["run_names"]) for s in document["scenarios"]],
                         [("x.toml", ["stack-sc-fair", "stack-sc-fair-2", "its-sc-fair"])])
        (refused,) = document["refused"]
        self.assertEqual(refused["file"], "bad.toml")
        self.assertIn("bad.toml:5:1: ", refused["message"])
        self.assertIn("bad.toml:5:1: ", result.stderr_text)


if __name__ == "__main__":
    unittest.main()
