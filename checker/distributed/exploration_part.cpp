// Explores level by level, exchanges batches of successors, and stops when all ranks stop.
#include "checker/distributed/exploration_part.hpp"

#include <algorithm>
#include <array>
#include <new>
#include <stdexcept>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include "checker/distributed/packed_knowledge.hpp"
#include "checker/explore/ends/endings.hpp"
#include "checker/run/place.hpp"
#include "checker/states/machine_shape.hpp"

namespace warpcheck {
namespace {

// Words of successors that a rank makes between two exchanges: about as many as one message holds.
constexpr std::uint64_t words_between_exchanges = 4'000'000;
constexpr std::uint64_t most_between_exchanges = 8'192;  // states
constexpr std::uint64_t fewest_between_exchanges = 64;
// Of weak memory each state has nearly its own, which goes with it.
constexpr std::size_t bytes_between_exchanges = std::size_t{1} << 24;
constexpr std::uint64_t little = 100'000;  // states
// Bytes of memory for states that were sent recently.
constexpr std::uint64_t recent_bytes = std::uint64_t{1} << 24;

std::size_t recent_states(std::size_t words) {
  std::size_t count = 1'024;
  while (2 * count * words * sizeof(std::uint32_t) <= recent_bytes) count *= 2;
  return count;
}

}  // namespace

byte_list pack_questions(std::span<const simt::lane_automaton::question> questions,
                         const common_addresses& addresses) {
  message_writer out;
  for (const auto& q : questions) {
    out.number(q.of);
    out.number(addresses.to_common(q.answer));
  }
  return out.take();
}

wanted_questions questions_in(const byte_list& packed, const common_addresses& addresses) {
  wanted_questions all;
  message_reader in(packed);
  while (in.more()) {
    const auto of = static_cast<simt::continuation>(in.number());
    all.push_back({of, addresses.from_common(in.number())});
  }
  return all;
}

bool ask_together(ranks& all, simt::lane_automaton& lanes, wanted_questions& wanted,
                  const common_addresses& addresses) {
  // With answers in the first rank's addresses.
  std::vector<std::pair<simt::continuation, std::uint64_t>> asked;
  for (const byte_list& packed : all.gather(pack_questions(wanted, addresses))) {
    message_reader in(packed);
    while (in.more()) {
      const auto of = static_cast<simt::continuation>(in.number());
      asked.emplace_back(of, in.number());
    }
  }
  wanted.clear();
  std::ranges::sort(asked);
  const auto repeated = std::ranges::unique(asked);
  asked.erase(repeated.begin(), repeated.end());
  // Time may be over on some ranks only. Giving up there would change which questions are asked.
  auto patience = lanes.give_up_where({});
  lanes.hold_back(nullptr);
  for (const auto& [of, answer] : asked) lanes.outcome(of, addresses.from_common(answer));
  lanes.give_up_where(std::move(patience));
  return !asked.empty();
}

exploration_part::exploration_part(ranks& all, const session& run, simt::machine& machine,
                                   simt::lane_automaton& lanes, state_codec& codec,
                                   const common_addresses& addresses, explore_options options,
                                   const limits& bounds)
    : all_(all),
      run_(run),
      machine_(machine),
      lanes_(lanes),
      codec_(codec),
      addresses_(addresses),
      bounds_(bounds),
      shared_(shape_of(machine), std::move(options), bounds),
      checks_(machine, shared_.options.final_check),
      livelocks_(machine, shared_.options.fairness, shared_.states),
      recent_(recent_states(machine.words())),
      recent_words_(recent_.size() * machine.words()),
      batches_(all.count()),
      in_batch_(all.count(), 0),
      numbers_(all.count()),
      answered_(all.count()),
      words_(machine.words()),
      sent_before_(all.bytes_sent()) {
  for (auto& waiting : waiting_) waiting.resize(all.count());
}

std::uint64_t exploration_part::bytes() const {
  return shared_.states.memory() + machine_.memory() + codec_.memory() +
         (flags_.capacity() + target_count_.capacity() + targets_.capacity() +
          recent_words_.capacity() + level_.capacity() + next_level_.capacity()) *
             sizeof(std::uint32_t) +
         first_target_.capacity() * sizeof(std::uint64_t) + recent_.capacity() * sizeof(recent);
}

state_id exploration_part::enter(simt::state_view state, compressed_table::cursor* near) {
  const auto [id, is_new] =
      near != nullptr ? shared_.states.intern(state, *near) : shared_.states.intern(state);
  if (is_new) {
    flags_.push_back(0);
    first_target_.push_back(0);
    target_count_.push_back(0);
    next_level_.push_back(id);
  }
  return id;
}

/// What all ranks must know after an exchange: sums over all of them.
struct exploration_part::sums {
  enum place : std::size_t {
    expanded,
    left,
    put_off,
    news,
    uses,
    stopped,
    states,
    transitions,
    kinds
  };
  std::array<std::uint64_t, kinds + verdicts_in_search> of{};
  std::uint64_t& operator[](std::size_t at) { return of[at]; }
  [[nodiscard]] bool goes_on() const { return of[news] == 0 && of[stopped] == 0; }
};

void exploration_part::run(simt::state_view root) {
  if (!begins_alike()) return;
  const simt::state_words first = of_first(root);
  // A question that is given up here is asked by all ranks.
  auto patience = lanes_.give_up_where({});
  lanes_.hold_back(&wanted_);
  if (owner_of(codec_.hash(first)) == all_.own()) enter(first);
  const std::uint64_t chunk =
      std::clamp(words_between_exchanges / machine_.words() / (machine_.places().lanes.size() + 1),
                 fewest_between_exchanges, most_between_exchanges);
  sums all;
  for (std::uint64_t level = 0;; ++level) {
    level_ = std::exchange(next_level_, {});
    do {
      std::size_t at = 0;
      do {
        const std::size_t first = at;
        guard([&] {
          const std::size_t end = std::min<std::size_t>(at + chunk, level_.size());
          while (at < end && !machine_.has_news() && stopped_.empty() && has_room())
            expand(level_[at++]);
        });
        all = exchange(at - first, level_.size() - at);
      } while (all.goes_on() && all[sums::left] > 0);
      level_ = std::exchange(put_off_, {});
      if (!all.goes_on() || all[sums::put_off] == 0) break;
      guard([&] {
        if (!ask_together(all_, lanes_, wanted_, addresses_))
          throw std::logic_error("states were put off, and no rank has a question");
      });
      lanes_.hold_back(&wanted_);
      if (begins_again()) {
        all[sums::news] = 1;
        break;
      }
    } while (true);
    if (all.goes_on() && all[sums::uses] != 0 && learns_from_others()) all[sums::news] = 1;
    // A level without states brings the last numbers.
    if (!all.goes_on() || all[sums::expanded] == 0) break;
    depth_ = level;
  }
  if (all.goes_on()) {
    std::uint64_t skipped = skipped_races_ ? 1 : 0;
    all_.take_largest({&skipped, 1});
    guard([&] {
      if (skipped == 0 || !machine_.may_race()) return;
      for (state_id s = 0; s < shared_.states.size() && shared_.wants(verdict::race); ++s) {
        shared_.states.read(s, here_);
        if (checks_.has_race(here_.words())) shared_.report(verdict::race);
      }
    });
    exchange(0, 0);
  }
  agree_on_end();
  lanes_.hold_back(nullptr);
  lanes_.give_up_where(std::move(patience));
}

/// Whether the round begins again after a new question. Where lanes change names, the state that is
/// kept of all equivalent ones depends on the questions asked so far. Beginning again makes ranks
/// choose alike, as long as little was explored. Later, ranks may choose differently, which costs
/// some states.
bool exploration_part::begins_again() {
  std::uint64_t renames = machine_.renames() ? 1 : 0;
  all_.take_largest({&renames, 1});
  is_void_ = is_void_ || (renames != 0 && all_states_ < little);
  return is_void_;
}

/// Whether all ranks know the same of weak memory, and no rank has news.
bool exploration_part::begins_alike() {
  std::uint64_t news = machine_.has_news() ? 1 : 0;
  all_.take_largest({&news, 1});
  is_void_ = news != 0;
  if (is_void_) return false;
  if (run_.traits_of_memory().learns_facts) {
    knowledge now;  // what states mean rests on it
    now.weak.emplace().facts = run_.facts().now();
    const auto facts = all_.gather(pack_knowledge(now));
    is_void_ = std::ranges::any_of(facts, [&](const byte_list& f) { return f != facts.front(); });
  }
  return !is_void_;
}

/// All together: the root of the first rank. Where lanes change names, another rank may have kept
/// another state of those that look the same.
simt::state_words exploration_part::of_first(simt::state_view root) {
  std::vector<byte_list> out(all_.count());
  for (std::uint32_t r = 1; all_.is_first() && r < all_.count(); ++r) {
    message_writer message;
    codec_.begin_writing(r);
    codec_.write(root, r, message);
    codec_.begin_writing(r);
    out[r] = message.take();
  }
  const std::vector<byte_list> in = all_.exchange(out);
  if (all_.is_first()) return {root.begin(), root.end()};
  simt::state_words first(machine_.words());
  message_reader from(in.front());
  codec_.begin_reading(0);
  codec_.read(from, 0, first);
  return first;
}

// One lane may use a location on one rank, and another lane on another rank. So neither machine has
// news, and yet the location is shared. docs/cluster.md, "Facts of weak memory"
bool exploration_part::learns_from_others() {
  if (!run_.traits_of_memory().learns_facts || is_void_) return is_void_;
  simt::shared_facts& facts = run_.facts();
  knowledge all;
  all.weak.emplace().uses = facts.uses();
  for (const byte_list& packed : all_.gather(pack_knowledge(all))) all.join(knowledge_in(packed));
  const bool as_contested = machine_.ahead() == nullptr;
  std::uint64_t news = 0;
  for (const auto& [key, use] : all.weak->uses) {
    if (machine_.model().learn_use(key, use, as_contested)) news = 1;
  }
  all_.take_largest({&news, 1});
  told_ = facts.uses();
  is_void_ = is_void_ || news != 0;
  return is_void_;
}

// Runs `part`. What ends the search here ends it on all ranks, after the next exchange.
void exploration_part::guard(const std::function<void()>& part) {
  stop_cause no_more_memory = limits::no_more_memory();  // made while there still is some memory
  try {
    part();
  } catch (const simt::lane_automaton::given_up&) {
    stopped_ = {stop_reason::defect, "lanes were to be asked what no rank had asked"};
  } catch (const simt::lane_runaway& runaway) {
    if (!machine_.has_news()) stopped_ = {reason_of(runaway), text_of(run_, runaway)};
  } catch (const simt::lane_error& error) {
    if (!machine_.has_news()) misuse_ = misuse(run_, error).what();
  } catch (const simt::host_code_stopped& error) {
    stopped_ = bounds_.host_code_was_stopped(error.what());
  } catch (const std::bad_alloc&) {
    stopped_ = std::move(no_more_memory);
  } catch (const std::length_error& error) {
    stopped_ = {stop_reason::too_many_to_number, error.what()};
  } catch (const std::system_error& error) {
    stopped_ = {stop_reason::no_room, error.what()};
  }
}

void exploration_part::expand(state_id s) {
  shared_.states.read(s, here_);
  const auto leads_back = [&](const simt::transition& t) {
    return t.stays || (t.ends == simt::ending::none &&
                       std::ranges::equal(list_.state(t, machine_.words()), here_.words()));
  };
  try {
    machine_.successors(here_.words(), list_);
    if (machine_.has_news()) return;
    const seen_endings seen = note_endings(shared_, machine_, checks_, here_.words(), list_);
    skipped_races_ = skipped_races_ || seen.skipped_races;
    const bool loops =
        shared_.wants(verdict::livelock) && std::ranges::any_of(list_.transitions, leads_back);
    const bool can_stay = loops && livelocks_.can_stay_at(s, here_.words(), list_);
    flags_[s] = was_expanded | (seen.reaches_end ? ends : 0) | (can_stay ? stays : 0);
  } catch (const simt::lane_automaton::given_up&) {
    put_off_.push_back(s);
    return;
  }
  transitions_ += list_.transitions.size();
  first_target_[s] = targets_.size();
  for (const simt::transition& t : list_.transitions) {
    if (t.ends != simt::ending::none || leads_back(t)) continue;
    targets_.push_back(not_known);
    targets_.back() = look_up(list_.state(t, machine_.words()), targets_.size() - 1);
  }
  target_count_[s] = static_cast<std::uint32_t>(targets_.size() - first_target_[s]);
}

/// Whether messages are not too long yet.
bool exploration_part::has_room() const {
  std::size_t bytes = 0;
  for (const message_writer& batch : batches_) bytes += batch.size();
  return bytes < bytes_between_exchanges;
}

/// Returns the number of a successor. If the state belongs to another rank, the number is not known
/// until the next exchange but one. Then it goes to `at`.
exploration_part::global_id exploration_part::look_up(simt::state_view state, std::uint64_t at) {
  const std::uint64_t hash = codec_.hash(state);
  const std::uint32_t owner = owner_of(hash);
  const std::uint32_t ranks = all_.count();
  if (owner == all_.own()) {
    const std::uint64_t id = std::uint64_t{enter(state, &here_)} * ranks + owner;
    if (id >= not_known) throw std::length_error("more states than can be numbered");
    return static_cast<global_id>(id);
  }
  const std::size_t place = (hash / ranks) & (recent_.size() - 1);
  recent& known = recent_[place];
  const std::span<std::uint32_t> words =
      std::span(recent_words_).subspan(place * state.size(), state.size());
  if (known.sent_in == 0 || known.hash != hash || !std::ranges::equal(words, state)) {
    known = {hash, not_known, exchanges_, in_batch_[owner]++};
    std::ranges::copy(state, words.begin());
    codec_.write(state, owner, batches_[owner]);
    recent_sent_[0].push_back(static_cast<std::uint32_t>(place));
  }
  if (known.id == not_known)
    waiting_[exchanges_ - known.sent_in][owner].push_back({at, known.slot});
  return known.id;
}

// Sends one message to each rank: the progress of this rank, the numbers of the states that came
// with the last message from there, and successors whose states belong there.
exploration_part::sums exploration_part::exchange(std::uint64_t expanded, std::uint64_t left) {
  look_at_limits();
  sums all;
  all[sums::expanded] = expanded;
  all[sums::left] = left;
  all[sums::put_off] = put_off_.size();
  all[sums::news] = machine_.has_news() ? 1 : 0;
  all[sums::uses] = run_.traits_of_memory().learns_facts && run_.facts().uses() != told_ ? 1 : 0;
  all[sums::stopped] = stopped_.empty() && misuse_.empty() ? 0 : 1;
  all[sums::states] = shared_.states.size();
  all[sums::transitions] = transitions_;
  const verdict_set found = shared_.found;
  for (std::size_t v = 0; v + sums::kinds < all.of.size(); ++v)
    all[sums::kinds + v] = (found >> v) & 1;
  std::vector<byte_list> out;
  for (std::uint32_t r = 0; r < all_.count(); ++r) {
    message_writer message;
    if (r != all_.own()) {
      for (const std::uint64_t number : all.of) message.number(number);
      message.number(numbers_[r].size());
      for (const state_id id : numbers_[r]) message.number(id);
      message.append(batches_[r]);
      codec_.begin_writing(r);
    }
    numbers_[r].clear();
    out.push_back(message.take());
  }
  const std::vector<byte_list> in = all_.exchange(out);
  guard([&] {
    for (std::uint32_t r = 0; r < in.size(); ++r) {
      if (r != all_.own()) take(r, in[r], all);
    }
  });
  for (const std::uint32_t place : recent_sent_[1]) {
    recent& known = recent_[place];
    const std::vector<global_id>& answered = answered_[owner_of(known.hash)];
    if (known.sent_in + 1 == exchanges_ && known.id == not_known && known.slot < answered.size())
      known.id = answered[known.slot];
  }
  std::swap(recent_sent_[0], recent_sent_[1]);
  recent_sent_[0].clear();
  std::swap(waiting_[0], waiting_[1]);
  for (auto& edges : waiting_[0]) edges.clear();
  in_batch_.assign(all_.count(), 0);
  ++exchanges_;
  for (std::size_t v = 0; v + sums::kinds < all.of.size(); ++v) {
    if (all[sums::kinds + v] != 0) shared_.report(static_cast<verdict>(v));
  }
  all_states_ = all[sums::states];
  all_transitions_ = all[sums::transitions];
  if (all[sums::news] != 0) is_void_ = true;
  return all;
}

/// Takes in what rank `r` has sent.
void exploration_part::take(std::uint32_t r, const byte_list& message, sums& all) {
  message_reader in(message);
  for (std::uint64_t& number : all.of) number += in.number();
  answered_[r].clear();
  for (std::uint64_t n = in.number(); n > 0; --n) {
    const std::uint64_t global = in.number() * all_.count() + r;
    if (global >= not_known) throw std::length_error("more states than can be numbered");
    answered_[r].push_back(static_cast<global_id>(global));
  }
  for (const open_edge& edge : waiting_[1][r]) {
    // A rank that has come to a limit answers less, and all ranks end.
    if (edge.slot < answered_[r].size()) targets_[edge.at] = answered_[r][edge.slot];
  }
  codec_.begin_reading(r);
  while (in.more()) {
    codec_.read(in, r, words_);
    numbers_[r].push_back(enter(words_));
  }
}

// The first rank looks at limits that hold for all ranks, and each rank at its own memory.
void exploration_part::look_at_limits() {
  const std::uint64_t used = bytes();
  peak_bytes_ = std::max(peak_bytes_, used);
  if (!stopped_.empty()) return;
  stop_cause why = bounds_.reached(used);
  if (why.reason == stop_reason::time && !all_.is_first()) return;
  if (!why.empty()) {
    stopped_ = std::move(why);
    return;
  }
  if (!all_.is_first()) return;
  if (bounds_.progress) bounds_.progress({all_states_, all_transitions_, depth_, used});
  if (bounds_.max_states && all_states_ >= *bounds_.max_states) {
    stopped_ = limits::reached_states(*bounds_.max_states);
  }
  if (!shared_.has_violation()) return;
  if (bounds_.first) stopped_ = {stop_reason::first_violation, "stopped at the first violation"};
  if (seen_after_ == 0) seen_after_ = bounds_.seconds();
  if (bounds_.time || bounds_.max_states || !stopped_.empty()) return;
  if (bounds_.seconds() > seen_after_ + std::max(2 * seen_after_, bounds_.behind)) {
    stopped_ = {stop_reason::long_after_violation,
                "stopped long after a violation was seen, with no other kind of them since"};
  }
}

// Makes all ranks agree on why they have stopped, and on how evenly states lie.
void exploration_part::agree_on_end() {
  message_writer mine;
  mine.number(static_cast<std::uint64_t>(stopped_.reason));
  mine.text(stopped_.text);
  mine.text(misuse_);
  mine.number(shared_.states.size());
  mine.number(shared_.minds_names ? 1 : 0);
  mine.number(run_.leaves_masks_out() ? 1 : 0);
  mine.number(peak_bytes_);
  mine.number(all_.bytes_sent() - sent_before_);
  std::uint64_t most = 0;
  for (const byte_list& packed : all_.gather(mine.take())) {
    message_reader in(packed);
    const auto reason = static_cast<stop_reason>(in.number());
    stop_cause why{reason, in.text()};
    if (!why.empty() && shared_.stopped().empty()) shared_.stop(std::move(why));
    if (std::string mistake = in.text(); misuse_.empty()) misuse_ = std::move(mistake);
    most = std::max(most, in.number());
    if (in.number() != 0) shared_.minds_names = true;
    if (in.number() != 0) *run_.setup().leaves_masks_out = true;
    peak_bytes_ = std::max(peak_bytes_, in.number());
    all_bytes_sent_ += in.number();
  }
  const double even = static_cast<double>(all_states_) / all_.count();
  imbalance_ = even > 0 ? static_cast<double>(most) / even : 1;
}

}  // namespace warpcheck
