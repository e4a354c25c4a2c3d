// Programs in which lanes wait for others that stand still: at barriers and their halves, at
// collectives of some lanes, at flags, counts, locks and nodes of a pool. What they hand on is
// mostly protected; most programs have one fault or none.
#include <algorithm>
#include <string>

#include "tests/naive/build.hpp"
#include "tests/naive/fragments.hpp"

namespace naive {

using namespace build;
using kind_of = operation_kind;

namespace {

constexpr int count_cell = 4;      // lanes that have come, in all rounds
constexpr int ticket_of_role = 5;  // where roles are given out
constexpr int data_cell = 6;
constexpr int data_cells = 3;
constexpr int most_roles = 3;

enum class roles_by : std::uint8_t { lane, warp, block, rank, ticket };

struct lane_of_grid {
  int block = 0, warp = 0, lane = 0, rank = 0;
};

/// What a role does in a phase, in this order.
struct part {
  sequence reads_early, writes, sets, waits, reads;
};

void append(sequence& to, const sequence& more) { to.insert(to.end(), more.begin(), more.end()); }

class standing {
 public:
  standing(context& c, program& to) : r_(c.random), config_(c.config), program_(to) {
    for (int b = 0, rank = 0; b < config_.blocks; ++b) {
      for (int w = 0; w < static_cast<int>(config_.lanes.size()); ++w) {
        for (int l = 0; l < config_.lanes[static_cast<std::size_t>(w)]; ++l) {
          lanes_.push_back({b, w, l, rank++});
        }
      }
    }
    choose_roles();
    phases_ = 1 + r_.weighted({3, 5, 2});
    parts_.resize(static_cast<std::size_t>(phases_ * roles_));
    rounds_ = r_.percent(25) ? 2 + r_.weighted({6, 1, 1}) : r_.percent(4) ? 10 : 1;
    has_fault_ = r_.percent(55);
  }

  void make() {
    program_.cells.assign(data_cell + data_cells, 0);
    if (r_.percent(20))
      last_phase_.at(static_cast<std::size_t>(r_.below(roles_))) = r_.below(phases_);
    const int items = lanes_.size() >= 4 ? 1 : 1 + r_.weighted({5, 3});
    for (int i = 0; i < items; ++i) hand_on(i);
    if (r_.percent(20)) lock();
    if (r_.percent(15)) count();
    if (r_.percent(26)) nodes();
    sequence body;
    if (by_ == roles_by::ticket) {
      body.push_back(run(r_.percent(50) || roles_ > 2
                             ? fetch_add(1, how_, constant(ticket_of_role), constant(1))
                             : exchange(1, how_, constant(ticket_of_role), constant(1))));
    }
    sequence phases = all_phases();
    if (rounds_ > 1) {
      phases.push_back(assign(2, add(local(2), constant(1))));
      body.push_back(assign(2, constant(0)));
      body.push_back(while_loop(when(less(local(2), rounds_)), std::move(phases)));
    } else {
      append(body, phases);
    }
    program_.body = std::move(body);
    finish();
  }

 private:
  random_source& r_;
  const configuration& config_;
  program& program_;
  std::vector<lane_of_grid> lanes_;
  roles_by by_ = roles_by::rank;
  int roles_ = 2, phases_ = 1, rounds_ = 1;
  std::vector<int> last_phase_ = std::vector<int>(most_roles, 1000);  // of each role
  std::vector<part> parts_;
  bool has_fault_ = false;
  int flags_ = 0, meetings_ = 0;
  strength how_ = strength::device_scope;

  part& at(int phase, int role) { return parts_[static_cast<std::size_t>(phase * roles_ + role)]; }
  /// Once in a program that has a fault, here or later.
  bool fault(int percent) {
    if (!has_fault_ || !r_.percent(percent)) return false;
    if (r_.percent(70)) has_fault_ = false;
    return true;
  }

