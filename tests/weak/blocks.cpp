// Makes random programs of several blocks. Some locations are the block's: each block has its own,
// which its lanes alone access. Scopes are as narrow as a thread, and results may be unused.
#include <algorithm>
#include <array>
#include <set>

#include "tests/naive/random.hpp"
#include "tests/weak/generate.hpp"
#include "tests/weak/operands.hpp"

namespace weak {
namespace {

using naive::random_source;

constexpr int most_shared = 2;
constexpr int most_places = 9;

bool is_update(const operation& op) { return op.loads() && op.stores() && !op.goes_round(); }

/// Blocks of few lanes.
void choose_blocks(program& p, random_source& r) {
  p.blocks = 2;
  switch (r.weighted({40, 35, 10, 10, 5})) {
    case 0: p.lanes = {2}; break;
    case 1: p.lanes = {1, 1}; break;
    case 2: p.lanes = {2, 1}; break;
    case 3: p.lanes = {3}; break;
    default: p.blocks = 3, p.lanes = {2}; break;
  }
}

/// Of the results that nobody uses.
result_use some_unused(const operation& op, random_source& r) {
  if (op.kind == operation_kind::add) {
    return r.one_of({result_use::dropped, result_use::said, result_use::nothing});
  }
  return r.one_of({result_use::dropped, result_use::said});
}

/// Nobody uses what the operation reads. `number`: of such results of the lane.
void drop_result(operation& op, int number, random_source& r) {
  op.target = register_count + number;
  op.result = is_update(op) ? some_unused(op, r) : result_use::dropped;
  if (op.result != result_use::dropped) op.failure.reset();
}

/// Operations of all kinds, with any scope, on any location.
class block_generator {
 public:
  explicit block_generator(std::uint64_t seed) : random_(seed) {}

  program make() {
    choose_blocks(program_, random_);
    fits_ = random_.percent(65);
    publishes_ = random_.percent(35);
    is_relaxed_ = random_.percent(30);
    program_.shared = 1 + random_.weighted({60, 40});
    program_.locations = program_.shared + 1 + random_.weighted({60, 40});
    if (is_relaxed_ && program_.blocks == 2) program_.shared = program_.locations - 1;
    program_.alike = random_.percent(12);
    program_.adds_up = program_.alike && random_.percent(60);
    may_spin_ = random_.percent(40);
    const auto lanes = static_cast<std::size_t>(program_.size());
    used_.assign(lanes, 0);
    unused_.assign(lanes, 0);
    const int phases = 1 + random_.weighted({45, 40, 15});
    // (The axioms' evaluator tries every reads-from.)
    int left = 7 + random_.below(2);
    for (int i = 0; i < phases; ++i) {
      const bool is_last = i + 1 == phases;
      add_phase(is_last ? left : std::max(2, left / 2), is_last);
      for (const auto& list : program_.phases.back().lanes) left -= static_cast<int>(list.size());
      if (program_.alike || left <= 0) break;
    }
    program_.phases.back().behind = meeting::nothing;
    return program_;
  }

 private:
  random_source random_;
  program program_;
  bool fits_ = false;        // no scope is too narrow
  bool publishes_ = false;   // the last locations of a block, and of the grid, are plain
  bool is_relaxed_ = false;  // most operations are
  bool may_spin_ = false;    // then nobody stores what was read, which may be 0
  std::vector<int> used_, unused_;
  int loads_ = 0, compare_exchanges_ = 0;
  struct sure_store {
    int lane = 0, place = 0;
  };
  std::vector<sure_store> sure_stores_;

  void add_phase(int most, bool is_last) {
    phase p;
    const int lanes = program_.size();
    p.lanes.resize(static_cast<std::size_t>(lanes));
    if (program_.alike) {
      std::vector<operation> list;
      const int count = std::clamp(most / lanes, 1, 2);
      for (int i = 0; i < count; ++i) list.push_back(some_operation(0));
      std::ranges::fill(p.lanes, list);
      program_.phases.push_back(std::move(p));
      return;
    }
    // Those who do something: few, so that they often have to do with each other.
    const int shift = random_.below(lanes);
    const int active = is_relaxed_ ? 2 : 2 + random_.below(lanes - 1);
    for (int i = 0; i < most; ++i) {
      const int lane = ((i < active ? i : random_.below(active)) + shift) % lanes;
      auto& list = p.lanes[static_cast<std::size_t>(lane)];
      if (list.size() >= 4) continue;
      list.push_back(some_operation(lane));
      const operation& op = list.back();
      const bool is_sure = op.kind == operation_kind::store && !op.when && op.source < 0;
      if (is_sure) sure_stores_.push_back({lane, place_of(lane, op.location)});
    }
    if (!is_last) {
      p.behind = meeting::syncthreads;
      if (random_.percent(25)) p.block = random_.below(static_cast<int>(program_.blocks));
    }
    program_.phases.push_back(std::move(p));
  }

