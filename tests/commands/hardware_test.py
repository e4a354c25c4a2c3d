"""warpcheck hardware, with a GPU driver and an nvcc that pretend: no GPU is needed."""

import json
import os
import pathlib
import shutil
import stat
import subprocess
import tempfile
import unittest

BINARY = os.environ["WARPCHECK_BINARY"]
SOURCE = pathlib.Path(os.environ["WARPCHECK_SOURCE"])
COMPILER = shutil.which("clang++-19") or shutil.which("c++")

DRIVER = """
#include <cstdlib>
#include <cstring>
extern "C" {
int cuInit(unsigned) { const char* e = getenv("FAKE_CUDA_ERROR"); return e ? atoi(e) : 0; }
int cuDeviceGetCount(int* n) { *n = getenv("FAKE_NO_GPU") ? 0 : 1; return 0; }
int cuDeviceGet(int* d, int i) { *d = i; return 0; }
int cuDeviceGetName(char* t, int, int) { strcpy(t, "Pretended GPU"); return 0; }
int cuDeviceGetAttribute(int* v, int a, int) { *v = a == 75 ? 9 : 0; return 0; }
int cuDriverGetVersion(int* v) { *v = 13000; return 0; }
int nvmlInit_v2() { return 0; }
int nvmlSystemGetDriverVersion(char* t, unsigned) { strcpy(t, "580.1"); return 0; }
}
"""

# Writes what it was asked to a log. The "runner" that it makes reports the outcome that the
# variable FAKE_<subject> names; for runs under stack FAKE_stack, or FAKE_swapped with swapped arms.
# All launches that it is asked for end so, unless a process can have one such alone. With FAKE_SLOW
# a process makes 400 at most; FAKE_LARGE is the outcome in grids of more than 8 lanes.
NVCC = """#!/bin/sh
if [ "$1" = --version ]; then echo "Cuda compilation tools, release 13.0, V13.0.88"; exit 0; fi
case " $* " in *" -E "*) echo text; exit 0;; esac
echo "$@" >> "{log}"
if [ -n "$FAKE_NVCC_FAILS" ]; then echo "x.hpp(3): error: no such thing"; exit 2; fi
while [ $# -gt 0 ]; do
  case "$1" in -o) output="$2"; shift;; esac
  shift
done
cat > "$output" <<'END'
#!/bin/sh
eval outcome=\\$FAKE_$2
case "$*" in
  *" --ptx "*.swapped.ptx*) outcome=$FAKE_swapped;;
  *" --ptx "*.ptx*) outcome=$FAKE_stack;;
esac
for word in "$@"; do
  case "$last" in
    --ptx) [ -f "$word" ] || outcome=broken;;
    --rounds) rounds=$word;;
    --lanes) [ "${{word%%,*}}" -gt 8 ] && outcome=${{FAKE_LARGE:-$outcome}};;
    --seed) [ -n "$FAKE_SEEDS" ] && echo "$word" >> "$FAKE_SEEDS";;
  esac
  last=$word
done
outcome=${{outcome:-finished}}
[ -n "$FAKE_SLOW" ] && [ $rounds -gt 400 ] && rounds=400
usable=true
case $outcome in hang|assertion|device-error) rounds=1; usable=false;; esac
if [ "$outcome" = broken ]; then echo "launch: out of resources"; exit 4; fi
echo "{{\\"rounds\\": {{\\"$outcome\\": $rounds}}, \\"seconds\\": 0.001, \\"usable\\": $usable}}"
END
chmod +x "$output"
"""

LOCK = """
#include <simt/simt.hpp>
struct my_lock {
  simt::atomic<int> held{0};
  SIMT_FN void lock() { while (held.exchange(1, simt::memory_order_acquire) != 0) {} }
  SIMT_FN void unlock() { held.store(0, simt::memory_order_release); }
};
SIMT_SUBJECT(my_lock);
"""

