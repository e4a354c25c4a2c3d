// Runs the kernels of forms.ptx on a GPU, the functions of forms.inc here, on the same operands,
// and compares the results bit for bit. tools/compare_arithmetic builds it.
//
//   compare_arithmetic FORMS.cubin [ROWS] [SEED]
#include <cuda_runtime.h>

#include <bit>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include <simt/ptx/convert.hpp>
#include <simt/ptx/float.hpp>
#include <simt/ptx/integer.hpp>

/// As the simulator has it (sim/lane/hooks.cpp).
extern "C" std::uint64_t simt_hook_fma(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
  return std::bit_cast<std::uint64_t>(
      std::fma(std::bit_cast<double>(a), std::bit_cast<double>(b), std::bit_cast<double>(c)));
}

namespace {

using namespace simt::ptx;
namespace ptx = simt::ptx;

struct form {
  u64 (*here)(const u64* operands);
  const char* text;
  char numbers;      // what operands look like: i, h, f, d
  char float_of;     // h, b, f, d: what the result is; -: no floating-point number
  unsigned divides;  // bits of the divisor, 1 more if it has a sign; 0: it is no quotient
};

#include "forms.inc"

void require(cudaError_t status, const char* what) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(status));
  std::exit(2);
}

class operand_source {
 public:
  explicit operand_source(u64 seed) : random_(seed) {}
  /// A word that is a number of that kind: special ones, close ones, any.
  u64 word(char kind) {
    switch (kind) {
      case 'f': return of_float<u32>(8, 23) | random_() << 32;
      case 'd': return of_float<u64>(11, 52);
      case 'h': return random_() % 2 == 0 ? of_float<u16>(5, 10) : of_float<u16>(8, 7);
      default: return integer();
    }
  }

 private:
  u64 integer() {
    static const u64 edges[] = {0,
                                0x7f,
                                0x80,
                                0xff,
                                0x7fff,
                                0x8000,
                                0xffff,
                                0x7fffff,
                                0xffffff,
                                0x7fffffff,
                                0x80000000,
                                0xffffffff,
                                0x7fffffffffffffff};
    switch (random_() % 6) {
      case 0: return edges[random_() % std::size(edges)] + random_() % 3 - 1;
      case 1: return random_() % 70;
      case 2: return 0 - random_() % 70;
      case 3: return random_() >> random_() % 64;
      default: return random_();
    }
  }
  template <class T>
  T of_float(unsigned exponent_bits, unsigned digits) {
    const T most = static_cast<T>((u64{1} << exponent_bits) - 1), half = static_cast<T>(most / 2);
    T exponent = static_cast<T>(random_() & most);
    T fraction = static_cast<T>(random_() & ((u64{1} << digits) - 1));
    switch (random_() % 8) {
      case 0: exponent = 0; break;  // zero and subnormal
      case 1: exponent = most; break;
      case 2: exponent = static_cast<T>(half + random_() % 70); break;
      case 3: exponent = static_cast<T>(half - 1 + random_() % 3); break;
      default: break;
    }
    switch (random_() % 6) {
      case 0: fraction = 0; break;
      case 1: fraction = static_cast<T>((u64{1} << digits) - 1); break;
      case 2: fraction = static_cast<T>(fraction & ~((u64{1} << digits / 2) - 1)); break;
      default: break;
    }
    return static_cast<T>((random_() & 1) << (exponent_bits + digits) | u64{exponent} << digits |
                          fraction);
  }
  std::mt19937_64 random_;
};

bool is_nan(u64 bits, char kind) {
  switch (kind) {
    case 'd': return std::isnan(std::bit_cast<double>(bits));
    case 'f': return std::isnan(std::bit_cast<float>(static_cast<u32>(bits)));
    case 'h': return (bits & 0x7fff) > 0x7c00;
    case 'b': return (bits & 0x7fff) > 0x7f80;
    default: return false;
  }
}

