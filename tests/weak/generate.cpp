// Makes random programs with weak memory.
#include "tests/weak/generate.hpp"

#include <algorithm>
#include <array>

#include "tests/naive/random.hpp"
#include "tests/weak/operands.hpp"

namespace weak {
namespace {

/// What the operations of one program have in common.
enum class flavour : std::uint8_t {
  mixed,          // all there is
  strong,         // strong and for everybody
  relaxed,        // the same, and mostly relaxed: load buffering
  synchronizing,  // the same, and all loads acquire, all stores release
  // Plain data behind synchronization, as programs mean it.
  publishing,
  passing  // as `relaxed`, and most stores pass on what was read
};

class generator {
 public:
  generator(std::uint64_t seed, unsigned index)
      : random_(seed * 0x9e3779b97f4a7c15U + index * 0xd1342543de82ef95U + 1) {
    program_.index = index;
  }

  program make() {
    flavour_ = random_.one_of({flavour::mixed, flavour::mixed, flavour::strong, flavour::strong,
                               flavour::relaxed, flavour::relaxed, flavour::synchronizing,
                               flavour::publishing, flavour::passing});
    const int lanes = 2 + random_.weighted({50, 40, 10});
    choose_grid(lanes);
    program_.locations = flavour_ == flavour::passing ? 3 : 1 + random_.weighted({10, 65, 25});
    program_.shared = program_.blocks == 1 && random_.percent(20) ? 1 : 0;
    may_spin_ = flavour_ != flavour::passing && random_.percent(50);
    program_.alike = random_.percent(15);
    program_.adds_up = program_.alike ? random_.percent(60) : random_.percent(5);
    // (Which location an operation accesses depends on the lane then.)
    if (program_.alike && !program_.adds_up) program_.shared = 0;
    used_.assign(static_cast<std::size_t>(lanes), 0);
    const int phases = 1 + random_.weighted({80, 20});
    // The axioms' evaluator tries every reads-from: few operations in all.
    int left = lanes == 4 ? 6 : 7;
    for (int i = 0; i < phases; ++i) {
      const bool last = i + 1 == phases;
      add_phase(lanes, last ? left : left / 2, last);
      for (const auto& list : program_.phases.back().lanes) left -= static_cast<int>(list.size());
    }
    return program_;
  }

  program make_ring() {
    const int lanes = 2 + random_.weighted({40, 60});
    choose_grid(lanes);
    program_.locations = 2 * lanes;
    std::vector<link> links;  // to each lane
    int with_data = 0;  // (The axioms' evaluator tries every reads-from: few operations in all.)
    for (int lane = 0; lane < lanes; ++lane) {
      link by{random_.one_of({link::relaxed, link::updated, link::data}), random_.percent(60),
              random_.percent(60)};
      if (by.what == link::data && ++with_data > 1) by.what = link::relaxed;
      links.push_back(by);
    }
    phase p;
    const int first = random_.below(lanes);  // who stores though it has read nothing
    for (int lane = 0; lane < lanes; ++lane) {
      const int next = (lane + 1) % lanes;
      p.lanes.push_back(take(links[static_cast<std::size_t>(lane)], lane));
      std::vector<operation> more = give(links[static_cast<std::size_t>(next)], next, lanes);
      const int read = p.lanes.back().back().target;
      const bool waits = lane != first && random_.percent(30);
      for (operation& op : more) {
        if (lane != first && op.kind == operation_kind::store && op.value == passed_on)
          op.source = read;
        if (waits) op.when = guard{read, 0, true};
        op.value = 1;
        if (op.loads()) op.target = read + 1;
        p.lanes.back().push_back(op);
      }
    }
    program_.phases.push_back(std::move(p));
    return program_;
  }

