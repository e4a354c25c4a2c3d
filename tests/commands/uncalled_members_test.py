"""Members that the API does not call, though their authors may think so: near misses are warnings of `explain`, a final
check that the chosen workload does not call is an error. Of members that differ in their names alone, the first and a
tenth of the others are due, unless everything is asked for."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(os.environ["WARPCHECK_SOURCE"]) / "tests/scenarios"))
from due import is_due  # noqa: E402

BINARY = os.environ["WARPCHECK_BINARY"]

KERNEL = "SIMT_FN void operator()() { a.store(1); }"
LOCK = "SIMT_FN void lock() { while (a.exchange(1)) {} } SIMT_FN void unlock() { a.store(0); }"
BARRIER = "SIMT_FN void arrive_and_wait() { a.fetch_add(1); }"
SEMAPHORE = "static constexpr int permits = 2; SIMT_FN void acquire() { a.store(1); } SIMT_FN void release() { a.store(0); }"
ORDERED = f"{LOCK} SIMT_FN int doorway() {{ return a.fetch_add(1); }} SIMT_FN void wait_turn(int) {{}}"
COUNTER = "SIMT_FN void increment() { a.fetch_add(1); } SIMT_FN int read() { return a.load(); }"
CHECK = "bool check() const { return false; }"

NEAR = {
    "bool check() const": ["bool Check() const { return true; }", "bool checks() const { return true; }",
                           "bool check_() const { return true; }", "bool chek() const { return true; }",
                           "bool cehck() const { return true; }",
                           "static bool verify() { return true; }", "bool invariants() const { return true; }",
                           "private: bool CHECK() { return true; }"],
    "SIMT_FN void init()": ["SIMT_FN void initialize() { a.store(1); }", "SIMT_FN void Init() { a.store(1); }",
                            "void set_up() {}", "SIMT_FN void inits() {}", "SIMT_FN void intit() {}",
                            "SIMT_FN void inti() {}"],
    "SIMT_FN void release()": ["SIMT_FN void acquire() {} SIMT_FN void relase() {}",
                               "SIMT_FN void acquire() {} SIMT_FN void Release() {}",
                               "SIMT_FN void acquire() {} SIMT_FN void releases() {}",
                               "SIMT_FN void acquire() {} SIMT_FN void give_back() {}",
                               "SIMT_FN void acquire() {} private: SIMT_FN void release_() {}"],
    "SIMT_FN void acquire()": ["SIMT_FN void release() {} SIMT_FN void aquire() {}"],
    "SIMT_FN void unlock()": ["SIMT_FN void lock() {} SIMT_FN void unlok() {}",
                              "SIMT_FN void lock() {} SIMT_FN void un_lock() {}"],
    "SIMT_FN void lock()": ["SIMT_FN void unlock() {} SIMT_FN void Lock() {}"],
    "SIMT_FN void wait_turn(int)": ["SIMT_FN int doorway() { return 1; } SIMT_FN void waitTurn(int) {}"],
    "SIMT_FN int doorway()": ["SIMT_FN void wait_turn(int) {} SIMT_FN int door_way() { return 1; }"],
    "SIMT_FN void arrive_and_wait()": ["SIMT_FN void arriveAndWait() {}"],
    "bool next_launch(std::uint32_t launch)": ["bool nextLaunch(std::uint32_t) { return false; }",
                                               "bool next_lanch_(std::uint32_t) { return false; }",
                                               "bool nxet_lanuch(std::uint32_t) { return false; }"],
}

# Names that a subject may have: they are called, or are like none of the API's.
FREE = [
    "SIMT_FN void initialize() { a.store(3); } SIMT_FN void init() { initialize(); }",
    "bool Check() const { return true; } bool check() const { return Check(); }",
    "bool valid() const { return true; } bool check() const { return valid(); }",
    "SIMT_FN void push(int) {} int size() const { return 1; } void unlink() {} void exit() {}",
    "SIMT_FN void leave() {} SIMT_FN void relase() {} SIMT_FN void take() {}",  # beside no half
    "SIMT_FN void acquire() {} SIMT_FN void release() {} SIMT_FN void give_back() {}",
    "unsigned party() { return 1; }",  # of a barrier only
]


class uncalled_members(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def warpcheck(self, command, body, more="", head="struct s", *options):
        (self.folder / "s.hpp").write_text(
            f"#include <simt/simt.hpp>\n\n{head} {{ simt::atomic<int> a{{0}}; {rest_of(head)}\n{body} }};\nSIMT_SUBJECT(s);\n")
        file = self.folder / "k.toml"
        file.write_text(f'source = "s.hpp"\nsubject = "s"\n{more}\n[grid]\nlanes = 2\n[[run]]\nmemory = "sc"\n')
        return subprocess.run([BINARY, command, str(file), *options], capture_output=True, text=True, timeout=600,
                              check=False, env={**os.environ, "WARPCHECK_CACHE": str(self.folder / "cache")})

    def warnings(self, body, more=""):
        done = self.warpcheck("explain", body, more, "struct s", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)["results"][0]["warnings"]

    def test_near_misses(self):
        for form, members in NEAR.items():
            for member in members:
                if member != members[0] and not is_due(member):
                    continue
                with self.subTest(member):
                    (one,) = self.warnings(f"{KERNEL}\n{member}")
                    self.assertEqual((one["file"], one["line"]), ("s.hpp", 5))
                    self.assertIn(form, one["text"])
                    self.assertIn(one["member"] + "()", one["text"])

    def test_near_misses_of_barriers(self):
        for name in ["party", "partys", "partise"]:
            if name != "partys" and not is_due(f"barrier: {name}"):
                continue
            with self.subTest(name):
                (one,) = self.warnings(f"{BARRIER}\nunsigned {name}() {{ return 2; }}", 'workload = "phases"')
                self.assertIn("SIMT_FN unsigned parties()", one["text"])

    def test_in_text_and_in_base_classes(self):
        done = self.warpcheck("explain", f"{KERNEL} }}; struct s : r {{ bool Checks() const {{ return true; }}", "",
                              "struct r")
        self.assertIn("warning     s.hpp:4  Checks() is never called: the final check of a kernel is bool check() const",
                      done.stdout, done.stderr)

    def test_names_that_are_free(self):
        for members in FREE:
            if members != FREE[0] and not is_due(members):
                continue
            with self.subTest(members):
                self.assertEqual(self.warnings(f"{KERNEL} {members}"), [])

    def test_a_check_where_nothing_ends(self):
        (one,) = self.warnings(f"{KERNEL} {CHECK}", 'repeat = "forever"')
        self.assertIn("forever", one["text"])

    def test_a_check_beside_operations(self):
        more = 'threads = [["read"], ["increment"]]\nspec = "counter"'
        (one,) = self.warnings(f"{KERNEL} {COUNTER} {CHECK}", more)
        self.assertIn("history", one["text"])
        self.assertEqual(self.warnings(f"{KERNEL} {COUNTER}", more), [])

    def test_a_check_of_an_object(self):
        more = 'threads = [["increment"], ["increment", "read"]]\nspec = "counter"'
        for answer, verdict in [("a.host_value() == 2", "ok"), ("a.host_value() == 3", "assertion")]:
            with self.subTest(answer):
                done = self.warpcheck("run", f"{COUNTER} bool check() const {{ return {answer}; }}", more)
                self.assertIn(verdict, done.stdout, done.stderr)
                self.assertEqual("time →" in done.stdout, verdict == "assertion")
        self.assertEqual(self.warnings(f"{COUNTER} {CHECK}", more), [])

    def test_each_workload_and_a_check(self):
        for workload, members in [("counter", LOCK), ("phases", BARRIER), ("capacity", SEMAPHORE), ("order", ORDERED),
                                  ("counter", "template <class F> SIMT_FN void locked(F f) { f(); }")]:
            if workload != "phases" and not is_due(f"{workload}: {members}"):
                continue
            with self.subTest(workload=workload, members=members):
                more = f'workload = "{workload}"'
                done = self.warpcheck("run", f"{KERNEL} {members} {CHECK}", more)
                self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
                self.assertRegex(done.stderr, rf'k\.toml:3:\d+: subject "s" has a check\(\).*workload = "kernel" or "operations"')
                done = self.warpcheck("run", f"{KERNEL} {members} {CHECK}", 'workload = "kernel"')
                self.assertEqual(done.returncode, 1, done.stderr)
                self.assertIn("assertion", done.stdout)
                done = self.warpcheck("run", f"{KERNEL} {members}", more)
                self.assertNotEqual(done.returncode, 2, done.stderr)

    def test_what_is_hidden_in_final_classes_and_unions(self):
        for head in ["struct s final", "class s final", "union s"]:
            for member in ["bool check() const { return false; }", "SIMT_FN void init() {}"]:
                if head != "struct s final" and not is_due(f"{head}: {member}"):
                    continue
                with self.subTest(head=head, member=member):
                    done = self.warpcheck("run", f"public: {KERNEL} private: {member}", "", head)
                    self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
                    self.assertRegex(done.stderr, r"s\.hpp:4: error: (init|check)\(\) is not public and would not be")
            done = self.warpcheck("run", f"public: {KERNEL} bool check() const {{ return true; }}", "", head)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_what_another_member_of_its_name_hides(self):
        base = "struct b {{ {} }}; struct s : b"
        for member, hides in [("bool check() const { return false; }", "int check = 0;"),
                              ("bool check() const { return false; }", "static constexpr int check = 0;"),
                              ("bool check() const { return false; }", "using check = int;"),
                              ("SIMT_FN void init() {}", "int init = 0;"),
                              ("bool next_launch(std::uint32_t) { return false; }", "int next_launch = 0;")]:
            if hides != "int check = 0;" and not is_due(f"hidden: {hides}"):
                continue
            with self.subTest(member=member, hides=hides):
                done = self.warpcheck("run", f"{KERNEL} {hides}", "", base.format(member))
                self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
                self.assertRegex(done.stderr, r"s\.hpp:3: error: (init|check|next_launch)\(\) is not public, or .* hidden by")
                done = self.warpcheck("run", f"{KERNEL} {hides}", "", base.format(""))
                self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_what_does_not_fit_in_final_classes(self):
        check = "bool check() const { return false; }"
        for base, body in {
                f"private: {check}": "",  # not public in the base
                f"public: {check}": "",  # public in a private base
                "": "bool check(int) const { return false; } bool check() { return false; }",
                "public: SIMT_FN void init() {}": "",
                "public: ": "private: bool next_launch(std::uint32_t) { return false; }"}.items():
            if body and not is_due(f"final: {base} {body}"):
                continue
            with self.subTest(base=base, body=body):
                done = self.warpcheck("run", f"{KERNEL} {body}", "", f"class b {{ {base} }}; struct s final : private b")
                self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
                self.assertRegex(done.stderr, r"s\.hpp:\d+: error: (init|check|next_launch)\(\) is not public")


def rest_of(head):
    return "public:" if head.startswith("class") else ""


if __name__ == "__main__":
    unittest.main()
