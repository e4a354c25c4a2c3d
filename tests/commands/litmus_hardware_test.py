"""warpcheck litmus --hardware: with a GPU driver and an nvcc that pretend, and with the real nvcc."""

import json
import os
import pathlib
import shutil
import stat
import subprocess
import unittest

from hardware_test import COMPILER, DRIVER, BINARY, SOURCE
import tempfile

MP = "scenarios/litmus/mp.litmus"
LB = "scenarios/litmus/lb.litmus"
TWO_GPUS = "tests/litmus/clauses/cta_is_told_by_gpu.litmus"
NVCC = shutil.which("nvcc") or ("/usr/local/cuda/bin/nvcc"
                                if pathlib.Path("/usr/local/cuda/bin/nvcc").exists() else None)

# The "runner" that it makes reports what the variable FAKE_<number of the test> says.
FAKE_NVCC = """#!/bin/sh
if [ "$1" = --version ]; then echo "Cuda compilation tools, release 13.0, V13.0.88"; exit 0; fi
case " $* " in *" -E "*) echo text; exit 0;; esac
echo "$@" >> "{log}"
if [ -n "$FAKE_NVCC_FAILS" ]; then echo "error: no such thing"; exit 2; fi
while [ $# -gt 0 ]; do
  case "$1" in -o) output="$2"; shift;; esac
  shift
done
cat > "$output" <<'END'
#!/bin/sh
eval result=\\$FAKE_$2
if [ "$result" = broken ]; then echo "launch: out of resources"; exit 4; fi
echo "{{\\"outcome\\": \\"${{FAKE_OUTCOME:-finished}}\\", \\"launches\\": 1, \\"instances\\": 100,"
echo "\\"incomplete\\": ${{FAKE_INCOMPLETE:-0}}, \\"seconds\\": 0.1, \\"outcomes\\": [$result]}}"
END
chmod +x "$output"
"""


def outcome(count, *values):
    return json.dumps({"values": values, "count": count})


