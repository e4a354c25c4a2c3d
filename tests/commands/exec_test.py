"""The command `exec`: programs that run without a GPU, and whose launches are checked."""

import json
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

BINARY = os.environ["WARPCHECK_BINARY"]
BUILD = pathlib.Path(os.environ["WARPCHECK_BUILD"])
PROGRAM = BUILD / "tests" / "exec" / "exec_driver_program"

TWO_KERNELS = """
#include <cstdio>
#include <cmath>
__device__ int total = 5;
__constant__ float scale;
__managed__ int seen;
__global__ void fill(float* a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = expf(scale * i);
}
__global__ void sum(const float* a, int n) {
  __shared__ float part[64];
  int t = threadIdx.x;
  part[t] = t < n ? a[t] : 0;
  __syncthreads();
  for (int d = 32; d > 0; d /= 2) {
    if (t < d) part[t] += part[t + d];
    __syncthreads();
  }
  if (t == 0) { atomicAdd(&total, (int)part[0]); seen = 7; printf("sum of %d\\n", n); }
}
int main() {
  const int n = 50;
  float* a;
  float k = 0.1f, wanted = 5;
  int got = 0;
  cudaMalloc(&a, n * sizeof *a);
  cudaMemcpyToSymbol(scale, &k, sizeof k);
  fill<<<2, 32>>>(a, n);
  sum<<<1, 64>>>(a, n);
  cudaDeviceSynchronize();
  cudaMemcpyFromSymbol(&got, total, sizeof got);
  for (int i = 0; i < n; ++i) wanted += expf(k * i);
  printf("%s\\n", cudaGetErrorString(cudaGetLastError()));
  return std::fabs(got - wanted) < 2 && seen == 7 ? 0 : 1;
}
"""
SPIN_LOCK = """
__global__ void increments(int* held, int* count) {
  while (atomicCAS(held, 0, 1) != 0) {}
  *count += 1;
  __syncwarp();
  atomicExch(held, 0);
}
int main() {
  int* words;
  cudaMalloc(&words, 8);
  cudaMemset(words, 0, 8);
  increments<<<1, 2>>>(words, words + 1);
  return cudaDeviceSynchronize() == cudaErrorLaunchTimeout ? 0 : 1;
}
"""
OUT_OF_BOUNDS = """
__global__ void fill(int* a, int n) { int i = threadIdx.x; if (i <= n) a[i] = i; }
int main() {
  int* a;
  cudaMalloc(&a, 31 * 4);
  fill<<<1, 32>>>(a, 31);
  return cudaDeviceSynchronize() == cudaErrorIllegalAddress ? 0 : 1;
}
"""


def nvcc():
    return shutil.which("nvcc") or shutil.which("nvcc", path="/usr/local/cuda/bin")


