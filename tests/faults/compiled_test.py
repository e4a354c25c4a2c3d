"""Sources that compile and cannot be used, and what is kept of those that can: damaged, or in other people's hands. Of
what differs in the text alone, the first and a tenth of the others are due, unless everything is asked for."""

import os
import unittest

from in_a_folder import in_a_folder  # first: it says where due is
from due import is_due

KERNEL = "struct wrong { int q = 0; SIMT_FN void operator()() { q = 1; %s } %s };\n"
SUBJECT = "SIMT_SUBJECT(wrong);\n"
SPEC = """#include <simt/spec.hpp>
%s
struct x {
  static constexpr const char* name = "x";
  static std::vector<simt::spec::operation> operations() { return {{"flip", {}}}; }
  void apply(const simt::spec::state&, const simt::spec::call&, simt::spec::outcomes& out) const {
    %s
    out.add(simt::spec::some(0), {});
  }
};
%s
"""

# By what is missing: lines before the type, in its operator, among its members; the name, and the line that is named.
UNDEFINED = {
    "a variable": ("extern int ext;", "ext++;", "", "ext", 3),
    "a variable of C": ('extern "C" int ext;', "q = ext;", "", "ext", 3),
    "a variable for each thread": ("extern thread_local int ext;", "q = ext;", "", "ext", 2),
    "a variable that only host code uses": ("extern int ext;", "", "bool check() const { return ext == 0; }", "ext", 3),
    "a function": ("namespace other { int f(int); }", "q = other::f(2);", "", r"other::f\(int\)", 3),
    "a function of C": ('extern "C" int f(int);', "q = f(2);", "", "f", 3),
    "an inline function": ("inline int f(int);", "q = f(2);", "", r"f\(int\)", 3),
    "a template": ("template <class T> T f(T);", "q = f(2);", "", r"int f<int>\(int\)", 3),
    "a function of the host": ("int f();", "", "bool check() const { return f(); }", r"f\(\)", 3),
    "a member function": ("", "step();", "SIMT_FN void step();", r"wrong::step\(\)", 3),
    "a member function that the API calls": ("", "", "SIMT_FN void init();", r"wrong::init\(\)", 3),
    "a final check": ("", "", "bool check() const;", r"wrong::check\(\) const", 3),
    "a static member": ("", "count++;", "static int count;", "wrong::count", 3),
    "a virtual function": ("struct base { virtual void f(); virtual void g() {} };", "", "base b;", "vtable for base", 2),
}


# By what is wrong: the text behind the header of the API, the line that is named, and what the message says. None of
# these names a file of the API, or has the linker's or the assembler's words.
TYPE = "struct s { int q = 0; SIMT_FN void operator()() { q = 1; } };\n"
MISUSES = {
    "a class template": ("template <class T>\n" + TYPE + "SIMT_SUBJECT(s);", 4, "all its template arguments"),
    "a class template with defaults": ("template <int N = 3>\n" + TYPE + "SIMT_SUBJECT(s);", 4, "all its template arguments"),
    "an alias template": (TYPE + "template <int N> using other = s;\nSIMT_SUBJECT(other);", 4, "all its template arguments"),
    "a parameter of a template": ("template <class T>\n" + TYPE + "SIMT_SUBJECT(s<T>);", 4, "all its template arguments"),
    "too few arguments": ("template <int N>\n" + TYPE + "SIMT_SUBJECT(s<>);", 4, "all its template arguments"),
    "a variable": (TYPE + "inline s object;\nSIMT_SUBJECT(object);", 4, "takes a type"),
    "a function": ("SIMT_FN void f() {}\nSIMT_SUBJECT(f);", 3, "takes a type"),
    "a text": (TYPE + "SIMT_SUBJECT(\"s\");", 3, "takes a type"),
    "a namespace": ("namespace n {}\nSIMT_SUBJECT(n);", 3, "takes a type"),
    "a name that is not there": (TYPE + "SIMT_SUBJECT(t);", 3, "takes a type"),
    "a type that is only declared": ("struct s;\nSIMT_SUBJECT(s);", 3, "behind the definition"),
    "in a function": ("inline void f() {\n" + TYPE + "SIMT_SUBJECT(s);\n}", 4, "at namespace scope"),
    "large global variables": ("int a[1 << 30];\nint b;\n" + TYPE.replace("q = 1", "a[q] = b") + "SIMT_SUBJECT(s);", None,
                               "global variables are too large"),
}
for name, code in {"PTX": '"mov.u32 %0, %%laneid;" : "=r"(q)', "a fence in PTX": '"membar.gl;" ::: "memory"',
                   "PTX that loads": '"ld.global.u32 %0, [%1];" : "=r"(q) : "l"(&q)', "a barrier in PTX": '"bar.sync 0;"',
                   "a red in PTX": '"red.global.add.u32 [%0], 1;" :: "l"(&q)'}.items():
    MISUSES[name] = (TYPE.replace("q = 1", f"\nasm volatile({code})") + "SIMT_SUBJECT(s);", 3, "does not know PTX")
