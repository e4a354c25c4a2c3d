// Names of CUDA's that a subject uses: the compiler's message, and the line with the remedy.
#include <doctest/doctest.h>

#include <utility>
#include <vector>

#include "sim/compile/compiler_messages.hpp"
#include "sim/subject/cuda_names.hpp"
#include "tests/checker/run_source.hpp"

using test::kernel;
using test::source_run;

namespace {

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

}  // namespace

TEST_CASE("what device code of CUDA's needs instead") {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"x = threadIdx.x;", "simt::thread_rank()"},
      {"x = blockIdx.x;", "simt::block_index()"},
      {"x = blockDim.x;", "simt::block_size()"},
      {"__shared__ int y; x = y;", "simt::block_shared<T, Tag>()"},
      {"__syncthreads();", "simt::syncthreads()"},
      {"__syncwarp();", "simt::syncwarp(mask)"},
      {"atomicAdd(&x, 1);", "write simt::atomicAdd"},
      {"atomicCAS_block(&x, 0, 1);", "write simt::atomicCAS_block"},
      {"__threadfence();", "write simt::__threadfence"},
      {"x = __shfl_sync(~0U, x, 0);", "simt::shfl(mask, value, source, width)"},
      {"x = __popc(x);", "simt::popc(x)"},
      {"x = min(x, 1);", "simt::min(a, b)"},
      {"cuda::atomic_ref<int> r(x); r = 1;", "simt::atomic_ref"},
      {"x = clock64();", "no time in the simulator"},
      {"x = __syncthreads_count(x);", "simt::bar_red_popc(id, threads, condition)"},
      {"float4 v; x = v.x;", "a struct of your own"},
      {"__half h;", "float and double"},
      {"f<<<1, 32>>>(x);", "with the [grid] of the scenario"},
  };
  for (const auto& [code, remedy] : cases) {
    const std::string error = source_run(kernel("int x = 0;", code)).error();
    CAPTURE(code);
    CAPTURE(error);
    CHECK(contains(error, "subject.hpp:5:"));
    CHECK(contains(error, "\n  remedy: "));
    CHECK(contains(error, remedy));
  }
}

TEST_CASE("names that simt does not have") {
  const std::vector<std::pair<std::string, std::string>> cases{
      {"simt::device_atomic<int> a(x);", "simt::atomic<T, simt::thread_scope_device>"},
      {"x = simt::thread_id();", "simt::thread_rank()"},
      {"x = simt::lane_id();", "simt::lane_index()"},
      {"simt::shared<int>();", "simt::block_shared<T, Tag>()"},
      {"x = simt::shfl_sync(~0U, x, 0);", "simt::shfl(mask, value, source, width)"},
      {"simt::threadfence();", "did you mean '__threadfence'?"},
      {"simt::abort();", "simt::check(false, \"why\")"},
      {"simt::launch_missiles();", "docs/api.md"},
      {"simt::sync_threads();", "did you mean 'syncthreads'?"},
  };
  for (const auto& [code, remedy] : cases) {
    const std::string error = source_run(kernel("int x = 0;", code)).error();
    CAPTURE(code);
    CAPTURE(error);
    CHECK(contains(error, "subject.hpp:5:"));
    CHECK(contains(error, remedy));
  }
  const std::string member =
      source_run(kernel("simt::device_atomic<int> x{0};", "x.store(1);")).error();
  CAPTURE(member);
  CHECK(contains(member, "remedy: simt::atomic<T, simt::thread_scope_device>"));
}

TEST_CASE("at namespace scope") {
  const std::string device =
      source_run("__device__ int f(int a) { return a; }\n" + kernel("", "")).error();
  CAPTURE(device);
  CHECK(contains(device, "remedy: mark device functions SIMT_FN"));
  const std::string global = source_run("__global__ void k(int* p) { *p = 1; }\n").error();
  CAPTURE(global);
  CHECK(contains(global, "SIMT_SUBJECT(NAME)"));
  const std::string bounds =
      source_run("void __launch_bounds__(32) f() {}\n" + kernel("", "")).error();
  CAPTURE(bounds);
  CHECK(contains(bounds, "remedy: leave it out"));
  const std::string header = source_run("#include <cuda/atomic>\n" + kernel("", "")).error();
  CAPTURE(header);
  CHECK(contains(header, "simt::atomic, simt::atomic_ref"));
}

TEST_CASE("each remedy is told once, and names of one's own have none") {
  const std::string twice =
      source_run(kernel("int x = 0;", "x = threadIdx.x; x = threadIdx.y;")).error();
  CAPTURE(twice);
  CHECK(twice.find("remedy: ") == twice.rfind("remedy: "));
  const std::string own = source_run(kernel("int x = 0;", "x = missing;")).error();
  CHECK(!contains(own, "remedy: "));
}

TEST_CASE("messages of nvcc") {
  const std::string said = simt::detail::shortened(
      "a.hpp(4): error: calling a __host__ function(\"__builtin_ctz\") from a __device__ "
      "function(\"f\") is not allowed\n\n1 error detected in the compilation of \"a.cu\".\n",
      "/api");
  CAPTURE(said);
  CHECK(contains(said, "is not allowed\n  remedy: CUDA's device code has none; simt::ffs(x) - 1"));
}

TEST_CASE("names") {
  CHECK(simt::detail::in_place_of("atomicMax_system") == "write simt::atomicMax_system");
  CHECK(simt::detail::in_place_of("atomicMean").empty());
  CHECK(simt::detail::in_place_of("mine").empty());
}
