"""Calls of device code that cannot be followed: which, where, and what to do."""

import os
import pathlib
import subprocess
import tempfile
import unittest

BINARY = os.environ["WARPCHECK_BINARY"]
HEADER = "".join(f"#include <{name}>\n" for name in ["cmath", "cstdio", "cstdlib", "cstring", "thread", "simt/simt.hpp"])
SCENARIO = 'title = "x"\nsource = "x.hpp"\nsubject = "x"\n[grid]\nblocks = 1\nwarps = 1\nlanes = 1\n' \
           '[[run]]\nmemory = "sc"\nreconvergence = "its"\n'


class not_followed(unittest.TestCase):
    def message(self, before, body):
        """`before` is line 7 of the file, `body` line 11."""
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "x.hpp").write_text(
                f"{HEADER}{before}\nstruct x {{\n  int y = 8;\n  SIMT_FN void operator()() {{\n{body}\n  }}\n}};\n"
                "SIMT_SUBJECT(x);\n", encoding="utf-8")
            (folder / "x.toml").write_text(SCENARIO, encoding="utf-8")
            done = subprocess.run([BINARY, "run", "x.toml"], cwd=folder, capture_output=True, text=True, timeout=300,
                                  env=dict(os.environ, WARPCHECK_CACHE=str(folder / "cache")))
            self.assertEqual(done.returncode, 2, done.stdout)
            return done.stderr

    def test_a_function_without_a_mark(self):
        said = self.message("inline void bump(int& a) { a = a + 1; }", "bump(y);")
        self.assertIn("calls bump(int&) (x.hpp:11), which cannot be followed", said)
        self.assertIn("SIMT_FN", said)

    def test_recursion(self):
        said = self.message("constexpr int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }", "y = fib(y);")
        self.assertIn("calls fib(int) (x.hpp:", said)
        self.assertIn("not into themselves", said)

    def test_a_lambda_that_must_not_be_inlined(self):
        said = self.message("", "auto f = [&]() __attribute__((noinline)) { y = 1; }; f();")
        self.assertIn("{lambda()#1}::operator()() const (x.hpp:11)", said)

    def test_pointers_to_functions(self):
        said = self.message("", "auto f = +[](int a) { return a + 1; }; y = f(y);")
        self.assertIn("__invoke(int) (x.hpp:11)", said)

    def test_host_functions(self):
        self.assertIn("calls rand (x.hpp:11)", self.message("", "y = std::rand();"))
        said = self.message("", 'std::printf("%d", y);')
        self.assertIn("calls printf (x.hpp:11)", said)
        self.assertIn("in place of printf: simt::printf", said)

    def test_functions_of_libraries_have_the_names_of_the_source(self):
        for code, name, remedy in [
                ("y = std::sqrt(double(y));", "sqrt", "library of mathematics"),
                ("y = std::sin(double(y));", "sin", "library of mathematics"),
                ('y = std::strlen(reinterpret_cast<char*>(&y));', "strlen", "handles text"),
                ('std::puts("x");', "puts", "simt::printf"), ("std::exit(y);", "exit", "simt::check(false"),
                ("std::this_thread::yield();", "std::this_thread::yield()", "simt::nanosleep"),
                ("y = std::rand();", "rand", "simt::thread_rank()")]:
            with self.subTest(code):
                said = self.message("", code)
                self.assertIn(f"calls {name} (x.hpp:11), which", said)
                self.assertIn(f"in place of {name}: ", said)
                self.assertIn(remedy, said)

    def test_static_locals(self):
        said = self.message("SIMT_FN int some() { return simt::thread_rank(); }", "static const int a = some(); y = a;")
        self.assertIn("the initializer of a static local variable (x::operator()()::a)", said)
        self.assertIn("make it constexpr, or a member of the subject", said)
        self.assertNotIn("__cxa", said)


if __name__ == "__main__":
    unittest.main()