  [[nodiscard]] int place_of(int lane, int location) const {
    return program_.place_in(program_.block_of(lane), location);
  }

  strength some_scope(bool is_shared) {
    if (fits_) {
      return is_shared ? random_.one_of({strength::block, strength::block, strength::block,
                                         strength::device, strength::system})
                       : random_.one_of({strength::device, strength::device, strength::system});
    }
    constexpr std::array scopes{strength::thread, strength::block, strength::device,
                                strength::system};
    const int which =
        is_shared ? random_.weighted({10, 60, 20, 10}) : random_.weighted({8, 22, 50, 20});
    return scopes[static_cast<std::size_t>(which)];
  }

  memory_order some_order(const operation& op) {
    using enum memory_order;
    if (is_relaxed_ && random_.percent(80)) return relaxed;
    if (op.kind == operation_kind::load) {
      return random_.one_of({relaxed, relaxed, acquire, acquire, seq_cst});
    }
    if (op.kind == operation_kind::store) {
      return random_.one_of({relaxed, relaxed, release, release, seq_cst});
    }
    return random_.one_of({relaxed, relaxed, acquire, release, acq_rel, acq_rel, seq_cst});
  }

  /// Whether nothing but the order of others protects the location.
  [[nodiscard]] bool is_data(int location) const {
    if (!publishes_) return false;
    return location == program_.locations - 1 ||
           (program_.shared > 1 && location == program_.shared - 1);
  }

  operation some_operation(int lane) {
    const auto me = static_cast<std::size_t>(lane);
    operation op;
    constexpr std::array kinds{operation_kind::load,
                               operation_kind::store,
                               operation_kind::exchange,
                               operation_kind::add,
                               operation_kind::compare_exchange,
                               operation_kind::fence};
    const bool begins = is_relaxed_ && used_[me] == 0;
    const int what =
        begins ? random_.weighted({70, 8, 6, 8, 4, 4}) : random_.weighted({27, 28, 9, 14, 8, 14});
    op.kind = kinds[static_cast<std::size_t>(what)];
    const int lanes_with_it = program_.alike ? program_.size() : 1;
    if (op.kind == operation_kind::compare_exchange) {
      if (compare_exchanges_ + lanes_with_it > 3) op.kind = operation_kind::exchange;
    }
    if (op.loads() && loads_ + lanes_with_it > 6) op.kind = operation_kind::store;
    if (random_.percent(10) && used_[me] > 0)
      op.when = guard{random_.below(used_[me]), random_.below(2), random_.percent(50)};
    if (op.kind == operation_kind::fence) {
      using enum memory_order;
      op.order = random_.one_of({acquire, release, acq_rel, acq_rel, acq_rel, seq_cst, seq_cst});
      op.how = fits_ ? random_.one_of(
                           {strength::block, strength::device, strength::device, strength::system})
                     : random_.one_of({strength::thread, strength::block, strength::block,
                                       strength::device, strength::device, strength::system});
      return op;
    }
    const bool is_shared = random_.percent(50);
    op.location = is_shared ? random_.below(program_.shared)
                            : program_.shared + random_.below(program_.locations - program_.shared);
    op.how = some_scope(is_shared);
    op.order = some_order(op);
    choose_operands(op, random_);
    if (op.kind == operation_kind::compare_exchange) compare_exchanges_ += lanes_with_it;
    const bool is_simple = op.kind == operation_kind::load || op.kind == operation_kind::store;
    if (is_simple && !fits_ && random_.percent(20)) {
      op.how = random_.one_of({strength::plain, strength::plain, strength::volatile_access});
    }
    if (is_data(op.location) && random_.percent(85)) {
      if (is_simple)
        op.how = random_.one_of({strength::plain, strength::plain, strength::thread});
      else
        op.how = strength::thread;
    }
    if (op.kind == operation_kind::load && may_spin_ && !program_.alike && !op.when &&
        op.how >= strength::block && random_.percent(30) && will_end(lane, op.location)) {
      op.kind = operation_kind::spin;
    }
    if (op.kind == operation_kind::store && !may_spin_ && used_[me] > 0 && random_.percent(20))
      op.source = random_.below(used_[me]);
    if (op.loads()) {
      loads_ += lanes_with_it;
      const bool is_unused = !op.goes_round() && random_.percent(is_update(op) ? 45 : 8);
      if (is_unused || used_[me] == register_count) {
        drop_result(op, unused_[me]++, random_);
        if (op.goes_round()) op.kind = operation_kind::load;
      } else {
        op.target = used_[me]++;
      }
    }
    return op;
  }