  program make_join() {
    using enum operation_kind;
    const int lanes = 2 + random_.weighted({30, 55, 15});
    choose_grid(lanes);
    // What is joined, by location; then what the join is stored to; then what comes back.
    const int inputs = 2 + random_.weighted({75, 25});
    const int joined = inputs, back = inputs + 1;
    program_.locations = inputs + 2;
    phase p;
    p.lanes.resize(static_cast<std::size_t>(lanes));
    used_.assign(static_cast<std::size_t>(lanes), 1);
    used_.front() = inputs + 1;
    const auto give = [&](int lane, int location) -> operation& {
      auto& list = p.lanes[static_cast<std::size_t>(lane)];
      int& used = used_[static_cast<std::size_t>(lane)];
      const bool updates = used < register_count && random_.percent(40);
      list.push_back(some_strong(updates ? random_.one_of({exchange, add}) : store, location));
      list.back().value = 1;
      if (updates) list.back().target = used++;
      return list.back();
    };
    // The first lane joins.
    auto& first = p.lanes.front();
    const bool waits = random_.percent(80);
    if (waits) {
      first.push_back(some_strong(load, back));
      first.back().target = inputs;
    }
    for (int i = 0; i < inputs; ++i) {
      first.push_back(some_strong(load, i));
      first.back().target = i;
    }
    operation& join = give(0, joined);
    join.when = guard{0, 0, true};
    if (join.kind == store && random_.percent(60)) {
      join.source = inputs - 1;
      if (inputs > 2) join.also = guard{1, 0, true};
    } else {
      join.also = guard{inputs - 1, 0, true};
    }
    // Others give, each behind a load.
    for (int lane = 1; lane < lanes; ++lane) {
      auto& list = p.lanes[static_cast<std::size_t>(lane)];
      const int from =
          lane == 1 || random_.percent(50) ? joined : random_.below(program_.locations);
      list.push_back(some_strong(load, from));
      list.back().target = 0;
    }
    for (int i = 0; i < inputs; ++i) give(1 + random_.below(lanes - 1), i);
    operation& last = give(1, back);
    if (last.kind == store) {
      last.source = 0;
    } else {
      last.when = guard{0, 0, true};
    }
    program_.phases.push_back(std::move(p));
    return program_;
  }

  program make_tree() {
    using enum operation_kind;
    const int lanes = 2 + random_.weighted({60, 40});
    choose_grid(lanes);
    // By location: the stores of the tree, of which the last is the root; then what comes back.
    const int stores = 4 + random_.weighted({40, 60});
    const int root = stores - 1, back = stores;
    program_.locations = stores + 1;
    phase p;
    p.lanes.resize(static_cast<std::size_t>(lanes));
    used_.assign(static_cast<std::size_t>(lanes), 1);
    for (int lane = 0; lane < lanes; ++lane) {
      auto& list = p.lanes[static_cast<std::size_t>(lane)];
      list.push_back(some_strong(load, lane == 0 ? back : root));
      list.back().target = 0;
    }
    std::vector<int> owners;
    std::vector<int> open;  // stores on which no other one rests
    for (int i = 0; i < stores; ++i) {
      const int lane = i == root ? 0 : random_.below(lanes);
      auto& list = p.lanes[static_cast<std::size_t>(lane)];
      int& used = used_[static_cast<std::size_t>(lane)];
      std::vector<guard> needs;
      const std::size_t most = i == root ? 2 : random_.weighted({20, 60, 20});
      for (const int other : std::vector<int>(open)) {
        if (needs.size() == most || used == register_count) break;
        if (owners[static_cast<std::size_t>(other)] == lane) continue;
        if (i != root && random_.percent(30)) continue;
        list.push_back(some_strong(load, other));
        list.back().target = used;
        needs.push_back({used++, 0, true});
        std::erase(open, other);
      }
      list.push_back(some_strong(store, i));
      list.back().value = 1;
      if (!needs.empty()) list.back().when = needs.front();
      if (needs.size() > 1) list.back().also = needs.back();
      owners.push_back(lane);
      open.push_back(i);
    }
    auto& last = p.lanes[1];
    last.push_back(some_strong(store, back));
    last.back().source = 0;
    program_.phases.push_back(std::move(p));
    return program_;
  }