  void choose_roles() {
    const bool warps = config_.lanes.size() > 1, blocks = config_.blocks > 1;
    const int most = *std::ranges::max_element(config_.lanes);
    switch (r_.weighted({most > 1 ? 4 : 0, warps ? 5 : 0, blocks ? 6 : 0, 3, 2})) {
      case 0: by_ = roles_by::lane, roles_ = std::min(most, most_roles); break;
      case 1: by_ = roles_by::warp, roles_ = 2; break;
      case 2: by_ = roles_by::block, roles_ = std::min(config_.blocks, most_roles); break;
      case 3: by_ = roles_by::rank; break;
      default: by_ = roles_by::ticket; break;
    }
    if (by_ == roles_by::rank || by_ == roles_by::ticket) {
      roles_ = std::min(static_cast<int>(lanes_.size()), 2 + r_.below(2));
    }
  }
  [[nodiscard]] expression who() const {
    switch (by_) {
      case roles_by::lane: return lane();
      case roles_by::warp: return warp();
      case roles_by::block: return block();
      case roles_by::rank: return rank();
      case roles_by::ticket: return local(1);
    }
    return rank();
  }
  [[nodiscard]] std::vector<lane_of_grid> lanes_of(int role) const {
    std::vector<lane_of_grid> result;
    for (const lane_of_grid& l : lanes_) {
      const int value = by_ == roles_by::lane    ? l.lane
                        : by_ == roles_by::warp  ? l.warp
                        : by_ == roles_by::block ? l.block
                                                 : l.rank;
      if (std::min(value, roles_ - 1) == role) result.push_back(l);
    }
    return result;
  }
  /// Only the first lane of a role, where there are several, or the last one.
  sequence by_one(int role, sequence body, bool last = false) {
    const std::vector<lane_of_grid> all = lanes_of(role);
    if (all.size() < 2 || by_ == roles_by::ticket) return body;
    return {if_else(when(equal(rank(), (last ? all.back() : all.front()).rank)), std::move(body))};
  }
  [[nodiscard]] bool has_whole_warps() const {
    return by_ == roles_by::warp || by_ == roles_by::block;
  }
  [[nodiscard]] bool share(int a, int b, bool warps) const {
    const std::vector<lane_of_grid> one = lanes_of(a), other = lanes_of(b);
    if (by_ == roles_by::ticket)
      return config_.blocks == 1 && (!warps || config_.lanes.size() == 1);
    for (const lane_of_grid& x : one) {
      for (const lane_of_grid& y : other) {
        if (x.block != y.block || (warps && x.warp != y.warp)) return false;
      }
    }
    return true;
  }
  int some_role() { return r_.below(roles_); }
  int phase_until(int role, int first = 0) {
    const int end = std::min(phases_ - 1, last_phase_[static_cast<std::size_t>(role)]);
    return end <= first ? std::max(0, end) : first + r_.below(end - first + 1);
  }
  expression round_value() { return rounds_ > 1 ? add(local(2), constant(1)) : constant(1); }
  /// A loop that ends when the cell has the value of this round.
  sequence wait_for(int cell, int times = 1) {
    const operation look = load(0, how_, constant(cell));
    const expression wanted = times == 1    ? round_value()
                              : rounds_ > 1 ? expression(add(local(2), constant(times)))
                                            : constant(times);
    const expression waits = binary(k::less, local(0), wanted);
    if (r_.percent(15)) {
      return {forever({run(look), if_else(when(waits), {}, {break_loop()})})};
    }
    return {while_loop(after(look, waits), {})};
  }
  /// A flag that `from` sets in `phase`, and for which `to` waits from its phase on.
  void flag(int from, int phase, int to, int waits_in) {
    const int cell = flag_cell + flags_++ % 2;
    sequence set{run(r_.percent(85) ? store(how_, constant(cell), round_value())
                                    : exchange(-1, how_, constant(cell), round_value()))};
    if (!fault(6)) append(at(phase, from).sets, r_.percent(80) ? by_one(from, set) : set);
    sequence wait;
    const bool one = r_.percent(35) && lanes_of(to).size() > 1 && has_whole_warps();
    if (has_whole_warps() && r_.percent(12)) {
      const operation look = load(0, how_, constant(cell));
      wait = {do_while({run(look), run(collective(kind_of::any, 0, constant(-1),
                                                  binary(k::less, local(0), round_value())))},
                       when(differs(local(0), 0)))};
    } else {
      wait = wait_for(cell);
      if (one) wait = by_one(to, wait, r_.percent(50));
      if (one && !fault(20)) {
        const bool is_block = by_ == roles_by::block && r_.percent(50);
        wait.push_back(run(is_block ? simple(kind_of::syncthreads) : warp_barrier()));
      }
    }
    append(fault(12) ? at(waits_in, to).writes : at(waits_in, to).waits, wait);
  }
  /// Of the whole warp, mostly.
  operation warp_barrier() {
    const int most = *std::ranges::max_element(config_.lanes);
    const int least = *std::ranges::min_element(config_.lanes);
    expression mask = constant(-1);
    // (What is a whole warp here is none there.)
    if (most != least && r_.percent(30)) {
      mask =
          r_.percent(50) ? constant((1 << least) - 1) : binary(k::shift_left, constant(1), lane());
    }
    switch (r_.weighted({6, 3, has_fault_ ? 2 : 0, 1, has_fault_ ? 2 : 0})) {
      case 1: mask = constant((1 << most) - 1); break;
      case 2:
        mask = constant((1 << least) - 1);
        has_fault_ = false;
        break;
      case 3: mask = constant(0xff); break;
      case 4:
        mask = binary(k::shift_left, constant(1), lane());
        has_fault_ = false;
        break;
      default: break;
    }
    switch (r_.weighted({7, 1, 1, 1})) {
      case 1: return collective(kind_of::any, 0, mask, constant(1));
      case 2: return collective(kind_of::reduce_add, 0, mask, constant(1));
      case 3: return collective(kind_of::ballot, 0, mask, constant(1));
      default: return collective(kind_of::syncwarp, -1, mask);
    }
  }

