// What both reconvergence models share: steps of single lanes, residence of blocks, units of
// fairness, and the interning of parts of a state.
//
// Models: blocks dispatched into a limited number of places. machine_memory decides what memory
// does. Does not model: more than one GPU; caches.
#include "sim/machine/machine.hpp"

#include <algorithm>
#include <cstring>

#include <simt/detail/agent.hpp>

#include "sim/machine/launch/first_memory.hpp"
#include "sim/machine/promises/early_stores.hpp"
#include "sim/machine/reduce/reach_without.hpp"
#include "sim/machine/reduce/steps_ahead.hpp"

namespace simt {
namespace {

/// The number of `value`; gives it the next number if it has none.
template <class T>
std::uint32_t number_of(const T& value, std::map<T, std::uint32_t>& numbers,
                        stable_vector<const T*>& values) {
  const auto [at, is_new] = numbers.try_emplace(value, static_cast<std::uint32_t>(values.size()));
  if (is_new) values.push_back(&at->first);
  return at->second;
}

}  // namespace

std::uint32_t warp_stacks::intern(const warp_stack& stack) {
  const std::lock_guard lock(changing_);
  return number_of(stack, numbers_, values_);
}

std::uint32_t grid_statuses::intern(const grid_status& status) {
  const std::lock_guard lock(changing_);
  return number_of(status, numbers_, values_);
}

machine::~machine() = default;

namespace {

// In a grid of one block, all models but `unfair` owe progress to all lanes.
machine_setup with_progress(machine_setup setup) {
  if (setup.grid.blocks == 1 && setup.progress != progress::unfair) {
    setup.progress = progress::fair;
  }
  return setup;
}

// Whether some lane is known to come to an operation of an mbarrier.
bool has_mbarriers(const lane_automaton& program) {
  for (continuation c = 0; c < program.size(); ++c) {
    const operation& op = program.at(c);
    if (op.kind == operation_kind::memory && op.memory == detail::memory_kind::mbarrier)
      return true;
  }
  return false;
}

}  // namespace

machine::machine(machine_setup setup, machine_stores& stores, std::size_t words,
                 machine_reductions reduce)
    : setup_(with_progress(std::move(setup))),
      stores_(stores),
      news_(stores.program.news()),
      addresses_(*setup_.memory, *setup_.library),
      places_(setup_.grid),
      words_(words),
      symmetry_(reduce.moves),
      renaming_(reduce.renames),
      all_resident_(setup_.model.resident == 0 || setup_.model.resident >= setup_.grid.blocks),
      remembers_steps_(owes_some_blocks() && owes() != progress::hsa),
      memory_(make_memory(setup_, places_, stores_.images)),
      lanes_({setup_, stores_, places_, *memory_, symmetry_, news_,
              reduce.reaches != nullptr && (all_resident_ || !has_stacks())}),
      collectives_(*this),
      barriers_(*this),
      history_(setup_.monitor, stores_),
      host_(setup_, stores_, *memory_),
      learner_(*this) {
  stores_.program.refine();
  if (lanes_.runs_ahead()) {
    const std::size_t few_lanes =
        has_mbarriers(stores_.program) ? fewest_lanes_to_ask_at_mbarriers : fewest_lanes_to_ask;
    ahead_ = std::make_unique<steps_ahead>(
        *this, *reduce.reaches,
        steps_ahead::settings{
            .trusts_lockstep = has_stacks() && reduce.trust_lockstep,
            .asks_further = reduce.asks_in_small_grids || places_.lanes.size() >= few_lanes});
  }
  early_ = make_early_stores(*this, *memory_);
  if (!is_symmetric()) return;
  if (!all_resident_ || owes_some_blocks()) symmetry_->fix_blocks();
  std::vector<std::uint32_t> clients;
  for (std::uint32_t lane = 0; lane < places_.lanes.size(); ++lane) {
    clients.push_back(lanes_.is_client(lane) ? 1 : 0);
  }
  symmetry_->tell_apart(clients);
}

void machine::begin_again() {
  if (has_news()) go_on_after_news();
  news_.begin_again();
}

void machine::go_on_after_news() {
  // What is remembered may rest on lists that were cut short.
  lanes_.forget();
  history_.forget();
  host_.forget();
  if (ahead_ != nullptr) ahead_->forget();
  news_.ignore_cuts();
}

void machine::list_all(state_view state, successor_list& out) {
  list_steps(state, out);
  look_at_time(words_ * (1 + out.transitions.size()));
  if (out.here == ending::barrier_divergence && ahead_ != nullptr && !is_cut() &&
      ahead_->meet_divergence()) {
    return news_.record();
  }
  if (remembers_steps_) remember_steps(out);
  if (memory_->traits().is_image || is_cut()) return;
  forget_exited(state, out);
  if (early_ != nullptr) early_->add_choices(state, out);
}

bool machine::run_ahead(std::span<std::uint32_t> words, std::vector<choice>* made) {
  return ahead_ != nullptr && ahead_->run(words, made);
}

void machine::steps_by(state_view state, const choice& by, successor_list& out) {
  // Whether a promise can be made, and kept, depends on what other lanes may do.
  const bool is_apart = memory_->is_settled() && !memory_->makes_promises() && !has_promises(state);
  struct back_to_all {
    std::uint32_t& only;
    ~back_to_all() { only = every_lane; }
  } const back{only_};
  if (by.what == choice::kind::lane && is_apart) only_ = by.unit;
  steps(state, out);
}

void machine::successors(state_view state, successor_list& out) {
  lanes_.catch_up();
  distinct_steps(state, out);
  if (!is_reduced()) return;
  for (transition& t : out.transitions) {
    if (t.ends != ending::none || t.stays) continue;
    if (is_cut()) return;
    const auto words = out.state(t, words_);
    look_at_time(words_);
    t.ahead = run_ahead(words, nullptr);
    change_places(words);
  }
}

// --- lanes ---

void machine::lane_step(state_view state, std::uint32_t lane, successor_list& out) {
  if (is_cut()) return;
  const continuation c = state[lane];
  const operation_traits t = lanes_.traits(c);
  if (t.what == operation_traits::kind::endless) return;
  const choice by{choice::kind::lane, lane, 0};
  if (const ending fault = fault_of(state, lane, t); fault != ending::none)
    return out.end_by(by, fault);
  if (t.what == operation_traits::kind::fail) return out.end_by(by, ending::assertion);
  if (t.what == operation_traits::kind::choose) return choose_steps(state, lane, out);
  const bool acts_on_image = t.what == operation_traits::kind::access && memory_->traits().is_image;
  if (!acts_on_image && is_memory_step(c)) return memory_steps(state, lane, out);
  continuation next = c;
  continuation first = c;  // `next` before operations that take no step are passed
  std::uint32_t memory = state[memory_word()];
  std::uint32_t status = state[status_word()];
  if (acts_on_image) {
    const lane_steps::access_result r = lanes_.carry_out(lane, c, memory);
    next = r.next;
    memory = r.memory;
    first = r.first;
    out.suspicious |= t.suspicious;
    if (is_told_the_end(state, lane)) {
      first = lanes_.next(c, detail::all_have_ended);
      next = lanes_.settle(lane, first);
    }
  } else {
    // The operation is an event, a fence, nanosleep, or syncwarp under `stack`.
    first = lanes_.next(c, 0);
    next = lanes_.settle(lane, first);
    if (t.what == operation_traits::kind::event) {
      if (history_.is_watched()) status = history_.after_event(status, lane, c);
      look_at_time_for_memory();
      memory = memory_->after_event(memory, lane, stores_.program.at(c));
    }
  }
  status = after_points(status, lane, first);
  go_on(state, by, next, memory, status, out);
}

// Whether the lane is an agent that waits only for copies, where no more can come
// (simt/ptx/bulk_copy.hpp).
bool machine::is_told_the_end(state_view state, std::uint32_t lane) {
  const operation& op = stores_.program.at(state[lane]);
  if (op.memory != detail::memory_kind::load || op.compare != detail::asks_for_the_end)
    return false;
  const operation_traits t = lanes_.traits(state[lane]);
  std::uint64_t handed_over = 0;
  std::memcpy(&handed_over, image(state).data() + t.offset, t.size);
  if (handed_over != 0) return false;
  const std::uint32_t threads = setup_.grid.block_threads();
  const std::size_t first = std::size_t{places_.lanes[lane].block} * threads;
  return std::ranges::all_of(state.subspan(first, threads - 1),
                             [](std::uint32_t other) { return other == exited; });
}

// Adds the step `by` of a single lane, which leads the lane to `next`.
void machine::go_on(state_view state, const choice& by, continuation next, std::uint32_t memory,
                    std::uint32_t status, successor_list& out) {
  const bool same = memory == state[memory_word()] && status == state[status_word()];
  if (next == state[by.unit] && same && !has_stacks()) {  // a lane that spins
    return out.add_stay(by, state);
  }
  const auto words = out.add(by, state);
  words[by.unit] = next;
  words[memory_word()] = memory;
  words[status_word()] = status;
  if (has_stacks()) settle_warp(words, places_.lanes[by.unit].warp);
  if ((next == exited || has_stacks()) && !all_resident_) dispatch(words);
}

// Lists one step for each value that the environment may choose.
void machine::choose_steps(state_view state, std::uint32_t lane, successor_list& out) {
  const continuation c = state[lane];
  const std::uint32_t count = stores_.program.at(c).count;
  for (std::uint32_t value = 0; value < count && !is_cut(); ++value) {
    look_at_time(words_);
    const continuation first = lanes_.next(c, value);
    const std::uint32_t status = after_points(state[status_word()], lane, first);
    go_on(state, {choice::kind::lane, lane, choice::chooses | value}, lanes_.settle(lane, first),
          state[memory_word()], status, out);
  }
}

std::vector<operation> machine::points_of_step(state_view state, const choice& by) {
  std::vector<operation> all;
  const std::uint32_t lane = by.unit;
  const continuation c = state[lane];
  const operation_traits t = lanes_.traits(c);
  using kind = operation_traits::kind;
  if (!setup_.has_points || is_bad_access(state, lane)) return all;
  if (t.what == kind::access) {
    lanes_.count_points(lane, lanes_.carry_out(lane, c, state[memory_word()]).first, &all);
  } else if (t.what == kind::event || t.what == kind::silent || t.what == kind::choose) {
    lanes_.count_points(lane, lanes_.next(c, by.chosen()), &all);
  }
  return all;
}

consistency_set machine::broken(state_view state) {
  if (!history_.is_watched() || has_promises(state)) return 0;
  const std::uint32_t status = state[status_word()];
  return is_complete(state) ? history_.broken_at_end(status) : history_.broken(status);
}

std::vector<promised_store> machine::promises(state_view state, std::uint32_t lane) {
  return early_ != nullptr ? early_->promises(state, lane) : std::vector<promised_store>{};
}

bool machine::learn_telling(bool has_ended) {
  return early_ != nullptr && early_->learn_telling(has_ended);
}

bool machine::learn_circles() { return early_ != nullptr && early_->learn_circles(); }

// --- states ---

void machine::fill_initial(std::span<std::uint32_t> words) {
  std::unique_lock lock(stores_.lanes_lock);
  first_memory first = run_init(setup_, stores_, lanes_);
  memory_->begin(first.image);
  if (early_ != nullptr) early_->forget();
  words[memory_word()] = first_memory_ = stores_.images.intern(first.image);
  lock.unlock();
  initial_events_ = std::move(first.events);
  grid_status status;
  if (setup_.monitor != nullptr) status.history = setup_.monitor->initial(initial_events_);
  fill_launch(words, 0, status);
}

std::uint64_t machine::first_value(std::uint32_t offset, std::uint32_t size) const {
  std::uint64_t value = 0;
  if (stores_.images.size() == 0) return value;
  std::memcpy(&value, stores_.images[first_memory_].data() + offset, size);
  return value;
}

ending machine::fault_of(state_view state, std::uint32_t lane, const operation_traits& t) const {
  const interned_bytes::bytes image = stores_.images[state[memory_word()]];
  const bool is_freed = t.node != no_node && !setup_.memory->is_in_use(t.node, image);
  if (is_bad(lane, t) || is_freed || is_gone(lane, t, state)) return ending::bad_access;
  if (t.misuses_mbarrier(image)) return ending::mbarrier_misuse;
  // A read of block-shared memory of which no byte has been written.
  return t.needs_value && !t.written.any_in(image) ? ending::unwritten_read : ending::none;
}

bool machine::is_gone(std::uint32_t lane, const operation_traits& t, state_view state) const {
  if (t.block == no_block || t.block == places_.lanes[lane].block) return false;
  const std::uint32_t threads = setup_.grid.block_threads();
  return std::ranges::all_of(state.subspan(std::size_t{t.block} * threads, threads),
                             [](std::uint32_t c) { return c == exited; });
}

std::vector<std::vector<std::uint32_t>> machine::readers_at(state_view state,
                                                            std::uint32_t offset) const {
  std::vector<std::uint32_t> lanes;
  for (std::uint32_t lane = 0; lane < places_.lanes.size(); ++lane) {
    if (state[lane] != exited) lanes.push_back(lane);
  }
  return memory_->readers_at(state[memory_word()], offset, lanes);
}

std::uint32_t machine::alive(state_view state, std::uint32_t warp) const {
  const warp_place& w = places_.warps[warp];
  std::uint32_t mask = 0;
  for (std::uint32_t i = 0; i < w.lanes; ++i) {
    if (state[w.first + i] != exited) mask |= 1U << i;
  }
  return mask;
}

// --- residence ---

namespace {

struct residence {
  std::uint32_t resident = 0;
  std::vector<std::uint32_t> waiting;  // blocks not yet started
};

residence survey(const machine& m, state_view state) {
  residence r;
  const grid_status& status = m.status(state);
  const std::uint32_t threads = m.setup().grid.block_threads();
  for (std::uint32_t b = 0; b < status.started.size(); ++b) {
    if (status.started[b] == 0) {
      r.waiting.push_back(b);
      continue;
    }
    const auto lanes = state.subspan(std::size_t{b} * threads, threads);
    if (!std::ranges::all_of(lanes, [](std::uint32_t c) { return c == exited; })) ++r.resident;
  }
  return r;
}

}  // namespace

bool machine::awaits_dispatch(state_view state) const {
  if (all_resident_) return false;
  const residence r = survey(*this, state);
  return r.resident < setup_.model.resident && !r.waiting.empty();
}

void machine::dispatch_choices(state_view state, successor_list& out) {
  out.is_choice = true;
  for (const std::uint32_t block : survey(*this, state).waiting) {
    const auto words = out.add({choice::kind::dispatch, block, 0}, state);
    grid_status status = this->status(state);
    status.started[block] = 1;
    words[status_word()] = stores_.statuses.intern(status);
    come_to_rest(words, block);
  }
}

void machine::settle_block(std::span<std::uint32_t> words, std::uint32_t block) {
  const std::uint32_t warps = setup_.grid.warps();
  for (std::uint32_t w = block * warps; w < (block + 1) * warps; ++w) settle_warp(words, w);
}

void machine::come_to_rest(std::span<std::uint32_t> words, std::uint32_t block) {
  settle_block(words, block);
  if (!all_resident_) dispatch(words);
}

void machine::dispatch(std::span<std::uint32_t> words) {
  for (;;) {
    const residence r = survey(*this, words);
    const bool room = r.resident < setup_.model.resident && !r.waiting.empty();
    const bool choice = setup_.model.order == block_order::any && r.waiting.size() > 1;
    if (!room || choice) return;
    grid_status status = this->status(words);
    status.started[r.waiting.front()] = 1;
    words[status_word()] = stores_.statuses.intern(status);
    settle_block(words, r.waiting.front());
  }
}

// --- properties ---

bool machine::conflict(std::uint32_t lane_a, continuation a, std::uint32_t lane_b, continuation b) {
  const operation_traits ta = lanes_.traits(a);
  const operation_traits tb = lanes_.traits(b);
  using kind = operation_traits::kind;
  if (ta.what != kind::access || tb.what != kind::access) return false;
  if (ta.offset + ta.size <= tb.offset || tb.offset + tb.size <= ta.offset) return false;
  if (!ta.writes && !tb.writes) return false;
  if (is_bad(lane_a, ta) || is_bad(lane_b, tb)) return false;
  const operation& oa = stores_.program.at(a);
  const operation& ob = stores_.program.at(b);
  // A proxy fence for one place is no access to that place.
  using enum detail::memory_kind;
  if (oa.memory == proxy_fence || ob.memory == proxy_fence) return false;
  if (oa.weak || ob.weak || ta.offset != tb.offset || ta.size != tb.size) return true;
  // A copy ends at an mbarrier as if by a lane of the block that the mbarrier is in: lanes there
  // wait for it with the scope of their block.
  const auto block_of = [&](std::uint32_t lane, const operation& op, const operation_traits& t) {
    const place& at = places_.lanes[lane];
    const bool ends_copy = (op.memory == mbarrier || (op.memory == async_load && op.size == 8)) &&
                           setup_.grid.is_agent(at.warp);
    return ends_copy && t.block != no_block ? t.block : at.block;
  };
  const std::uint32_t block_a = block_of(lane_a, oa, ta), block_b = block_of(lane_b, ob, tb);
  const auto includes_other = [&](thread_scope scope) {
    return scope == thread_scope_system || scope == thread_scope_device ||
           (scope == thread_scope_cluster && setup_.grid.share_cluster(block_a, block_b)) ||
           (scope == thread_scope_block && block_a == block_b);
  };
  return !includes_other(oa.scope) || !includes_other(ob.scope);
}

std::uint32_t machine::units() const {
  return static_cast<std::uint32_t>(has_stacks() ? places_.warps.size() : places_.lanes.size());
}

std::uint32_t machine::unit_of_lane(std::uint32_t lane) const {
  return has_stacks() ? places_.lanes[lane].warp : lane;
}

bool machine::is_finished(state_view state, std::uint32_t unit) const {
  return has_stacks() ? alive(state, unit) == 0 : state[unit] == exited;
}

std::uint32_t machine::block_of_unit(std::uint32_t unit) const {
  return has_stacks() ? places_.warps[unit].block : places_.lanes[unit].block;
}

std::size_t machine::shared_memory() const {
  const std::lock_guard lock(stores_.lanes_lock);
  return stores_.images.memory() + stores_.statuses.memory() + stores_.stacks.memory() +
         stores_.program.memory() + (setup_.monitor != nullptr ? setup_.monitor->memory() : 0);
}

std::size_t machine::own_memory() const {
  return lanes_.memory() + history_.memory() + memory_->remembered() +
         (early_ != nullptr ? early_->remembered() : 0) + stepped_cache_.bucket_count() * 17;
}

}  // namespace simt