  program make_plain_join() {
    using enum memory_order;
    constexpr int lanes = 4, back = 0, sum = 1, flags = 2, data = 4;
    choose_grid(lanes);
    program_.locations = 6;
    phase p;
    p.lanes.resize(lanes);
    const int shift = random_.below(lanes);
    const auto list_of = [&](int who) -> auto& {
      return p.lanes[static_cast<std::size_t>((who + shift) % lanes)];
    };
    const auto append = [](auto& list, const operation& op, int target) {
      list.push_back(op);
      if (target >= 0) list.back().target = target;
    };
    const operation fence = some(operation_kind::fence, 0, strength::device, acq_rel);
    // Who takes what the flags guard; `target` gets the data, `scratch` the flag.
    const auto take = [&](auto& list, int which, int scratch, int target) {
      const bool acquires = random_.percent(40);
      append(
          list,
          some(operation_kind::load, flags + which, strength::device, acquires ? acquire : relaxed),
          scratch);
      if (!acquires) append(list, fence, -1);
      append(list, some(operation_kind::load, data + which, strength::plain, relaxed), target);
      list.back().when = guard{scratch, 0, true};
    };
    const bool in_a_row = random_.percent(25);
    for (int giver = 0; giver < 2; ++giver) {
      auto& list = list_of(giver);
      if (random_.percent(80)) append(list, some_strong(operation_kind::load, back), 0);
      const bool rests = giver == 1 && in_a_row;
      if (rests) take(list, 0, 1, 2);
      append(list, some(operation_kind::store, data + giver, strength::plain, relaxed), -1);
      list.back().value = 1;
      if (rests) list.back().when = guard{2, 0, true};
      const bool releases = random_.percent(40);
      if (!releases) append(list, fence, -1);
      append(list,
             some(operation_kind::store, flags + giver, strength::device,
                  releases ? release : relaxed),
             -1);
      list.back().value = 1;
    }
    auto& joiner = list_of(2);
    take(joiner, 0, 0, 1);
    take(joiner, 1, 2, 3);
    append(joiner, some_strong(operation_kind::store, sum), -1);
    joiner.back().value = 1;
    joiner.back().when = guard{1, 0, true};
    joiner.back().also = guard{3, 0, true};
    auto& passer = list_of(3);
    append(passer, some_strong(operation_kind::load, sum), 0);
    append(passer, some_strong(operation_kind::store, back), -1);
    passer.back().source = 0;
    program_.phases.push_back(std::move(p));
    return program_;
  }

  program make_web() {
    using enum memory_order;
    using enum operation_kind;
    constexpr std::size_t most_operations = 13;
    const int lanes = 2 + random_.weighted({20, 50, 30});
    choose_grid(lanes);
    // Each lane has a flag, and data behind that; one more flag is everybody's.
    const int shared = lanes, data = lanes + 1;
    program_.locations = 2 * lanes + 1;
    phase p;
    p.lanes.resize(static_cast<std::size_t>(lanes));
    used_.assign(static_cast<std::size_t>(lanes), 0);
    std::vector<int> given(static_cast<std::size_t>(lanes), 0);
    std::size_t count = 0;
    const auto list_of = [&](int lane) -> auto& { return p.lanes[static_cast<std::size_t>(lane)]; };
    const auto append = [&](int lane, const operation& op) -> operation& {
      ++count;
      list_of(lane).push_back(op);
      return list_of(lane).back();
    };
    const auto strong = [&](operation_kind kind, int location, memory_order order) {
      return some(kind, location, random_.percent(90) ? strength::device : strength::block, order);
    };
    const auto add_fence = [&](int lane) {
      append(lane, strong(fence, 0, random_.percent(70) ? acq_rel : seq_cst));
    };
    const auto take_some = [&](int lane) {
      int& used = used_[static_cast<std::size_t>(lane)];
      if (used == register_count) return;
      // (Mostly from the lane before, in a ring, so that there is load buffering.)
      int flag = used == 0 ? (lane + lanes - 1) % lanes : random_.below(lanes + 1);
      if (flag == lane) flag = shared;
      const auto kind = random_.percent(80) ? load : random_.one_of({exchange, add});
      operation& op = append(
          lane, strong(kind, flag,
                       random_.one_of({relaxed, relaxed, relaxed, relaxed, acquire, seq_cst})));
      op.target = used++;
      if (kind != load) op.value = random_.below(2);
      const bool acquires = op.order != relaxed;
      const int guarded = op.target;
      if (flag == shared || used == register_count || random_.percent(65)) return;
      if (!acquires) add_fence(lane);
      operation& read = append(lane, some(load, data + flag, strength::plain, relaxed));
      read.when = guard{guarded, 0, true};
      read.target = used++;
    };
    const auto give_some = [&](int lane) {
      int& used = used_[static_cast<std::size_t>(lane)];
      const int flag =
          given[static_cast<std::size_t>(lane)] == 0 || random_.percent(50) ? lane : shared;
      std::optional<guard> when, also;
      if (used > 0 && random_.percent(50)) when = guard{random_.below(used), 0, true};
      if (when && used > 1 && random_.percent(30)) also = guard{used - 1, 0, true};
      const bool has_data = given[static_cast<std::size_t>(lane)]++ == 0 && random_.percent(35);
      bool releases = random_.percent(25);
      if (has_data) {
        operation& plain = append(lane, some(store, data + lane, strength::plain, relaxed));
        plain.value = 1;
        if (random_.percent(50)) plain.when = when;
        releases = random_.percent(50);
        if (!releases) add_fence(lane);
      }
      const auto kind =
          random_.percent(70) || used == register_count ? store : random_.one_of({exchange, add});
      operation& op = append(lane, strong(kind, flag, releases ? release : relaxed));
      op.value = 1 + random_.below(2);
      if (kind != store) op.target = used++;
      op.when = when;
      op.also = also;
    };
    for (int lane = 0; lane < lanes; ++lane) {
      take_some(lane);
      give_some(lane);
    }
    while (count < most_operations - 2) {
      const int lane = random_.below(lanes);
      if (random_.percent(40)) {
        take_some(lane);
      } else if (given[static_cast<std::size_t>(lane)] < 3) {
        give_some(lane);
      }
      ++count;
    }
    program_.phases.push_back(std::move(p));
    return program_;
  }

