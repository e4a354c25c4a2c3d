// Compares on a GPU what kernels in PTX do with matrices and with atomic sums of numbers of 16
// bits: ldmatrix, stmatrix and movmatrix with the table that tests/ptx/matrix_test.cpp uses, sums
// with the functions of simt/ptx. tools/compare_arithmetic builds and runs it.
//
//   compare_matrices [ROUNDS] [SEED]
#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

#include <simt/ptx/float.hpp>

#include "matrix_table.hpp"

namespace {

using u16 = std::uint16_t;
using u32 = std::uint32_t;

void require(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
  std::exit(2);
}

constexpr unsigned row_bytes = 16, rows = 32, words_of_row = 4, most = 4;

__device__ u32 place_of(const void* at) { return static_cast<u32>(__cvta_generic_to_shared(at)); }

template <unsigned count, bool transposed>
__device__ void load_matrices(u32 row, u32 (&to)[most]) {
#define LOAD(number, how, list)                                                       \
  asm volatile("ldmatrix.sync.aligned.m8n8." number how ".shared.b16 " list ", [%4];" \
               : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])                   \
               : "r"(row)                                                             \
               : "memory")
  to[0] = to[1] = to[2] = to[3] = 0;
  if constexpr (count == 1 && !transposed) LOAD("x1", "", "{%0}");
  if constexpr (count == 1 && transposed) LOAD("x1", ".trans", "{%0}");
  if constexpr (count == 2 && !transposed) LOAD("x2", "", "{%0, %1}");
  if constexpr (count == 2 && transposed) LOAD("x2", ".trans", "{%0, %1}");
  if constexpr (count == 4 && !transposed) LOAD("x4", "", "{%0, %1, %2, %3}");
  if constexpr (count == 4 && transposed) LOAD("x4", ".trans", "{%0, %1, %2, %3}");
#undef LOAD
}

template <unsigned count, bool transposed>
__device__ void store_matrices(u32 row, const u32 (&from)[most]) {
#define STORE(number, how, list)                                                      \
  asm volatile("stmatrix.sync.aligned.m8n8." number how ".shared.b16 [%4], " list ";" \
               :                                                                      \
               : "r"(from[0]), "r"(from[1]), "r"(from[2]), "r"(from[3]), "r"(row)     \
               : "memory")
  if constexpr (count == 1 && !transposed) STORE("x1", "", "{%0}");
  if constexpr (count == 1 && transposed) STORE("x1", ".trans", "{%0}");
  if constexpr (count == 2 && !transposed) STORE("x2", "", "{%0, %1}");
  if constexpr (count == 2 && transposed) STORE("x2", ".trans", "{%0, %1}");
  if constexpr (count == 4 && !transposed) STORE("x4", "", "{%0, %1, %2, %3}");
  if constexpr (count == 4 && transposed) STORE("x4", ".trans", "{%0, %1, %2, %3}");
#undef STORE
}

/// `tile` has 32 rows, `given` the row whose address each lane gives, `registers` what lanes get.
template <unsigned count, bool transposed>
__global__ void loads(const u32* tile, const u32* given, u32* registers) {
  __shared__ __align__(16) u32 shared[rows * words_of_row];
  const unsigned lane = threadIdx.x;
  for (unsigned w = lane; w < rows * words_of_row; w += 32) shared[w] = tile[w];
  __syncwarp();
  u32 got[most];
  load_matrices<count, transposed>(place_of(shared) + row_bytes * given[lane], got);
  for (unsigned k = 0; k < count; ++k) registers[32 * k + lane] = got[k];
}

template <unsigned count, bool transposed>
__global__ void stores(u32* tile, const u32* given, const u32* registers) {
  __shared__ __align__(16) u32 shared[rows * words_of_row];
  const unsigned lane = threadIdx.x;
  for (unsigned w = lane; w < rows * words_of_row; w += 32) shared[w] = tile[w];
  __syncwarp();
  u32 from[most];
  for (unsigned k = 0; k < most; ++k) from[k] = registers[32 * k + lane];
  store_matrices<count, transposed>(place_of(shared) + row_bytes * given[lane], from);
  __syncwarp();
  for (unsigned w = lane; w < rows * words_of_row; w += 32) tile[w] = shared[w];
}

