// Sends the orders of the first rank, and carries them out on the other ranks.
#include "checker/distributed/distributed_search.hpp"

#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include "checker/distributed/graph_judgement.hpp"
#include "checker/distributed/packed_knowledge.hpp"
#include "checker/text/usage_error.hpp"

namespace warpcheck {
namespace {

/// Returns where the first rank has device memory and device code.
common_addresses addresses_of_first(ranks& all, const session& run) {
  const simt::own_addresses own(run.memory(), *run.setup().library);
  message_writer mine;
  for (const auto& r : own.ranges()) {
    mine.number(r.begin);
    mine.number(r.end);
  }
  const byte_list of_first = all.from_first(mine.take());
  message_reader in(of_first);
  common_addresses::ranges common = own.ranges();
  for (auto& r : common) {
    r.begin = in.number();
    r.end = in.number();
  }
  return {own.ranges(), common};
}

}  // namespace

distributed_search::distributed_search(ranks& all, const session& run, reduced_machine& reduced,
                                       simt::lane_automaton& lanes)
    : all_(all),
      run_(run),
      reduced_(reduced),
      lanes_(lanes),
      addresses_(addresses_of_first(all, run)),
      codec_(reduced.stores, addresses_, run.setup().grid.threads(),
             {run.setup().grid, run.memory().image_size(), run.traits_of_memory().is_image},
             all.count()) {
  // All ranks begin alike, with as many rounds as the start of lanes needs.
  auto patience = lanes.give_up_where({});
  do {
    reduced.renew(run, knowledge{});
    simt::unless_void(*reduced.machine, [&] { reduced.machine->initial(); });
  } while (reduced.machine->has_news());
  lanes.give_up_where(std::move(patience));
  shared_questions_ = lanes.questions().size();
  check_classes();
}

// --- the first rank ---

/// Tells the others what to do, after sending the questions asked since the last order.
void distributed_search::say(order what, const byte_list& more) {
  message_writer out;
  out.number(static_cast<std::uint64_t>(what));
  const auto questions = std::span(lanes_.questions()).subspan(shared_questions_);
  out.bytes(pack_questions(questions, addresses_));
  out.bytes(more);
  all_.from_first(out.take());
  shared_questions_ = lanes_.questions().size();
  if (what != order::end) check_classes();
}

void distributed_search::begin_round(const knowledge& known) {
  knowledge all_known = known;
  all_known.weak = facts_of(run_);  // as they are now: some may be forgotten when a round begins
  say(order::begin_round, pack_knowledge(all_known));
  ask_until_done([] {});
  message_writer names;
  if (reduced_.machine->renaming_of_lanes() != nullptr && !reduced_.machine->has_news()) {
    const auto to_common = [&](std::uint64_t v) { return addresses_.to_common(v); };
    for (const std::uint64_t number : reduced_.renames.learnt(to_common)) names.number(number);
  }
  const bool are_told = names.size() > 0;
  say(order::learn_names, names.take());
  if (are_told) ask_until_done([] {});
}

void distributed_search::explore(explorer& target, simt::state_view root, const limits& bounds) {
  knowledge facts;
  facts.weak = facts_of(run_);
  say(order::explore, pack_knowledge(facts));
  ask_until_done([] {});
  explore_part(&target, root, target.options(), bounds);
  if (is_void()) return;
  if (!part_->misuse_found().empty()) throw usage_error(part_->misuse_found());
  shared_search& found = part_->shared();
  shared_search& to = target.shared();
  to.found = found.found.load();
  to.has_dead_states = found.has_dead_states.load();
  to.minds_names = found.minds_names.load();
  to.next_component = found.next_component.load();
  if (!found.stopped().empty()) to.stop(found.stopped());
  search_findings all;
  all.transitions = part_->transitions();
  all.depth = part_->depth();
  target.take_over(all);
}

bool distributed_search::has_learnt(bool here) {
  say(order::learn);
  return anywhere(here);
}

bool distributed_search::names_hold(bool here) {
  say(order::check_names);
  ask_until_done([] {});
  return !anywhere(!here);
}

knowledge distributed_search::known() {
  say(order::tell_knowledge);
  knowledge all = reduced_.known(run_);
  const std::vector<byte_list> told = all_.gather_at_first({});
  for (std::uint32_t r = 1; r < told.size(); ++r) all.join(knowledge_in(told[r]));
  return all;
}

void distributed_search::end() { say(order::end); }

rank_figures distributed_search::figures() const {
  return {all_.count(), part_ ? part_->bytes_sent() : 0, part_ ? part_->imbalance() : 1};
}

// --- the others ---

void distributed_search::take_questions(message_reader& in) {
  const auto packed = in.bytes();
  wanted_questions questions = lanes_.questions();
  const wanted_questions more = questions_in({packed.begin(), packed.end()}, addresses_);
  questions.insert(questions.end(), more.begin(), more.end());
  auto patience = lanes_.give_up_where({});
  if (!lanes_.ask_again(questions))
    throw std::logic_error("lanes of this rank answer otherwise than those of the first");
  lanes_.give_up_where(std::move(patience));
  shared_questions_ = lanes_.questions().size();
}

void distributed_search::follow(const limits& bounds,
                                const std::function<explore_options()>& options) {
  for (;;) {
    const byte_list told = all_.from_first({});
    message_reader in(told);
    const auto what = static_cast<order>(in.number());
    if (what == order::end) return;
    take_questions(in);
    const auto more = in.bytes();
    check_classes();
    switch (what) {
      case order::begin_round: {
        const knowledge known = knowledge_in(more);
        facts_of_first_ = known.weak;
        ask_until_done([&] {
          take_over_facts(run_, facts_of_first_);
          reduced_.renew(run_, known);
        });
        break;
      }
      case order::learn_names: {
        std::vector<std::uint64_t> names;
        for (message_reader numbers(more); numbers.more();) names.push_back(numbers.number());
        if (names.empty()) break;
        const auto from_common = [&](std::uint64_t v) { return addresses_.from_common(v); };
        reduced_.renames.learn(names, from_common);
        ask_until_done([&] {
          take_over_facts(run_, facts_of_first_);
          reduced_.renew(run_, knowledge{});
        });
        break;
      }
      case order::explore: {
        simt::state_words root;
        // Renamings may have made this rank forget facts, or add some.
        take_over_facts(run_, knowledge_in(more).weak);
        ask_until_done([&] {
          root = reduced_.machine->initial();
          if (!reduced_.machine->has_news()) reduced_.machine->reduce(root);
        });
        explore_part(nullptr, root, options(), bounds);
        break;
      }
      case order::learn: anywhere(learns()); break;
      case order::check_names: {
        bool fails = false;
        ask_until_done([&] { fails = misses_names(); });
        anywhere(fails);
        break;
      }
      case order::tell_knowledge: all_.gather_at_first(pack_knowledge(reduced_.known(run_))); break;
      case order::end: break;
    }
  }
}

bool distributed_search::learns() {
  wanted_questions wanted;
  lanes_.hold_back(&wanted);
  bool learnt = true;  // also if this rank lacks an answer
  try {
    learnt = reduced_.has_learnt(true);
  } catch (const simt::lane_automaton::given_up&) {
  }
  lanes_.hold_back(nullptr);
  return learnt || reduced_.machine->has_news();
}

bool distributed_search::misses_names() {
  return !reduced_.machine->renames_still_hold() || reduced_.machine->has_news();
}

// --- all ---

bool distributed_search::anywhere(bool here) {
  std::uint64_t some = here ? 1 : 0;
  all_.take_largest({&some, 1});
  return some != 0;
}

/// Carries out `part` again and again, until no rank lacks an answer for it.
template <class Part>
void distributed_search::ask_until_done(Part part) {
  auto patience = lanes_.give_up_where({});
  wanted_questions wanted;
  // Once classes fall apart, this round is void, and a new machine would number them anew. The
  // first rank must be the first to do that.
  const std::uint32_t news = lanes_.news().count();
  do {
    lanes_.hold_back(&wanted);
    try {
      part();
    } catch (const simt::lane_automaton::given_up&) {
    }
    lanes_.hold_back(nullptr);
  } while (ask_together(all_, lanes_, wanted, addresses_) &&
           !anywhere(lanes_.news().count() != news));
  lanes_.give_up_where(std::move(patience));
  shared_questions_ = lanes_.questions().size();
}

/// The automata of all ranks must be equal, or the words of states would mean different things.
void distributed_search::check_classes() {
  message_writer mine;
  mine.number(lanes_.digest());
  mine.number(lanes_.questions().size());
  const byte_list here = mine.take();
  const std::vector<byte_list> everywhere = all_.gather(here);
  for (std::uint32_t r = 0; r < everywhere.size(); ++r) {
    if (everywhere[r] == everywhere.front()) continue;
    throw usage_error(
        fmt::format("rank {} has another subject than the first rank: see that all ranks have the "
                    "same warpcheck, scenario and source",
                    r));
  }
}

void distributed_search::explore_part(explorer* target, simt::state_view root,
                                      const explore_options& options, const limits& bounds) {
  simt::machine& machine = *reduced_.machine;
  part_ = std::make_unique<exploration_part>(all_, run_, machine, lanes_, codec_, addresses_,
                                             options, bounds);
  part_->run(root);
  part_->learns_from_others();
  shared_questions_ = lanes_.questions().size();
  check_classes();
  if (part_->is_void() || !part_->misuse_found().empty()) return;
  graph_judgement graph(all_, *part_, machine, lanes_, codec_, addresses_, bounds);
  auto patience = lanes_.give_up_where({});
  const bool is_complete = part_->shared().stopped().empty();
  const bool about_runs = (options.check & (deadlocks | bit(verdict::livelock))) != 0;
  if (is_complete && about_runs) graph.judge();
  if (part_->shared().has_violation()) graph.hand_over(target);
  shared_questions_ = lanes_.questions().size();
  lanes_.give_up_where(std::move(patience));
}

}  // namespace warpcheck