  program make_exchanges() {
    using enum operation_kind;
    const int lanes = 2 + random_.weighted({30, 70});
    choose_grid(lanes);
    program_.locations = lanes;
    phase p;
    p.lanes.resize(static_cast<std::size_t>(lanes));
    used_.assign(static_cast<std::size_t>(lanes), 0);
    const auto append = [&](int lane, operation_kind kind, int location, int value) -> operation& {
      auto& list = p.lanes[static_cast<std::size_t>(lane)];
      list.push_back(some_strong(kind, location));
      operation& op = list.back();
      op.value = value;
      if (op.loads()) op.target = used_[static_cast<std::size_t>(lane)]++;
      return op;
    };
    // The first lane exchanges, and others pass that on, to where it reads.
    if (random_.percent(25)) append(0, load, random_.below(lanes), 0);
    append(0, exchange, 0, 1);
    if (random_.percent(40)) {
      const int read = used_.front() - 1;
      operation& more = append(0, random_.one_of({store, exchange, load}), random_.below(lanes), 2);
      if (random_.percent(60)) more.when = guard{read, 2, random_.percent(30)};
    }
    for (int lane = 1; lane < lanes; ++lane) {
      const auto reads = random_.one_of({load, load, load, exchange});
      const int read = append(lane, reads, lane - 1, 3).target;
      const auto gives = random_.one_of({store, store, exchange, add});
      const bool is_last = lane + 1 == lanes;
      operation& give = append(lane, gives, is_last ? 0 : lane, is_last ? 2 : 1);
      if (random_.percent(60))
        give.when = guard{read, is_last && lane > 1 ? 1 : 0, !is_last || lane == 1};
      if (random_.percent(15)) append(lane, load, random_.below(lanes), 0);
    }
    program_.phases.push_back(std::move(p));
    return program_;
  }

