// Computes the outcomes of a litmus test by guessing all executions and checking each axiom as the
// ISA defines it.
#include "tests/litmus/naive.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <utility>

#include "tests/litmus/arithmetic.hpp"

namespace naive {

namespace {

using namespace litmus;

constexpr value largest_guess = 2;

struct act {
  char kind =
      'I';  // I initial, R load, W store, F fence, P proxy fence, B barrier, K starts a copy
  int thread = -1;
  int position = 0;
  memory_order order = memory_order::weak;
  scope reach = scope::none;
  int location = -1;
  int address = 0;  // of the location
  proxy method = proxy::generic;
  value val = 0;
  int other_half = -1;
  bool of_red = false;
  bool only_arrives = false;
  bool of_cluster = false;  // a barrier
  reduction how = reduction::none;
  value brings = 0;       // to a reduction
  int starts = -1;        // a thread that is a copy
  std::set<int> depends;  // loads
};

using matrix = std::vector<std::vector<char>>;

matrix nothing(std::size_t n) { return matrix(n, std::vector<char>(n, 0)); }

matrix closed(matrix m) {
  const std::size_t n = m.size();
  for (std::size_t k = 0; k < n; ++k) {
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n && m[i][k] != 0; ++j) m[i][j] |= m[k][j];
    }
  }
  return m;
}

bool has_cycle(const matrix& m) {
  const matrix all = closed(m);
  for (std::size_t i = 0; i < m.size(); ++i) {
    if (all[i][i] != 0) return true;
  }
  return false;
}

class checker {
 public:
  checker(const program& p, const std::vector<variable>& observed) : p_(p), observed_(observed) {}

  result run() {
    for (std::size_t l = 0; l < p_.locations.size(); ++l) {
      act first;
      first.location = static_cast<int>(l);
      first.val = p_.initial[l];
      acts_.push_back(first);
    }
    registers_.resize(p_.threads.size());
    learn_values();
    interpret(0);
    return std::move(result_);
  }

 private:
  const program& p_;
  const std::vector<variable>& observed_;
  result result_;
  std::vector<act> acts_;
  std::vector<std::vector<value>> registers_;
  std::vector<int> source_;
  std::vector<std::set<value>> guesses_, learnt_;  // by location
  bool learning_ = false;
  std::size_t round_ = 0;  // of learning

  // What loads may read: small numbers, and what the stores make of such. A value that is not out
  // of thin air has come by no more stores than there are.
  void learn_values() {
    guesses_.assign(p_.locations.size(), {});
    for (std::size_t l = 0; l < p_.locations.size(); ++l) {
      guesses_[l].insert(p_.initial[l]);
      if (p_.mbarriers.contains(static_cast<std::uint32_t>(l))) continue;
      for (value v = 0; v <= largest_guess; ++v) guesses_[l].insert(v);
    }
    std::size_t stores = 0;
    for (const thread& t : p_.threads) {
      for (const instruction& one : t.instructions) {
        const bool is_store =
            one.code == opcode::store || one.code == opcode::atom || one.code == opcode::red;
        stores += is_store ? 1 : 0;
      }
    }
    learning_ = true;
    for (round_ = 1; round_ <= stores; ++round_) {
      learnt_ = guesses_;
      for (std::size_t t = 0; t < p_.threads.size(); ++t) interpret(t);
      guesses_.swap(learnt_);
    }
    learning_ = false;
  }

  [[nodiscard]] std::size_t arrivals_at(std::uint32_t location) const {
    std::size_t count = 0;
    for (const thread& t : p_.threads) {
      for (const instruction& one : t.instructions) {
        const bool arrives = one.operation == operation::arrive_at_mbarrier;
        count += arrives && one.code == opcode::red && one.location == location ? 1 : 0;
      }
    }
    return count;
  }

  void learn() {
    for (const act& a : acts_) {
      if (a.kind != 'W') continue;
      // A state of an mbarrier has come by no more arrivals than there are.
      const auto location = static_cast<std::uint32_t>(a.location);
      if (p_.mbarriers.contains(location) && round_ > arrivals_at(location)) continue;
      learnt_[location].insert(a.val);
    }
  }

