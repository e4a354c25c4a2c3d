"""Host code of subjects that ends, crashes, never comes back, or does what it may not: each has a message that names the
subject and what of it ran, and the command goes on living. What has to be compiled alone is due by tenths, but for the
first of each kind."""

import signal
import time
import unittest

from in_a_folder import in_a_folder  # first: it says where due is
from due import is_due

BEGINNING = """#include <cstdio>
#include <cstdlib>
#include <thread>
#include <unistd.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>
#include <simt/simt.hpp>
static volatile int zero = 0;
static int* volatile nowhere = nullptr;
[[maybe_unused]] static int deep(int n) {
  volatile char room[4096];
  room[n % 4096] = 1;
  return deep(n + 1) + room[0];
}
"""

SUBJECT = """
struct {name} {{
  simt::atomic<int> value{{0}};
  {name}() {{ {constructor} }}
  SIMT_FN void operator()() {{ value.fetch_add(1); }}
  bool check() const {{ {check} return true; }}
}};
SIMT_SUBJECT({name});
"""

SCENARIO = """subject = "{name}"
source = "subject.hpp"
[grid]
lanes = 2
[[run]]
memory = "sc"
"""

SPEC = """#include <csignal>
#include <cstdlib>
#include <unistd.h>
#include <simt/spec.hpp>
{outside}
struct odd {{
  static constexpr const char* name = "odd";
  static std::vector<simt::spec::operation> operations() {{
    {operations}
    return {{{{"put", {{{{"item", simt::spec::type::value}}}}, simt::spec::type::boolean}}}};
  }}
  simt::spec::state initial() const {{ return {{}}; }}
  void apply(const simt::spec::state&, const simt::spec::call&, simt::spec::outcomes& out) const {{
    {apply}
    out.add(simt::spec::some(1), {{}});
  }}
}};
SIMT_SPEC(odd);
"""

HISTORY = """{"event": "call", "client": 0, "op": "put", "args": [1]}
{"event": "return", "client": 0, "result": true}
"""

# What host code does, and what the message says of it.
ENDS = [
    ("std::exit(0);", "ends the process, with exit status 0"),
    ("_exit(3);", "ends the process, with exit status 3"),
    ("std::abort();", "aborts"),
    ("zero = 1 / zero;", "divides by zero"),
    ("*nowhere = 1;", "accesses memory that is not there"),
    ("std::printf(\"%d\", deep(0));", "accesses memory that is not there"),
    ("__builtin_trap();", "runs into a trap"),
    ("raise(SIGKILL);", "was killed"),
    ("raise(SIGINT);", "sends a signal"),
    ("raise(SIGTERM);", "sends a signal"),
    ("raise(SIGHUP);", "is ended by signal 1"),
    ("(void)open(\"/etc/passwd\", O_RDONLY);", "opens a file"),
    ("(void)unlink(\"small.toml\");", "changes files"),
    ("(void)socket(AF_INET, SOCK_STREAM, 0);", "uses the network"),
    ("(void)std::system(\"touch made\");", "starts a thread or a process"),
    ("std::thread([] {}).join();", "starts a thread or a process"),
    ("kill(getppid(), SIGKILL);", "sends a signal"),
]