  /// One role writes a cell, and another one reads it behind.
  void hand_on(int item) {
    const int cell = data_cell + item % data_cells;
    int writer = some_role();
    if (by_ == roles_by::ticket) writer = 0;
    const int reader = (writer + 1 + r_.below(roles_ - 1)) % roles_;
    const int written = phase_until(writer);
    const int read = phase_until(reader, written);
    const strength strong = r_.percent(30) ? how_ : strength::weak;
    sequence write{run(store(strong, constant(cell), round_value()))};
    if (strong == strength::weak && r_.percent(25)) write = {bump(constant(cell))};
    append(at(written, writer).writes, by_one(writer, write));
    sequence get{run(load(0, r_.percent(90) ? strong : strength::weak, constant(cell)))};
    if (r_.percent(40)) get.push_back(check(differs(local(0), r_.below(2))));
    if (r_.percent(15)) {
      get.push_back(run(store(strength::weak, constant(data_cell + 2), local(0))));
    }
    if (r_.percent(30)) get = by_one(reader, get, r_.percent(50));
    append(fault(15) ? at(read, reader).reads_early : at(read, reader).reads, get);
    if (read > written ? r_.percent(15) : !fault(20)) flag(writer, written, reader, read);
  }

  /// All lanes of a role add to data under a lock.
  void lock() {
    const int role = some_role();
    sequence body{
        while_loop(after(r_.percent(70) ? exchange(0, how_, constant(lock_cell), constant(1))
                                        : compare_exchange(0, how_, constant(lock_cell),
                                                           constant(0), constant(1)),
                         differs(local(0), 0)),
                   {}),
        bump(constant(counter_cell))};
    if (!fault(5)) body.push_back(run(store(how_, constant(lock_cell), constant(0))));
    for (int other = 0; other < roles_; ++other) {
      if (other == role || r_.percent(50)) append(at(phase_until(other), other).writes, body);
    }
  }

