"""Kernels of CUDA and PTX: the command `check`, scenarios with a [kernel], and mistakes in both."""

import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

BINARY = os.environ["WARPCHECK_BINARY"]
EXAMPLES = pathlib.Path(os.environ["WARPCHECK_SOURCE"]) / "examples" / "cuda"
LAUNCH = ["--block", "3", "--buffer", "counter=1:s32", "--arg", "counter"]
SCENARIO = """
[kernel]
file = "ticket.ptx"

[launch]
grid  = 1
block = [3]
args  = ["counter"]

[buffers]
counter = "1:s32"

[[run]]
reconvergence = "its"
memory = "ptx"
expect = "race"
expect_violations = ["race"]
"""


def has_nvcc():
    return shutil.which("nvcc") is not None or pathlib.Path("/usr/local/cuda/bin/nvcc").is_file()


# A function that takes a lock and that the compiler has inlined at two places of a kernel.
INLINED = """.version 7.5
.target sm_90
.address_size 64
.visible .entry twice(.param .u64 lock) {
  .reg .pred %p<3>;
  .reg .b32 %r<7>;
  .reg .b64 %rd<3>;
  .loc 1 7 0
  ld.param.u64 %rd1, [lock];
  cvta.to.global.u64 %rd2, %rd1;
$L_first:
  .loc 1 8 3
  .loc 1 3 3, function_name $L__info_string0, inlined_at 1 8 3
  .loc 2 202 3, function_name $L__info_string1, inlined_at 1 3 3
  atom.global.cas.b32 %r3, [%rd2], 0, 1;
  setp.ne.s32 %p1, %r3, 0;
  .loc 1 3 3, function_name $L__info_string0, inlined_at 1 8 3
  @%p1 bra $L_first;
$L_second:
  .loc 1 9 3
  .loc 1 3 3, function_name $L__info_string0, inlined_at 1 9 3
  .loc 2 202 3, function_name $L__info_string1, inlined_at 1 3 3
  atom.global.cas.b32 %r6, [%rd2], 0, 1;
  setp.ne.s32 %p2, %r6, 0;
  .loc 1 3 3, function_name $L__info_string0, inlined_at 1 9 3
  @%p2 bra $L_second;
  .loc 1 10 1
  ret;
}
  .file 1 "/nowhere/twice.cu"
  .file 2 "/usr/local/cuda/targets/x86_64-linux/include/HEADER"
  .section .debug_str
  {
$L__info_string0:
.b8 95,90,52,116,97,107,101,80,105,0
$L__info_string1:
.b8 95,90,52,103,105,118,101,80,105,0
  }
"""


