// The effect of each memory operation on a value, and the answer that its lane gets.
#include "sim/lane/operation.hpp"

#include <bit>

#include <simt/detail/mbarrier_word.hpp>
#include <simt/ptx/float.hpp>

namespace simt {
namespace {

std::uint64_t truncate(std::uint64_t value, std::uint8_t size) {
  return size >= 8 ? value : value & ((std::uint64_t{1} << (size * 8U)) - 1);
}

std::int64_t sign_extend(std::uint64_t value, std::uint8_t size) {
  const unsigned unused = 64U - size * 8U;
  return static_cast<std::int64_t>(value << unused) >> unused;
}

// The number of nodes handed out, and retired nodes as bits, in a word of a pool (types.hpp).
constexpr std::uint64_t one_more = std::uint64_t{1} << detail::pool_word_nodes;
constexpr std::uint64_t retired_bits = one_more - 1;

std::uint64_t retired_for_reuse(const operation& op, std::uint64_t word) {
  return op.compare != 0 ? word & retired_bits : 0;
}
bool has_fresh(const operation& op, std::uint64_t word) { return word / one_more < op.operand; }

// Adds numbers of 16 bits: one, or each of a pair.
std::uint64_t sum_of_halves(std::uint64_t a, std::uint64_t b, std::uint8_t size, bool is_bf16) {
  std::uint64_t all = 0;
  for (unsigned at = 0; at < 8U * size; at += 16) {
    const auto x = static_cast<std::uint16_t>(a >> at), y = static_cast<std::uint16_t>(b >> at);
    const std::uint16_t sum = is_bf16 ? ptx::to_bf16(ptx::of_bf16(x) + ptx::of_bf16(y))
                                      : ptx::to_f16(ptx::of_f16(x) + ptx::of_f16(y));
    all |= std::uint64_t{sum} << at;
  }
  return all;
}

// Adds floating-point numbers as a GPU does: it has one NaN. `what`: 0, or which numbers of 16 bits
// (simt/ptx/access.hpp).
std::uint64_t sum_of_floats(std::uint64_t a, std::uint64_t b, std::uint8_t size,
                            std::uint64_t what) {
  if (what != 0) return sum_of_halves(a, b, size, what == 2);
  if (size == 8) {
    return std::bit_cast<std::uint64_t>(std::bit_cast<double>(a) + std::bit_cast<double>(b));
  }
  const float sum = std::bit_cast<float>(static_cast<std::uint32_t>(a)) +
                    std::bit_cast<float>(static_cast<std::uint32_t>(b));
  return sum != sum ? 0x7fffffff : std::bit_cast<std::uint32_t>(sum);
}

detail::mbarrier_change change_of(const operation& op) {
  return {static_cast<std::uint32_t>(op.operand), static_cast<std::uint32_t>(op.compare),
          static_cast<std::int32_t>(op.operand >> 32)};
}

}  // namespace

std::uint64_t apply(const operation& op, std::uint64_t old) {
  using enum detail::memory_kind;
  const std::uint64_t value = truncate(op.operand, op.size);
  const auto signed_old = sign_extend(old, op.size);
  const auto signed_value = sign_extend(value, op.size);
  switch (op.memory) {
    case load: return old;
    case store:
    case exchange: return value;
    case compare_exchange: return old == truncate(op.compare, op.size) ? value : old;
    case add: return truncate(old + value, op.size);
    case bit_and: return old & value;
    case bit_or: return old | value;
    case bit_xor: return old ^ value;
    case min_signed: return signed_value < signed_old ? value : old;
    case max_signed: return signed_value > signed_old ? value : old;
    case min_unsigned: return value < old ? value : old;
    case max_unsigned: return value > old ? value : old;
    // CUDA C++ Programming Guide, atomicInc and atomicDec.
    case add_wrap: return old >= value ? 0 : truncate(old + 1, op.size);
    case sub_wrap: return old == 0 || old > value ? value : old - 1;
    case pool_take: {
      const std::uint64_t retired = retired_for_reuse(op, old);
      if (retired != 0) return old & ~(retired & (0 - retired));
      return has_fresh(op, old) ? old + one_more : old;
    }
    case pool_retire: return old | std::uint64_t{1} << (value % detail::pool_word_nodes);
    case mbarrier: {
      const detail::mbarrier_change by = change_of(op);
      // Where the mbarrier is misused, the lane's next step is an assertion that fails.
      return detail::mbarrier_misuse_of(old, by) != 0 ? old : detail::mbarrier_after(old, by);
    }
    case add_float: return sum_of_floats(old, value, op.size, op.compare);
    case copy_claim: return (old & 3) == 0 ? old | 1 : old;
    case copy_post: return (old & ~std::uint64_t{3}) | 2;
    case async_load:
    case proxy_fence:
    case copy_view: return old;
    case async_store: return value;
  }
  return old;
}

std::uint64_t answer(const operation& op, std::uint64_t old) {
  using enum detail::memory_kind;
  if (is_store(op) || op.memory == pool_retire || op.mask != 0) return 0;
  if (numbers_copy(op)) {
    for (std::uint32_t number = 1; number <= detail::most_viewing_copies; ++number) {
      if (!is_in_use(op, number)) return number;
    }
    return 0;
  }
  if (touches_no_value(op)) return 0;
  if (op.memory == load && op.operand != 0) return old & op.operand;
  if (op.memory == mbarrier && (op.compare & detail::mbarrier_tells_counts) == 0) {
    return detail::mbarrier_told(old, change_of(op));
  }
  if (op.memory != pool_take) return old;
  const std::uint64_t retired = retired_for_reuse(op, old);
  if (retired != 0) return static_cast<std::uint64_t>(std::countr_zero(retired));
  return has_fresh(op, old) ? old / one_more : detail::pool_no_node;
}

bool fails(const operation& op, std::uint64_t old) {
  return op.memory == detail::memory_kind::compare_exchange &&
         truncate(old, op.size) != truncate(op.compare, op.size);
}

std::uint32_t reduced(detail::collective_kind kind, std::uint32_t a, std::uint32_t b) {
  const auto signed_a = static_cast<std::int32_t>(a), signed_b = static_cast<std::int32_t>(b);
  switch (kind) {
    case detail::collective_kind::reduce_add: return a + b;
    case detail::collective_kind::reduce_min_signed: return signed_a < signed_b ? a : b;
    case detail::collective_kind::reduce_max_signed: return signed_a < signed_b ? b : a;
    case detail::collective_kind::reduce_min_unsigned: return a < b ? a : b;
    case detail::collective_kind::reduce_max_unsigned: return a < b ? b : a;
    case detail::collective_kind::reduce_and: return a & b;
    case detail::collective_kind::reduce_or: return a | b;
    case detail::collective_kind::reduce_xor: return a ^ b;
    default: return a;
  }
}

}  // namespace simt