  program make_repetitions() {
    using enum operation_kind;
    const int lanes = 2 + random_.weighted({20, 80});
    choose_grid(lanes);
    constexpr int counter = 0, back = 1, gate = 2;
    program_.locations = 3;
    phase p;
    p.lanes.resize(static_cast<std::size_t>(lanes));
    // The first lane stores what it has read, once or twice.
    auto& first = p.lanes.front();
    int used = 0;
    const auto read = [&](operation_kind kind, int location) -> operation& {
      first.push_back(some_strong(kind, location));
      first.back().target = used++;
      return first.back();
    };
    read(load, back);
    const bool is_gated = random_.percent(50);
    if (is_gated) read(load, gate);
    const int repetitions = 1 + random_.weighted({40, 60});
    for (int i = 0; i < repetitions; ++i) {
      operation& op = read(random_.percent(80) ? add : compare_exchange, counter);
      if (is_gated && random_.percent(80)) op.when = guard{1, 0, true};
    }
    // Another one adds to it, and what comes of that is passed on.
    auto& second = p.lanes[1];
    const auto open_gate = [&] {
      second.push_back(some_strong(store, gate));
      second.back().value = 1;
    };
    const bool is_early = random_.percent(30);
    if (is_early) open_gate();
    second.push_back(some_strong(random_.one_of({add, add, exchange}), counter));
    second.back().value = 1;
    second.back().target = 0;
    if (!is_early) open_gate();
    auto& last = p.lanes.back();
    const int seen = lanes == 2 ? 1 : 0;
    last.push_back(some_strong(load, lanes == 2 ? gate : counter));
    last.back().target = seen;
    last.push_back(some_strong(store, back));
    last.back().value = 1;
    last.back().when = guard{seen, 0, true};
    program_.phases.push_back(std::move(p));
    return program_;
  }

  program make_locks() {
    using enum operation_kind;
    using enum memory_order;
    const int lanes = 2 + random_.weighted({75, 25});
    choose_grid(lanes);
    program_.locations = lanes == 2 ? 3 : 2;  // the first is the lock
    phase p;
    for (int lane = 0; lane < lanes; ++lane) {
      std::vector<operation> list;
      int used = 0;
      const auto append = [&](operation_kind kind, int location, memory_order order, int value) {
        list.push_back(some(kind, location, strength::device, order));
        list.back().value = value;
        if (list.back().loads()) list.back().target = used++;
      };
      const auto append_some = [&] {
        const auto kind = random_.one_of({load, store, exchange, add});
        append(kind, 1 + random_.below(program_.locations - 1), relaxed, lane + 1);
      };
      const bool has_before = lanes == 2 && random_.percent(60);
      if (has_before) append_some();
      append(take, 0, random_.one_of({acquire, acquire, relaxed, relaxed, acq_rel}), 1);
      append_some();
      append(exchange, 0, random_.one_of({release, release, relaxed, relaxed, acq_rel}), 0);
      if (lanes == 2 && !has_before && random_.percent(60)) append_some();
      p.lanes.push_back(std::move(list));
    }
    program_.phases.push_back(std::move(p));
    return program_;
  }

  program make_passing_on() {
    using enum operation_kind;
    using enum memory_order;
    constexpr int lanes = 3, data = 0, flag = 1, other = 2;
    program_.blocks = lanes;
    program_.locations = 3;
    phase p;
    p.lanes.resize(lanes);
    used_.assign(lanes, 0);
    const int shift = random_.below(lanes);
    int left = 9;  // (The axioms' evaluator tries every reads-from.)
    const auto list_of = [&](int who) -> auto& {
      return p.lanes[static_cast<std::size_t>((who + shift) % lanes)];
    };
    const auto append = [&](int who, operation_kind kind, int location, memory_order order) {
      --left;
      list_of(who).push_back(some(kind, location, strength::device, order));
      operation& op = list_of(who).back();
      op.value = 1 + random_.below(2);
      if (op.loads()) op.target = used_[static_cast<std::size_t>(who)]++;
    };
    const auto append_fence = [&](int who) {
      append(who, fence, 0, random_.percent(75) ? acq_rel : seq_cst);
      ++left;
    };
    const auto append_more = [&](int who) {
      if (left <= 6 || used_[static_cast<std::size_t>(who)] == register_count) return;
      if (random_.percent(70)) return;
      append(who, random_.one_of({load, load, store, exchange, add}), random_.below(3), relaxed);
    };
    // Who releases.
    append(0, load, random_.percent(85) ? data : other, relaxed);
    append_more(0);
    const bool by_fence = random_.percent(70);
    if (by_fence) append_fence(0);
    append(0, random_.one_of({store, exchange, exchange, add}), flag,
           by_fence ? relaxed : random_.one_of({release, release, seq_cst, relaxed}));
    // Who passes it on.
    append_more(1);
    if (random_.percent(60)) append(1, load, random_.percent(70) ? data : other, relaxed);
    append(1, random_.one_of({exchange, exchange, exchange, add}), flag,
           random_.one_of({relaxed, relaxed, relaxed, release, acq_rel}));
    // Who acquires.
    const bool acquires = random_.percent(60);
    append(2, random_.one_of({load, load, load, exchange}), flag, acquires ? acquire : relaxed);
    if (!acquires) append_fence(2);
    append_more(2);
    append(2, random_.one_of({store, store, store, exchange}), random_.percent(85) ? data : other,
           relaxed);
    append_more(0);
    append_more(1);
    program_.phases.push_back(std::move(p));
    return program_;
  }