  // A thread, with every value for each of its loads; then the next thread.
  void interpret(std::size_t thread) {
    if (thread == p_.threads.size()) {
      source_.assign(acts_.size(), -1);
      choose_sources(0);
      return;
    }
    registers_[thread] = p_.threads[thread].initial;
    const auto issue = std::ranges::find(acts_, static_cast<int>(thread), &act::starts);
    if (p_.threads[thread].issuer && !learning_ && issue == acts_.end()) {
      return interpret(thread + 1);
    }
    const std::set<int> control = issue != acts_.end() ? issue->depends : std::set<int>{};
    std::vector<std::set<int>> tainted(p_.threads[thread].registers.size());
    go(thread, 0, tainted, control);
  }

  void go(std::size_t thread, std::size_t at, std::vector<std::set<int>> tainted,
          std::set<int> control) {
    const auto& code = p_.threads[thread].instructions;
    if (at == code.size()) return learning_ ? learn() : interpret(thread + 1);
    const instruction& one = code[at];
    const auto number = [&](const operand& o) {
      return o.is_register ? registers_[thread][o.index] : o.integer;
    };
    const auto taint = [&](const operand& o) {
      return o.is_register ? tainted[o.index] : std::set<int>{};
    };
    const auto joined = [](std::set<int> a, const std::set<int>& b) {
      a.insert(b.begin(), b.end());
      return a;
    };
    const auto put = [&](char kind, value v, std::set<int> depends) {
      act a;
      a.kind = kind;
      a.thread = static_cast<int>(thread);
      a.position = static_cast<int>(acts_.size());
      a.order = one.order;
      a.reach = one.scope;
      if (kind == 'R' || kind == 'W') a.location = static_cast<int>(one.location);
      a.address = static_cast<int>(one.address);
      a.method = one.proxy;
      a.of_cluster = one.is_cluster_barrier();
      a.val = v;
      a.of_red = one.code == opcode::red;
      a.only_arrives = one.code == opcode::arrive;
      a.depends = std::move(depends);
      acts_.push_back(a);
      return static_cast<int>(acts_.size() - 1);
    };
    const std::vector<value> kept = registers_[thread];
    const std::size_t size = acts_.size();
    switch (one.code) {
      case opcode::move:
        tainted[one.destination] = taint(one.a);
        registers_[thread][one.destination] = number(one.a);
        go(thread, at + 1, tainted, control);
        break;
      case opcode::arithmetic: {
        const value a = number(one.a), b = number(one.b);
        const auto both = joined(taint(one.a), taint(one.b));
        registers_[thread][one.destination] = computed(one.operation, a, b);
        tainted[one.destination] = both;
        go(thread, at + 1, tainted, control);
        break;
      }
      case opcode::load:
        for (const value v : guesses_[one.location]) {
          const int load = put('R', v, control);
          registers_[thread][one.destination] = loaded(one, v);
          tainted[one.destination] = {load};
          go(thread, at + 1, tainted, control);
          acts_.resize(size);
        }
        break;
      case opcode::store:
        put('W', fitted(number(one.a), one.type), joined(control, taint(one.a)));
        go(thread, at + 1, tainted, control);
        break;
      case opcode::atom:
      case opcode::red:
        for (const value v : guesses_[one.location]) {
          const bool cas = one.operation == operation::compare_and_swap;
          const value a = number(one.a), old = fitted(v, one.type);
          const value swapped = fitted(old == fitted(a, one.type) ? number(one.b) : old, one.type);
          const value stored = cas ? swapped : updated(one, v, a);
          std::set<int> depends = joined(control, taint(one.a));
          if (cas) depends = joined(depends, taint(one.b));
          const int load = put('R', v, control);
          if (one.operation != operation::exchange) depends.insert(load);
          const int store = put('W', stored, depends);
          acts_[static_cast<std::size_t>(load)].other_half = store;
          acts_[static_cast<std::size_t>(store)].other_half = load;
          std::vector<std::set<int>> next = tainted;
          if (one.code == opcode::atom) {
            registers_[thread][one.destination] = old;
            next[one.destination] = {load};
          }
          go(thread, at + 1, next, control);
          registers_[thread] = kept;
          acts_.resize(size);
        }
        break;
      case opcode::fence:
        put(one.proxy == proxy::generic ? 'F' : 'P', 0, control);
        go(thread, at + 1, tainted, control);
        break;
      case opcode::barrier:
        if (one.reduction != reduction::none) {
          for (value v = 0; v <= static_cast<value>(p_.threads.size()); ++v) {
            const int barrier = put('B', v, joined(control, taint(one.a)));
            acts_.back().how = one.reduction;
            acts_.back().brings = number(one.a);
            std::vector<std::set<int>> next = tainted;
            registers_[thread][one.destination] = v;
            next[one.destination] = {barrier};
            go(thread, at + 1, next, control);
            registers_[thread] = kept;
            acts_.resize(size);
          }
          break;
        }
        [[fallthrough]];
      case opcode::arrive:
        put('B', 0, control);
        go(thread, at + 1, tainted, control);
        break;
      case opcode::copy:
        put('K', 0, control);
        acts_.back().starts = static_cast<int>(one.target);
        go(thread, at + 1, tainted, control);
        break;
      case opcode::jump: go(thread, one.target, tainted, control); break;
      case opcode::branch: {
        const bool jumps = holds(one.comparison, number(one.a), number(one.b));
        const auto more = joined(control, joined(taint(one.a), taint(one.b)));
        go(thread, jumps ? one.target : at + 1, tainted, more);
        break;
      }
    }
    registers_[thread] = kept;
    acts_.resize(size);
  }