__global__ void moves(const u32* from, u32* to) {
  u32 moved = 0;
  asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;"
               : "=r"(moved)
               : "r"(from[threadIdx.x]));
  to[threadIdx.x] = moved;
}

/// Each thread has two cells of 4 bytes, for f16 and bf16, and two for pairs.
__global__ void sums(u32* cells, const u32* added, u32* old, unsigned count) {
  const unsigned t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= count) return;
  u32* const cell = cells + 4 * t;
  u16 got = 0;
  const u16 one = static_cast<u16>(added[t]);
  asm volatile("atom.global.add.noftz.f16 %0, [%1], %2;"
               : "=h"(got)
               : "l"(cell), "h"(one)
               : "memory");
  old[4 * t] = got;
  asm volatile("atom.global.add.noftz.bf16 %0, [%1], %2;"
               : "=h"(got)
               : "l"(cell + 1), "h"(one)
               : "memory");
  old[4 * t + 1] = got;
  asm volatile("atom.global.add.noftz.f16x2 %0, [%1], %2;"
               : "=r"(old[4 * t + 2])
               : "l"(cell + 2), "r"(added[t])
               : "memory");
  asm volatile("red.global.add.noftz.bf16x2 [%0], %1;" : : "l"(cell + 3), "r"(added[t]) : "memory");
  old[4 * t + 3] = added[t];
}

class device_words {
 public:
  explicit device_words(std::size_t count) : host(count) {
    require(cudaMalloc(&there, count * sizeof(u32)), "memory");
  }
  ~device_words() { cudaFree(there); }
  device_words(const device_words&) = delete;
  device_words& operator=(const device_words&) = delete;
  void give() {
    require(cudaMemcpy(there, host.data(), host.size() * sizeof(u32), cudaMemcpyHostToDevice),
            "to");
  }
  void fetch() {
    require(cudaMemcpy(host.data(), there, host.size() * sizeof(u32), cudaMemcpyDeviceToHost),
            "from");
  }
  std::vector<u32> host;
  u32* there = nullptr;
};

std::size_t differing = 0, compared = 0;

void compare(const char* what, unsigned count, bool transposed, std::size_t at, u32 here,
             u32 there) {
  ++compared;
  if (here == there) return;
  if (differing++ < 20)
    std::printf("differs: %s x%u%s at %zu: here %x, GPU %x\n", what, count,
                transposed ? ".trans" : "", at, here, there);
}

u32 half_of(const std::vector<u32>& tile, unsigned row, unsigned column) {
  return tile[row * words_of_row + column / 2] >> 16 * (column % 2) & 0xffff;
}

template <unsigned count, bool transposed>
void compare_matrices(std::mt19937& random) {
  device_words tile(rows * words_of_row), given(32), registers(32 * most);
  for (u32& w : tile.host) w = static_cast<u32>(random());
  for (u32& w : registers.host) w = static_cast<u32>(random());
  for (unsigned k = 0; k < 32; ++k) given.host[k] = k;
  for (unsigned k = 31; k > 0; --k) std::swap(given.host[k], given.host[random() % (k + 1)]);
  const std::vector<u32> stored = registers.host;
  std::vector<u32> expected_tile = tile.host;
  std::vector<u32> expected(32 * count);
  for (unsigned k = 0; k < count; ++k) {
    for (unsigned lane = 0; lane < 32; ++lane) {
      for (unsigned half = 0; half < 2; ++half) {
        const auto [row, column] = matrix_table::element_of(lane, half, transposed);
        const u32 there = given.host[matrix_table::lane_of_row(k, row)];
        expected[32 * k + lane] |= half_of(tile.host, there, column) << 16 * half;
        u32& word = expected_tile[there * words_of_row + column / 2];
        const unsigned shift = 16 * (column % 2);
        word = (word & ~(0xffffu << shift)) | (stored[32 * k + lane] >> 16 * half & 0xffff)
                                                  << shift;
      }
    }
  }
  tile.give();
  given.give();
  registers.give();
  stores<count, transposed><<<1, 32>>>(tile.there, given.there, registers.there);
  const std::vector<u32> before = tile.host;
  tile.fetch();
  for (std::size_t w = 0; w < tile.host.size(); ++w)
    compare("stmatrix", count, transposed, w, expected_tile[w], tile.host[w]);
  tile.host = before;
  tile.give();
  loads<count, transposed><<<1, 32>>>(tile.there, given.there, registers.there);
  registers.fetch();
  for (std::size_t w = 0; w < expected.size(); ++w)
    compare("ldmatrix", count, transposed, w, expected[w], registers.host[w]);
}