class litmus_hardware(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        self.log = self.folder / "log"
        self.environment = {"WARPCHECK_CACHE": str(self.folder / "cache")}

    def pretend(self):
        nvcc = self.folder / "cuda/bin/nvcc"
        nvcc.parent.mkdir(parents=True)
        nvcc.write_text(FAKE_NVCC.format(log=self.log))
        nvcc.chmod(nvcc.stat().st_mode | stat.S_IXUSR)
        source = self.folder / "driver.cpp"
        source.write_text(DRIVER)
        library = self.folder / "lib/libcuda.so.1"
        library.parent.mkdir()
        subprocess.run([COMPILER, "-shared", "-fPIC", "-o", library, source], check=True)
        shutil.copy(library, library.parent / "libnvidia-ml.so.1")
        self.environment |= {"PATH": f"{nvcc.parent}:{os.environ['PATH']}",
                             "LD_LIBRARY_PATH": str(library.parent)}

    def litmus(self, *arguments, **variables):
        return subprocess.run([BINARY, "litmus", "--hardware", *map(str, arguments)], cwd=SOURCE,
                              env={**os.environ, **self.environment, **variables},
                              capture_output=True, text=True, timeout=280)

    def document(self, *arguments, status=0, **variables):
        result = self.litmus("--json", *arguments, **variables)
        self.assertEqual(result.returncode, status, result.stderr)
        return json.loads(result.stdout)

    def refused(self, *arguments, says):
        result = self.litmus(*arguments)
        self.assertEqual((result.returncode, result.stdout), (2, ""))
        self.assertIn(says, result.stderr)

    def test_a_table(self):
        self.pretend()
        result = self.litmus(MP, FAKE_0=outcome(60, 0, 0) + "," + outcome(40, 1, 1))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("Pretended GPU (sm_90), driver 580.1, CUDA 13.0, nvcc 13.0.88", result.stdout)
        self.assertIn("4,000,000 instances of each test, seed 1\n", result.stdout)
        self.assertIn("agrees: 2 of 3 allowed outcomes seen in 100 instances", result.stdout)
        self.assertRegex(result.stdout, r"\n +P1:r1 +P1:r2 +seen\n +0 +0 +60  allowed\n"
                                        r" +0 +1 +0  allowed\n +1 +1 +40  allowed\n")
        self.assertIn("1 test compared: 1 agrees\n", result.stdout)

    def test_what_the_model_forbids(self):
        self.pretend()
        forbidden = outcome(99, 0, 0) + "," + outcome(1, 1, 0)
        result = self.litmus(MP, FAKE_0=forbidden)
        self.assertEqual(result.returncode, 1)
        self.assertRegex(result.stdout, r"\n  \* +1 +0 +1  FORBIDDEN\n")
        [one] = self.document(MP, status=1, FAKE_0=forbidden)["results"]
        self.assertEqual((one["conclusion"], one["as_expected"]), ("contradicts", False))
        self.assertEqual(one["outcomes"][2], {"values": {"P1:r1": 1, "P1:r2": 0}, "seen": 1,
                                              "allowed": False, "sequential": False,
                                              "satisfies": True})
        quiet = self.litmus("-q", MP, LB, FAKE_0=forbidden, FAKE_1=outcome(1, 0, 0))
        self.assertIn("contradicts", quiet.stdout)
        self.assertNotIn("lb.litmus", quiet.stdout)
        self.assertIn("2 tests compared: 1 agrees, 1 contradicts", quiet.stdout)

    def test_the_document(self):
        self.pretend()
        found = self.document(LB, "--instances", "1K", "--seed", "7", "--time", "3",
                              FAKE_0=outcome(5, 1, 1))
        self.assertEqual([found[k] for k in ["version", "gpu", "architecture", "driver", "cuda",
                                             "nvcc", "instances", "seed", "time", "interrupted"]],
                         [1, "Pretended GPU", "sm_90", "580.1", "13.0", "13.0.88", 1000, 7, 3, False])
        [one] = found["results"]
        self.assertEqual([o["sequential"] for o in one["outcomes"]], [True, True, True, False])
        self.assertEqual(one["outcomes"][3]["seen"], 5)
        self.assertEqual((one["outcome"], one["instances"]), ("finished", 100))

    def test_several_gpus(self):
        self.pretend()
        found = self.document(TWO_GPUS, MP, FAKE_1=outcome(1, 0, 0))
        self.assertEqual(found["skipped"], [{"file": TWO_GPUS, "reason": "needs 2 GPUs; here is 1"}])
        self.assertEqual([r["conclusion"] for r in found["results"]], ["agrees"])
        result = self.litmus(TWO_GPUS)
        self.assertEqual(result.returncode, 0)
        self.assertIn("skipped: needs 2 GPUs; here is 1", result.stdout)

    def test_incomplete_instances_hangs_and_failures(self):
        self.pretend()
        result = self.litmus(MP, FAKE_0=outcome(98, 0, 0), FAKE_INCOMPLETE="2")
        self.assertEqual(result.returncode, 0)
        self.assertIn("2 instances incomplete: a thread gave up waiting", result.stdout)
        [one] = self.document(MP, status=1, FAKE_OUTCOME="hang")["results"]
        self.assertEqual(one["conclusion"], "contradicts")
        result = self.litmus(MP, FAKE_0="broken")
        self.assertEqual(result.returncode, 3)
        self.assertIn("launch: out of resources", result.stdout)

    def test_one_nvcc_run_for_all_and_none_the_next_time(self):
        self.pretend()
        for _ in range(2):
            self.document("scenarios/litmus")
        calls = self.log.read_text().splitlines()
        self.assertEqual(len(calls), 1)
        self.assertIn("-arch=sm_90", calls[0])
        self.assertIn("litmus_runner.cu", calls[0])

    def test_compiled_here_run_there(self):
        self.pretend()
        made = self.folder / "made"
        result = self.litmus(MP, TWO_GPUS, LB, "--build", made, "--arch", "sm_90")
        self.assertEqual((result.returncode, result.stdout), (0, ""), result.stderr)
        self.assertEqual(sorted(f.name for f in made.iterdir()), ["runner", "tests.json"])
        found = self.document("--run", made, FAKE_0=outcome(1, 0, 0), FAKE_2=outcome(1, 1, 1),
                              PATH="/usr/bin:/bin")
        self.assertEqual([r["file"] for r in found["results"]], [MP, LB])
        self.assertEqual([r["conclusion"] for r in found["results"]], ["agrees", "agrees"])
        self.assertEqual(len(found["skipped"]), 1)

    def test_no_gpu(self):
        self.pretend()
        result = self.litmus("scenarios/litmus", FAKE_NO_GPU="1")
        self.assertEqual((result.returncode, result.stdout), (77, ""))
        self.assertIn("there is no NVIDIA GPU here", result.stderr)
        self.assertFalse(self.log.exists(), "nvcc was started")
        result = self.litmus(MP, "--build", self.folder / "made", FAKE_NO_GPU="1")
        self.assertEqual(result.returncode, 2)
        self.assertIn("such as --arch sm_90", result.stderr)

    def test_wrong_use(self):
        self.pretend()
        self.refused(says="litmus needs tests")
        self.refused("gone.litmus", says="gone.litmus: cannot be read")
        self.refused(MP, "--run", self.folder, says="name none")
        self.refused("--run", self.folder, says="has no litmus tests that are compiled")
        self.refused(MP, "--explain", says="do not go together")
        self.refused(MP, "--build", "x", "--arch", "ninety", says='there is no "ninety"')
        self.refused(MP, "--arch", "sm_90", says="--arch belongs to --build")
        self.refused(MP, "--instances", "none", says="--instances")
        without = subprocess.run([BINARY, "litmus", MP, "--seed", "3"], cwd=SOURCE,
                                 capture_output=True, text=True, timeout=60)
        self.assertEqual(without.returncode, 2)
        self.assertIn("belongs to --hardware", without.stderr)
        (self.folder / "made").mkdir()
        (self.folder / "made/runner").write_text("")
        (self.folder / "made/tests.json").write_text("{}")
        self.refused("--run", self.folder / "made", says="was not made by warpcheck")

    def test_a_test_that_nvcc_refuses(self):
        self.pretend()
        result = self.litmus(MP, FAKE_NVCC_FAILS="1")
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("error: no such thing", result.stderr)

    @unittest.skipUnless(NVCC, "needs nvcc")
    def test_the_real_nvcc_compiles_the_shipped_tests(self):
        made = self.folder / "made"
        self.environment["PATH"] = f"{pathlib.Path(NVCC).parent}:{os.environ['PATH']}"
        result = self.litmus("scenarios/litmus", "tests/litmus/clauses/quorum_leaves_some_out.litmus",
                             "tests/litmus/clauses/cluster_is_wider_than_cta.litmus",
                             "--build", made, "--arch", "sm_90")
        self.assertEqual(result.returncode, 0, result.stderr)
        listed = subprocess.run([made / "runner", "--list"], capture_output=True, text=True,
                                timeout=60, check=True)
        files = [test["file"] for test in json.loads((made / "tests.json").read_text())["tests"]]
        # Other proxies and aliases have no form for GPUs yet.
        self.assertEqual(json.loads(listed.stdout), [f for f in files if "/proxy_" not in f])
        self.assertGreater(len(files), 15)
        refused = subprocess.run([made / "runner", "--test", "999"], capture_output=True, text=True,
                                 timeout=60)
        self.assertEqual(refused.returncode, 2)


if __name__ == "__main__":
    unittest.main()
