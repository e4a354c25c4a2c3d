// Runs the searches of one exploration, in one thread or several, and answers about their states.
#include "checker/explore/explorer.hpp"

#include <algorithm>
#include <atomic>
#include <new>
#include <stdexcept>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <boost/unordered/unordered_flat_map.hpp>

#include "checker/states/machine_shape.hpp"
#include "sim/automaton/components.hpp"
#include "sim/machine/reduce/steps_ahead.hpp"

namespace warpcheck {

namespace {

// The cost of a word of a state with weak memory, as a multiple of its cost without.
constexpr std::uint64_t weak_word_work = 8;

}  // namespace

/// What another thread searches with.
struct explorer::helper {
  helper(shared_search& shared, std::unique_ptr<simt::machine> of, std::uint32_t number)
      : machine(std::move(of)), search(shared, *machine, number, [this] {
          memory.store(machine->own_memory(), std::memory_order_relaxed);
          transitions.store(search.transitions(), std::memory_order_relaxed);
        }) {}

  std::unique_ptr<simt::machine> machine;
  // For other threads to see, meanwhile.
  std::atomic<std::uint64_t> memory = 0;  // of the machine
  std::atomic<std::uint64_t> transitions = 0;
  depth_first search;
  std::thread thread;
};

explorer::explorer(simt::machine& machine, explore_options options, const limits& bounds)
    : machine_(machine),
      shared_(shape_of(machine), std::move(options), bounds),
      search_(shared_, machine, 0, [this] { look(); }),
      checks_(machine, shared_.options.final_check),
      livelocks_(machine, shared_.options.fairness, shared_.states) {}

explorer::explorer(simt::machine& machine, explore_options options, const limits& bounds,
                   const earlier_search& earlier)
    : machine_(machine),
      shared_(shape_of(machine), std::move(options), bounds, earlier),
      search_(shared_, machine, 0, [this] { look(); }),
      checks_(machine, shared_.options.final_check),
      livelocks_(machine, shared_.options.fairness, shared_.states) {
  search_.go_on_from(earlier.findings);
}

explorer::~explorer() = default;

bool explorer::chooses_in_circles() const {
  boost::unordered_flat_map<state_id, std::uint32_t> number_of;
  std::vector<std::vector<std::uint32_t>> leads_to;
  const auto number = [&](state_id s) {
    const auto [known, is_new] =
        number_of.try_emplace(s, static_cast<std::uint32_t>(leads_to.size()));
    if (is_new) leads_to.emplace_back();
    return known->second;
  };
  for (const auto& [from, to] : shared_.choices()) {
    if (from == to) return true;
    const std::uint32_t a = number(from), b = number(to);
    leads_to[a].push_back(b);
  }
  const simt::components parts = simt::components_of(
      leads_to.size(), [&](std::uint32_t n, auto f) { std::ranges::for_each(leads_to[n], f); });
  return parts.count < leads_to.size();
}

bool explorer::is_closed_under_steps() {
  compressed_table::cursor here;
  simt::successor_list list;
  for (state_id s = 0; s < shared_.states.size(); ++s) {
    if (!is_closed(s) || is_proved(s)) continue;
    shared_.states.read(s, here);
    machine_.successors(here.words(), list);
    if (machine_.has_news()) return false;
    const bool chooses = machine_.awaits_choice(here.words());
    for (const simt::transition& t : list.transitions) {
      if (t.ends != simt::ending::none) continue;
      const auto words = list.state(t, machine_.words());
      const state_id next = shared_.states.find(words, here);
      if (next == compressed_table::none || !is_closed(next)) return false;
      if (chooses && machine_.awaits_choice(words)) shared_.keep_choice(s, next);
    }
  }
  return true;
}

search_findings explorer::findings() {
  search_findings all;
  all.found = shared_.found;
  all.has_dead_states = shared_.has_dead_states;
  all.minds_names = shared_.minds_names;
  all.skipped_races = skipped_races();
  all.next_component = shared_.next_component;
  all.transitions = transitions();
  all.depth = depth();
  // A search that goes on enters open states again.
  compressed_table::cursor here;
  simt::successor_list list;
  for (state_id s = 0; s < shared_.states.size(); ++s) {
    if (mark(s) == 0 || is_closed(s)) continue;
    shared_.states.read(s, here);
    machine_.successors(here.words(), list);
    if (machine_.has_news()) break;
    all.transitions -= std::min<std::uint64_t>(all.transitions, list.transitions.size());
  }
  return all;
}

bool explorer::skipped_races() const {
  return search_.skipped_races() ||
         std::ranges::any_of(helpers_, [](const auto& h) { return h->search.skipped_races(); });
}

void explorer::run(std::span<const simt::state_words> roots) {
  guard([&] {
    for (const simt::state_words& root : roots) {
      const state_id id = shared_.states.intern(root).id;
      depth_first::end end = search_.run(id);
      if (end == depth_first::end::large) end = run_together(id);
      if (end == depth_first::end::stopped) return;
    }
    if (skipped_races() && machine_.may_race()) look_for_skipped_races();
  });
  peak_bytes_ = std::max(peak_bytes_, bytes());
  tell_work();
  // After a wrong merge of states, an error may be none.
  if (failure_ && !machine_.has_news()) std::rethrow_exception(failure_);
}

depth_first::end explorer::run_together(state_id root) {
  while (helpers_.size() + 1 < shared_.threads()) {
    const auto number = static_cast<std::uint32_t>(helpers_.size() + 1);
    helpers_.push_back(
        std::make_unique<helper>(shared_, shared_.options.another_machine(), number));
  }
  search_.share();
  for (const auto& h : helpers_) {
    try {
      h->thread =
          std::thread([this, root, &search = h->search] { guard([&] { search.run(root); }); });
    } catch (const std::system_error&) {
      break;  // no more threads or stacks for them: those that there are do it all
    }
  }
  depth_first::end end = depth_first::end::stopped;
  guard([&] { end = search_.run(root); });
  for (const auto& h : helpers_) {
    if (h->thread.joinable()) h->thread.join();
  }
  machine_.lanes().catch_up();
  return end;
}

// Runs in any thread: what one search throws ends all searches.
void explorer::guard(const std::function<void()>& search) {
  stop_cause no_more_memory = limits::no_more_memory();  // while there still is some
  try {
    search();
  } catch (const simt::lane_automaton::given_up&) {
    shared_.stop(shared_.bounds.reached(0));
  } catch (const simt::host_code_stopped& error) {
    shared_.stop(shared_.bounds.host_code_was_stopped(error.what()));
  } catch (const std::bad_alloc&) {
    shared_.stop(std::move(no_more_memory));
  } catch (const std::length_error& error) {
    shared_.stop({stop_reason::too_many_to_number, error.what()});
  } catch (const std::system_error& error) {
    shared_.stop({stop_reason::no_room, error.what()});
  } catch (...) {
    const std::lock_guard lock(failing_);
    if (!failure_) failure_ = std::current_exception();
    shared_.stop({stop_reason::defect, "an error"});
  }
}

std::uint64_t explorer::transitions() const {
  std::uint64_t sum = search_.transitions();
  for (const auto& h : helpers_) sum += h->search.transitions();
  return sum;
}

std::uint64_t explorer::depth() const {
  std::uint64_t most = search_.depth();
  for (const auto& h : helpers_) most = std::max(most, h->search.depth());
  return most;
}

// When a state was entered, no access was known that may race. One behind the next move may be
// known now.
void explorer::look_for_skipped_races() {
  compressed_table::cursor here;
  for (state_id s = 0; s < shared_.states.size() && shared_.wants(verdict::race); ++s) {
    if (!is_closed(s) || is_proved(s)) continue;
    shared_.states.read(s, here);
    if (checks_.has_race(here.words())) shared_.report(verdict::race);
  }
}

std::uint64_t explorer::bytes() const {
  std::uint64_t sum = shared_.states.memory() + search_.memory() + machine_.memory();
  for (const auto& h : helpers_) {
    sum += h->search.memory() + h->memory.load(std::memory_order_relaxed);
  }
  // A counterexample needs the distance of each state, and another byte for each.
  if (shared_.has_violation()) sum += shared_.states.size() * std::uint64_t{5};
  return sum;
}

void explorer::look() {
  const limits& bounds = shared_.bounds;
  const std::uint64_t used = bytes();
  peak_bytes_ = std::max(peak_bytes_, used);
  tell_work();
  if (stop_cause why = bounds.reached(used); !why.empty()) shared_.stop(std::move(why));
  look_at_growth();
  if (!bounds.progress) return;
  std::uint64_t transitions = search_.transitions();
  for (const auto& h : helpers_) transitions += h->transitions.load(std::memory_order_relaxed);
  bounds.progress({shared_.states.size(), transitions, search_.depth(), used});
}

bool explorer::is_on_one_path() const {
  constexpr std::uint64_t least_share = 4;
  // Only another thread itself may read how many states it has entered.
  const std::uint64_t entered = helpers_.empty() ? search_.entered() : shared_.states.size();
  return search_.depth() >= entered / least_share;
}

// A run without a limit would go on until there is no more memory.
void explorer::look_at_growth() {
  const limits& bounds = shared_.bounds;
  constexpr std::uint64_t shortest = 1 << 19, of_a_lane = 1 << 13;  // steps
  // Between two states of the path there may be a run of steps ahead that was cut off.
  const simt::steps_ahead* const ahead = machine_.ahead();
  const std::uint64_t cut_runs =
      ahead == nullptr ? 0 : std::min(ahead->cut_runs(), search_.depth());
  const std::uint64_t depth = search_.depth() + cut_runs * simt::steps_ahead::steps_of_cut_run;
  if (next_look_at_growth_ == 0)
    next_look_at_growth_ = std::max(shortest, of_a_lane * machine_.places().lanes.size());
  if (depth < next_look_at_growth_ || !shared_.options.seems_to_grow) return;
  next_look_at_growth_ = 2 * depth;
  if (bounds.time || bounds.max_states || bounds.files.save || !is_on_one_path()) return;
  if (!shared_.options.seems_to_grow(shared_.states)) return;
  shared_.stop({stop_reason::growth,
                fmt::format("after a path of {} steps there are ever new values", depth)});
}

void explorer::tell_work() {
  if (shared_.bounds.share == nullptr) return;
  std::uint64_t work = shared_.states.size() + search_.transitions();
  for (const auto& h : helpers_) work += h->transitions.load(std::memory_order_relaxed);
  work *= machine_.words() * (machine_.traits_of_memory().is_image ? 1 : weak_word_work);
  shared_.bounds.share->add(work - told_work_);
  told_work_ = work;
}

bool explorer::can_stay(state_id s) {
  const compressed_table& states = shared_.states;
  const std::uint32_t component = mark(s) & state_mark::component_bits;
  simt::successor_list list;
  compressed_table::cursor here;
  if (component < state_mark::first_component) {
    states.read(s, here);
    machine_.successors(here.words(), list);
    const bool loops = std::ranges::any_of(list.transitions, [&](const simt::transition& t) {
      return t.stays || (t.ends == simt::ending::none &&
                         std::ranges::equal(list.state(t, machine_.words()), here.words()));
    });
    return loops && livelocks_.can_stay_at(s, here.words(), list);
  }
  const auto [known, is_new] = can_stay_.try_emplace(component);
  stay& where = known->second;
  if (is_new) {
    std::vector<state_id> members{s};
    boost::unordered_flat_set<state_id> seen{s};
    for (std::size_t i = 0; i < members.size(); ++i) {
      states.read(members[i], here);
      machine_.successors(here.words(), list);
      for (const simt::transition& t : list.transitions) {
        if (t.ends != simt::ending::none) continue;
        const state_id next = states.find(list.state(t, machine_.words()), here);
        if (next == compressed_table::none) continue;  // the machine has news
        if (same_component(s, next) && seen.insert(next).second) members.push_back(next);
      }
    }
    where.anywhere = !livelocks_.is_of_parts() && livelocks_.can_stay_in(members);
    if (livelocks_.is_of_parts()) where.only = livelocks_.parts_of(members);
  }
  return where.anywhere || where.only.contains(s);
}

}  // namespace warpcheck