class exec_test(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name)

    def run_in_folder(self, *arguments, status):
        done = subprocess.run([BINARY, *map(str, arguments)], cwd=self.folder, capture_output=True, text=True,
                              timeout=300)
        self.assertEqual(done.returncode, status, done.stdout + done.stderr)
        return done.stdout, done.stderr

    def compiled(self, source, *flags):
        if nvcc() is None:
            self.skipTest("there is no nvcc to compile the program")
        (self.folder / "program.cu").write_text(source, encoding="utf-8")
        subprocess.run([nvcc(), "-arch=sm_90", "-lineinfo", *flags, "program.cu", "-o", "program"], cwd=self.folder,
                       check=True, timeout=300)
        return "./program"

    def test_a_sum(self):
        said, told = self.run_in_folder("exec", PROGRAM, "sum", status=0)
        self.assertIn("right", said)
        self.assertIn("launch-1.toml  [its, ptx, fair]", said)
        self.assertIn("2 runs: 2 as expected", said)
        self.assertIn("ended with status 0; 1 launches, 1 to check", told)

    def test_launches_that_build_on_each_other(self):
        said, told = self.run_in_folder("exec", PROGRAM, "twice", status=0)
        self.assertIn("4 runs: 4 as expected", said)
        said, told = self.run_in_folder("exec", "--launch", 2, PROGRAM, "twice", status=0)
        self.assertIn("launch-2.toml", said)
        self.assertNotIn("launch-1.toml", said)
        said, told = self.run_in_folder("exec", "--launch-skip", 1, "--launch-count", 5, PROGRAM, "twice", status=0)
        self.assertIn("2 launches, 1 to check", told)

    def test_kernels_by_their_names(self):
        _, told = self.run_in_folder("exec", "--kernel-regex", "^ad+$", PROGRAM, "sum", status=0)
        self.assertIn("1 to check", told)
        for other in ("nothing", "kne=ad", "kns=x"):
            _, told = self.run_in_folder("exec", "--kernel-regex", other, PROGRAM, "sum", status=3)
            self.assertIn("0 to check", told)
        _, told = self.run_in_folder("exec", "--kernel-regex", "(", PROGRAM, "sum", status=2)
        self.assertIn("is no regular expression", told)

    def test_variables_of_a_module_and_pointers_in_buffers(self):
        self.run_in_folder("exec", "--launches", "kept", PROGRAM, "factor", status=0)
        self.assertIn('factor = "4:u8:launch-1-factor.bin"', (self.folder / "kept/launch-1.toml").read_text())
        said, _ = self.run_in_folder("run", "kept", status=0)
        self.assertIn("2 runs: 2 as expected", said)
        self.run_in_folder("exec", "--launches", "kept", PROGRAM, "follow", status=0)
        self.assertIn('"arg0+0=reached"', (self.folder / "kept/launch-1.toml").read_text())

    def test_a_race_is_found_and_replayed(self):
        said, _ = self.run_in_folder("exec", "--counterexamples", "found", PROGRAM, "racy", status=1)
        self.assertIn("`arg0[0]` is written by", said)
        for file in (self.folder / "found").glob("*.json"):
            self.assertIn("arg0[0]", self.run_in_folder("replay", file, status=0)[0])

    def test_a_kernel_that_waits_for_ever(self):
        said, told = self.run_in_folder("exec", PROGRAM, "waits", status=1)
        self.assertIn("deadlock", said)
        self.assertIn("CUDA_ERROR_LAUNCH_TIMEOUT", said)
        self.assertIn("launch 1 (waits): does not end", told)
        self.assertRegex(told, r"; \d+ threads? loops? at \S+:\d+ \(first: block 0, thread 0\)")

    def test_what_cannot_be_checked(self):
        said, told = self.run_in_folder("exec", PROGRAM, "guesses", status=2)
        self.assertIn("ex2.approx.f32", said + told)
        said, told = self.run_in_folder("exec", PROGRAM, "textured", status=2)
        self.assertIn("CUDA_ERROR_NOT_SUPPORTED", said)
        self.assertIn("tex.1d", told)
        said, told = self.run_in_folder("exec", PROGRAM, "large", status=3)
        self.assertIn("right", said)
        self.assertIn("400 blocks of 256 threads are more than", told)
        said, told = self.run_in_folder("exec", "--shrink", 2, PROGRAM, "large", status=0)
        self.assertIn("every interleaving of 512 lanes", said)

    def test_launches_that_are_the_same(self):
        _, told = self.run_in_folder("exec", PROGRAM, "same", status=2)
        self.assertIn("2 launches, 2 to check", told)

    def test_calls_that_are_not_supported(self):
        _, told = self.run_in_folder("exec", PROGRAM, "graph", status=3)
        self.assertIn("cuGraphCreate is not supported: it returns CUDA_ERROR_NOT_SUPPORTED", told)

    def test_programs_that_fail(self):
        _, told = self.run_in_folder("exec", PROGRAM, "fails", status=1)
        self.assertIn("ended with status 9", told)
        _, told = self.run_in_folder("exec", PROGRAM, "crashes", status=1)
        self.assertIn("was ended by signal 6", told)
        _, told = self.run_in_folder("exec", PROGRAM, "nothing", status=3)
        self.assertIn("launched no kernel", told)
        _, told = self.run_in_folder("exec", "./missing", status=2)
        self.assertIn("./missing cannot be started", told)
        _, told = self.run_in_folder("exec", "--launcj", "1", "x", status=2)
        self.assertIn("has no option --launcj", told)

    def test_json_is_one_document(self):
        said, told = self.run_in_folder("exec", "--json", PROGRAM, "sum", status=0)
        self.assertEqual(len(json.loads(said)["results"]), 2)
        self.assertIn("right", told)

    def test_a_program_of_the_runtime(self):
        program = self.compiled(TWO_KERNELS, "-cudart", "shared")
        said, told = self.run_in_folder("exec", program, status=0)
        self.assertIn("sum of 50", said)
        self.assertIn("no error", said)
        self.assertIn("4 runs: 4 as expected", said)
        self.assertIn("ended with status 0; 2 launches", told)

    def test_a_runtime_that_is_linked_statically(self):
        program = self.compiled(OUT_OF_BOUNDS)
        _, told = self.run_in_folder("exec", program, status=1)
        self.assertIn("-cudart shared", told)

    def test_lines_of_the_source(self):
        program = self.compiled(SPIN_LOCK, "-cudart", "shared")
        said, _ = self.run_in_folder("exec", program, status=1)
        self.assertIn("spins at program.cu:3 until `arg0[0]` is 0", said)
        program = self.compiled(OUT_OF_BOUNDS, "-cudart", "shared", "--compress-mode=speed")
        said, told = self.run_in_folder("exec", program, status=1)
        self.assertIn("writes 4 bytes at program.cu:2, where no memory of the device is", said)
        self.assertIn("block 0, thread 31: an access of 4 bytes at", told)


if __name__ == "__main__":
    unittest.main()