  /// Whether a lane may wait for the location: one that comes before it, and so does not wait for
  /// it, stores there.
  [[nodiscard]] bool will_end(int lane, int location) const {
    return std::ranges::any_of(sure_stores_, [&](const sure_store& s) {
      return s.lane < lane && s.place == place_of(lane, location);
    });
  }
};

/// Values that lanes hand on, one to the next: to one of its own block by a barrier, or by a flag
/// of the block; to one of another block by a flag of the grid.
class relay_generator {
 public:
  explicit relay_generator(std::uint64_t seed) : random_(seed) {}

  program make() {
    using enum operation_kind;
    program_.blocks = 2;
    if (random_.percent(50))
      program_.lanes = {2};
    else
      program_.lanes = {1, 1};
    // Cells of the block: a flag, and data. Of the grid: two flags, data, and what comes back.
    program_.shared = 2;
    program_.locations = 6;
    lists_.resize(4);
    const int hops = 2 + random_.weighted({65, 35});
    std::vector<int> way{random_.below(4)};
    for (int i = 0; i < hops; ++i) {
      const int last = way.back();
      const bool stays = i == 0 ? random_.percent(75) : random_.percent(50);
      const int mate = last ^ 1, other = (last ^ 2) & (random_.percent(50) ? 3 : 2);
      way.push_back(stays ? mate : other);
    }
    is_loose_ = random_.percent(35);
    const bool comes_back = is_loose_ || random_.percent(45);
    if (comes_back) read(way.front(), back, relaxed_atom());
    const bool in_block = way[0] / 2 == way[1] / 2 && random_.percent(40);
    const int data = in_block ? own_data : grid_data;
    const bool is_guarded = random_.percent(80);
    if (!is_loose_) write(way.front(), data);
    int flag = first_flag;
    for (std::size_t i = 1; i < way.size(); ++i) {
      const int from = way[i - 1], to = way[i];
      if (from == to) continue;
      const bool is_near = from / 2 == to / 2;
      if (is_near && !meets_ && random_.percent(is_loose_ ? 10 : 45)) {
        meet(from / 2);
        continue;
      }
      const int through =
          is_near && !took_own_[static_cast<std::size_t>(from / 2)] ? own_flag : flag++;
      if (through == own_flag) took_own_[static_cast<std::size_t>(from / 2)] = true;
      if (through > last_flag) break;
      tell(from, to, through, is_near);
      end_ = to;
    }
    if (end_ < 0) end_ = way.back();
    const bool reads_own = in_block && end_ / 2 == way.front() / 2;
    if (!is_loose_) {
      read(end_, reads_own ? own_data : grid_data,
           random_.percent(70) ? strength::plain : strength::thread, is_guarded);
    }
    if (comes_back) {
      const operation_kind kind = random_.percent(75) ? store : exchange;
      operation give = some(kind, back, relaxed_atom());
      if (give.kind == store && random_.percent(50) && used_[index(end_)] > 0) {
        give.source = used_[index(end_)] - 1;
      }
      put(end_, give);
    }
    const int more = random_.below(3);
    for (int i = 0; i < more; ++i) disturb();
    phase last;
    last.lanes = lists_;
    program_.phases.push_back(std::move(last));
    return program_;
  }

 private:
  static constexpr int own_flag = 0, own_data = 1, first_flag = 2, last_flag = 3, grid_data = 4,
                       back = 5;

  random_source random_;
  program program_;
  std::vector<std::vector<operation>> lists_;
  std::array<int, 4> used_{}, unused_{}, guarding_{-1, -1, -1, -1};
  std::array<bool, 2> took_own_{};
  bool is_loose_ = false;  // nothing tells of data, and nearly all is relaxed
  bool meets_ = false;
  int end_ = -1;

  static std::size_t index(int lane) { return static_cast<std::size_t>(lane); }

  static operation some(operation_kind kind, int location, strength how) {
    operation op;
    op.kind = kind;
    op.location = location;
    op.how = how;
    op.value = 1;
    return op;
  }

  strength relaxed_atom() { return random_.one_of({strength::device, strength::system}); }

