// Symmetry where memory is weak. What lanes know of memory, and what memory says of lanes, goes
// with them when they change places (docs/reductions.md, "Where memory is weak"). Lanes that wait
// at the same are put in an order by their signatures, which do not depend on names: where these
// are equal, too, the lanes stay in the order that they have, and a state may then be kept as
// several ones.
//
// Axioms: none; with other names a state allows the same.
#include <algorithm>
#include <numeric>

#include "sim/machine/machine.hpp"
#include "sim/memory/lane_names.hpp"

namespace simt {

const std::vector<std::uint32_t>& machine::signatures(std::uint32_t memory) {
  const auto known = signatures_.find(memory);
  if (known != signatures_.end()) return known->second;
  stores_.program.give_up_in_time();
  const auto at =
      signatures_.emplace(memory, lane_signatures(weak_->read(stores_.images[memory]))).first;
  return at->second;
}

/// `lane_at`: by place, the lane that comes to it.
std::uint32_t machine::renamed_memory(std::uint32_t memory,
                                      std::span<const std::uint32_t> lane_at) {
  std::vector<std::uint32_t> key(lane_at.begin(), lane_at.end());
  key.push_back(memory);
  if (const auto known = renamed_memories_.find(key); known != renamed_memories_.end()) {
    return known->second;
  }
  look_at_time_for_memory();
  std::vector<std::uint32_t> place_of(lane_at.size());
  for (std::uint32_t place = 0; place < lane_at.size(); ++place) place_of[lane_at[place]] = place;
  const auto image = stores_.images[memory];
  weak_state s = weak_->read(image);
  weak_->rules().rename(s, place_of);
  const std::uint32_t renamed = stores_.images.intern(weak_->write(s, image));
  renamed_memories_.emplace(std::move(key), renamed);
  return renamed;
}

void machine::change_places_and_names(std::span<std::uint32_t> words,
                                      std::vector<std::uint32_t>* moved) {
  if (!is_symmetric()) {
    if (moved == nullptr) return;
    moved->resize(places_.lanes.size());
    return std::iota(moved->begin(), moved->end(), 0U);
  }
  const std::size_t lanes = places_.lanes.size();
  const std::vector<std::uint32_t>& known = signatures(words[memory_word()]);
  sorted_words_.assign(words.begin(), words.end());
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    sorted_words_[lane] = (words[lane] + known[lane]) * 0x9e3779b1U ^ words[lane];
  }
  symmetry_->canonicalize(sorted_words_, &lane_at_);
  for (std::size_t place = 0; place < lanes; ++place) {
    sorted_words_[place] = words[lane_at_[place]];
  }
  if (!std::ranges::is_sorted(lane_at_)) {
    sorted_words_[memory_word()] = renamed_memory(words[memory_word()], lane_at_);
  }
  std::ranges::copy(sorted_words_, words.begin());
  if (moved != nullptr) *moved = lane_at_;
}

}  // namespace simt