  /// Lanes of a role count themselves, and one of another role waits until all have come.
  void count() {
    if (rounds_ > 1 || by_ == roles_by::ticket) return;
    const int role = some_role();
    const int other = (role + 1) % roles_;
    const int phase = phase_until(role);
    const auto all = static_cast<int>(lanes_of(role).size());
    append(at(phase, role).sets, {run(fetch_add(-1, how_, constant(count_cell), constant(1)))});
    sequence wait = wait_for(count_cell, all - (fault(10) ? 1 : 0));
    if (r_.percent(40)) wait = by_one(other, wait);
    append(at(phase_until(other, phase), other).waits, wait);
  }

  /// A lane has a node, and another one waits at it.
  void nodes() {
    program_.has_text = true;
    program_.members =
        "  struct node {\n    simt::atomic<int> flag{0};\n    int value{0};\n  };\n"
        "  simt::pool<node, " +
        std::to_string(1 + r_.below(2)) +
        "> nodes;\n  simt::atomic<int> there{0};\n  simt::atomic<int> seen{0};\n"
        "  simt::atomic<int> done{0};\n";
    const int owner = by_ == roles_by::ticket ? 0 : some_role();
    const int user = (owner + 1 + r_.below(roles_ - 1)) % roles_;
    const int first = phase_until(owner);
    const int then = phase_until(owner, first);
    const int used = phase_until(user, first);
    if (r_.percent(20)) {  // as a lock: there is one node
      const sequence both{text("{ node* n = nullptr;"), text("while (!(n = nodes.allocate())) {}"),
                          text(r_.percent(50) ? "++nodes.at(1).value;" : "++n->value;"),
                          text("nodes.retire(n); }")};
      append(at(first, owner).writes, both);
      append(at(used, user).writes, both);
      return;
    }
    const auto one = [&](int role, sequence body) { return by_one(role, std::move(body)); };
    append(at(first, owner).sets,
           one(owner, {text("nodes.allocate();"),
                       text(r_.percent(40) ? "nodes.at(1).value = 1 + l2;" : ""),
                       text("there.store(1 + l2);")}));
    // The node is free for a moment, and comes back while the other one waits at it.
    const bool comes_back = rounds_ == 1 && r_.percent(35);
    const bool tells = comes_back || r_.percent(60);
    const bool ends = !comes_back && r_.percent(60);
    sequence use;
    if (!fault(8)) use.push_back(text("while (there.load() <= l2) {}"));
    if (tells) use.push_back(text("seen.store(1 + l2);"));
    const int how = comes_back ? 0 : r_.weighted({5, 2, 2, 1});
    use.push_back(text(how == 0   ? "while (nodes.at(1).flag.load() == 0) {}"
                       : how == 1 ? "l0 = nodes.at(1).value;"
                       : how == 2 ? "nodes.at(1).flag.fetch_add(1);"
                                  : "nodes.at(1).value = 2;"));
    if (ends) use.push_back(text("done.store(1 + l2);"));
    append(at(used, user).waits, one(user, use));
    sequence last;
    if (tells && (comes_back || r_.percent(70)))
      last.push_back(text("while (seen.load() <= l2) {}"));
    if (comes_back || r_.percent(25))
      last.push_back(text("nodes.retire(&nodes.at(1)); nodes.allocate();"));
    if (how == 0 || r_.percent(30)) last.push_back(text("nodes.at(1).flag.store(1);"));
    if (ends) {
      if (!fault(20)) last.push_back(text("while (done.load() <= l2) {}"));
      last.push_back(text("nodes.at(1).flag.store(0);"));
      if (rounds_ > 1 || r_.percent(50)) last.push_back(text("nodes.retire(&nodes.at(1));"));
    } else if (!comes_back && r_.percent(20)) {
      last.push_back(text("nodes.retire(&nodes.at(1));"));
    }
    append(at(then, owner).waits, one(owner, last));
  }

  /// Each role has its own statements: a chain of branches.
  sequence chain(std::vector<sequence> of) {
    sequence otherwise = std::move(of.back());
    of.pop_back();
    while (!of.empty()) {
      sequence body = std::move(of.back());
      of.pop_back();
      const auto role = static_cast<int>(of.size());
      if (body.empty() && otherwise.empty()) continue;
      otherwise = {if_else(when(equal(who(), role)), std::move(body), std::move(otherwise))};
    }
    return otherwise;
  }

