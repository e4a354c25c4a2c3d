// Runs the threads of a litmus test ahead, and computes values as soon as their loads are chosen.
#include "litmus/unfolding.hpp"

#include <algorithm>
#include <bit>
#include <limits>

#include "litmus/barriers.hpp"
#include "litmus/mbarrier.hpp"

namespace litmus {

namespace {

/// The result of an operation. Empty: it does not fit into 64 bits, or is undefined.
std::optional<value> result_of(operation how, value a, value b) {
  value result = 0;
  switch (how) {
    case operation::add:
      return __builtin_add_overflow(a, b, &result) ? std::nullopt : std::optional(result);
    case operation::sub:
      return __builtin_sub_overflow(a, b, &result) ? std::nullopt : std::optional(result);
    case operation::mul:
      return __builtin_mul_overflow(a, b, &result) ? std::nullopt : std::optional(result);
    case operation::div:
      if (b == 0 || (b == -1 && a == std::numeric_limits<value>::min())) return std::nullopt;
      return a / b;
    case operation::bit_and: return a & b;
    case operation::bit_or: return a | b;
    case operation::bit_xor: return a ^ b;
    case operation::increment:
      if (a < 0 || b < 0) return std::nullopt;
      return a >= b ? 0 : a + 1;
    case operation::decrement:
      if (a < 0 || b < 0) return std::nullopt;
      return a == 0 || a > b ? b : a - 1;
    case operation::minimum: return std::min(a, b);
    case operation::maximum: return std::max(a, b);
    case operation::exchange: return b;
    case operation::compare_and_swap:
    case operation::arrive_at_mbarrier: break;  // have three operands
  }
  return std::nullopt;
}

}  // namespace

unfolding::unfolding(const program& p, const analysis& known, const clauses& rules,
                     bool spare_round)
    : program_(&p), analysis_(&known), rules_(&rules) {
  x_.program = &p;
  for (std::uint32_t l = 0; l < p.locations.size() && x_.size() < most_events; ++l) {
    instruction none;
    none.location = l;
    add(no_thread, none, event_kind::initial, constant(p.initial[l]));
  }
  for (const thread& one : p.threads) {
    running_thread t;
    t.may_repeat = spare_round;
    if (one.issuer) {
      t.status = thread_status::unstarted;
      x_.issued_at.resize(p.threads.size());
    }
    for (const value v : one.initial) t.registers.push_back(constant(v));
    threads_.push_back(std::move(t));
  }
}

unfolding::term_id unfolding::constant(value v) {
  term known;
  known.known = v;
  terms_.push_back(known);
  return static_cast<term_id>(terms_.size() - 1);
}

unfolding::term_id unfolding::read_term() {
  term read;
  read.is_read = true;
  if (x_.size() < most_events) read.reads = only(x_.size());  // the next event
  terms_.push_back(read);
  return static_cast<term_id>(terms_.size() - 1);
}

unfolding::term_id unfolding::compute(operation how, term_id a, term_id b, term_id c) {
  // What an exchange stores does not depend on what it reads.
  if (how == operation::exchange) return b;
  term computed;
  computed.operation = how;
  computed.from = {a, b, c};
  for (const term_id from : {a, b, c}) {
    if (from != no_term) computed.reads |= terms_[from].reads;
  }
  update(computed);
  terms_.push_back(computed);
  return static_cast<term_id>(terms_.size() - 1);
}

unfolding::term_id unfolding::fit(term_id t, const value_type& type) {
  if (type.bits == 64) return t;
  const value sign = value{1} << (type.bits - 1);
  const term_id bits = compute(operation::bit_and, t, constant(2 * sign - 1));
  if (!type.is_signed) return bits;
  const term_id flipped = compute(operation::bit_xor, bits, constant(sign));
  return compute(operation::sub, flipped, constant(sign));
}

// Phases have the parities 0, 1, 0, …; the phase of parity a is over if the current one has the
// other parity.
unfolding::term_id unfolding::is_phase_over(const running_thread& t, const instruction& one,
                                            term_id state) {
  const term_id rounded = compute(operation::add, state, constant(mbarrier_limit / 2));
  const term_id phase = compute(operation::div, rounded, constant(mbarrier_limit * mbarrier_limit));
  const term_id changed = compute(operation::bit_xor, phase, value_of(t, one.a));
  return compute(operation::bit_and, changed, constant(1));
}

unfolding::term_id unfolding::update_of(const instruction& one, term_id old, term_id a) {
  const bool compares = one.operation == operation::minimum || one.operation == operation::maximum;
  if (!compares || one.type.bits < 64 || one.type.is_signed) return compute(one.operation, old, a);
  // Unsigned order of 64 bits is signed order with the highest bit flipped.
  const term_id flip = constant(std::numeric_limits<value>::min());
  const term_id result = compute(one.operation, compute(operation::bit_xor, old, flip),
                                 compute(operation::bit_xor, a, flip));
  return compute(operation::bit_xor, result, flip);
}

unfolding::term_id unfolding::value_of(const running_thread& t, const operand& o) {
  return o.is_register ? t.registers[o.index] : constant(o.integer);
}

std::optional<value> unfolding::known_value(const running_thread& t, const operand& o) const {
  return o.is_register ? terms_[t.registers[o.index]].known : o.integer;
}

void unfolding::update(term& t) {
  if (t.known || t.is_read) return;
  const auto &a = terms_[t.from[0]].known, &b = terms_[t.from[1]].known;
  if (!a || !b) return;
  if (t.operation == operation::compare_and_swap) {
    if (const auto& c = terms_[t.from[2]].known) t.known = *a == *b ? *c : *a;
    return;
  }
  if (t.operation == operation::arrive_at_mbarrier) {
    const auto& expected = terms_[t.from[2]].known;
    if (!expected) return;
    t.known = changed(*a, *b, *expected);
  } else {
    t.known = result_of(t.operation, *a, *b);
  }
  if (!t.known) {
    undefined_ = true;
    t.known = 0;
  }
}

// Computes all values whose operands have become known.
bool unfolding::settle() {
  for (term& t : terms_) update(t);
  ++moment_;
  for (event_id e = 0; e < x_.size(); ++e) {
    event& one = x_.events[e];
    if (quorum_of_[e] != no_term) one.quorum = terms_[quorum_of_[e]].known;
    if (one.value || term_of_[e] == no_term || !terms_[term_of_[e]].known) continue;
    one.value = terms_[term_of_[e]].known;
    known_[e] = moment_;
    if (one.kind == event_kind::store && one.partner != no_event && !rules_->failed_cas_stores) {
      const term& stored = terms_[term_of_[e]];
      const bool cas = x_.instruction_of(e).operation == operation::compare_and_swap;
      if (!cas || terms_[stored.from[0]].known == terms_[stored.from[1]].known) {
        x_.present |= only(e);
      }
    }
  }
  return !repeats();
}

bool unfolding::repeats() const {
  return std::ranges::any_of(repetitions_, [&](const repetition& r) {
    return std::ranges::all_of(r, [&](const auto& pair) {
      return terms_[pair.first].known && terms_[pair.first].known == terms_[pair.second].known;
    });
  });
}

event_id unfolding::add(std::uint32_t thread, const instruction& one, event_kind kind, term_id t) {
  if (x_.size() == most_events) {
    cut_ = true;
    return no_event;
  }
  event e;
  e.kind = kind;
  e.order = one.order;
  e.scope = one.scope;
  e.proxy = one.proxy;
  e.red = one.code == opcode::red;
  e.thread = thread;
  e.location = one.location;
  e.address = one.address;
  if (thread != no_thread) {
    e.index = threads_[thread].index++;
    e.instruction = threads_[thread].at;
    e.control = threads_[thread].control;
    if (t != no_term && kind != event_kind::load) e.data = terms_[t].reads;
  }
  const event_id id = x_.size();
  if (t != no_term) e.value = terms_[t].known;
  x_.events.push_back(e);
  x_.source.push_back(no_event);
  x_.present |= only(id);
  term_of_.push_back(t);
  quorum_of_.push_back(no_term);
  known_.push_back(e.value ? ++moment_ : 0);
  postponed_.push_back(0);
  return id;
}

void unfolding::access_both(std::uint32_t thread, const instruction& one) {
  running_thread& t = threads_[thread];
  const term_id read = read_term();
  const term_id old = fit(read, one.type);
  term_id a = fit(value_of(t, one.a), one.type);
  if (one.operation == operation::arrive_at_mbarrier) {
    const term_id arrivals = compute(operation::mul, a, constant(mbarrier_limit));
    a = compute(operation::add, arrivals, constant(one.bytes));
  }
  const bool of_three = one.operation == operation::compare_and_swap ||
                        one.operation == operation::arrive_at_mbarrier;
  const term_id stored = of_three
                             ? compute(one.operation, old, a, fit(value_of(t, one.b), one.type))
                             : fit(update_of(one, old, a), one.type);
  instruction half = one;
  half.order = one.order == memory_order::release ? memory_order::relaxed : one.order;
  const event_id load = add(thread, half, event_kind::load, read);
  half.order = one.order == memory_order::acquire ? memory_order::relaxed : one.order;
  const event_id store = add(thread, half, event_kind::store, stored);
  if (store == no_event) return;
  x_.events[load].partner = store;
  x_.events[store].partner = load;
  const bool may_fail = one.operation == operation::compare_and_swap;
  if (may_fail && !rules_->failed_cas_stores) x_.present &= ~only(store);
  if (one.code == opcode::atom) t.registers[one.destination] = old;
}

void unfolding::arrive_at_barrier(std::uint32_t thread, const instruction& one) {
  running_thread& t = threads_[thread];
  const term_id resource = one.resource ? value_of(t, *one.resource) : no_term;
  const term_id quorum = one.quorum ? value_of(t, *one.quorum) : no_term;
  const event_id e = add(thread, one, event_kind::barrier, resource);
  if (e == no_event) return;
  quorum_of_[e] = quorum;
  if (quorum != no_term) x_.events[e].quorum = terms_[quorum].known;
  if (one.reduction != reduction::none) {
    const term_id operand = value_of(t, one.a);
    term result;
    result.is_read = true;
    terms_.push_back(result);
    reduced_[e] = {operand, static_cast<term_id>(terms_.size() - 1)};
    t.registers[one.destination] = reduced_[e].result;
  }
  if (one.code == opcode::arrive) return;
  t.barrier = e;
  t.status = thread_status::undecided;
}

// Computes the results of barriers with a reduction, once all threads that they wait for have come.
bool unfolding::reduce() {
  bool changed = false;
  for (auto& [barrier, mine] : reduced_) {
    if (terms_[mine.result].known) continue;
    const auto together = participants(x_, barrier, *rules_);
    if (!together) continue;
    const reduction how = x_.instruction_of(barrier).reduction;
    value count = 0;
    bool known = true;
    event_set reads = 0;
    for_each(*together, [&](event_id other) {
      const term& operand = terms_[reduced_.at(other).operand];
      known = known && operand.known;
      reads |= operand.reads;
      if (operand.known.value_or(0) != 0) ++count;
    });
    if (!known) continue;
    const value all = std::popcount(*together);
    terms_[mine.result].reads = reads;
    terms_[mine.result].known = how == reduction::popc  ? count
                                : how == reduction::all ? value{count == all}
                                                        : value{count > 0};
    changed = true;
  }
  return changed;
}

bool unfolding::changes_nothing(std::uint32_t thread, std::uint32_t from) const {
  for (event_id e = 0; e < x_.size(); ++e) {
    const event& one = x_.events[e];
    if (one.thread != thread || one.index < from) continue;
    if (one.kind == event_kind::barrier) return false;
    if (one.kind != event_kind::store || !contains(x_.present, e)) continue;
    // A read-modify-write that stores what it has read comes right behind its source in coherence,
    // if all accesses are morally strong. Whoever reads it could as well read its source.
    if (one.partner == no_event || !analysis_->morally_strong[one.location]) return false;
    if (!one.value || one.value != x_.events[one.partner].value) return false;
  }
  return true;
}

// The rounds since `from` are repeated for ever. Their read-modify-writes change nothing, so they
// become loads.
bool unfolding::spin(std::uint32_t thread, std::uint32_t from) {
  threads_[thread].status = thread_status::spinning;
  for (event_id e = 0; e < x_.size(); ++e) {
    event& one = x_.events[e];
    if (one.thread != thread || one.index < from) continue;
    if (one.kind == event_kind::load) spinning_ |= only(e);
    if (one.kind != event_kind::store) continue;
    // If something reads this store, another execution reads its source instead.
    if (std::ranges::find(x_.source, e) != x_.source.end()) return false;
    x_.present &= ~only(e);
    x_.events[one.partner].partner = no_event;
  }
  return true;
}

bool unfolding::arrive_at_loop(std::uint32_t thread, std::uint32_t rounds) {
  running_thread& t = threads_[thread];
  const std::vector<bool>& live = analysis_->threads[thread].live[t.at];
  std::uint32_t before = 0;
  for (const visit& v : t.visits) {
    if (v.at != t.at) continue;
    ++before;
    if (!changes_nothing(thread, v.index)) continue;
    repetition open;
    bool differs = false;
    for (std::size_t r = 0; r < live.size() && !differs; ++r) {
      const term_id a = v.registers[r], b = t.registers[r];
      if (!live[r] || a == b) continue;
      if (terms_[a].known && terms_[b].known) {
        differs = terms_[a].known != terms_[b].known;
      } else {
        open.emplace_back(a, b);
      }
    }
    if (differs) continue;
    if (t.may_repeat) {
      t.may_repeat = false;
      break;
    }
    if (open.empty()) return spin(thread, v.index);
    repetitions_.push_back(std::move(open));
    may_miss_spinning_ = true;
  }
  if (before > rounds) {
    cut_ = true;
    return false;
  }
  t.visits.push_back({t.at, t.index, t.registers});
  return true;
}

bool unfolding::move_to(std::uint32_t thread, std::uint32_t at, std::uint32_t rounds) {
  running_thread& t = threads_[thread];
  t.at = at;
  if (at == program_->threads[thread].instructions.size()) t.status = thread_status::finished;
  return !analysis_->threads[thread].loop_head[at] || arrive_at_loop(thread, rounds);
}

// Carries out one instruction. The thread stays where it is if a value that it needs is not known.
bool unfolding::step(std::uint32_t thread, std::uint32_t rounds) {
  running_thread& t = threads_[thread];
  const instruction& one = program_->threads[thread].instructions[t.at];
  switch (one.code) {
    case opcode::move: t.registers[one.destination] = value_of(t, one.a); break;
    case opcode::arithmetic: {
      const term_id a = value_of(t, one.a), b = value_of(t, one.b);
      t.registers[one.destination] = compute(one.operation, a, b);
      break;
    }
    case opcode::load: {
      const term_id read = read_term();
      add(thread, one, event_kind::load, read);
      t.registers[one.destination] =
          one.tests_mbarrier ? is_phase_over(t, one, read) : fit(read, one.type);
      break;
    }
    case opcode::store:
      add(thread, one, event_kind::store, fit(value_of(t, one.a), one.type));
      break;
    case opcode::atom:
    case opcode::red: access_both(thread, one); break;
    case opcode::fence:
      add(thread, one, one.proxy == proxy::generic ? event_kind::fence : event_kind::proxy_fence,
          no_term);
      break;
    case opcode::barrier:
    case opcode::arrive: arrive_at_barrier(thread, one); break;
    case opcode::copy: {
      running_thread& copy = threads_[one.target];
      copy.status = thread_status::running;
      copy.control = t.control;
      x_.issued_at[one.target] = t.index;
      break;
    }
    case opcode::jump: return move_to(thread, one.target, rounds);
    case opcode::branch: {
      const auto a = known_value(t, one.a), b = known_value(t, one.b);
      if (!a || !b) return true;
      for (const operand& o : {one.a, one.b}) {
        if (o.is_register) t.control |= terms_[t.registers[o.index]].reads;
      }
      return move_to(thread, holds(one.comparison, *a, *b) ? one.target : t.at + 1, rounds);
    }
  }
  if (cut_) return false;
  return t.status == thread_status::undecided || move_to(thread, t.at + 1, rounds);
}

bool unfolding::advance(std::uint32_t rounds) {
  do {
    if (!run_ahead(rounds)) return false;
  } while (reduce() && settle());
  return !repeats();
}

bool unfolding::run_ahead(std::uint32_t rounds) {
  // Bounds the steps that a thread may take between two loads or stores.
  constexpr std::uint32_t most_steps = 10'000;
  for (std::uint32_t i = 0; i < threads_.size(); ++i) {
    running_thread& t = threads_[i];
    const auto end = program_->threads[i].instructions.size();
    if (t.at == end && t.status == thread_status::running) t.status = thread_status::finished;
    if (t.at == 0 && t.visits.empty() && t.status == thread_status::running &&
        analysis_->threads[i].loop_head[0] && !arrive_at_loop(i, rounds)) {
      return false;
    }
    for (std::uint32_t steps = 0; t.status == thread_status::running; ++steps) {
      const auto at = t.at;
      const auto index = t.index;
      const auto visits = t.visits.size();
      if (steps == most_steps) cut_ = true;
      if (cut_ || !step(i, rounds)) return false;
      if (t.at == at && t.index == index && t.visits.size() == visits) break;  // must know more
    }
  }
  return true;
}

std::optional<std::uint32_t> unfolding::undecided() const {
  for (std::uint32_t t = 0; t < threads_.size(); ++t) {
    if (threads_[t].status == thread_status::undecided) return t;
  }
  return std::nullopt;
}

bool unfolding::pass(std::uint32_t thread, std::uint32_t rounds) {
  running_thread& t = threads_[thread];
  t.status = thread_status::running;
  t.barrier = no_event;
  return move_to(thread, t.at + 1, rounds);
}

void unfolding::block(std::uint32_t thread) { threads_[thread].status = thread_status::blocked; }

event_set unfolding::sources(event_id load) const {
  event_set all = 0;
  for_each(x_.present, [&](event_id e) {
    const event& one = x_.events[e];
    if (one.stores() && one.location == x_.events[load].location && one.value &&
        known_[e] > postponed_[load]) {
      all |= only(e);
    }
  });
  return all;
}

event_id unfolding::open_load() const {
  for (event_id e = 0; e < x_.size(); ++e) {
    const event& one = x_.events[e];
    if (one.kind == event_kind::load && !one.value && sources(e) != 0) return e;
  }
  return no_event;
}

event_id unfolding::unread_load() const {
  for (event_id e = 0; e < x_.size(); ++e) {
    if (x_.events[e].kind == event_kind::load && !x_.events[e].value) return e;
  }
  return no_event;
}

bool unfolding::more_sources(event_id load) const {
  const std::uint32_t location = x_.events[load].location;
  for (event_id e = 0; e < x_.size(); ++e) {
    const event& one = x_.events[e];
    if (one.kind == event_kind::store && one.location == location && !one.value &&
        one.partner != load) {
      return true;
    }
  }
  for (std::uint32_t t = 0; t < threads_.size(); ++t) {
    if (threads_[t].status != thread_status::running) continue;
    if (contains(analysis_->threads[t].stores_to[threads_[t].at], location)) return true;
  }
  return false;
}

bool unfolding::read(event_id load, event_id store) {
  x_.source[load] = store;
  terms_[term_of_[load]].known = x_.events[store].value;
  return settle();
}

void unfolding::postpone(event_id load) { postponed_[load] = moment_; }

bool unfolding::guess(event_id load, value v) {
  postpone(load);
  terms_[term_of_[load]].known = v;
  return settle();
}

event_id unfolding::unjustified() const {
  for (event_id e = 0; e < x_.size(); ++e) {
    if (x_.events[e].kind == event_kind::load && x_.events[e].value && x_.source[e] == no_event) {
      return e;
    }
  }
  return no_event;
}

bool unfolding::is_over() const {
  return std::ranges::none_of(threads_, [](const running_thread& t) {
    return t.status == thread_status::running || t.status == thread_status::undecided;
  });
}

bool unfolding::is_stuck() const {
  return std::ranges::any_of(threads_, [](const running_thread& t) {
    return t.status == thread_status::blocked || t.status == thread_status::spinning;
  });
}

event_set unfolding::blocked() const {
  event_set all = 0;
  for (const running_thread& t : threads_) {
    if (t.status == thread_status::blocked) all |= only(t.barrier);
  }
  return all;
}

value unfolding::register_value(std::uint32_t thread, std::uint32_t index) const {
  return terms_[threads_[thread].registers[index]].known.value_or(0);
}

}  // namespace litmus