for name, (before, inside) in {
        "a table": ("constexpr int t[4] = {1, 2, 3, 4};", "q = t[4]"),
        "a table, in front": ("constexpr int t[4] = {1, 2, 3, 4};", "q = t[-1]"),
        "a table of zeros": ("constexpr int t[4] = {};", "q = t[100]"),
        "a table through a function": ("constexpr int t[4] = {1, 2, 3, 4};\nSIMT_FN int at(int i) { return t[i]; }", "q = at(4)"),
        "a table, in a condition": ("constexpr int t[4] = {1, 2, 3, 4};", "if (t[6]) q = 1"),
        "a table, in a loop": ("constexpr int t[4] = {1, 2, 3, 4};", "while (t[6] != 3) q = 1"),
        "a table, as an argument": ("constexpr int t[4] = {1, 2, 3, 4};", "simt::nanosleep(t[5])"),
        "a table of const": ("const long t[2] = {1, 2};", "q = int(t[2])"),
        "a table in the function": ("", "constexpr int t[4] = {1, 2, 3, 4}; q = t[7]"),
        "a table of two dimensions": ("constexpr int t[2][2] = {{1, 2}, {3, 4}};", "q = t[2][0]"),
        "a std::array": ("#include <array>\nconstexpr std::array<int, 4> t = {1, 2, 3, 4};", "q = t[4]"),
        "a member of a struct": ("struct p { int a[2]; };\nconstexpr p t = {{1, 2}};", "q = t.a[2]"),
        "a shift": ("", "q = 1 << (30 + sizeof(int))")}.items():
    lines = 3 if "at(int i)" in before else 4 + before.count("\n") if "nanosleep" not in inside else None
    MISUSES[name] = (f"{before}\n" + TYPE.replace("q = 1;", f"\n{inside};") + "SIMT_SUBJECT(s);", lines, "a value here is undefined")