 private:
  /// Relaxed, but for a few.
  operation some_strong(operation_kind kind, int location) {
    using enum memory_order;
    memory_order order = relaxed;
    if (kind == operation_kind::load && random_.percent(12)) order = acquire;
    if (kind != operation_kind::load && random_.percent(12)) order = release;
    return some(kind, location, strength::device, order);
  }

  /// How a lane tells the next one something.
  struct link {
    enum kind : std::uint8_t {
      relaxed,  // by a store
      updated,  // by a read-modify-write
      data      // by plain data behind a flag
    } what{};
    // Of data: whether the flag's store is a release, and its load an acquire; or else fences are.
    bool releases = false, acquires = false;
  };
  static constexpr int passed_on = 2;  // instead of a value that is stored

  static operation some(operation_kind kind, int location, strength how, memory_order order) {
    operation op;
    op.kind = kind;
    op.location = location;
    op.how = how;
    op.order = order;
    return op;
  }

  /// What a lane does to read from its link; the last operation has it.
  std::vector<operation> take(link by, int lane) {
    using enum memory_order;
    const bool has_data = by.what == link::data;
    std::vector<operation> list{some(operation_kind::load, lane, strength::device,
                                     has_data && by.acquires ? acquire : relaxed)};
    list.back().target = 0;
    if (!has_data) return list;
    if (!by.acquires) list.push_back(some(operation_kind::fence, 0, strength::device, acq_rel));
    list.push_back(
        some(operation_kind::load, lane + program_.locations / 2, strength::plain, relaxed));
    list.back().target = 1;
    list.back().when = guard{0, 0, true};
    return list;
  }

  /// What the lane before it does, for the link to `lane`.
  std::vector<operation> give(link by, int lane, int lanes) {
    using enum memory_order;
    std::vector<operation> list;
    const bool has_data = by.what == link::data;
    if (has_data) {
      list.push_back(some(operation_kind::store, lane + lanes, strength::plain, relaxed));
      list.back().value = passed_on;
      if (!by.releases) list.push_back(some(operation_kind::fence, 0, strength::device, acq_rel));
    }
    const auto kind = by.what == link::updated
                          ? random_.one_of({operation_kind::exchange, operation_kind::add})
                          : operation_kind::store;
    list.push_back(some(kind, lane, strength::device, has_data && by.releases ? release : relaxed));
    if (by.what == link::relaxed) list.back().value = passed_on;
    return list;
  }

  naive::random_source random_;
  program program_;
  flavour flavour_ = flavour::mixed;
  std::vector<int> used_;  // registers, by lane
  struct sure_store {
    int lane = 0, location = 0;
  };
  std::vector<sure_store> sure_stores_;
  bool may_spin_ = false;  // then nobody stores what was read, which may be 0
  int loads_ = 0, stores_ = 0, compare_exchanges_ = 0;

  void choose_grid(int lanes) {
    const auto n = static_cast<std::uint32_t>(lanes);
    switch (random_.weighted({40, 20, 20, 20})) {
      case 0: program_.blocks = n; break;
      case 1: program_.lanes = {n}; break;
      case 2: program_.lanes.assign(n, 1); break;
      default:
        if (lanes == 3) program_.lanes = {2, 1};
        if (lanes == 4) program_.lanes = {2};
        if (lanes != 3) program_.blocks = 2;
    }
  }