OWN = """
title = "A lock of my own"
source = "my_lock.hpp"
subject = "my_lock"
workload = "counter"
[grid]
lanes = 2
[[run]]
reconvergence = "its"
memory = "sc"
"""

MCS = """
title = "A queue lock whose model of a full warp is large"
subject = "locks/mcs"
workload = "counter"
[grid]
lanes = 2
[[run]]
reconvergence = "its"
memory = "sc"
"""

STACK = OWN.replace('"its"', '"stack"')

LOCKS = [SOURCE / "scenarios/locks" / f"{name}.toml"
         for name in ["tas", "never_released", "no_exclusion_weak"]]


class hardware(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        self.log = self.folder / "log"
        nvcc = self.folder / "cuda/bin/nvcc"
        nvcc.parent.mkdir(parents=True)
        nvcc.write_text(NVCC.format(log=self.log))
        nvcc.chmod(nvcc.stat().st_mode | stat.S_IXUSR)
        self.environment = {"WARPCHECK_CACHE": str(self.folder / "cache"),
                            "PATH": f"{nvcc.parent}:{os.environ['PATH']}"}

    def with_driver(self):
        source = self.folder / "driver.cpp"
        source.write_text(DRIVER)
        library = self.folder / "lib/libcuda.so.1"
        library.parent.mkdir()
        subprocess.run([COMPILER, "-shared", "-fPIC", "-o", library, source], check=True)
        shutil.copy(library, library.parent / "libnvidia-ml.so.1")
        self.environment["LD_LIBRARY_PATH"] = str(library.parent)

    def run_hardware(self, *arguments, **variables):
        return subprocess.run([BINARY, "hardware", *map(str, arguments)], cwd=SOURCE,
                              env={**os.environ, **self.environment, **variables},
                              capture_output=True, text=True, timeout=300)

    def run_without_clang(self, *arguments):
        """Where the compiler cannot be seen: in a mount namespace of its own."""
        hide = ["unshare", "--map-root-user", "--mount", "sh", "-c",
                'mount --bind /dev/null "$0" && exec "$@"', os.path.realpath(COMPILER)]
        if subprocess.run([*hide, "true"], capture_output=True).returncode != 0:
            self.skipTest("no mount namespace can be made here")
        return subprocess.run([*hide, BINARY, "hardware", *map(str, arguments)], cwd=SOURCE,
                              env={**os.environ, **self.environment}, capture_output=True,
                              text=True, timeout=300)

    def run_its(self, *arguments, **variables):
        return self.run_hardware("--reconvergence", "its", *arguments, **variables)

    def document(self, *arguments, status=0, reconvergence="its", **variables):
        result = self.run_hardware("--json", "--reconvergence", reconvergence, *arguments,
                                   **variables)
        self.assertEqual(result.returncode, status, result.stderr)
        return json.loads(result.stdout)

    def assert_nothing_to_run_on(self, result):
        self.assertEqual(result.returncode, 77)
        self.assertEqual(result.stdout, "")
        self.assertEqual(len(result.stderr.splitlines()), 1, result.stderr)
        self.assertIn("NVIDIA GPU", result.stderr)
        self.assertFalse(self.log.exists(), "nvcc was started")

    def test_no_gpu(self):
        self.with_driver()
        self.assert_nothing_to_run_on(self.run_hardware("scenarios", FAKE_NO_GPU="1"))
        self.assert_nothing_to_run_on(self.run_hardware("scenarios", FAKE_CUDA_ERROR="100"))
        broken = self.run_hardware("scenarios", "--json", FAKE_CUDA_ERROR="803")
        self.assert_nothing_to_run_on(broken)
        self.assertIn("error 803", broken.stderr)

    def test_driver_that_is_none(self):
        self.with_driver()
        (self.folder / "lib/libcuda.so.1").write_text("no library")
        self.assert_nothing_to_run_on(self.run_hardware("scenarios"))

    def test_mistakes_come_first(self):
        result = self.run_hardware("gone.toml")
        self.assertEqual(result.returncode, 2)

    def test_table(self):
        self.with_driver()
        result = self.run_its(*LOCKS, "--trials", "4", FAKE_never_released="hang",
                              FAKE_no_exclusion_weak="check-failed")
        self.assertEqual(result.returncode, 0, result.stderr)
        lines = result.stdout.splitlines()
        self.assertRegex(lines[0], r"^Pretended GPU \(sm_90\), driver 580\.1, CUDA 13\.0, "
                         r"nvcc 13\.0\.88, \d{4}-\d\d-\d\d; up to 4 launches of each run, "
                         r"seed 1, deadline 5 s$")
        self.assertRegex(result.stdout, r"tas\.toml +its +ok +4 +· +· +· +· +· +agrees\n")
        self.assertRegex(result.stdout, r"never_released\.toml +its +deadlock +· +3 .* confirmed\n")
        self.assertRegex(result.stdout, r"weak\.toml +its +assertion, race +· +· +4 .* confirmed\n")
        self.assertEqual(lines[-1], "3 runs compared: 1 agrees, 2 confirmed")

    def test_json(self):
        self.with_driver()
        found = self.document(*LOCKS, "--trials", "2", "--launch-time", "0.5")
        self.assertEqual(found["version"], 1)
        self.assertEqual([found["gpu"], found["architecture"], found["driver"], found["cuda"],
                          found["nvcc"], found["trials"], found["seed"], found["deadline"]],
                         ["Pretended GPU", "sm_90", "580.1", "13.0", "13.0.88", 2, 1, 0.5])
        self.assertEqual([r["conclusion"] for r in found["results"]],
                         ["agrees", "not seen", "allowed"])
        first = found["results"][0]
        self.assertEqual(first["file"], "scenarios/locks/tas.toml")
        self.assertEqual(first["subject"], "locks/tas")
        self.assertEqual([first["grid"], first["scale"]], ["1x1x4", 1])
        self.assertEqual(first["trials"], {"finished": 2, "hang": 0, "check-failed": 0,
                                           "assertion": 0, "device-error": 0, "no-result": 0, "not-linearizable": 0})

    def test_of_which_source_a_result_is(self):
        self.with_driver()
        listed = json.loads(subprocess.run([BINARY, "list", "--json"], capture_output=True,
                                           text=True, check=True).stdout)
        now = {s["subject"]: s["fingerprint"] for s in listed["subjects"]}
        found = self.document(LOCKS[0], "--trials", "1", "--scale", "2")
        self.assertRegex(now["locks/tas"], r"^[0-9a-f]{32}$")
        self.assertNotEqual(now["locks/tas"], now["locks/ttas"])
        self.assertEqual([r["fingerprint"] for r in found["results"]], [now["locks/tas"]] * 2)

        def own(code):
            (self.folder / "my_lock.hpp").write_text(code)
            (self.folder / "own.toml").write_text(OWN)
            found = self.document(self.folder / "own.toml", "--trials", "1")
            return found["results"][0]["fingerprint"]

        first = own(LOCK)
        self.assertNotEqual(own(LOCK.replace("exchange(1", "exchange(2")), first)
        self.assertEqual(own(LOCK), first)

    def test_what_the_model_does_not_have(self):
        self.with_driver()
        for outcome in ["hang", "check-failed", "assertion", "device-error"]:
            found = self.document(LOCKS[0], status=1, FAKE_tas=outcome)
            self.assertEqual(found["results"][0]["conclusion"], "contradicts")
            self.assertFalse(found["results"][0]["as_expected"])

    def test_runner_that_fails(self):
        self.with_driver()
        result = self.run_its(LOCKS[0], FAKE_tas="broken")
        self.assertEqual(result.returncode, 3)
        self.assertIn("no result", result.stdout)
        self.assertIn("launch: out of resources", result.stdout)

    def test_one_nvcc_run_for_all_and_none_the_next_time(self):
        self.with_driver()
        for _ in range(2):
            self.document(*LOCKS, "--trials", "1")
        calls = self.log.read_text().splitlines()
        self.assertEqual(len(calls), 1)
        self.assertIn("-arch=sm_90", calls[0])
        for name in ["tas", "never_released", "no_exclusion_weak"]:
            self.assertIn(f"locks/{name}.hpp", calls[0])

    def test_launches_that_take_more_than_one_process(self):
        self.with_driver()
        seeds = self.folder / "seeds"
        found = self.document(LOCKS[0], "--seed", "7", FAKE_SLOW="1", FAKE_SEEDS=str(seeds))
        self.assertEqual(found["results"][0]["trials"]["finished"], 1000)
        self.assertEqual(seeds.read_text().split(), ["7", "407", "807"])

    def test_larger_grids(self):
        self.with_driver()
        found = self.document(LOCKS[0], LOCKS[1], "--trials", "4", "--scale", "2,4", "--scale", "8")
        self.assertEqual([(r["grid"], r["scale"], r["conclusion"]) for r in found["results"]],
                         [("1x1x4", 1, "agrees"), ("1x1x8", 2, "agrees"),
                          ("1x1x16", 4, "agrees"), ("1x1x32", 8, "agrees"),
                          ("1x1x3", 1, "not seen"), ("1x1x6", 2, "not seen"),
                          ("1x1x12", 4, "not seen"), ("1x1x24", 8, "not seen")])
        table = self.run_its(LOCKS[0], "--trials", "4", "--scale", "4")
        self.assertRegex(table.stdout, r"tas\.toml +its 1x1x16 +ok +4 ")
        kernel = self.document("scenarios/locks/opposite_order.toml", "--scale", "2")
        self.assertEqual(len(kernel["results"]), 1)
        self.assertEqual(kernel["skipped"][0]["reason"],
                         "the workload \"kernel\" may be made for this grid: no larger ones")

    def test_larger_grids_of_which_chance_finds_more_than_the_exploration(self):
        self.with_driver()
        barrier = "scenarios/barriers/xf_barrier_joined.toml"  # it has room for 16 threads
        found = self.document(barrier, "--trials", "4", "--scale", "8", "--model-time", "0.5",
                              FAKE_LARGE="assertion")
        larger = found["results"][1]
        self.assertEqual([larger["grid"], larger["complete"]], ["16x1x16", False])
        self.assertIn("bad-access", larger["predicted"])
        self.assertIn(larger["conclusion"], ["confirmed", "allowed"])

    def test_larger_grids_that_the_model_cannot_explore(self):
        self.with_driver()
        (self.folder / "large.toml").write_text(MCS)
        arguments = [self.folder / "large.toml", "--trials", "4", "--scale", "16",
                     "--model-time", "0.2"]
        found = self.document(*arguments)
        self.assertEqual([(r["grid"], r["complete"], r["conclusion"]) for r in found["results"]],
                         [("1x1x2", True, "agrees"), ("1x1x32", False, "as smaller")])
        hangs = self.document(*arguments, status=3, FAKE_LARGE="hang")
        self.assertEqual(hangs["results"][1]["conclusion"], "no prediction")
        table = self.run_its(*arguments)
        self.assertEqual(table.returncode, 0)
        self.assertIn("its 1x1x32  as smaller: too large for the model; in the scenario's own grid "
                      "it says ok\n", table.stdout)

    def test_own_subject(self):
        self.with_driver()
        (self.folder / "my_lock.hpp").write_text(LOCK)
        (self.folder / "own.toml").write_text(OWN)
        found = self.document(self.folder / "own.toml", "--trials", "1")
        self.assertEqual(found["results"][0]["conclusion"], "agrees")

    def test_subject_that_nvcc_refuses(self):
        self.with_driver()
        result = self.run_hardware(LOCKS[0], FAKE_NVCC_FAILS="1")
        self.assertEqual(result.returncode, 2)
        self.assertIn("x.hpp(3): error: no such thing", result.stderr)
        self.assertIn("1 could not be run", result.stdout)

    def test_no_nvcc(self):
        if pathlib.Path("/usr/local/cuda/bin/nvcc").exists():
            self.skipTest("there is one in the standard place")
        self.with_driver()
        result = self.run_hardware(LOCKS[0], PATH="/nonexistent", CUDA_HOME="", CUDA_PATH="")
        self.assertEqual(result.returncode, 2)
        self.assertIn("there is no nvcc", result.stderr)

    def test_nvcc_of_cuda_home(self):
        self.with_driver()
        found = self.document(LOCKS[0], "--trials", "1", PATH="/usr/bin:/bin",
                              CUDA_HOME=str(self.folder / "cuda"))
        self.assertEqual(found["results"][0]["conclusion"], "agrees")
        self.assertTrue(self.log.exists())

    def test_skipped(self):
        self.with_driver()
        found = self.document("scenarios/grids/producer_consumer.toml", "--trials", "1")
        self.assertEqual([s["model"] for s in found["skipped"]],
                         ["[its, sc, fair, resident 1]",
                          "[its, sc, fair, resident 1, index order]"])
        self.assertEqual([r["verdict"] for r in found["results"]], ["ok"])
        table = self.run_its("scenarios/grids/producer_consumer.toml").stdout
        self.assertTrue(table.endswith("1 run compared: 1 agrees; 2 runs skipped\n"), table)
        (self.folder / "stack.toml").write_text(STACK)
        (self.folder / "my_lock.hpp").write_text(LOCK)
        found = self.document(self.folder / "stack.toml")
        self.assertEqual(found["results"], [])
        self.assertIn("no fair run under its", found["skipped"][0]["reason"])

    def own_under_stack(self):
        (self.folder / "my_lock.hpp").write_text(LOCK)
        (self.folder / "stack.toml").write_text(STACK)
        return self.folder / "stack.toml"

    def test_stack(self):
        self.with_driver()
        found = self.document(self.own_under_stack(), "--trials", "4", reconvergence="stack",
                              FAKE_stack="hang", FAKE_swapped="hang")
        result = found["results"][0]
        self.assertEqual([result[key] for key in ["reconvergence", "verdict", "conclusion"]],
                         ["stack", "simt-deadlock", "confirmed"])
        self.assertEqual(result["trials"]["hang"], 6)  # three of each
        self.assertEqual([(each["arms"], each["trials"]["hang"]) for each in result["by_arms"]],
                         [("as written", 3), ("swapped", 3)])

    def test_stack_without_asynchronous_copies(self):
        self.with_driver()
        found = self.document(SOURCE / "scenarios/pipelines/copies/lane_copy.toml", "--trials", "4",
                              reconvergence="stack")
        self.assertEqual(found["results"], [])
        self.assertEqual([each["reason"] for each in found["skipped"]],
                         ["programs of before Volta have no asynchronous copies"])

    def test_stack_and_its_as_a_table(self):
        self.with_driver()
        result = self.run_hardware(LOCKS[0], "--trials", "2", FAKE_swapped="hang")
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stdout, r"tas\.toml +its +ok +2 .* agrees\n")
        self.assertRegex(result.stdout, r"tas\.toml +stack +simt-deadlock +2 +· .* confirmed\n"
                                        r" +arms swapped +· +2 +· +· +· +·\n")
        self.assertIn("tas.toml  stack  hangs with the arms of branches swapped only\n",
                      result.stdout)
        self.assertTrue(result.stdout.endswith("2 runs compared: 1 agrees, 1 confirmed\n"))

    def test_stack_that_the_driver_refuses(self):
        self.with_driver()
        result = self.run_hardware(self.own_under_stack(), FAKE_stack="broken",
                                   FAKE_swapped="broken")
        self.assertEqual(result.returncode, 3)
        self.assertIn("stack  no result: no launch came to an end", result.stdout)
        self.assertIn("stack  says: launch: out of resources", result.stdout)

    def test_prepared(self):
        scenario = self.own_under_stack()
        made = self.run_hardware(scenario, LOCKS[0], "--prepare", self.folder / "ptx")
        self.assertEqual(made.returncode, 0, made.stderr)
        self.assertEqual(made.stdout.split(";")[0], "PTX of 2 subjects for runs under stack")
        files = sorted(str(each.relative_to(self.folder / "ptx"))
                       for each in self.folder.glob("ptx/**/*.ptx"))
        self.assertEqual(len(files), 4)
        self.assertEqual(files[:2], ["locks/tas.ptx", "locks/tas.swapped.ptx"])
        for each in files:
            self.assertIn("\n.target sm_60\n", (self.folder / "ptx" / each).read_text())

        self.with_driver()
        found = self.document(scenario, "--ptx", self.folder / "ptx", "--trials", "1",
                              reconvergence="stack", FAKE_stack="hang")
        self.assertEqual(found["results"][0]["conclusion"], "confirmed")

        (self.folder / "ptx/locks/tas.ptx").write_text("// by hand\n")
        result = self.run_hardware(LOCKS[0], LOCKS[1], "--ptx", self.folder / "ptx")
        self.assertEqual(result.returncode, 2)
        self.assertIn("tas.ptx does not fit: it is not such a file; make it again with --prepare",
                      result.stderr)
        self.assertIn("there is no", result.stderr)
        self.assertIn("never_released.ptx; make it with --prepare where clang is", result.stderr)
        self.assertIn("2 could not be run", result.stdout)

    def test_no_clang(self):
        self.with_driver()
        self.run_hardware(LOCKS[0], "--prepare", self.folder / "ptx")
        both = self.run_without_clang(LOCKS[0], "--trials", "1")
        self.assertEqual(both.returncode, 0, both.stderr)
        self.assertIn("tas.toml  [stack, sc, fair]  skipped: cannot find clang++-19", both.stdout)
        self.assertTrue(both.stdout.endswith("1 run compared: 1 agrees; 1 run skipped\n"))

        alone = self.run_without_clang(LOCKS[0], "--reconvergence", "stack")
        self.assertEqual(alone.returncode, 2)
        self.assertIn("or make the PTX elsewhere with --prepare, and give it with --ptx",
                      alone.stderr)
        self.assertFalse(alone.stdout)

        prepared = self.run_without_clang(LOCKS[0], "--trials", "1", "--ptx", self.folder / "ptx")
        self.assertEqual(prepared.returncode, 0, prepared.stderr)
        self.assertTrue(prepared.stdout.endswith("2 runs compared: 1 agrees, 1 not seen\n"))

        refused = self.run_without_clang(LOCKS[0], "--prepare", self.folder / "more")
        self.assertEqual(refused.returncode, 2)
        self.assertRegex(refused.stderr, r"^cannot find clang\+\+-19, .*\n$")

    def test_prepare_needs_no_gpu_but_a_subject_that_compiles(self):
        scenario = self.own_under_stack()
        (self.folder / "my_lock.hpp").write_text(LOCK.replace("exchange", "xchange"))
        result = self.run_hardware(scenario, "--prepare", self.folder / "ptx")
        self.assertEqual(result.returncode, 2)
        self.assertIn("my_lock.hpp:5", result.stderr)
        self.assertEqual(result.stdout.split(";")[0], "PTX of 0 subjects for runs under stack")
        both = self.run_hardware(scenario, "--prepare", "a", "--ptx", "b")
        self.assertEqual(both.returncode, 2)


if __name__ == "__main__":
    unittest.main()