class check(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)
        shutil.copy(EXAMPLES / "ticket.ptx", self.folder)

    def run_in_folder(self, *arguments, status):
        done = subprocess.run([BINARY, *arguments], cwd=self.folder, capture_output=True, text=True, timeout=300,
                              env=dict(os.environ, WARPCHECK_CACHE=str(self.folder / "cache")))
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def scenario(self, old="", new=""):
        assert old in SCENARIO
        (self.folder / "ticket.toml").write_text(SCENARIO.replace(old, new), encoding="utf-8")

    def test_a_kernel_of_ptx(self):
        said = self.run_in_folder("check", "ticket.ptx", *LAUNCH, status=1)
        self.assertIn("[its, sc, fair]", said)
        self.assertIn("[its, ptx, fair]", said)
        self.assertIn("`counter", said)
        self.assertIn("ticket.cu:15", said)
        self.assertIn("w0.l0 is thread (0,0,0) of block (0,0,0)", said)

    def test_without_arguments_parameters_get_the_buffers(self):
        said = self.run_in_folder("check", "ticket.ptx", *LAUNCH[:-2], status=1)
        self.assertIn("ticket.cu:15", said)
        said = self.run_in_folder("check", "ticket.ptx", *LAUNCH[:-2], "--buffer", "more=1:s32", status=2)
        self.assertIn("the kernel has 1 parameter and gets 0 arguments and 2 buffers", said)

    def test_names_of_kernels(self):
        text = (self.folder / "ticket.ptx").read_text(encoding="utf-8")
        for mangled, names in [
                ("_Z2tkIiEvPT_", ["void tk<int>(int*)", "void tk<int>", "tk<int>(int*)", "tk<int>", "tk"]),
                ("_ZN2ns2tkIiEEvPT_", ["void ns::tk<int>(int*)", "ns::tk<int>", "ns::tk", "tk<int>", "tk"]),
                ("_ZN12_GLOBAL__N_12tkEPi", ["(anonymous namespace)::tk(int*)", "(anonymous namespace)::tk", "tk"])]:
            (self.folder / "named.ptx").write_text(text.replace("_Z5countPi", mangled), encoding="utf-8")
            for name in names:
                with self.subTest(mangled=mangled, name=name):
                    self.run_in_folder("check", "named.ptx", *LAUNCH, "--kernel", name, status=1)
            self.assertIn("no such kernel", self.run_in_folder("check", "named.ptx", *LAUNCH, "--kernel", "k", status=2))

    def test_textures_are_named_whatever_the_arguments(self):
        text = (self.folder / "ticket.ptx").read_text(encoding="utf-8")
        at = text.rindex("ret;")
        text = text[:at] + "tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%rd1, {%r1}];\n" + text[at:]
        (self.folder / "tex.ptx").write_text(text, encoding="utf-8")
        self.assertIn("a texture or a surface", self.run_in_folder("check", "tex.ptx", status=2))

    def test_reconvergence_before_volta(self):
        said = self.run_in_folder("check", "ticket.ptx", *LAUNCH, "--reconvergence", "stack", "--memory", "sc", status=1)
        self.assertIn("simt-deadlock", said)

    def test_a_kernel_of_cuda(self):
        if not has_nvcc():
            self.skipTest("there is no nvcc")
        shutil.copy(EXAMPLES / "ticket_fixed.cu", self.folder)
        said = self.run_in_folder("check", "ticket_fixed.cu", *LAUNCH, status=0)
        self.assertIn("2 runs: 2 as expected", said)

    def test_a_list(self):
        said = self.run_in_folder("check", "ticket.ptx", "--list", status=0)
        self.assertIn("count(int*)", said)
        self.assertIn("parameter 0: u64", said)
        self.assertIn("can be checked", said)
        self.assertIn("a launch to begin with: --grid 1 --block 4 --buffer p0=4:s32 --arg p0\n", said)

    def test_lines_of_inlined_functions_have_their_callers(self):
        file = self.folder / "twice.ptx"
        file.write_text(INLINED.replace("HEADER", "device_atomic_functions.hpp"))
        launch = ["--block", "1", "--buffer", "lock=1:s32", "--memory", "sc"]
        said = " ".join(self.run_in_folder("check", "twice.ptx", *launch, status=1).split())
        self.assertIn("w0.l0 spins at twice.cu:3 until `lock[0]` is 0.", said)
        self.assertIn("twice.cu:3 (take) is called at twice.cu:8 and at twice.cu:9.", said)
        self.assertNotIn("leads to", said)
        # Without an inlined function of the user's, the way into a library is told.
        text = INLINED.replace("HEADER", "cooperative_groups.h")
        text = re.sub(r"  .loc 1 3 3, function_name .* 1 ([89]) 3\n", r"  .loc 1 3 3\n", text)
        file.write_text(text)
        said = " ".join(self.run_in_folder("check", "twice.ptx", *launch, status=1).split())
        self.assertIn("twice.cu:3 leads to cooperative_groups.h:202.", said)

    def test_a_kernel_alone_gets_a_launch_to_begin_with(self):
        said = self.run_in_folder("check", "ticket.ptx", status=2)
        self.assertIn("the kernel has 1 parameter and gets 0 arguments", said)
        (command,) = re.findall(r"^  warpcheck (.*)$", said, re.MULTILINE)
        said = self.run_in_folder(*command.split(), status=1)
        self.assertIn("`p0[0]`", said)

    def test_launches_to_begin_with(self):
        """Numbers, qualifiers, and what has no launch to begin with."""
        head = ".version 7.5\n.target sm_90\n.address_size 64\n"
        cases = {"_Z10accumulatePfPiPKfi": ("u64 u64 u64 u32", "--grid 1 --block 4 --buffer p0=4:f32 --buffer p1=4:s32 "
                                            "--buffer p2=4:f32 --arg p0 --arg p1 --arg p2 --arg 4"),
                 "_Z1fPVjdP4node": ("u64 f64 u64", "--grid 1 --block 4 --buffer p0=4:u32 --buffer p2=4:b64 "
                                    "--arg p0 --arg 4 --arg p2"),
                 "_Z1g4node": ("u64", None), "plain": ("u64", None)}
        for name, (parameters, launch) in cases.items():
            with self.subTest(kernel=name):
                given = ", ".join(f".param .{each} p{i}" for i, each in enumerate(parameters.split()))
                (self.folder / "one.ptx").write_text(f"{head}.visible .entry {name}({given}) {{ ret; }}\n")
                said = self.run_in_folder("check", "one.ptx", "--list", status=0)
                self.assertEqual("a launch to begin with" in said, launch is not None)
                if launch:
                    self.assertIn(f"a launch to begin with: {launch}\n", said)
                    self.run_in_folder("check", "one.ptx", *launch.split(), status=0)

    def test_a_scenario_and_its_counterexample(self):
        self.scenario()
        said = self.run_in_folder("run", "ticket.toml", "--counterexamples", "found", status=0)
        self.assertIn("race", said)
        saved = self.folder / "found" / "ticket-its-ptx-fair-race.json"
        self.assertEqual(json.loads(saved.read_text())["scenario"]["kernel"]["file"], "ticket.ptx")
        shutil.copy(self.folder / "ticket.ptx", self.folder / "found")
        self.assertIn("race", self.run_in_folder("replay", str(saved), status=0))

    def test_explain(self):
        self.scenario()
        said = self.run_in_folder("explain", "ticket.toml", status=0)
        self.assertIn("count(int*)", said)
        self.assertIn("1 block, each with 1 warp of 3 lanes", said)

    def test_mistakes_of_scenarios(self):
        for old, new, said in [
                ('file = "ticket.ptx"', 'file = "absent.ptx"', "ticket.toml:3:8: there is no file \"absent.ptx\""),
                ('file = "ticket.ptx"', "", "[kernel] has no \"file\""),
                ("[kernel]\nfile = \"ticket.ptx\"", "", "belongs to a [kernel], which is missing"),
                ('args  = ["counter"]', 'args = ["counter", 1]', "the kernel has 1 parameter and gets 2 arguments"),
                ('args  = ["counter"]', 'args = ["count"]', "there is no buffer \"count\"; there is counter"),
                ("block = [3]", "block = [2000]", "a block of 2000 threads; CUDA allows 1024"),
                ('"1:s32"', '"1:int"', "types are u8"), ('"1:s32"', '"1:s32:x y"', "cannot be read"),
                ("block = [3]", "blocks = 3", "blocks"),
                ("[buffers]", 'workload = "counter"\n[buffers]', "workload")]:
            with self.subTest(new):
                self.scenario(old, new)
                self.assertIn(said, self.run_in_folder("run", "ticket.toml", status=2))

    def test_mistakes_of_the_command_line(self):
        for arguments, said in [
                ([], "check needs a .cu or .ptx file"), (["absent.cu"], "there is no file absent.cu"),
                (["ticket.ptx", "--kernel", "absent"], "has no such kernel"),
                (["ticket.ptx", "--buffer", "4:u32"], "has no name"),
                (["ticket.ptx", "--grid", "0", *LAUNCH], "--grid"),
                (["ticket.ptx", *LAUNCH[:-1], "counter+"], "is not understood")]:
            with self.subTest(arguments):
                self.assertIn(said, self.run_in_folder("check", *arguments, status=2))

    def test_text_that_is_no_ptx(self):
        (self.folder / "broken.ptx").write_text(".version 8.0\n.target sm_90\n.address_size 64\n.entry k(", "utf-8")
        self.assertIn("broken.ptx:4:", self.run_in_folder("check", "broken.ptx", status=2))

    def test_reports_name_variables_as_the_source_does(self):
        (self.folder / "names.ptx").write_text(
            ".version 8.0\n.target sm_80\n.address_size 64\n.global .align 4 .u32 next_ticket;\n"
            ".visible .entry k()\n{\n\t.reg .b32 %r<9>;\n\t.shared .align 4 .b8 tile[64];\n"
            "\tmov.u32 %r1, %tid.x;\n\tst.shared.u32 [tile+8], %r1;\n\tst.global.u32 [next_ticket], %r1;\n"
            "\tret;\n}\n")
        said = self.run_in_folder("check", "names.ptx", "--block", "2", "--memory", "sc", status=1)
        self.assertIn("`tile[2]` is written", said)
        self.assertNotIn("kernel_shared", said)
        text = (self.folder / "names.ptx").read_text().replace("[tile+8], %r1", "[tile+8], 0")
        (self.folder / "names.ptx").write_text(text.replace("\tst.shared.u32 [tile+8], 0;\n", ""))
        said = self.run_in_folder("check", "names.ptx", "--block", "2", "--memory", "sc", status=1)
        self.assertIn("`next_ticket` is written", said)

    def test_reads_of_shared_memory_that_nobody_has_written(self):
        def kernel(*body):
            (self.folder / "sum.ptx").write_text(
                ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k()\n{\n\t.reg .pred %p<2>;\n"
                "\t.reg .b32 %r<9>;\n\t.reg .b64 %rd<2>;\n\t.shared .align 8 .b8 sum[8];\n\tmov.u32 %r1, %tid.x;\n"
                "\tsetp.ne.u32 %p1, %r1, 0;\n" + "".join(f"\t{line}\n" for line in body) + "\tret;\n}\n")

        def check(*options, status):
            return self.run_in_folder("check", "sum.ptx", "--block", "2", *options, status=status)

        write, meet, add, read = ("@!%p1 st.shared.u32 [sum], 0;", "bar.sync 0;", "red.shared.add.u32 [sum], 1;",
                                  "ld.shared.u32 %r2, [sum];")
        for reconvergence in ("its", "stack"):
            with self.subTest(reconvergence):
                how = ("--reconvergence", reconvergence)
                kernel(write, meet, add, meet, read)
                self.assertIn("2 runs: 2 as expected", check(*how, status=0))
                kernel(add, meet, read)
                said = check(*how, status=1)
                self.assertIn("bad-access", said)
                self.assertIn("reads 4 bytes at sum.ptx:12, which nobody has written.", said)
                self.assertIn("The address is that of `sum[0]`.", said)
                self.assertIn("Rests on this: shared memory starts as zeros.",
                              check(*how, "--zero-shared", status=0))
                # Where there is a race, the access may only come too early.
                kernel(write, read)
                said = check(*how, status=1)
                self.assertIn("race", said)
                self.assertNotIn("bad-access", said)
                # One of the bytes is enough: the others may lie between members.
                kernel(write, meet, "ld.shared.u64 %rd1, [sum];")
                check(*how, "--memory", "sc", status=0)
                kernel(write, meet, "ld.shared.u32 %r2, [sum+4];")
                self.assertIn("bad-access", check(*how, "--search", "random", "--runs", "20", status=1))
        kernel(add)
        check("--counterexamples", "found", status=1)
        found = list((self.folder / "found").iterdir())
        self.assertTrue(found)
        shutil.copy(self.folder / "sum.ptx", self.folder / "found")
        for file in found:
            self.assertIn("bad-access", self.run_in_folder("replay", str(file), status=0))

    def test_cooperative_launches(self):
        # Each block adds to `data`, and waits for the other one.
        (self.folder / "meet.ptx").write_text(
            ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n"
            "\t.reg .pred %p<2>;\n\t.reg .b32 %r<4>;\n\t.reg .b64 %rd<3>;\n\tld.param.u64 %rd1, [p];\n"
            "\tatom.acq_rel.gpu.global.add.u32 %r1, [%rd1], 1;\n$L_wait:\n"
            "\tld.acquire.gpu.global.u32 %r2, [%rd1];\n\tsetp.ne.u32 %p1, %r2, 2;\n\t@%p1 bra $L_wait;\n\tret;\n}\n")

        def run(launch, run):
            (self.folder / "meet.toml").write_text(
                '[kernel]\nfile = "meet.ptx"\n[launch]\ngrid = 2\nblock = 1\nargs = ["data"]\n' + launch +
                '\n[buffers]\ndata = "1:u32"\n[[run]]\nreconvergence = "its"\nmemory = "sc"\n' + run)
            return ("run", "meet.toml")

        self.assertIn("livelock", self.run_in_folder(*run("", 'progress = "cuda"'), status=1))
        self.run_in_folder(*run("cooperative = true", 'progress = "cuda"'), status=0)
        self.assertIn("a cooperative launch fails unless all fit; leave \"resident\" out",
                      self.run_in_folder(*run("cooperative = true", "resident = 1"), status=2))

    def test_launches_that_no_gpu_has(self):
        (self.folder / "none.ptx").write_text(
            ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n\tret;\n}\n")
        twice = ("--buffer", "data=4:u32", "--buffer", "data=8:u32")
        self.assertIn('--buffer: "data" is given twice',
                      self.run_in_folder("check", "none.ptx", "--block", "1", *twice, status=2))
        self.assertIn("a block of 128 threads in z; CUDA allows 64",
                      self.run_in_folder("check", "none.ptx", "--block", "1,1,128", *twice[:2], status=2))

    def test_accesses_behind_a_buffer_are_in_no_memory(self):
        (self.folder / "behind.ptx").write_text(
            ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 p)\n{\n"
            "\t.reg .b32 %r<3>;\n\t.reg .b64 %rd<3>;\n\tld.param.u64 %rd1, [p];\n"
            "\tld.global.u32 %r1, [%rd1+16];\n\tst.global.u32 [%rd1], %r1;\n\tret;\n}\n")
        said = self.run_in_folder("check", "behind.ptx", "--block", "1", "--buffer", "data=4:u32", status=1)
        self.assertIn("where no memory of the device is", said)
        self.assertIn("just behind data", said)

    def test_a_branch_behind_its_list(self):
        (self.folder / "far.ptx").write_text(
            ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u32 p)\n{\n"
            "\t.reg .b32 %r<3>;\n\tld.param.u32 %r1, [p];\nlist: .branchtargets $L_a, $L_b;\n"
            "\tbrx.idx %r1, list;\n$L_a:\n\tret;\n$L_b:\n\tret;\n}\n")
        self.run_in_folder("check", "far.ptx", "--block", "1", "--arg", "1", status=0)
        self.assertIn("an index behind its list of 2 labels",
                      self.run_in_folder("check", "far.ptx", "--block", "1", "--arg", "2", status=1))

    def test_clusters(self):
        def kernel(meets, directive=""):
            meet = "\tbarrier.cluster.arrive;\n\tbarrier.cluster.wait;\n"
            (self.folder / "pair.ptx").write_text(
                ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k()" + directive + "\n{\n"
                "\t.reg .b32 %r<9>;\n\t.shared .align 4 .b8 cell[4];\n\tmov.u32 %r1, %cluster_ctarank;\n"
                "\tst.shared.u32 [cell], %r1;\n" + meet + "\txor.b32 %r2, %r1, 1;\n\tmov.u32 %r3, cell;\n"
                "\tmapa.shared::cluster.u32 %r4, %r3, %r2;\n\tld.shared::cluster.u32 %r5, [%r4];\n" +
                (meet if meets else "") + "\tret;\n}\n")

        launch = ("check", "pair.ptx", "--grid", "4", "--block", "1")
        kernel(True)
        self.assertIn("2 runs: 2 as expected", self.run_in_folder(*launch, "--cluster", "2", status=0))
        self.assertIn("4 blocks in x are no whole number of clusters of 3",
                      self.run_in_folder(*launch, "--cluster", "3", status=2))
        kernel(True, " .reqnctapercluster 2")
        self.run_in_folder(*launch, status=0)
        self.assertIn("clusters of 2 blocks, not of 4", self.run_in_folder(*launch, "--cluster", "4", status=2))
        kernel(False)
        (self.folder / "pair.toml").write_text(
            '[kernel]\nfile = "pair.ptx"\n[launch]\ngrid = 2\nblock = 1\ncluster = 2\n[[run]]\n'
            'reconvergence = "its"\nmemory = "sc"\nexpect = "bad-access"\n', "utf-8")
        said = self.run_in_folder("run", "pair.toml", "--counterexamples", "found", "--verbose", status=0)
        self.assertIn("which has ended", " ".join(said.split()))
        self.assertIn("in clusters of 2", self.run_in_folder("explain", "pair.toml", status=0))
        found = list((self.folder / "found").iterdir())
        shutil.copy(self.folder / "pair.ptx", self.folder / "found")
        self.assertEqual(json.loads(found[0].read_text())["scenario"]["kernel"]["cluster"], 2)
        for file in found:
            self.assertIn("bad-access", self.run_in_folder("replay", str(file), status=0))

    def test_an_mbarrier_that_begins_twice(self):
        init = "\tmbarrier.init.shared.b64 [bar], 1;\n"
        (self.folder / "twice.ptx").write_text(
            ".version 8.0\n.target sm_90\n.address_size 64\n.visible .entry k()\n{\n"
            "\t.shared .align 8 .b8 bar[8];\n" + init + init + "\tret;\n}\n")
        for how in (), ("--zero-shared",), ("--search", "random", "--runs", "5"):
            with self.subTest(how):
                said = self.run_in_folder("check", "twice.ptx", "--block", "1", "--memory", "sc", *how, status=1)
                self.assertIn("assertion", said)
                self.assertIn("is initialized already", " ".join(said.split()))

    def test_reports_say_what_a_verdict_rests_on(self):
        (self.folder / "clock.ptx").write_text(
            ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k()\n{\n\t.reg .pred %p<2>;\n"
            "\t.reg .b64 %rd<2>;\n\tmov.u64 %rd1, %globaltimer;\n\tsetp.lt.u64 %p1, %rd1, 100;\n"
            "\t@%p1 bra $L;\n\ttrap;\n$L:\n\tret;\n}\n")
        clause = "time stands still, so that what happens behind a time-out is not explored (clock.ptx:8)"
        said = self.run_in_folder("check", "clock.ptx", "--junit", "out.xml", status=0)
        self.assertIn("Rests on this: " + clause, " ".join(said.split()))
        self.assertIn("Rests on this: time", (self.folder / "out.xml").read_text())
        found = json.loads(self.run_in_folder("check", "clock.ptx", "--json", status=0))
        self.assertEqual([result["rests_on"] for result in found["results"]], [[clause]] * 2)
        self.assertIn("verdicts rest on this: " + clause,
                      self.run_in_folder("check", "clock.ptx", "--list", status=0))

    def test_numbers_that_are_not_known_are_not_compared(self):
        (self.folder / "sine.ptx").write_text(
            ".version 8.0\n.target sm_80\n.address_size 64\n.visible .entry k(.param .u64 out)\n{\n"
            "\t.reg .f32 %f<2>;\n\t.reg .b64 %rd<2>;\n\tld.param.u64 %rd1, [out];\n"
            "\tcos.approx.f32 %f1, 0f3F800000;\n\tst.global.f32 [%rd1], %f1;\n\tret;\n}\n")
        launch = ("sine.ptx", "--block", "1", "--buffer", "out=1:f32", "--memory", "sc")
        clause = "with --deterministic, numbers that are not known count as equal (sine.ptx:9)"
        found = json.loads(self.run_in_folder("check", *launch, "--deterministic", "--json", status=0))
        self.assertEqual(found["results"][0]["rests_on"], [clause])
        self.assertNotIn("count as equal", self.run_in_folder("check", *launch, status=0))

    def test_an_instruction_that_is_not_supported(self):
        text = (self.folder / "ticket.ptx").read_text()
        (self.folder / "odd.ptx").write_text(text.replace("ret;", "wgmma.fence.sync.aligned;\n\tret;"))
        said = self.run_in_folder("check", "odd.ptx", *LAUNCH, status=2)
        self.assertIn("wgmma.fence.sync.aligned", said)


if __name__ == "__main__":
    unittest.main()
