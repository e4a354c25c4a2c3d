"""Members that the API looks for and need not find: one that is there and does not fit is an error with the place of the
subject and the form that is wanted, never something that is silently not called.

Each name that a `requires` in the API's headers asks for has to be here: in MISFITS, or in ALWAYS with the reason. Of
members of one name, the first and a tenth of the others are due, unless everything is asked for.
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(os.environ["WARPCHECK_SOURCE"]) / "tests/scenarios"))
from due import is_due  # noqa: E402

BINARY = os.environ["WARPCHECK_BINARY"]
SOURCE = pathlib.Path(os.environ["WARPCHECK_SOURCE"])
API = SOURCE / "sim/include/simt"

KERNEL = "SIMT_FN void operator()() { a.store(1); }"
LOCK = "SIMT_FN void lock() { while (a.exchange(1)) {} } SIMT_FN void unlock() { a.store(0); }"
BARRIER = "SIMT_FN void arrive_and_wait() { a.fetch_add(1); }"
SEMAPHORE = "SIMT_FN void acquire() { a.store(1); } SIMT_FN void release() { a.store(0); }"
COUNTER = "SIMT_FN void increment() { a.fetch_add(1); } SIMT_FN int read() { return a.load(); }"
SPEC = ("static constexpr const char* name = \"x\"; static std::vector<simt::spec::operation> operations() { "
        "return {{\"flip\", {}}}; } void apply(const simt::spec::state&, const simt::spec::call&, "
        "simt::spec::outcomes&) const {}")

# By name: what the message says, the rest of the type, and members of that name that do not fit.
MISFITS = {
    "init": (r"SIMT_FN void init\(\)", KERNEL, [
        "private: SIMT_FN void init() {}", "SIMT_FN void init(int) {}", "SIMT_FN bool init() { return true; }",
        "SIMT_FN void init() && {}", "void init() = delete;", "protected: int init;"]),
    "check": (r"bool check\(\) const or bool check\(const simt::launch_shape&\) const", KERNEL, [
        "bool check() { return false; }", "bool check(int) const { return false; }",
        "private: bool check() const { return false; }", "bool check(simt::launch_shape&) const { return false; }",
        "int check() const { return 1; }", "void check() const {}",
        "bool check(simt::launch_shape) { return false; }",
        "bool check(int) const { return false; } bool check() { return false; }"]),
    "check of a lock": (r"final check of a kernel.*, or of an object", LOCK, [
        "bool check() const { return false; }", "const char* check(const simt::launch_shape&) const { return \"\"; }"]),
    "one of several check()": (r"more than once", KERNEL, [
        "bool check() const { return false; } bool check(const simt::launch_shape&) const { return true; }",
        "bool check() const { return true; } bool check(const simt::launch_shape&) { return false; }",
        "bool check() const { return true; } const char* check() { return \"\"; }",
        "bool check() const { return true; } bool check() { return false; }"]),
    "next_launch": (r"bool next_launch\(std::uint32_t launch\)", KERNEL, [
        "void next_launch(std::uint32_t) {}", "private: bool next_launch(std::uint32_t) { return false; }",
        "bool next_launch() { return false; }", "int next_launch(std::uint32_t) { return 0; }"]),
    "next_launch of a lock": (r"it is for kernels", LOCK, ["bool next_launch(std::uint32_t) { return false; }"]),
    "number of a launch": (r"is for a program of several launches", "", ["SIMT_FN void operator()(std::uint32_t) { a.store(1); }"]),
    "parties": (r"SIMT_FN unsigned parties\(\)", BARRIER, [
        "private: unsigned parties() { return 1; }", "static constexpr unsigned parties = 1;",
        "unsigned parties(int) { return 1; }", "double parties() { return 1; }"]),
    "permits": (r"static constexpr int permits", SEMAPHORE, [
        "private: static constexpr int permits = 1;", "int permits() { return 1; }",
        "static constexpr const char* permits = \"1\";", "double permits = 1.5;"]),
    "operations": (r"using operations = simt::operation_list", COUNTER, [
        "private: using operations = simt::operation_list<simt::detail::simt_operation_read>;",
        "static void operations() {}"]),
    "one of the operations": (r"something among the `operations` is no operation", KERNEL, [
        "using operations = simt::operation_list<simt::detail::simt_operation_read>;",
        "void read(int*) {} using operations = simt::operation_list<simt::detail::simt_operation_read>;"]),
    "spec": (r"static constexpr const char\* spec", COUNTER, [
        "private: static constexpr const char* spec = \"counter\";", "const char* spec = \"counter\";",
        "static const char* spec() { return \"counter\"; }", "static constexpr int spec = 1;"]),
}
SPEC_MISFITS = {
    "parameters": (r"std::vector<simt::spec::parameter_of<T>> parameters\(\)", [
        "private: static std::vector<simt::spec::parameter_of<s>> parameters() { return {}; }",
        "std::vector<simt::spec::parameter_of<s>> parameters() { return {}; }"]),
    "initial": (r"simt::spec::state initial\(\) const", [
        "simt::spec::state initial() { return {1}; }", "private: simt::spec::state initial() const { return {1}; }"]),
    "part": (r"simt::spec::value part\(const simt::spec::call&\) const", [
        "simt::spec::value part(const simt::spec::call&) { return 0; }", "simt::spec::value part() const { return 0; }"]),
    "role_of": (r"simt::spec::role role_of\(", [
        "simt::spec::role role_of(const simt::spec::call&) const { return {}; }"]),
    "known_as": (r"simt::spec::family known_as", [
        "private: static constexpr simt::spec::family known_as = simt::spec::family::fifo;",
        "static constexpr int known_as = 1;", "simt::spec::family known_as() { return {}; }"]),
    "uses_clients": (r"bool uses_clients", [
        "private: static constexpr bool uses_clients = true;", "bool uses_clients() const { return true; }"]),
}

# They decide which workloads a type fits: one that does not fit is missing there, and naming the workload is an error.
OF_WORKLOADS = {"lock", "unlock", "locked", "acquire", "release", "arrive_and_wait", "doorway", "wait_turn", "NAME"}
# Of the API's own types.
INTERNAL = {"run_for_ever", "method", "fits"}

FITS = [
    KERNEL, f"{KERNEL} SIMT_FN void init() {{}} bool check() const {{ return true; }}",
    f"{KERNEL} const char* check(simt::launch_shape) const {{ return nullptr; }}",
    f"{KERNEL} bool next_launch(std::uint32_t launch) {{ return launch < 2; }}",
    f"{KERNEL} static bool check() {{ return true; }} int init = 0;", f"{KERNEL} void parties(int) {{}}",
    f"{BARRIER} unsigned char parties() const {{ return 1; }}", f"{SEMAPHORE} short permits = 1;", SEMAPHORE,
    f"{COUNTER} static constexpr const char* spec = \"counter\";", f"{KERNEL} static constexpr int operations = 3;",
    f"{KERNEL} bool check() const {{ return true; }} private: bool check(int) const {{ return true; }}",
]


def subject(body, name="s"):
    return f"#include <simt/simt.hpp>\n\nstruct {name} {{ simt::atomic<int> a{{0}}; {body} }};\nSIMT_SUBJECT({name});\n"


class optional_members(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def warpcheck(self, *arguments):
        return subprocess.run([BINARY, *map(str, arguments)], capture_output=True, text=True, timeout=600, check=False,
                              env={**os.environ, "WARPCHECK_CACHE": str(self.folder / "cache")})

    def scenario(self, header, name="s", more=""):
        file = self.folder / "k.toml"
        file.write_text(f'source = "{header.name}"\nsubject = "{name}"\n{more}\n[grid]\nlanes = 1\n[[run]]\nmemory = "sc"\n')
        return file

    def test_the_headers_ask_for_no_other_name(self):
        asked = set()
        for header in API.rglob("*.hpp"):
            if header.name == "atomic.hpp":  # `requires` of what T is, not of what it has
                continue
            text = re.sub(r"//.*", "", header.read_text())
            for found in re.finditer(r"\brequires\b[^;{]*\{((?:[^{}]|\{[^{}]*\})*)\}", text):
                asked |= set(re.findall(r"(?:\.|\b(?!std|detail|simt)\w+::)(\w+)\b(?=\s*[(;}),>]|\s+[-!=])", found[1]))
        known = OF_WORKLOADS | INTERNAL | MISFITS.keys() | SPEC_MISFITS.keys()
        self.assertEqual(asked - known, set())
        # That the expression above finds them at all.
        self.assertLessEqual({name for name in MISFITS if " " not in name} | SPEC_MISFITS.keys() | {"lock"}, asked)

    def test_a_misfit_is_an_error_at_the_subject(self):
        header = self.folder / "s.hpp"
        for name, (wanted, rest, members) in MISFITS.items():
            for member in members:
                if member != members[0] and not is_due(f"{name}: {member}"):
                    continue
                with self.subTest(name=name, member=member):
                    header.write_text(subject(f"{rest} {member}"))
                    done = self.warpcheck("run", self.scenario(header))
                    self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
                    self.assertRegex(done.stderr, rf"s\.hpp:4:1: error: .*{wanted}")
                    self.assertNotIn("subject.hpp", done.stderr)

    def test_a_misfit_of_a_specification_is_an_error_at_the_specification(self):
        header = self.folder / "spec.hpp"
        history = self.folder / "h.edn"
        history.write_text("")
        for name, (wanted, members) in SPEC_MISFITS.items():
            for member in members:
                if member != members[0] and not is_due(f"{name}: {member}"):
                    continue
                with self.subTest(name=name, member=member):
                    header.write_text(f"#include <simt/spec.hpp>\n\nstruct s {{ {SPEC} {member} }};\nSIMT_SPEC(s);\n")
                    done = self.warpcheck("history", history, "--spec", "x", "--source", header)
                    self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
                    self.assertRegex(done.stderr, rf"spec\.hpp:4:1: error: .*{wanted}")

    def test_a_subject_is_constructed_without_arguments(self):
        header = self.folder / "s.hpp"
        for members in ["explicit s(int) {}", "private: s() {}", "s() = delete;", "int& r;", "~s() = delete;"]:
            if members != "explicit s(int) {}" and not is_due(f"constructed: {members}"):
                continue
            with self.subTest(members=members):
                header.write_text(subject(f"{KERNEL} {members}"))
                done = self.warpcheck("run", self.scenario(header))
                self.assertEqual(done.returncode, 2, done.stdout + done.stderr)
                self.assertRegex(done.stderr, r"s\.hpp:4:1: error: .*constructed without arguments")
                self.assertNotIn("subject.hpp", done.stderr)

    def test_what_fits_compiles(self):
        header = self.folder / "s.hpp"
        types = "".join(f"struct s{i} {{ simt::atomic<int> a{{0}}; {body} }};\nSIMT_SUBJECT(s{i});\n"
                        for i, body in enumerate(FITS))
        # A type's own name is no member of it; of a final type and a union only what is public is seen.
        types += f"struct init {{ simt::atomic<int> a{{0}}; {KERNEL} }};\nSIMT_SUBJECT(init);\n"
        types += f"struct last final {{ simt::atomic<int> a{{0}}; {FITS[1]} }};\nSIMT_SUBJECT(last);\n"
        header.write_text(f"#include <simt/simt.hpp>\n{types}")
        for name in ("init", "last", "s10"):
            done = self.warpcheck("run", self.scenario(header, name))
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main()