/// PTX leaves the quotient by 0, and that of the least number by -1, open.
bool has_no_quotient(const u64* row, unsigned divides) {
  if (divides == 0) return false;
  const bool is_signed = divides % 2 == 1;
  const unsigned bits = divides - (is_signed ? 1 : 0);
  const u64 mask = bits == 64 ? ~u64{0} : (u64{1} << bits) - 1;
  const u64 a = row[0] & mask, b = row[1] & mask;
  return b == 0 || (is_signed && b == mask && a == u64{1} << (bits - 1));
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 2) {
    std::fputs("usage: compare_arithmetic FORMS.cubin [ROWS] [SEED]\n", stderr);
    return 2;
  }
  const auto rows = static_cast<u32>(count > 2 ? std::atoi(arguments[2]) : 10'000);
  operand_source numbers(count > 3 ? std::strtoull(arguments[3], nullptr, 10) : 1);
  cudaLibrary_t library{};
  require(cudaLibraryLoadFromFile(&library, arguments[1], nullptr, nullptr, 0, nullptr, nullptr, 0),
          arguments[1]);
  u64 *in = nullptr, *out = nullptr;
  require(cudaMalloc(&in, std::size_t{rows} * 4 * sizeof(u64)), "operands");
  require(cudaMalloc(&out, std::size_t{rows} * sizeof(u64)), "results");
  std::vector<u64> operands(std::size_t{rows} * 4), results(rows);
  std::size_t number = 0, differing = 0, differing_nan = 0;
  for (const form& f : all_forms) {
    for (u64& word : operands) word = numbers.word(numbers.word('i') % 16 == 0 ? 'i' : f.numbers);
    require(cudaMemcpy(in, operands.data(), operands.size() * sizeof(u64), cudaMemcpyHostToDevice),
            "operands");
    cudaKernel_t kernel{};
    const std::string name = "form" + std::to_string(number++);
    require(cudaLibraryGetKernel(&kernel, library, name.c_str()), f.text);
    u32 rows_there = rows;
    void* parameters[]{&in, &out, &rows_there};
    require(cudaLaunchKernel(reinterpret_cast<const void*>(kernel), dim3((rows + 127) / 128),
                             dim3(128), parameters, 0, nullptr),
            f.text);
    require(cudaMemcpy(results.data(), out, results.size() * sizeof(u64), cudaMemcpyDeviceToHost),
            f.text);
    std::size_t wrong = 0, only_nan = 0;
    for (std::size_t row = 0; row < rows; ++row) {
      const u64* const given = operands.data() + 4 * row;
      if (has_no_quotient(given, f.divides)) continue;
      const u64 here = f.here(given), there = results[row];
      if (here == there) continue;
      if (is_nan(here, f.float_of) && is_nan(there, f.float_of)) {
        if (only_nan++ == 0) {
          std::printf(
              "only the bits of a NaN: %s  of %llx %llx %llx %llx: here %llx, GPU %llx\n", f.text,
              static_cast<unsigned long long>(given[0]), static_cast<unsigned long long>(given[1]),
              static_cast<unsigned long long>(given[2]), static_cast<unsigned long long>(given[3]),
              static_cast<unsigned long long>(here), static_cast<unsigned long long>(there));
        }
        continue;
      }
      if (wrong++ == 0) {
        std::printf(
            "differs: %s  of %llx %llx %llx %llx: here %llx, GPU %llx\n", f.text,
            static_cast<unsigned long long>(given[0]), static_cast<unsigned long long>(given[1]),
            static_cast<unsigned long long>(given[2]), static_cast<unsigned long long>(given[3]),
            static_cast<unsigned long long>(here), static_cast<unsigned long long>(there));
      }
    }
    if (wrong != 0) std::printf("  %zu of %u rows differ\n", wrong, rows);
    differing += wrong != 0 ? 1 : 0;
    differing_nan += only_nan != 0 ? 1 : 0;
  }
  std::printf("%zu forms, %u rows each: %zu differ, %zu only in the bits of a NaN\n", number, rows,
              differing, differing_nan);
  return differing == 0 ? 0 : 1;
}