  void add_phase(int lanes, int most, bool last) {
    phase p;
    p.lanes.resize(static_cast<std::size_t>(lanes));
    if (program_.alike) {
      const int count = std::clamp(most / lanes, 1, 3);
      std::vector<operation> list;
      for (int i = 0; i < count; ++i) list.push_back(some_operation(0));
      std::ranges::fill(p.lanes, list);
    } else {
      for (int i = 0; i < most; ++i) {
        const int lane = i < lanes ? i : random_.below(lanes);
        auto& list = p.lanes[static_cast<std::size_t>(lane)];
        if (list.size() >= 4) continue;
        list.push_back(some_operation(lane));
        const operation& op = list.back();
        // (Values are never 0 again.)
        const bool is_sure = op.kind == operation_kind::store && !op.when && op.source < 0;
        if (is_sure) sure_stores_.push_back({lane, op.location});
      }
    }
    if (!last) {
      p.behind = random_.one_of({meeting::syncthreads, meeting::syncthreads, meeting::syncwarp,
                                 meeting::syncwarp, meeting::named_barrier});
    } else if (!program_.alike && random_.percent(program_.has_large_warps() ? 40 : 12) &&
               !has_spins(p)) {
      // Each lane passes one, wherever it stands.
      const bool named = !program_.has_large_warps();
      const bool votes = !named && program_.phases.empty() && random_.percent(60);
      const int which = random_.below(vote_kinds);
      for (auto& list : p.lanes) {
        operation op;
        op.kind = votes                 ? operation_kind::vote
                  : !named              ? operation_kind::syncwarp
                  : random_.percent(60) ? operation_kind::barrier_sync
                                        : operation_kind::barrier_arrive;
        const int at = random_.below(static_cast<int>(list.size()) + 1);
        if (votes) {
          op.value = which;
          if (random_.percent(60)) op.source = random_.below(register_count);
        }
        list.insert(list.begin() + at, op);
      }
    } else if (program_.alike && program_.has_large_warps() && program_.phases.empty() &&
               random_.percent(40) && !has_spins(p)) {
      operation op;
      op.kind = operation_kind::vote;
      op.value = random_.below(vote_kinds);
      if (random_.percent(60)) op.source = 0;
      const int at = random_.below(static_cast<int>(p.lanes.front().size()) + 1);
      for (auto& list : p.lanes) list.insert(list.begin() + at, op);
    }
    program_.phases.push_back(std::move(p));
  }

  strength some_scope() {
    if (flavour_ != flavour::mixed) {
      return random_.one_of({strength::device, strength::device, strength::system});
    }
    return random_.one_of({strength::block, strength::device, strength::device, strength::system});
  }

  memory_order some_order(const operation& op) {
    using enum memory_order;
    const bool is_relaxed = flavour_ == flavour::relaxed || flavour_ == flavour::passing;
    if (is_relaxed && !random_.percent(20)) return relaxed;
    const bool synchronizes = flavour_ == flavour::synchronizing || flavour_ == flavour::publishing;
    if (op.kind == operation_kind::load) {
      return synchronizes ? random_.one_of({acquire, acquire, seq_cst})
                          : random_.one_of({relaxed, relaxed, acquire, seq_cst});
    }
    if (op.kind == operation_kind::store) {
      return synchronizes ? random_.one_of({release, release, seq_cst})
                          : random_.one_of({relaxed, relaxed, release, seq_cst});
    }
    if (flavour_ == flavour::synchronizing) return random_.one_of({acq_rel, acq_rel, seq_cst});
    return random_.one_of({relaxed, relaxed, acquire, release, acq_rel, seq_cst});
  }

