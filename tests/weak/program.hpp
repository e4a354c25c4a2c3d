// Small programs of a few lanes that access memory with all orders and scopes: each is emitted as
// a C++ subject for the engine, and as a litmus test for the axioms.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace weak {

enum class operation_kind : std::uint8_t {
  load,
  store,
  exchange,
  add,
  compare_exchange,
  spin,  // loads until it reads something else than 0
  take,  // exchanges it for `value` until it reads 0
  fence,
  syncwarp,
  vote,          // of the lanes of the warp, who forget what it answers; `value`: which one
  barrier_sync,  // a named barrier, for all warps of the block
  barrier_arrive
};

/// As C++ has them.
enum class memory_order : std::uint8_t { relaxed, acquire, release, acq_rel, seq_cst };
/// `plain` and `volatile_access` are for loads and stores, and have no order.
enum class strength : std::uint8_t { plain, volatile_access, thread, block, device, system };
/// What becomes of a result: a register has it; or nobody uses it, and C++ does not say so; or C++
/// says so; or there is none, as of PTX's `red`, which adds.
enum class result_use : std::uint8_t { kept, dropped, said, nothing };

/// The operation is carried out where a register has, or has not, a value.
struct guard {
  int target = 0;
  int value = 0;
  bool negated = false;
};

struct operation {
  operation_kind kind = operation_kind::load;
  memory_order order = memory_order::relaxed;
  std::optional<memory_order> failure;  // of a compare-exchange
  strength how = strength::device;
  int location = 0;
  int stride = 0;    // the location is (location + rank * stride) modulo their number
  int value = 0;     // that is stored, or added
  int expected = 0;  // by a compare-exchange
  int target = -1;   // the register with what was read; behind the lane's registers: none has it
  result_use result = result_use::kept;
  int source = -1;  // a register that is stored, instead of the value
  std::optional<guard> when;
  std::optional<guard> also;  // besides `when`

  [[nodiscard]] bool loads() const {
    return kind != operation_kind::store && kind < operation_kind::fence;
  }
  [[nodiscard]] bool goes_round() const {
    return kind == operation_kind::spin || kind == operation_kind::take;
  }
  [[nodiscard]] bool stores() const {
    return loads() ? kind != operation_kind::load && kind != operation_kind::spin
                   : kind == operation_kind::store;
  }
};

enum class meeting : std::uint8_t { nothing, syncwarp, syncthreads, named_barrier };

inline constexpr int all_blocks = -1;

/// What each lane does, by rank, and the barrier behind it.
struct phase {
  std::vector<std::vector<operation>> lanes;
  meeting behind = meeting::nothing;
  int block = all_blocks;  // that meets
};

inline constexpr int vote_kinds = 5;
inline constexpr int activemask = 4;      // the one of them that waits for nobody
inline constexpr int register_count = 4;  // of a lane
inline constexpr int register_bits = 6;   // values are small: a lane's registers fit a word

struct program {
  unsigned index = 0;
  std::uint32_t blocks = 1;
  std::vector<std::uint32_t> lanes{1};  // of each warp of a block
  int locations = 2;
  int shared = 0;  // so many of the first locations are the block's: each block has its own
  /// All lanes run the same code.
  bool alike = false;
  /// Lanes add their registers up, instead of each storing its own: they need not know who they
  /// are.
  bool adds_up = false;
  std::vector<phase> phases;

  [[nodiscard]] int lanes_of_block() const {
    int sum = 0;
    for (const std::uint32_t n : lanes) sum += static_cast<int>(n);
    return sum;
  }
  [[nodiscard]] int size() const { return static_cast<int>(blocks) * lanes_of_block(); }
  /// Where values are stored: the locations, and those of further blocks.
  [[nodiscard]] int places() const { return locations + shared * (static_cast<int>(blocks) - 1); }
  /// The place of an operation's location, for a lane of the block.
  [[nodiscard]] int place_in(int block, int location) const {
    const bool is_of_further_block = location < shared && block > 0;
    return is_of_further_block ? locations + (block - 1) * shared + location : location;
  }
  /// The registers that lanes leave behind them: of each lane, or the sum.
  [[nodiscard]] int results() const { return adds_up ? 1 : size(); }
  [[nodiscard]] int block_of(int rank) const { return rank / lanes_of_block(); }
  [[nodiscard]] int warp_of(int rank) const {
    int in_block = rank % lanes_of_block(), warp = 0;
    for (; in_block >= static_cast<int>(lanes[static_cast<std::size_t>(warp)]); ++warp) {
      in_block -= static_cast<int>(lanes[static_cast<std::size_t>(warp)]);
    }
    return warp;
  }
  [[nodiscard]] bool has_large_warps() const {
    for (const std::uint32_t n : lanes) {
      if (n > 1) return true;
    }
    return false;
  }

  template <class F>
  [[nodiscard]] bool any_operation(F f) const {
    for (const phase& p : phases) {
      for (const auto& list : p.lanes) {
        for (const operation& op : list) {
          if (f(op)) return true;
        }
      }
    }
    return false;
  }
  /// Some operation depends on what was read.
  [[nodiscard]] bool has_dependencies() const {
    return any_operation(
        [](const operation& op) { return op.when || op.source >= 0 || op.goes_round(); });
  }
  /// Lanes of one warp wait for each other at different places, which lockstep does not allow.
  [[nodiscard]] bool needs_independence() const {
    return has_large_warps() && any_operation([this](const operation& op) {
             return op.kind == operation_kind::syncwarp || op.goes_round() ||
                    (op.kind == operation_kind::vote && !alike);
           });
  }
  /// Lanes of one warp wait for each other, and know no more of memory then. (In one phase, without
  /// barriers.)
  [[nodiscard]] bool has_votes() const {
    return any_operation([](const operation& op) { return op.kind == operation_kind::vote; });
  }
};

}  // namespace weak