  sequence all_phases() {
    sequence result;
    std::vector<sequence> of(static_cast<std::size_t>(roles_));
    const auto flush = [&] {
      append(result, chain(of));
      for (sequence& one : of) one.clear();
    };
    for (int phase = 0; phase < phases_; ++phase) {
      for (int role = 0; role < roles_; ++role) {
        part& p = at(phase, role);
        sequence& to = of[static_cast<std::size_t>(role)];
        if (has_left(to)) continue;
        for (const sequence* some : {&p.reads_early, &p.writes, &p.sets, &p.waits, &p.reads}) {
          append(to, *some);
        }
        if (last_phase_[static_cast<std::size_t>(role)] == phase) to.push_back(return_body());
      }
      if (phase + 1 == phases_ && rounds_ == 1 && r_.percent(50)) break;
      meet(of, flush, result);
    }
    flush();
    return result;
  }

  void finish() {
    if (r_.percent(35)) {
      program_.never_final.emplace_back(
          r_.percent(70) ? data_cell + r_.below(data_cells) : counter_cell, r_.below(4));
    }
    if (rounds_ == 1 && by_ != roles_by::ticket && r_.percent(15)) {
      sequence first = queue();
      append(first, program_.body);
      program_.body = std::move(first);
    }
  }

  /// Each lane waits for the one that came before it, by its name; the first one does not.
  sequence queue() {
    const expression me = add(rank(), constant(1));
    program_.cells.resize(data_cell + data_cells + 3);
    const int turns = data_cell + data_cells;
    const auto turn_of = [&](expression name) {
      return add(constant(turns), modulo(std::move(name), 3));
    };
    sequence body{
        run(exchange(1, how_, constant(ticket_of_role), me)),
        if_else(when(differs(local(1), 0)),
                {while_loop(after(load(0, how_, turn_of(local(1))), equal(local(0), 0)), {})}),
        bump(constant(counter_cell)), run(store(how_, turn_of(me), constant(1)))};
    if (r_.percent(40)) {  // and some lanes wait for a certain one
      const int other = 1 + r_.below(static_cast<int>(lanes_.size()));
      const statement wait =
          while_loop(after(load(0, how_, turn_of(constant(other))), equal(local(0), 0)), {});
      body.push_back(r_.percent(50) ? wait : if_else(when(differs(rank(), other - 1)), {wait}));
    }
    if (r_.percent(30))
      body.push_back(run(fetch_add(-1, how_, constant(counter_cell), constant(1))));
    return body;
  }

  static bool has_left(const sequence& s) {
    return !s.empty() && s.back().kind == statement_kind::return_body;
  }
  static statement cluster(const char* part) {
    return text(std::string("simt::cluster_") + part + "();");
  }

