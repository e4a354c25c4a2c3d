// Asks lanes for answers, and sorts continuations into classes that behave alike.
#include "sim/automaton/lane_automaton.hpp"

#include <algorithm>
#include <cstring>

#include <xxhash.h>

#include "sim/automaton/partition.hpp"
#include "sim/lane/fault_guard.hpp"

namespace simt {
namespace {

// The amounts of work between two checks of the time limit: compared pairs of continuations, and
// continuations that get a colour.
constexpr std::size_t pairs_in_time = 1'024;
constexpr std::size_t classes_in_time = 4'096;

bool same_operation(const operation& a, const operation& b) {
  return std::memcmp(&a, &b, sizeof a) == 0;
}

}  // namespace

std::size_t lane_automaton::memory() const {
  std::size_t bytes = lanes_.memory();
  for (const group& g : groups_) bytes += g.members.capacity() * 4 + g.answers.capacity() * 8;
  bytes += questions_.capacity() * sizeof(question);
  return bytes + (class_of_.capacity() + group_of_.capacity()) * 4 + representative_.memory();
}

continuation lane_automaton::start(std::uint32_t launch) {
  if (!merge_) return lanes_.start(launch);
  const continuation first = lanes_.start(launch);
  meet_all();
  return class_of_[first];
}

// A lane of class `c` gets `answer` for the first time.
continuation lane_automaton::ask(continuation c, std::uint64_t answer) {
  give_up_in_time();
  ++asked_;
  note_given(c, answer);
  const continuation asked = representative_[c];
  const std::uint32_t g = group_of_[asked];
  if (g == no_group) {
    lanes_.speculate(asked, answer);
    meet_all();
  } else {
    const fault_handlers handlers;
    groups_[g].answers.push_back(answer);
    groups_[g].tried.insert(answer);
    groups_[g].by_successors.clear();
    groups_[g].not_by_successors = groups_[g].classes;
    for (std::size_t i = 0; i < groups_[g].members.size(); ++i) {
      if (gives_up()) take_back(g, answer);
      try_answer(groups_[g].members[i], answer);
    }
    meet_all();
    // Checks whether the new answer tells members of one class apart.
    for (const continuation member : groups_[g].members) {
      const continuation here = class_of_[*lanes_.known(member, answer)];
      const continuation there =
          class_of_[*lanes_.known(representative_[class_of_[member]], answer)];
      if (here == there) continue;
      stale_ = true;
      news_.record();
      break;
    }
  }
  return class_of_[*lanes_.known(asked, answer)];
}

/// Takes a question back. Answers that were tried stay known, and the continuations that they led
/// to join their groups later.
void lane_automaton::take_back(std::uint32_t asked, std::uint64_t answer) {
  groups_[asked].answers.pop_back();
  groups_[asked].tried.erase(answer);
  given_.erase({representative_[questions_.back().of], answer});
  questions_.pop_back();
  --asked_;
  throw given_up{};
}

bool lane_automaton::ask_again(std::span<const question> all) {
  if (questions_.size() > all.size() ||
      !std::equal(questions_.begin(), questions_.end(), all.begin())) {
    return false;
  }
  for (std::size_t i = questions_.size(); i < all.size(); ++i) {
    if (all[i].of == question::nobody) {
      if (!stale_) return false;
      refine();
    } else {
      if (all[i].of >= size()) return false;
      outcome(all[i].of, all[i].answer);
    }
    if (questions_.size() != i + 1) return false;
  }
  return true;
}

std::uint64_t lane_automaton::digest() const {
  std::uint64_t seed = XXH3_64bits(class_of_.data(), class_of_.size() * sizeof(continuation));
  for (continuation c = 0; c < lanes_.size(); ++c) {
    // The digest leaves out stored values, which may be addresses.
    const operation& op = lanes_.at(c);
    seed = XXH3_64bits_withSeed(&op.kind, sizeof op.kind, seed);
    for (const auto& [answer, next] : lanes_.known_of(c)) {
      seed = XXH3_64bits_withSeed(&next, sizeof next, seed);
    }
  }
  return seed;
}

void lane_automaton::try_answer(continuation member, std::uint64_t answer) {
  count_work(1);
  if (lanes_.known(member, answer)) return;
  ++speculated_;
  count_work(work_of_a_run);
  lanes_.speculate(member, answer);
}

/// Continuations that are new to the automaton join their groups, and then their classes.
void lane_automaton::meet_all() {
  const std::size_t first = class_of_.size();
  while (class_of_.size() < lanes_.size()) {
    const auto met = static_cast<continuation>(class_of_.size());
    class_of_.push_back(unplaced);
    guess_.push_back(unplaced);
    group_of_.push_back(no_group);
    is_on_way_.push_back(0);
    join_group(met);
  }
  place_all(first);
}

void lane_automaton::join_group(continuation met) {
  if (met != exited && met < lanes_.init_end()) return;
  const operation& op = lanes_.at(met);
  const bool is_branch = op.kind == operation_kind::branch;  // its successor is known
  if (!is_branch && speculated_ > speculation_floor + speculation_factor * asked_) return;
  // Otherwise answers would be tried on its successors, and on theirs.
  if (!is_branch && gives_up()) return;
  auto& candidates = groups_by_hash_[XXH3_64bits(&op, sizeof op)];
  std::uint32_t g = no_group;
  for (const std::uint32_t candidate : candidates) {
    if (same_operation(lanes_.at(groups_[candidate].members.front()), op)) g = candidate;
  }
  if (g == no_group) {
    g = static_cast<std::uint32_t>(groups_.size());
    groups_.emplace_back();
    if (is_branch) {
      groups_[g].answers.push_back(0);
      groups_[g].tried.insert(0);
    }
    candidates.push_back(g);
  }
  group_of_[met] = g;
  groups_[g].members.push_back(met);
  for (std::size_t i = 0; i < groups_[g].answers.size(); ++i) {
    try_answer(met, groups_[g].answers[i]);
  }
}

void lane_automaton::new_class(continuation met) {
  class_of_[met] = static_cast<continuation>(representative_.size());
  representative_.push_back(met);
  if (group_of_[met] == no_group) return;
  groups_[group_of_[met]].classes.push_back(class_of_[met]);
  groups_[group_of_[met]].not_by_successors.push_back(class_of_[met]);
}

void lane_automaton::place_all(std::size_t from) {
  for (auto met = static_cast<continuation>(from); met < class_of_.size(); ++met) place(met);
}

// Places the successors of `first` before `first`. Then a look-up by successor classes finds most
// classes. Only on a cycle must members be compared with classes one by one.
void lane_automaton::place(continuation first) {
  struct step {
    continuation at;
    std::size_t answer;
  };
  std::vector<step> way{{first, 0}};
  is_on_way_[first] = 1;
  while (!way.empty()) {
    auto& [at, answer] = way.back();
    const std::uint32_t g = group_of_[at];
    if (class_of_[at] != unplaced || g == no_group || answer == groups_[g].answers.size()) {
      if (class_of_[at] == unplaced) place_behind_others(at);
      is_on_way_[at] = 0;
      way.pop_back();
      continue;
    }
    const continuation next = *lanes_.known(at, groups_[g].answers[answer++]);
    if (class_of_[next] == unplaced && is_on_way_[next] == 0) {
      is_on_way_[next] = 1;
      way.push_back({next, 0});
    }
  }
}

void lane_automaton::place_behind_others(continuation met) {
  if (group_of_[met] == no_group) return new_class(met);
  group& like = groups_[group_of_[met]];
  std::erase_if(like.not_by_successors, [&](continuation c) {
    auto key = classes_behind(representative_[c]);
    if (key) like.by_successors.emplace(*std::move(key), c);
    return key.has_value();
  });
  const auto key = classes_behind(met);
  if (key) {
    if (const auto same = like.by_successors.find(*key); same != like.by_successors.end()) {
      class_of_[met] = same->second;
      return;
    }
  }
  const auto& candidates = key ? like.not_by_successors : like.classes;
  for (const continuation c : candidates) {
    if (gives_up()) break;  // a caller that gives up needs no merging any more
    if (equivalent(met, representative_[c])) return;
  }
  new_class(met);
}

// The classes that the group's answers lead to from `met`. Nothing: some of them are unknown.
std::optional<std::vector<continuation>> lane_automaton::classes_behind(continuation met) {
  std::vector<continuation> result;
  for (const std::uint64_t answer : groups_[group_of_[met]].answers) {
    result.push_back(class_of_[*lanes_.known(met, answer)]);
    count_work(1);
    if (result.back() == unplaced) return std::nullopt;
  }
  return result;
}

continuation lane_automaton::resolve(continuation c) const {
  while (class_of_[c] == unplaced && guess_[c] != unplaced) c = guess_[c];
  return c;
}

// Hopcroft and Karp 1971: assumes that both are equivalent, follows all answers, and looks for a
// pair that cannot be equivalent. If there is none, all assumptions were right, and the
// continuations on the way take the classes of their partners.
bool lane_automaton::equivalent(continuation met, continuation other) {
  std::vector<std::pair<continuation, continuation>> open;
  std::vector<continuation> guessed;
  const auto assume = [&](continuation a, continuation b) {
    a = resolve(a);
    b = resolve(b);
    if (a == b) return true;
    const bool a_placed = class_of_[a] != unplaced;
    const bool b_placed = class_of_[b] != unplaced;
    if (a_placed && b_placed) return class_of_[a] == class_of_[b];
    if (group_of_[a] == no_group || group_of_[a] != group_of_[b]) return false;
    if (a_placed) std::swap(a, b);
    guess_[a] = b;
    guessed.push_back(a);
    open.emplace_back(a, b);
    return true;
  };
  count_work(1);
  bool same = assume(met, other);
  for (std::size_t pairs = 1; same && !open.empty(); ++pairs) {
    if (pairs % pairs_in_time == 0 && gives_up()) same = false;
    const auto [a, b] = open.back();
    open.pop_back();
    for (const std::uint64_t answer : groups_[group_of_[a]].answers) {
      count_work(1);
      same = assume(*lanes_.known(a, answer), *lanes_.known(b, answer));
      if (!same) break;
    }
  }
  std::vector<std::pair<continuation, continuation>> decided;
  for (const continuation g : guessed) {
    const continuation partner = resolve(g);
    if (same && class_of_[partner] != unplaced) decided.emplace_back(g, class_of_[partner]);
  }
  for (const continuation g : guessed) guess_[g] = unplaced;
  for (const auto& [c, number] : decided) class_of_[c] = number;
  return same;
}

// Computes the coarsest stable partition that is finer than the one by operations.
void lane_automaton::partition() {
  const std::size_t count = class_of_.size();
  std::vector<std::uint32_t> colour(count);
  labelled_edges edges;
  edges.first.reserve(count + 1);
  auto colours = static_cast<std::uint32_t>(groups_.size());
  for (std::size_t c = 0; c < count; ++c) {
    if (c % classes_in_time == 0) give_up_in_time();
    edges.first.push_back(edges.targets.size());
    colour[c] = group_of_[c] != no_group ? group_of_[c] : colours++;
    if (group_of_[c] == no_group) continue;
    for (const std::uint64_t answer : groups_[group_of_[c]].answers) {
      edges.targets.push_back(*lanes_.known(static_cast<continuation>(c), answer));
    }
  }
  edges.first.push_back(edges.targets.size());
  count_work(edges.targets.size());
  colour = coarsest_partition(colour, edges, [&](std::size_t looked_at) {
    count_work(looked_at);
    give_up_in_time();
  });
  stale_ = false;
  assumed_.never.clear();
  assumed_.no_other.clear();
  questions_.push_back({});
  // An answer given to one member of a class counts as given to the class.
  const std::vector<continuation> classes_before = class_of_;
  std::vector<std::vector<std::uint64_t>> given(representative_.size());
  for (const auto& [of, answer] : given_) given[class_of_[of]].push_back(answer);
  given_.clear();
  representative_.clear();
  for (group& g : groups_) {
    g.classes.clear();
    g.by_successors.clear();
    g.not_by_successors.clear();
  }
  for (auto c = static_cast<continuation>(0); c < count; ++c) {
    if (colour[c] == representative_.size()) {
      new_class(c);
    } else {
      class_of_[c] = colour[c];
    }
    if (classes_before[c] == unplaced) continue;
    for (const std::uint64_t answer : given[classes_before[c]]) {
      given_.insert({representative_[class_of_[c]], answer});
    }
  }
}

std::vector<char> lane_automaton::reached_from(std::span<const continuation> starts) const {
  std::vector<char> reached(size(), 0);
  std::vector<continuation> open(starts.begin(), starts.end());
  for (const continuation first : starts) reached[first] = 1;
  while (!open.empty()) {
    const continuation c = open.back();
    open.pop_back();
    for_each_given(c, [&](std::uint64_t, continuation next) {
      if (reached[next] == 0) open.push_back(next);
      reached[next] = 1;
    });
  }
  return reached;
}

}  // namespace simt