void compare_movement(std::mt19937& random) {
  device_words from(32), to(32);
  for (u32& w : from.host) w = static_cast<u32>(random());
  from.give();
  moves<<<1, 32>>>(from.there, to.there);
  to.fetch();
  for (unsigned lane = 0; lane < 32; ++lane) {
    u32 word = 0;
    for (unsigned half = 0; half < 2; ++half) {
      const auto [row, column] = matrix_table::element_of(lane, half, true);
      word |= (from.host[4 * row + column / 2] >> 16 * (column % 2) & 0xffff) << 16 * half;
    }
    compare("movmatrix", 1, true, lane, word, to.host[lane]);
  }
}

u16 sum_of(u32 a, u32 b, bool is_bf16) {
  const auto x = static_cast<u16>(a), y = static_cast<u16>(b);
  return is_bf16 ? simt::ptx::to_bf16(simt::ptx::of_bf16(x) + simt::ptx::of_bf16(y))
                 : simt::ptx::to_f16(simt::ptx::of_f16(x) + simt::ptx::of_f16(y));
}
u32 pair_of(u32 a, u32 b, bool is_bf16) {
  return sum_of(a, b, is_bf16) | static_cast<u32>(sum_of(a >> 16, b >> 16, is_bf16)) << 16;
}

void compare_sums(std::mt19937& random) {
  constexpr unsigned threads = 1 << 16;
  device_words cells(4 * threads), added(threads), old(4 * threads);
  const auto number = [&] {  // often close to another, or special
    const u32 kind = random() % 4;
    const u32 word = static_cast<u32>(random());
    return kind == 0 ? word & 0x83ff83ff : kind == 1 ? (word & 0x87ff87ff) | 0x38003800 : word;
  };
  for (u32& w : cells.host) w = number();
  for (u32& w : added.host) w = number();
  cells.give();
  added.give();
  const std::vector<u32> before = cells.host;
  sums<<<(threads + 127) / 128, 128>>>(cells.there, added.there, old.there, threads);
  cells.fetch();
  old.fetch();
  for (unsigned t = 0; t < threads; ++t) {
    for (unsigned k = 0; k < 4; ++k) {
      const u32 a = before[4 * t + k], b = added.host[t];
      const bool is_bf16 = k % 2 == 1;
      const u32 expected =
          k < 2 ? (a & 0xffff0000) | sum_of(a, b, is_bf16) : pair_of(a, b, is_bf16);
      const char* const names[] = {"atom f16", "atom bf16", "atom f16x2", "red bf16x2"};
      compare(names[k], 1, false, t, expected, cells.host[4 * t + k]);
      const u32 was = k < 2 ? a & 0xffff : k == 2 ? a : b;
      compare("the old value", k, false, t, was, old.host[4 * t + k]);
    }
  }
}

}  // namespace

int main(int count, char** arguments) {
  const int rounds = count > 1 ? std::atoi(arguments[1]) : 100;
  std::mt19937 random(count > 2 ? static_cast<u32>(std::atoi(arguments[2])) : 1);
  for (int n = 0; n < rounds; ++n) {
    compare_matrices<1, false>(random);
    compare_matrices<1, true>(random);
    compare_matrices<2, false>(random);
    compare_matrices<2, true>(random);
    compare_matrices<4, false>(random);
    compare_matrices<4, true>(random);
    compare_movement(random);
    if (n % 10 == 0) compare_sums(random);
  }
  require(cudaDeviceSynchronize(), "kernels");
  std::printf("matrices and sums of 16 bits: %zu values compared, %zu differ\n", compared,
              differing);
  return differing == 0 ? 0 : 1;
}