class compiled(in_a_folder):
    def test_misuses(self):
        for number, (what, (text, line, says)) in enumerate(MISUSES.items()):
            if not (number == 0 or what in ("PTX", "a table", "a std::array") or is_due(what)):
                continue
            with self.subTest(what):
                (self.root / "wrong.hpp").write_text(f"#include <simt/simt.hpp>\n{text}\n")
                said = self.refused("run", "own.toml")
                self.assertRegex(said, says)
                self.assertRegex(said, rf"wrong\.hpp:{line}\b" if line else r"wrong\.hpp: error")
                self.assertNotRegex(said, r"include/simt|relocation|<inline asm>|register_type|type_traits")

    def test_tables_within_their_bounds(self):
        (self.root / "wrong.hpp").write_text(
            "#include <array>\n#include <simt/simt.hpp>\nconstexpr int t[4] = {1, 2, 3, 4};\n"
            "constexpr std::array<int, 2> u = {1, 2};\nconst int* const end = t + 4;\n"
            "template <int I> SIMT_FN int sum() { if constexpr (I < 4) return t[I] + sum<I + 1>(); else return 0; }\n"
            "struct wrong { int q = 0; SIMT_FN void operator()() { if (simt::lane_index() == 0) { int n = 0; "
            "for (const int* p = t; p != end; ++p) n += *p; for (int v : u) n += v; bool more = false; if (more) n += t[9]; "
            "q = n + sum<0>() + t[3] + u[1]; } }\n"
            "bool check() const { return q == 10 + 3 + 10 + 4 + 2; } };\nSIMT_SUBJECT(wrong);\n")
        result = self.warpcheck("run", "own.toml")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    def test_a_file_that_the_assembler_reads_belongs_to_the_subject(self):
        table = self.root / "table.bin"
        (self.root / "wrong.hpp").write_text(
            "#include <simt/simt.hpp>\n"
            f'asm(".section .rodata\\ntable: .incbin \\"{table}\\"\\n.previous");\nextern const char table[] asm("table");\n'
            "struct wrong { int q = 0; SIMT_FN void operator()() { if (simt::lane_index() == 0) q = 1; } "
            "bool check() const { return table[0] == '1'; } };\nSIMT_SUBJECT(wrong);\n")
        for text, status in [("1", 0), ("2", 1), ("1", 0)]:
            table.write_text(text)
            result = self.warpcheck("run", "own.toml")
            self.assertEqual(result.returncode, status, result.stdout + result.stderr)

    def write(self, before, inside, members, after=SUBJECT):
        text = f"#include <simt/simt.hpp>\n{before}\n{KERNEL % (inside, members)}{after}"
        (self.root / "wrong.hpp").write_text(text)

    def refused(self, *arguments, **options):
        result = self.warpcheck(*arguments, **options)
        self.assertEqual(result.returncode, 2, result.stdout + result.stderr)
        return result.stderr

    def test_names_that_nobody_defines(self):
        for number, (what, (before, inside, members, name, line)) in enumerate(UNDEFINED.items()):
            with self.subTest(what):
                self.write(before, inside, members)
                for command in ["run", "explain"]:
                    if not (number == 0 or is_due(f"{command}: {what}")):
                        continue
                    said = self.refused(command, "own.toml")
                    self.assertRegex(said, rf'wrong\.hpp:{line}: error: "{name}" is declared and used, but defined')
                    self.assertEqual(said.count("error:"), 1, said)

    def test_device_code_that_the_api_calls_and_that_is_not_marked(self):
        for function in ["void init() { q = 2; }", "void operator()() { q = 2; }"]:
            with self.subTest(function):
                marked = "SIMT_FN void operator()() {} " if "init" in function else ""
                (self.root / "wrong.hpp").write_text(
                    f"#include <simt/simt.hpp>\nstruct wrong {{ int q = 0; {marked}\n{function} }};\n{SUBJECT}")
                said = self.refused("run", "own.toml")
                self.assertRegex(said, r'device code of "wrong" calls wrong::(init|operator\(\))\(\) \(wrong\.hpp:3\)')
                self.assertIn("SIMT_FN", said)

    def test_all_names_that_nobody_defines(self):
        self.write("extern int a, b;", "q = a;\nq = b;", "")
        self.assertRegex(self.refused("run", "own.toml"), r'(?s)wrong\.hpp:3: error: "a" .*wrong\.hpp:4: error: "b" ')

    def test_names_of_libraries_are_defined(self):
        self.write("#include <cmath>\n#include <string>\n#include <vector>\n#include <iostream>", "",
                   "bool check() const { std::vector<std::string> v(3); std::cerr << std::cos(q + 0.0) << v.size();"
                   " thread_local std::string t; return t.empty(); }")
        result = self.warpcheck("run", "own.toml")
        self.assertEqual(result.returncode, 1, result.stderr)  # a race

    def test_sources_without_a_subject(self):
        for text in ["", "\n", "// SIMT_SUBJECT(wrong);\n", "#include <simt/simt.hpp>\n", "int x = 3;\n",
                     "#include <simt/simt.hpp>\n#if 0\nSIMT_SUBJECT(wrong);\n#endif\n",
                     f"#include <simt/simt.hpp>\n{KERNEL % ('', '')}", SPEC % ("", "", "SIMT_SPEC(x);")]:
            with self.subTest(text):
                (self.root / "wrong.hpp").write_text(text)
                for command in ["run", "explain"]:
                    if not (text == "" or is_due(f"{command}: {text}")):
                        continue
                    said = self.refused(command, "own.toml")
                    self.assertIn("wrong.hpp: error: there is no subject in it: add SIMT_SUBJECT(type);", said)

    def test_ptx(self):
        arguments = ("hardware", "own.toml", "--prepare", "ptx", "--reconvergence", "stack")
        (self.root / "own.toml").write_text((self.root / "own.toml").read_text() + 'reconvergence = "stack"\n')
        self.write("extern int ext;", "ext++;", "SIMT_FN void init();")
        said = self.refused(*arguments)
        self.assertRegex(said, r'(?s)wrong\.hpp:2: error: "ext" is declared.*wrong\.hpp:3: error: "wrong::init\(\)"')
        (self.root / "wrong.hpp").write_text("")
        self.assertIn("wrong.hpp: error: there is no subject in it", self.refused(*arguments))

    def test_a_subject_of_another_name(self):
        (self.root / "wrong.hpp").rename(self.root / "wrong.cpp")
        (self.root / "own.toml").write_text('source = "wrong.cpp"\nsubject = "right"\n[grid]\nlanes = 2\n[[run]]\nmemory = "sc"\n')
        self.assertRegex(self.refused("run", "own.toml"), r'own\.toml:2:\d+: there is no subject "right" here; .*wrong')

    def test_specifications(self):
        (self.root / "h.edn").write_text("")
        spec = self.root / "spec.hpp"
        arguments = ("history", "h.edn", "--spec", "x", "--source", "spec.hpp")
        for text in ["", "// SIMT_SPEC(x);\n", SPEC % ("", "", "")]:
            spec.write_text(text)
            self.assertIn("spec.hpp has no specification: add SIMT_SPEC(type);", self.refused(*arguments))
        for before, inside, name, line in [("extern int ext;", "(void)++ext;", "ext", 7), ("int f();", "f();", r"f\(\)", 7)]:
            spec.write_text(SPEC % (before, inside, "SIMT_SPEC(x);"))
            self.assertRegex(self.refused(*arguments), rf'spec\.hpp:{line}: error: "{name}" is declared and used, but')