  template <class Flush>
  void meet(std::vector<sequence>& of, const Flush& flush, sequence& result) {
    bool in_warp = true, in_block = true;
    for (int a = 0; a < roles_; ++a) {
      for (int b = 0; b < roles_; ++b) {
        in_warp = in_warp && share(a, b, true);
        in_block = in_block && share(a, b, false);
      }
    }
    const bool any = r_.percent(12);
    const bool in_cluster = config_.cluster == config_.blocks;
    const bool common = !has_whole_warps() || r_.percent(40);
    const int warps = static_cast<int>(config_.lanes.size());
    const int kind =
        r_.weighted({in_warp || any ? 6 : 0, in_block || any ? 4 : 0, in_cluster || any ? 6 : 0,
                     in_block && warps > 1 ? 3 : 0,
                     config_.blocks > 1 && by_ == roles_by::block && rounds_ == 1 ? 3 : 0, 1});
    switch (kind) {
      case 0:
      case 1: {
        const operation op = kind == 0 ? warp_barrier() : simple(kind_of::syncthreads);
        // A collective of other lanes, or another mask, for some.
        const bool own = kind == 0 ? r_.percent(40) : !common;
        if (own) {
          for (int role = 0; role < roles_; ++role) {
            if (has_left(of[static_cast<std::size_t>(role)]) || fault(15)) continue;
            of[static_cast<std::size_t>(role)].push_back(run(op));
            if (fault(8)) of[static_cast<std::size_t>(role)].push_back(run(op));
          }
        } else {
          flush();
          result.push_back(run(op));
        }
        break;
      }
      case 2:
        program_.has_text = true;
        for (int role = 0; role < roles_; ++role) {
          sequence& to = of[static_cast<std::size_t>(role)];
          if (has_left(to) || fault(6)) continue;
          switch (r_.weighted({5, 2, to.empty() ? 0 : 4})) {
            case 0: to.push_back(cluster("sync")); break;
            case 1:
              to.push_back(cluster("arrive"));
              if (r_.percent(30)) to.push_back(run(simple(kind_of::nanosleep)));
              to.push_back(cluster("wait"));
              break;
            default:  // what was last is done between
              to.insert(to.end() - 1, cluster("arrive"));
              to.push_back(cluster("wait"));
              break;
          }
        }
        break;
      case 3:
        if (by_ == roles_by::warp && r_.percent(60)) {
          const int arrives = r_.below(roles_);
          for (int role = 0; role < roles_; ++role) {
            if (has_left(of[static_cast<std::size_t>(role)]) || fault(8)) continue;
            of[static_cast<std::size_t>(role)].push_back(
                run(barrier(role == arrives ? kind_of::barrier_arrive : kind_of::barrier_sync,
                            1 + r_.weighted({9, 1}), warps)));
          }
        } else {
          flush();
          result.push_back(run(barrier(kind_of::barrier_sync, 1, warps)));
        }
        break;
      case 4: {  // a barrier of the grid by hand
        const bool needs = config_.lanes.size() > 1 || config_.lanes.front() > 1;
        const int block_lanes = static_cast<int>(lanes_.size()) / config_.blocks;
        const operation come = fetch_add(-1, how_, constant(count_cell), constant(1));
        const operation look = load(0, how_, constant(count_cell));
        flush();
        const int times = config_.blocks * (1 + meetings_++);
        const expression wanted = constant(times);
        if (needs && !fault(10)) result.push_back(run(simple(kind_of::syncthreads)));
        sequence one{run(come), while_loop(after(look, binary(k::less, local(0), wanted)), {})};
        if (needs) one = {if_else(when(equal(modulo(rank(), block_lanes), 0)), one)};
        append(result, one);
        if (needs && !fault(10)) result.push_back(run(simple(kind_of::syncthreads)));
        break;
      }
      default: break;
    }
  }
};

}  // namespace

configuration grid_of_standing(random_source& r) {
  configuration c;
  switch (r.weighted({4, 4, 5, 4, 3, 3, 4, 4, 4, 3, 2, 2, 2})) {
    case 0: c.lanes = {2}; break;
    case 1: c.lanes = {3}; break;
    case 2: c.lanes = {1, 2}; break;
    case 3: c.lanes = {2, 1}; break;
    case 4: c.lanes = {2, 2}; break;
    case 5: c.lanes = {3, 2}; break;
    case 6: c.lanes = {1, 1}; break;
    case 7: c.blocks = 2; break;
    case 8: c.blocks = 2, c.lanes = {2}; break;
    case 9: c.blocks = 2, c.lanes = {1, 1}; break;
    case 10: c.blocks = 3; break;
    case 11: c.blocks = 2, c.lanes = {1, 2}; break;
    default: c.blocks = 4; break;
  }
  if (c.blocks > 1 && c.blocks != 3 && r.percent(45)) c.cluster = 2;
  if (c.blocks > c.cluster && c.cluster == 1 && r.percent(15)) c.resident = 1 + r.below(c.blocks);
  c.blocks_in_order = r.percent(30);
  return c;
}

void standing_body(context& c, program& to) { standing(c, to).make(); }

}  // namespace naive