  void put(int lane, operation op) {
    if (op.loads() && op.target < 0) {
      const bool is_unused = is_update(op) && random_.percent(60);
      if (is_unused || used_[index(lane)] == register_count)
        drop_result(op, unused_[index(lane)]++, random_);
      else
        op.target = used_[index(lane)]++;
    }
    lists_[index(lane)].push_back(op);
  }

  void write(int lane, int location) {
    using enum operation_kind;
    const strength how = random_.one_of({strength::plain, strength::plain, strength::thread});
    const bool updates = how == strength::thread && random_.percent(50);
    put(lane, some(updates ? random_.one_of({add, exchange}) : store, location, how));
  }

  void read(int lane, int location, strength how, bool is_guarded = false) {
    operation op = some(operation_kind::load, location, how);
    const int flag = guarding_[index(lane)];
    if (is_guarded && flag >= 0) op.when = guard{flag, 0, true};
    put(lane, op);
  }

  void meet(int block) {
    phase p;
    p.lanes = lists_;
    p.behind = meeting::syncthreads;
    if (random_.percent(50)) p.block = block;
    program_.phases.push_back(std::move(p));
    for (auto& list : lists_) list.clear();
    meets_ = true;
  }

  strength some_scope(bool is_near) {
    if (random_.percent(10)) return random_.one_of({strength::thread, strength::block});
    return is_near ? random_.one_of({strength::block, strength::block, strength::device})
                   : random_.one_of({strength::device, strength::device, strength::system});
  }

  operation some_fence(bool is_near) {
    using enum memory_order;
    operation op = some(operation_kind::fence, 0, some_scope(is_near));
    op.order = random_.one_of({acq_rel, acq_rel, seq_cst});
    return op;
  }

  void tell(int from, int to, int flag, bool is_near) {
    using enum operation_kind;
    using enum memory_order;
    // (What a lane tells is what it was told, where it may not know that.)
    const int was_told = guarding_[index(from)];
    const operation_kind gives = random_.one_of({store, store, exchange, add});
    operation give = some(gives, flag, some_scope(is_near));
    const bool by_fence = random_.percent(is_loose_ ? 5 : 40);
    if (by_fence) put(from, some_fence(is_near));
    give.order = by_fence || random_.percent(is_loose_ ? 90 : 12)
                     ? relaxed
                     : random_.one_of({release, seq_cst});
    if (was_told >= 0 && random_.percent(65)) give.when = guard{was_told, 0, true};
    put(from, give);
    // A third lane may pass it on.
    const int mate = from ^ 1;
    if (mate != to && !is_near && random_.percent(20)) {
      put(mate, some(add, flag, some_scope(false)));
    }
    const operation_kind reads = random_.percent(75) ? load : random_.one_of({exchange, add});
    operation one = some(reads, flag, some_scope(is_near));
    const bool acquires = random_.percent(is_loose_ ? 15 : 60);
    one.order = acquires ? random_.one_of({acquire, acquire, seq_cst}) : relaxed;
    if (used_[index(to)] < register_count) {
      one.target = used_[index(to)]++;
      guarding_[index(to)] = one.target;
    }
    put(to, one);
    if (!acquires && random_.percent(is_loose_ ? 8 : 88)) put(to, some_fence(is_near));
  }

  /// Something else that somebody does.
  void disturb() {
    using enum operation_kind;
    const int lane = random_.below(4);
    const bool is_near = random_.percent(50);
    const int location = is_near ? own_flag : first_flag + random_.below(2);
    const operation_kind kind = random_.one_of({load, store, add, exchange, fence});
    operation op = some(kind, location, some_scope(is_near));
    op.value = 2;
    if (op.kind == fence) op.order = memory_order::acq_rel;
    put(lane, op);
    auto& list = lists_[index(lane)];
    // (Not in front of what sets its guard, nor between a flag and its fence.)
    std::rotate(list.begin(), list.end() - 1, list.end());
  }
};

/// The program's lanes in two blocks. A location that lanes of one block alone access may become
/// the block's.
class mover {
 public:
  mover(program p, std::uint64_t seed) : program_(std::move(p)), random_(seed) {}

  program move() {
    place_lanes();
    choose_shared();
    for (phase& p : program_.phases) {
      for (std::size_t rank = 0; rank < p.lanes.size(); ++rank) {
        for (operation& op : p.lanes[rank]) change(op, rank);
      }
    }
    return program_;
  }

 private:
  program program_;
  random_source random_;
  std::array<std::set<int>, 8> used_;  // registers that something depends on, by rank
  std::array<int, 8> unused_{};
  std::set<int> locks_;