class kept(in_a_folder):
    def setUp(self):
        super().setUp()
        self.cache = self.root / "cache"
        self.judge()
        (self.object,) = self.cache.glob("*.so")

    def judge(self, **options):
        """That own.toml is run, and has its verdict."""
        result = self.warpcheck("run", "own.toml", **options)
        self.assertEqual((result.returncode, result.stderr), (1, ""), result.stdout)
        self.assertIn("assertion", result.stdout)

    def judge_refused(self, what):
        result = self.warpcheck("run", "own.toml")
        self.assertEqual(result.returncode, 2, result.stdout + result.stderr)
        self.assertRegex(result.stderr, what)
        self.assertIn("WARPCHECK_CACHE", result.stderr)

    def test_a_folder_in_the_place_of_a_file(self):
        name = self.object.name
        self.object.unlink()
        self.object.mkdir()
        result = self.warpcheck("run", "own.toml")
        self.assertEqual(result.returncode, 2, result.stdout + result.stderr)
        self.assertIn(f"{name}, a compiled subject, cannot be written: a folder is in its place; remove that", result.stderr)
        self.object.rmdir()
        self.judge()

    def test_it_is_used_as_it_is(self):
        written = self.object.stat()
        self.judge()
        self.assertEqual((self.object.stat().st_mtime_ns, self.object.stat().st_ino), (written.st_mtime_ns, written.st_ino))

    def test_what_is_damaged_is_made_anew(self):
        whole = self.object.read_bytes()
        half = len(whole) // 2
        damaged = {"nothing": b"", "a byte": b"x", "its head": whole[:64], "its half": whole[:half], "cut short": whole[:-1],
                   "without its end": whole[:-46], "something behind it": whole + b"\n", "zeros": b"\0" * len(whole)}
        for where, at in {"begin": 0, "head": 0x18, "first table": 0x40, "middle": half, "end": len(whole) - 1,
                          "50 before its end": len(whole) - 50, "20 before its end": len(whole) - 20}.items():
            damaged[f"a bit: {where}"] = whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1:]
        for name, content in damaged.items():
            if name not in ("nothing", "its half", "a bit: middle") and not is_due(name):
                continue
            self.object.write_bytes(content)
            self.judge()
            again = self.object.read_bytes()
            self.assertNotEqual(again, content)
            self.assertEqual(len(again), len(whole))

    def test_one_is_not_taken_for_another(self):
        text = (self.root / "wrong.hpp").read_text()
        (self.root / "wrong.hpp").write_text(text.replace("== 2", "== 1"))
        self.warpcheck("run", "own.toml")
        (other,) = set(self.cache.glob("*.so")) - {self.object}
        (self.root / "wrong.hpp").write_text(text)
        self.object.write_bytes(other.read_bytes())
        self.judge()

    def test_specifications_are_looked_at_as_well(self):
        (self.root / "h.edn").write_text("")
        (self.root / "spec.hpp").write_text(SPEC % ("", "", "SIMT_SPEC(x);"))
        arguments = ("history", "h.edn", "--spec", "x", "--source", "spec.hpp")
        self.assertEqual(self.warpcheck(*arguments).returncode, 0)
        (made,) = self.cache.glob("spec-*.so")
        made.write_bytes(made.read_bytes()[:5000])
        self.assertEqual(self.warpcheck(*arguments).returncode, 0)
        made.chmod(0o777)
        self.assertIn("others may write", self.warpcheck(*arguments).stderr)

    def test_others_may_not_write_to_it(self):
        for mode in [0o666, 0o664, 0o777, 0o602]:
            self.object.chmod(mode)
            self.judge_refused(rf"{self.object.name}: others may write to this")
        self.object.unlink()
        self.judge()

    def test_others_may_not_write_to_the_folder(self):
        for mode in [0o777, 0o775, 0o1777]:
            self.cache.chmod(mode)
            self.judge_refused(r"cache: others may write to this folder")
        self.cache.chmod(0o700)
        self.judge()

    def test_what_is_made_is_for_the_user_alone(self):
        before = os.umask(0)
        try:
            for folder in [self.root / "other", self.root / "deep/er"]:
                environment = {**self.environment, "WARPCHECK_CACHE": str(folder)}
                self.judge(env=environment)
                self.judge(env=environment)
                for each in [folder, *folder.glob("*.so")]:
                    self.assertEqual(each.stat().st_mode & 0o022, 0, each)
        finally:
            os.umask(before)

    def test_it_belongs_to_the_user(self):
        if os.geteuid() != 0:
            self.skipTest("only root can give files away")
        os.chown(self.object, 65534, 65534)
        self.judge_refused(rf"{self.object.name}: this compiled subject belongs to user ")
        self.object.unlink()
        os.chown(self.cache, 65534, 65534)
        self.judge_refused(r"cache: this folder .* belongs to user ")


if __name__ == "__main__":
    unittest.main()
