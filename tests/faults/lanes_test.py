"""What lanes must not do is told with file and line, also where they do it before their first operation, and in init():
there, and behind operations, the first and a tenth of the others are due, unless everything is asked for."""

import unittest

from in_a_folder import in_a_folder  # first: it says where due is
from due import is_due

# The line that is told has `// here`.
FAULTS = {
    "division": (2, "divides by zero", "volatile int zero = 0;\nint x = 1;\nkeep(x / zero);  // here\n"),
    "trap": (2, "runs into a trap", "int x = 1;\nkeep(x);\n__builtin_trap();  // here\n"),
    "unreachable": (2, "says is never reached", "int x = q + 1;\nif (x < 9) __builtin_unreachable();  // here\nq = x;\n"),
    "no other case": (2, "says is never reached", "switch (q) {\ncase 7: keep(1); break;\n"
                      "default: __builtin_unreachable();  // here\n}\n"),
    "no value": (2, "end of a function that returns a value", "keep(some(q));\n"),
    "stack": (2, "local variables of a lane need more", "volatile char large[200000];\nvolatile int i = 7;\nlarge[i] = 1;\n"),
    "stack in a loop": (2, "local variables of a lane need more", "int large[40000];\nfor (int i = 0; i < 40000; ++i) large[i] = i;\n"
                        "keep(large[7]);\n"),
    "loop": (1, "go(es)? round for ever at", "for (int i = 0; i < 3; i = i % 2) {  // here\n}\n"),
    "new": (2, "device code calls new", "int x = 2;\nint* p = new int(x);  // here\nkeep(*p);\n"),
    "malloc": (2, "device code calls malloc", "int x = 2;\nkeep(x);\nvoid* p = std::malloc(8);  // here\nheld = p;\n"),
    "stack pointer": (2, "stores a pointer to a local variable", "int x = 2;\nheld = &x;  // here\nsimt::syncwarp();\n"),
    "barrier": (2, "numbered barriers are 0 to 15", "int x = 2;\nsimt::named_barrier_sync(99, 1);  // here\n"),
    "assertion": (1, "n == 1", "int n = 2;\nassert(n == 1);  // here\n"),
    "check": (1, "n is 1", "int n = 2;\nsimt::check(n == 1, \"n is 1\");  // here\n"),
    "null": (1, "where no memory of the device is", "int* p = nullptr;\nint x = 3;\n*p = x;  // here\n"),
    "abort": (2, r"calls abort \(s", "int x = 3;\nkeep(x);\nstd::abort();  // here\n"),
    "puts": (2, r"calls puts \(s", "int x = 3;\nstd::puts(\"x\");  // here\nkeep(x);\n"),
    "exit": (2, r"calls exit \(s", "if (simt::lane_index() == 1) {\nint x = 3;\nkeep(x);\nstd::exit(x);  // here\n}\n"),
    "pointer": (2, r"through a pointer \(s", "auto f = table;\nf(3);  // here\n"),
    "not inlined": (2, r"calls helper\(int\) \(s", "int x = 3;\nkeep(x);\nhelper(x);  // here\n"),
}

SOURCE = """#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <simt/simt.hpp>
[[gnu::noinline]] inline int helper(int x) { return x; }
inline void (*table)(int) = nullptr;
#pragma clang diagnostic ignored "-Wreturn-type"
SIMT_FN int some(int x) { if (x > 8) return 7; }
struct s {
  void* held = nullptr;
  int q = 0;
  SIMT_FN void keep(int x) { q = x; }
  SIMT_FN void operator()() {
%s
  }
  SIMT_FN void init() {
%s
  }
};
SIMT_SUBJECT(s);
"""


class lanes(in_a_folder):
    def judge(self, name, body, init, options):
        status, says, _ = FAULTS[name]
        text = SOURCE % (body, init)
        (self.root / "s.hpp").write_text(text)
        (self.root / "s.toml").write_text('source = "s.hpp"\nsubject = "s"\n[grid]\nlanes = 2\n[[run]]\nmemory = "sc"\n' + options)
        result = self.warpcheck("run", "s.toml")
        said = " ".join((result.stdout + result.stderr).split())
        self.assertEqual(result.returncode, status, said)
        self.assertRegex(said, says)
        lines = text.split("\n")
        here = [i for i, line in enumerate(lines, 1) if "// here" in line]
        # The frame of a body is made where it begins: any line of it.
        if name == "no value":
            here = [i for i, line in enumerate(lines, 1) if "int some(" in line]
        places = here or range(lines.index("  SIMT_FN void operator()() {"), len(lines))
        self.assertTrue(any(f"s.hpp:{line}" in said for line in places), said)

    def test_before_the_first_operation(self):
        for name, (_, _, body) in FAULTS.items():
            for options in ["", 'reconvergence = "stack"\n']:
                with self.subTest(name, options=options):
                    self.judge(name, body, "", options)

    def test_behind_operations(self):
        for name, (_, _, body) in FAULTS.items():
            if name != "division" and not is_due(f"{name}, behind operations"):
                continue
            with self.subTest(name):
                self.judge(name, "q = 1;\nsimt::syncwarp();\n" + body, "", "")

    def test_init_that_does_not_end(self):
        for body, says in [
                ("while (q == 0) simt::nanosleep(8);", "has not ended after 100000 operations"),
                ("for (int i = 0; i < 200000; ++i) keep(i);", "has not ended after 100000 operations"),
                ("for (int i = 0; i < 3; i = i % 2) {\n}", "goes round here for ever"),
                ("simt::syncthreads();", "waits for other threads"), ("simt::syncwarp();", "waits for other threads")]:
            with self.subTest(body):
                (self.root / "s.hpp").write_text(SOURCE % ("", body))
                (self.root / "s.toml").write_text('source = "s.hpp"\nsubject = "s"\n[grid]\nlanes = 2\n[[run]]\nmemory = "sc"\n')
                result = self.warpcheck("run", "s.toml")
                self.assertEqual(result.returncode, 2, result.stdout)
                self.assertRegex(result.stderr, rf"init\(\) {says}.*\(s\.hpp:\d+\)")

    def test_in_init(self):
        for name, (_, _, body) in FAULTS.items():
            if name not in ("assertion", "check", "null", "barrier", "exit", "loop") and (
                    name == "division" or is_due(f"{name}, in init")):
                with self.subTest(name):
                    self.judge(name, "", body, "")

    def test_a_body_that_only_ends(self):
        """The compiler's instrumentation passes over a function that is one block without return."""
        (self.root / "s.hpp").write_text("#include <cstdlib>\n#include <simt/simt.hpp>\nstruct s {\n  int q = 0;\n"
                                         "  SIMT_FN void arrive_and_wait() {\n    q = 1;\n    std::abort();\n  }\n};\n"
                                         "SIMT_SUBJECT(s);\n")
        (self.root / "s.toml").write_text('source = "s.hpp"\nsubject = "s"\nworkload = "phases"\n[grid]\nlanes = 2\n'
                                          '[[run]]\nmemory = "sc"\n')
        result = self.warpcheck("run", "s.toml")
        self.assertEqual(result.returncode, 2, result.stdout + result.stderr)
        self.assertIn("calls abort (s.hpp:7)", result.stderr)


if __name__ == "__main__":
    unittest.main()