  void place_lanes() {
    const auto lanes = static_cast<std::size_t>(program_.size());
    std::array<std::size_t, 4> place{0, 1, 2, 3};
    for (std::size_t i = 4; i-- > 1;) {
      std::swap(place[i], place[static_cast<std::size_t>(random_.below(static_cast<int>(i) + 1))]);
    }
    program_.blocks = 2;
    if (random_.percent(50))
      program_.lanes = {2};
    else
      program_.lanes = {1, 1};
    for (phase& p : program_.phases) {
      std::vector<std::vector<operation>> moved(4);
      for (std::size_t lane = 0; lane < lanes; ++lane) {
        // Lanes that do nothing would not come to these.
        std::erase_if(p.lanes[lane],
                      [](const operation& op) { return op.kind > operation_kind::fence; });
        moved[place[lane]] = std::move(p.lanes[lane]);
      }
      p.lanes = std::move(moved);
      if (p.behind != meeting::nothing) p.behind = meeting::syncthreads;
    }
  }

  void choose_shared() {
    std::vector<std::set<int>> blocks(static_cast<std::size_t>(program_.locations));
    for (const phase& p : program_.phases) {
      for (std::size_t rank = 0; rank < p.lanes.size(); ++rank) {
        for (const operation& op : p.lanes[rank]) {
          const int block = program_.block_of(static_cast<int>(rank));
          if (op.kind != operation_kind::fence)
            blocks[static_cast<std::size_t>(op.location)].insert(block);
          for (const auto& g : {op.when, op.also}) {
            if (g) used_[rank].insert(g->target);
          }
          if (op.source >= 0) used_[rank].insert(op.source);
        }
      }
    }
    std::vector<int> own, others;
    for (int i = 0; i < program_.locations; ++i) {
      const bool has_room = own.size() < most_shared &&
                            program_.locations + static_cast<int>(own.size()) < most_places;
      const bool is_own =
          has_room && blocks[static_cast<std::size_t>(i)].size() == 1 && random_.percent(75);
      (is_own ? own : others).push_back(i);
    }
    program_.shared = static_cast<int>(own.size());
    std::vector<int> moved(static_cast<std::size_t>(program_.locations));
    int next = 0;
    for (const auto* const some : {&own, &others}) {
      for (const int location : *some) moved[static_cast<std::size_t>(location)] = next++;
    }
    for (phase& p : program_.phases) {
      for (auto& list : p.lanes) {
        for (operation& op : list) {
          op.location = moved[static_cast<std::size_t>(op.location)];
          if (op.kind == operation_kind::take) locks_.insert(op.location);
        }
      }
    }
  }

  void change(operation& op, std::size_t rank) {
    const bool is_fence = op.kind == operation_kind::fence;
    const bool is_shared = !is_fence && op.location < program_.shared;
    // (The axioms' evaluator follows loops that take a lock for several rounds, unless all accesses
    // of the lock are strong for each other.)
    const bool is_lock = !is_fence && locks_.contains(op.location);
    if (op.how >= strength::block) {
      if (is_shared ? random_.percent(65) : !is_lock && random_.percent(4)) {
        op.how = strength::block;
      } else if (random_.percent(15)) {
        op.how = strength::system;
      }
    }
    if (op.how >= strength::block && !op.goes_round() && !is_lock && random_.percent(2))
      op.how = strength::thread;
    if (op.loads() && !op.goes_round() && !used_[rank].contains(op.target) &&
        random_.percent(is_update(op) ? 50 : 8)) {
      drop_result(op, unused_[rank]++, random_);
    }
  }
};

}  // namespace

program generate_blocks(std::uint64_t seed, unsigned index) {
  program p = block_generator(seed * 0xd6e8feb86659fd93U + index * 0xa0761d6478bd642fU).make();
  p.index = index;
  return p;
}

program generate_relay(std::uint64_t seed, unsigned index) {
  program p = relay_generator(seed * 0xe7037ed1a0b428dbU + index * 0x8ebc6af09c88c6e3U).make();
  p.index = index;
  return p;
}

program generate_moved(std::uint64_t seed, unsigned index) {
  constexpr std::array makers{generate_web,       generate_ring, generate_passing_on,
                              generate,           generate_join, generate_plain_join,
                              generate_exchanges, generate_tree, generate_repetitions,
                              generate_locks};
  const auto make = makers[index % makers.size()];
  const std::uint64_t mixed = seed * 0x589965cc75374cc3U + index * 0x1d8e4e27c47d124fU;
  unsigned which = index;
  program p = make(mixed, which);
  while (p.alike) p = make(mixed, ++which);
  p.index = index;
  return mover(p, mixed).move();
}

}  // namespace weak