  void choose_sources(std::size_t at) {
    while (at < acts_.size() && acts_[at].kind != 'R') ++at;
    if (at == acts_.size()) return judge();
    for (std::size_t w = 0; w < acts_.size(); ++w) {
      const bool stores = acts_[w].kind == 'W' || acts_[w].kind == 'I';
      if (!stores || acts_[w].location != acts_[at].location || acts_[w].val != acts_[at].val) {
        continue;
      }
      source_[at] = static_cast<int>(w);
      choose_sources(at + 1);
    }
  }

  [[nodiscard]] bool strong(const act& a) const {
    return (a.kind == 'R' || a.kind == 'W' || a.kind == 'F') && a.order != memory_order::weak;
  }
  [[nodiscard]] bool reaches(const act& a, int thread) const {
    const placement &mine = p_.threads[static_cast<std::size_t>(a.thread)].place,
                    &other = p_.threads[static_cast<std::size_t>(thread)].place;
    if (a.thread == thread || a.reach == scope::sys) return true;
    if (mine.gpu != other.gpu) return false;
    if (a.reach == scope::gpu) return true;
    if (mine.cluster != other.cluster) return false;
    if (mine.cta == other.cta) return true;
    return a.reach == scope::cluster && mine.cluster.has_value();
  }
  [[nodiscard]] bool touches_memory(const act& a) const { return a.location >= 0; }
  [[nodiscard]] bool stores(const act& a) const { return a.kind == 'W' || a.kind == 'I'; }
  [[nodiscard]] bool before(const act& a, const act& b) const {
    return a.thread >= 0 && a.thread == b.thread && a.position < b.position;
  }
  /// One virtual address.
  [[nodiscard]] bool overlap(const act& a, const act& b) const {
    return touches_memory(a) && a.location == b.location && a.address == b.address;
  }
  [[nodiscard]] bool together(const act& a, const act& b, scope within) const {
    return common_scope(p_, static_cast<std::uint32_t>(a.thread),
                        static_cast<std::uint32_t>(b.thread)) <= within;
  }
  [[nodiscard]] bool morally_strong(const act& a, const act& b) const {
    if (a.thread < 0 || b.thread < 0 || &a == &b) return false;
    if (a.method != b.method) return false;
    if (touches_memory(a) && touches_memory(b) && !overlap(a, b)) return false;
    if (a.thread == b.thread) return true;
    return strong(a) && strong(b) && reaches(a, b.thread) && reaches(b, a.thread);
  }