  operation some_operation(int lane) {
    operation op;
    const bool may_load = loads_ < 5 && used_[static_cast<std::size_t>(lane)] < register_count;
    const bool may_store = stores_ < 5;
    const bool is_first = used_[static_cast<std::size_t>(lane)] == 0;
    const bool is_relaxed = flavour_ == flavour::relaxed || flavour_ == flavour::passing;
    const int what = !is_relaxed                    ? random_.weighted({30, 30, 8, 9, 9, 14})
                     : is_first                     ? random_.weighted({80, 5, 5, 5, 5, 0})
                     : flavour_ == flavour::passing ? random_.weighted({35, 50, 2, 7, 4, 2})
                                                    : random_.weighted({20, 60, 5, 5, 5, 5});
    constexpr std::array kinds{operation_kind::load,
                               operation_kind::store,
                               operation_kind::exchange,
                               operation_kind::add,
                               operation_kind::compare_exchange,
                               operation_kind::fence};
    op.kind = kinds[static_cast<std::size_t>(what)];
    // (Of each the axioms have two cases.)
    const int lanes_with_it = program_.alike ? program_.size() : 1;
    if (op.kind == operation_kind::compare_exchange) {
      if (compare_exchanges_ + lanes_with_it > 4) op.kind = operation_kind::exchange;
    }
    if (op.loads() && !may_load) op.kind = operation_kind::store;
    if (op.stores() && !may_store) op.kind = operation_kind::fence;
    op.how = some_scope();
    op.location = random_.below(program_.locations);
    if (program_.alike && !program_.adds_up) op.stride = random_.below(2);
    if (random_.percent(10)) op.when = some_guard(lane);
    if (op.kind == operation_kind::fence) {
      using enum memory_order;
      op.order = random_.one_of({acquire, release, acq_rel, acq_rel, seq_cst, seq_cst, seq_cst});
      if (random_.percent(4)) op.order = relaxed;
      if (random_.percent(4)) op.how = strength::thread;
      return op;
    }
    op.order = some_order(op);
    choose_operands(op, random_);
    if (op.kind == operation_kind::compare_exchange) compare_exchanges_ += lanes_with_it;
    const bool is_simple = op.kind == operation_kind::load || op.kind == operation_kind::store;
    if (is_simple && flavour_ == flavour::mixed && random_.percent(25)) {
      op.how =
          random_.one_of({strength::plain, strength::plain, strength::plain,
                          strength::volatile_access, strength::volatile_access, strength::thread});
    }
    // The last location is the data.
    if (is_simple && flavour_ == flavour::publishing && program_.locations > 1 && op.stride == 0 &&
        op.location == program_.locations - 1) {
      op.how = strength::plain;
    }
    if (op.kind == operation_kind::load && !op.when && op.stride == 0 &&
        op.how >= strength::block && random_.percent(25) && may_spin_ &&
        will_end(lane, op.location)) {
      op.kind = operation_kind::spin;
    }
    if (op.kind == operation_kind::store && !may_spin_ &&
        random_.percent(flavour_ == flavour::passing ? 60 : 12)) {
      const int used = used_[static_cast<std::size_t>(lane)];
      if (used > 0) op.source = random_.below(used);
    }
    if (op.loads()) {
      op.target = used_[static_cast<std::size_t>(lane)]++;
      ++loads_;
    }
    if (op.stores()) ++stores_;
    return op;
  }

  /// Whether a lane may wait for the location: one that comes before it, and so does not wait for
  /// it, stores there.
  [[nodiscard]] bool will_end(int lane, int location) const {
    return std::ranges::any_of(
        sure_stores_, [&](const sure_store& s) { return s.lane < lane && s.location == location; });
  }

  // (Barriers and spinning might wait for each other.)
  static bool has_spins(const phase& p) {
    return std::ranges::any_of(p.lanes, [](const auto& list) {
      return std::ranges::any_of(
          list, [](const operation& op) { return op.kind == operation_kind::spin; });
    });
  }

  std::optional<guard> some_guard(int lane) {
    const int used = used_[static_cast<std::size_t>(lane)];
    if (used == 0) return std::nullopt;
    return guard{random_.below(used), random_.below(2), random_.percent(50)};
  }
};

}  // namespace

program generate(std::uint64_t seed, unsigned index) { return generator(seed, index).make(); }

program generate_ring(std::uint64_t seed, unsigned index) {
  return generator(seed, index).make_ring();
}

program generate_join(std::uint64_t seed, unsigned index) {
  return generator(seed, index).make_join();
}

program generate_tree(std::uint64_t seed, unsigned index) {
  return generator(seed, index).make_tree();
}

program generate_plain_join(std::uint64_t seed, unsigned index) {
  return generator(seed, index).make_plain_join();
}

program generate_web(std::uint64_t seed, unsigned index) {
  return generator(seed, index).make_web();
}

program generate_exchanges(std::uint64_t seed, unsigned index) {
  return generator(seed, index).make_exchanges();
}

program generate_repetitions(std::uint64_t seed, unsigned index) {
  return generator(seed, index).make_repetitions();
}

program generate_locks(std::uint64_t seed, unsigned index) {
  return generator(seed, index).make_locks();
}

program generate_passing_on(std::uint64_t seed, unsigned index) {
  return generator(seed, index).make_passing_on();
}

}  // namespace weak