class host_code(in_a_folder):
    def subjects(self, **subjects):
        """Each a dictionary: the code of its `constructor`, of its `check`. NAME.toml runs it."""
        text = BEGINNING
        for name, codes in subjects.items():
            text += SUBJECT.format(name=name, **{"constructor": "", "check": "", **codes})
            (self.root / f"{name}.toml").write_text(SCENARIO.format(name=name))
        (self.root / "subject.hpp").write_text(text)

    def refused(self, *says, arguments=("run", "s.toml"), status=2):
        result = self.warpcheck(*arguments)
        self.assertEqual(result.returncode, status, result.stdout + result.stderr)
        for text in says:
            self.assertIn(text, result.stdout + result.stderr)
        self.assertFalse((self.root / "made").exists())
        self.assertTrue((self.root / "small.toml").exists())
        return result

    def test_that_does_nothing_wrong(self):
        self.subjects(s={"constructor": "std::printf(\"made\\n\");", "check": "std::printf(\"looked at\\n\");"})
        result = self.warpcheck("run", "s.toml", "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertNotIn("made", result.stdout)

    def test_messages_leave_the_terminal_as_it_is(self):
        (self.root / "subject.hpp").write_text(BEGINNING + r"""
struct s {
  SIMT_FN void operator()() { SAYS }
  const char* check() const { return "\x1b[31mred\xff \u20ac\ntwo"; }
};
SIMT_SUBJECT(s);
""")
        (self.root / "s.toml").write_text(SCENARIO.format(name="s"))
        shown = r"\x1b[31mred\xff €\ntwo"
        code = (self.root / "subject.hpp").read_text()
        for says in ["", r'simt::check(false, "\x1b[31mred\xff \u20ac\ntwo");']:
            with self.subTest(says):
                (self.root / "subject.hpp").write_text(code.replace("SAYS", says))
                self.refused(shown, status=1)

    def test_ends(self):
        made = {f"{where}_{i}": {where: code} for i, (code, _) in enumerate(ENDS) for where in ["constructor", "check"]}
        self.subjects(**made)
        for i, (code, says) in enumerate(ENDS):
            for where, phase in [("constructor", "the constructor"), ("check", "check()")]:
                name = f"{where}_{i}"
                with self.subTest(where + ": " + code):
                    self.refused(f'{name}.toml: {phase} of subject "{name}" {says}', arguments=("run", f"{name}.toml"))

    def test_static_constructors(self):
        for code, says in [("(std::exit(0), 1)", "ends the process"), ("(std::abort(), 1)", "aborts"),
                           ("(*nowhere = 1)", "accesses memory"), ("unlink(\"small.toml\")", "changes files")]:
            if says != "ends the process" and not is_due(f"static: {says}"):
                continue
            with self.subTest(code):
                self.subjects(s={})
                with (self.root / "subject.hpp").open("a") as file:
                    file.write(f"static int at_load = {code};\n")
                self.refused('s.toml: a static constructor of subject "s" ' + says)

    def test_what_static_constructors_print_is_no_part_of_the_report(self):
        self.subjects(s={})
        with (self.root / "subject.hpp").open("a") as file:
            file.write("[[gnu::constructor]] static void greet() { std::printf(\"made\\n\"); }\n")
        result = self.warpcheck("run", "s.toml", "--json")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertNotIn("made", result.stdout)
        self.assertEqual(result.stderr.count("made"), 1)

    def test_destructors_of_globals_do_not_run(self):
        """They would run at warpcheck's own end, and say what its exit status is."""
        self.subjects(s={"check": "return false;"})
        with (self.root / "subject.hpp").open("a") as file:
            file.write("static struct at_end { ~at_end() { _exit(0); } } object;\n")
        self.assertEqual(self.warpcheck("run", "s.toml").returncode, 1)

    def test_what_is_registered_for_the_end_does_not_run(self):
        for code in ["static int at_load = (std::atexit([] { _exit(0); }), 1);",
                     "__attribute__((destructor)) static void at_end() { _exit(0); }",
                     "__attribute__((destructor)) static void at_end() { for (;;) pause(); }"]:
            with self.subTest(code):
                self.subjects(s={"check": "return false;"})
                with (self.root / "subject.hpp").open("a") as file:
                    file.write(code + "\n")
                self.assertEqual(self.warpcheck("run", "s.toml").returncode, 1)

    def test_loops_end_by_themselves(self):
        for code in ["for (;;) usleep(1000);", "for (;;) zero = 0;"]:
            if "usleep" in code or is_due("a loop that ends by itself"):
                self.subjects(s={"check": code})
                self.refused('check() of subject "s" does not come back within 10 s')

    def test_loops_hold_the_time_limit(self):
        self.subjects(s={"check": "for (;;) zero = 0;"})
        before = time.monotonic()
        self.refused("the limit of 1 s is reached", arguments=("run", "s.toml", "--time", "1"), status=3)
        self.assertLess(time.monotonic() - before, 9)

    def test_loops_are_interrupted(self):
        for where in ["constructor", "check"]:
            for code in ["for (;;) zero = 0;", "for (;;) usleep(1000);"]:
                with self.subTest(where + code):
                    self.subjects(s={where: code})
                    self.warpcheck("run", "s.toml", "--time", "0.1")  # compiles it
                    process = self.start("run", "s.toml")
                    time.sleep(0.5)  # long before the worker's own limit
                    begin = time.monotonic()
                    process.send_signal(signal.SIGINT)
                    stdout, stderr = process.communicate(timeout=60)
                    self.assertLess(time.monotonic() - begin, 5)
                    self.assertEqual(process.returncode, 3, stdout + stderr)
                    self.assertIn("interrupted", " ".join((stdout + stderr).split()))

    def test_other_commands(self):
        self.subjects(s={"check": "std::abort();"})
        for command in ["run", "explain"]:
            self.refused('check() of subject "s" aborts', arguments=(command, "s.toml"))

    def test_other_scenarios_go_on(self):
        self.subjects(s={"check": "std::abort();"})
        result = self.refused('check() of subject "s" aborts', arguments=("run", "s.toml", "small.toml"))
        self.assertIn("2 as expected", result.stdout)

    def test_specifications(self):
        (self.root / "history.jsonl").write_text(HISTORY)
        arguments = ("history", "history.jsonl", "--spec", "odd", "--source", "odd.hpp")

        def spec(outside="", operations="", apply=""):
            (self.root / "odd.hpp").write_text(SPEC.format(outside=outside, operations=operations, apply=apply))

        spec()
        self.assertEqual(self.warpcheck(*arguments).returncode, 0)
        for where in ["operations", "apply"]:
            for code, says in [("std::exit(0);", "ends the process, with exit status 0"), ("std::abort();", "aborts"),
                               ("throw 1;", "throws"), ("raise(SIGINT);", "sends a signal"),
                               ("unlink(\"small.toml\");", "changes files")]:
                if code != "std::exit(0);" and not is_due(f"{where}: {says}"):
                    continue
                with self.subTest(where + code):
                    spec(**{where: code})
                    self.refused("odd.hpp: ", "specification", says, arguments=arguments)
        # Operations of which nothing would be checked, and which no call can hold.
        for operation, says in [
                ('{"put", {{"item", simt::spec::type::value}}, simt::spec::type::boolean, "none", {}, 0}', "has 0 steps"),
                ('{"put", {{"a", simt::spec::type::value}, {"b", simt::spec::type::value}, '
                 '{"c", simt::spec::type::value}, {"d", simt::spec::type::value}}}', "has 4 arguments; 3 are the most")]:
            with self.subTest(operation):
                spec(operations=f"if (true) return {{{operation}}};")
                self.refused('odd.hpp: specification "odd": operation "put" ' + says, arguments=arguments)
        spec(outside="static int at_load = (std::exit(0), 1);")
        self.refused("odd.hpp: a specification, while it is loaded, ends the process", arguments=arguments)
        spec(outside="static int at_load = unlink(\"small.toml\");")
        self.refused("odd.hpp: a specification, while it is loaded, changes files", arguments=arguments)


if __name__ == "__main__":
    unittest.main()