  void judge() {
    const std::size_t n = acts_.size();
    matrix air = nothing(n);
    for (std::size_t i = 0; i < n; ++i) {
      for (const int d : acts_[i].depends) air[static_cast<std::size_t>(d)][i] = 1;
      if (source_[i] >= 0) air[static_cast<std::size_t>(source_[i])][i] = 1;
    }
    for (std::size_t i = 0; i < n; ++i) {
      if (acts_[i].how == reduction::none) continue;
      std::vector<value> brought;
      for (const act& other : acts_) {
        if (other.how == reduction::none || !together(acts_[i], other, scope::cta)) continue;
        brought.push_back(other.brings);
        for (const int d : other.depends) air[static_cast<std::size_t>(d)][i] = 1;
      }
      if (reduced(acts_[i].how, brought) != acts_[i].val) return;
    }
    if (has_cycle(air)) return;
    std::vector<std::pair<std::size_t, std::size_t>> fences;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = i + 1; j < n; ++j) {
        if (acts_[i].kind == 'F' && acts_[j].kind == 'F' && acts_[i].order == memory_order::sc &&
            acts_[j].order == memory_order::sc && morally_strong(acts_[i], acts_[j])) {
          fences.emplace_back(i, j);
        }
      }
    }
    for (std::size_t bits = 0; bits < (std::size_t{1} << fences.size()); ++bits) {
      matrix sc = nothing(n);
      for (std::size_t f = 0; f < fences.size(); ++f) {
        const auto [a, b] = fences[f];
        if (((bits >> f) & 1) != 0)
          sc[a][b] = 1;
        else
          sc[b][a] = 1;
      }
      if (!has_cycle(sc)) with_fences(sc);
    }
  }

  [[nodiscard]] bool releases(const act& a) const {
    const bool fence = a.kind == 'F' && a.order != memory_order::acquire;
    return fence || (a.kind == 'W' &&
                     (a.order == memory_order::release || a.order == memory_order::acq_rel));
  }
  [[nodiscard]] bool acquires(const act& a) const {
    const bool fence = a.kind == 'F' && a.order != memory_order::release;
    return fence || (a.kind == 'R' && !a.of_red &&
                     (a.order == memory_order::acquire || a.order == memory_order::acq_rel));
  }
  /// A → W is a release pattern.
  [[nodiscard]] bool release_pattern(const act& a, const act& w) const {
    if (!releases(a) || w.kind != 'W') return false;
    if (&a == &w) return true;
    if (!before(a, w) || !strong(w)) return false;
    return a.kind == 'F' || overlap(a, w);
  }
  /// R → B is an acquire pattern.
  [[nodiscard]] bool acquire_pattern(const act& r, const act& b) const {
    if (!acquires(b) || r.kind != 'R' || r.of_red) return false;
    if (&r == &b) return true;
    if (!before(r, b) || !strong(r)) return false;
    return b.kind == 'F' || overlap(r, b);
  }

  [[nodiscard]] bool lets_go(const act& first, const act& last) const {
    if (first.of_cluster != last.of_cluster || last.only_arrives) return false;
    if (!first.of_cluster) return together(first, last, scope::cta);
    return first.only_arrives && first.order != memory_order::relaxed &&
           together(first, last, scope::cluster);
  }

  /// Whether a fence in front of a relaxed arrival lets go whoever waits behind it.
  [[nodiscard]] bool lets_go_by_fence(const act& fence, const act& arrival, const act& wait) const {
    if (fence.kind != 'F' || !releases(fence) || !before(fence, arrival)) return false;
    if (!arrival.of_cluster || !wait.of_cluster || !arrival.only_arrives) return false;
    return !wait.only_arrives && arrival.order == memory_order::relaxed &&
           together(arrival, wait, scope::cluster) && reaches(fence, wait.thread);
  }

  /// A way of base causality from x to y through the stops, in their order.
  [[nodiscard]] static bool leads(const matrix& base, const std::vector<std::size_t>& stops) {
    for (std::size_t i = 0; i + 1 < stops.size(); ++i) {
      if (stops[i] != stops[i + 1] && base[stops[i]][stops[i + 1]] == 0) return false;
    }
    return true;
  }

  /// Where an access meets the generic proxy: itself, or fences of its proxy in its CTA.
  [[nodiscard]] std::vector<std::size_t> meeting_points(std::size_t of) const {
    if (acts_[of].method == proxy::generic) return {of};
    std::vector<std::size_t> all;
    for (std::size_t f = 0; f < acts_.size(); ++f) {
      if (acts_[f].kind == 'P' && acts_[f].method == acts_[of].method &&
          together(acts_[f], acts_[of], scope::cta)) {
        all.push_back(f);
      }
    }
    return all;
  }

  /// Proxy-preserved base causality.
  [[nodiscard]] bool is_preserved(const matrix& base, std::size_t x, std::size_t y) const {
    const act &first = acts_[x], &last = acts_[y];
    if (base[x][y] == 0 || !touches_memory(first) || first.location != last.location) return false;
    if (overlap(first, last) && first.method == last.method &&
        (first.method == proxy::generic || together(first, last, scope::cta))) {
      return true;
    }
    for (const std::size_t a : meeting_points(x)) {
      for (const std::size_t b : meeting_points(y)) {
        if (a == b) continue;
        if (overlap(first, last) && leads(base, {x, a, b, y})) return true;
        for (std::size_t f = 0; f < acts_.size(); ++f) {
          const bool is_alias_fence = acts_[f].kind == 'P' && acts_[f].method == proxy::alias;
          if (is_alias_fence && leads(base, {x, a, f, b, y})) return true;
        }
      }
    }
    return false;
  }

  void with_fences(const matrix& sc) {
    const std::size_t n = acts_.size();
    matrix observed = nothing(n);
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t w = 0; w < n; ++w) {
        for (std::size_t r = 0; r < n; ++r) {
          if (observed[w][r] != 0 || source_[r] < 0) continue;
          const auto from = static_cast<std::size_t>(source_[r]);
          if (!morally_strong(acts_[from], acts_[r])) continue;
          const int half = acts_[from].other_half;
          const bool through = half >= 0 && observed[w][static_cast<std::size_t>(half)] != 0;
          if (from != w && !through) continue;
          observed[w][r] = 1;
          changed = true;
        }
      }
    }
    matrix sync = sc;
    for (std::size_t a = 0; a < n; ++a) {
      for (std::size_t b = 0; b < n; ++b) {
        const act &first = acts_[a], &last = acts_[b];
        if (first.kind == 'B' && last.kind == 'B' && a != b && lets_go(first, last)) {
          sync[a][b] = 1;
        }
        for (const act& arrival : acts_) {
          const bool is_between = arrival.kind == 'B' && last.kind == 'B';
          if (is_between && lets_go_by_fence(first, arrival, last)) sync[a][b] = 1;
        }
        if (!morally_strong(first, last)) continue;
        for (std::size_t w = 0; w < n; ++w) {
          for (std::size_t r = 0; r < n; ++r) {
            if (observed[w][r] != 0 && release_pattern(first, acts_[w]) &&
                acquire_pattern(acts_[r], last)) {
              sync[a][b] = 1;
            }
          }
        }
      }
    }
    // Base causality: X is before Y in po; or syncs with Y; or po;base; or base;po; or base;base.
    matrix base = sync;
    for (std::size_t x = 0; x < n; ++x) {
      for (std::size_t y = 0; y < n; ++y) {
        if (before(acts_[x], acts_[y])) base[x][y] = 1;
      }
    }
    for (bool changed = true; changed;) {
      changed = false;
      for (std::size_t x = 0; x < n; ++x) {
        for (std::size_t y = 0; y < n; ++y) {
          if (base[x][y] != 0) continue;
          for (std::size_t z = 0; z < n && base[x][y] == 0; ++z) {
            const bool left = base[x][z] != 0, right = base[z][y] != 0;
            if ((before(acts_[x], acts_[z]) && right) || (left && before(acts_[z], acts_[y])) ||
                (left && right)) {
              base[x][y] = 1;
              changed = true;
            }
          }
        }
      }
    }
    // What is issued comes behind all that leads to its issue; that leads nowhere else.
    matrix reach = base;
    for (std::size_t k = 0; k < n; ++k) {
      for (std::size_t y = 0; y < n && acts_[k].kind == 'K'; ++y) {
        const bool copies = (acts_[y].kind == 'R' || acts_[y].kind == 'W') &&
                            acts_[y].thread == acts_[k].starts && acts_[y].other_half < 0;
        for (std::size_t x = 0; x < n && copies; ++x) {
          if (base[x][k] != 0) reach[x][y] = 1;
        }
      }
    }
    matrix kept = nothing(n);
    for (std::size_t x = 0; x < n; ++x) {
      for (std::size_t y = 0; y < n; ++y) kept[x][y] = is_preserved(reach, x, y) ? 1 : 0;
    }
    matrix cause = kept;
    for (std::size_t x = 0; x < n; ++x) {
      for (std::size_t y = 0; y < n; ++y) {
        for (std::size_t z = 0; z < n; ++z) {
          if (observed[x][z] != 0 && kept[z][y] != 0) cause[x][y] = 1;
        }
      }
    }
    for (std::size_t a = 0; a < n; ++a) {
      if (stores(acts_[a]) && cause[a][a] != 0) return;
      if (source_[a] >= 0 && cause[a][static_cast<std::size_t>(source_[a])] != 0) return;
      for (std::size_t b = 0; b < n; ++b) {
        if (sc[a][b] != 0 && base[b][a] != 0) return;
      }
    }
    std::vector<std::pair<std::size_t, std::size_t>> pairs;
    matrix coherence = nothing(n);
    for (std::size_t a = 0; a < n; ++a) {
      for (std::size_t b = 0; b < n; ++b) {
        if (a == b || !stores(acts_[a]) || !stores(acts_[b])) continue;
        if (acts_[a].location != acts_[b].location) continue;
        if (acts_[a].kind == 'I')
          coherence[a][b] = 1;
        else if (acts_[b].kind != 'I' && a < b)
          pairs.emplace_back(a, b);
      }
    }
    choose_coherence(pairs, 0, coherence, cause);
  }

  // Every strict partial order of each location's stores.
  void choose_coherence(const std::vector<std::pair<std::size_t, std::size_t>>& pairs,
                        std::size_t at, matrix& co, const matrix& cause) {
    if (at == pairs.size()) return with_coherence(co, cause);
    const auto [a, b] = pairs[at];
    if (!morally_strong(acts_[a], acts_[b]) && cause[a][b] == 0 && cause[b][a] == 0) {
      choose_coherence(pairs, at + 1, co, cause);
    }
    if (cause[b][a] == 0) {
      co[a][b] = 1;
      choose_coherence(pairs, at + 1, co, cause);
      co[a][b] = 0;
    }
    if (cause[a][b] == 0) {
      co[b][a] = 1;
      choose_coherence(pairs, at + 1, co, cause);
      co[b][a] = 0;
    }
  }

  void with_coherence(const matrix& co, const matrix& cause) {
    const std::size_t n = acts_.size();
    if (closed(co) != co || has_cycle(co)) return;
    matrix fr = nothing(n);
    for (std::size_t r = 0; r < n; ++r) {
      if (source_[r] >= 0) fr[r] = co[static_cast<std::size_t>(source_[r])];
    }
    matrix location = nothing(n);
    for (std::size_t a = 0; a < n; ++a) {
      for (std::size_t b = 0; b < n; ++b) {
        const act &x = acts_[a], &y = acts_[b];
        const bool strong_pair = morally_strong(x, y);
        if (fr[a][b] != 0 && cause[b][a] != 0) return;
        if (fr[a][b] != 0 && strong_pair && x.other_half >= 0) {
          const auto half = static_cast<std::size_t>(x.other_half);
          if (co[b][half] != 0 && morally_strong(y, acts_[half])) return;
        }
        const bool reads = source_[b] == static_cast<int>(a);
        if (strong_pair && (reads || co[a][b] != 0 || fr[a][b] != 0)) location[a][b] = 1;
        if (overlap(x, y) && x.method == y.method && before(x, y)) location[a][b] = 1;
      }
    }
    if (has_cycle(location)) return;
    record(co, cause);
  }

  void record(const matrix& co, const matrix& cause) {
    const std::size_t n = acts_.size();
    std::vector<std::vector<value>> last(p_.locations.size());
    for (std::size_t w = 0; w < n; ++w) {
      if (!stores(acts_[w])) continue;
      if (std::ranges::none_of(co[w], [](char c) { return c != 0; })) {
        last[static_cast<std::size_t>(acts_[w].location)].push_back(acts_[w].val);
      }
    }
    std::vector<value> values;
    const std::function<void(std::size_t)> choose = [&](std::size_t at) {
      if (at == observed_.size()) {
        result_.outcomes.insert(values);
        return;
      }
      const variable& v = observed_[at];
      const std::vector<value> possible =
          v.is_register ? std::vector<value>{registers_[v.thread][v.index]} : last[v.index];
      for (const value one : possible) {
        values.push_back(one);
        choose(at + 1);
        values.pop_back();
      }
    };
    choose(0);
    // A read-modify-write is one instruction: it comes before what its store comes before.
    const auto comes_before = [&](std::size_t a, std::size_t b) {
      const int store = acts_[a].kind == 'R' ? acts_[a].other_half : -1;
      return cause[a][b] != 0 || (store >= 0 && cause[static_cast<std::size_t>(store)][b] != 0);
    };
    for (std::size_t a = 0; a < n; ++a) {
      for (std::size_t b = 0; b < n; ++b) {
        const act &x = acts_[a], &y = acts_[b];
        if (x.kind == 'W' && touches_memory(y) && y.kind != 'I' && x.location == y.location &&
            a != b && !morally_strong(x, y) && !comes_before(a, b) && !comes_before(b, a)) {
          result_.race = true;
        }
      }
    }
  }
};

}  // namespace

result run(const program& p, const std::vector<variable>& observed) {
  return checker(p, observed).run();
}

}  // namespace naive
