// Symmetry where memory holds what lanes know. This knowledge moves with lanes that trade places
// (docs/reductions.md, "Where memory is weak"). Lanes that wait at one operation are ordered by
// their signatures, which do not depend on names. Lanes with equal signatures keep their order, so
// several symmetric states may be kept.
#include <algorithm>
#include <numeric>

#include "sim/machine/machine.hpp"

namespace simt {

void machine::change_places_and_names(std::span<std::uint32_t> words,
                                      std::vector<std::uint32_t>* moved) {
  if (!is_symmetric()) {
    if (moved == nullptr) return;
    moved->resize(places_.lanes.size());
    return std::iota(moved->begin(), moved->end(), 0U);
  }
  look_at_time_for_memory();
  const std::size_t lanes = places_.lanes.size();
  const std::span<const std::uint32_t> known = memory_->signatures(words[memory_word()]);
  sorted_words_.assign(words.begin(), words.end());
  for (std::size_t lane = 0; lane < lanes; ++lane) {
    sorted_words_[lane] = (words[lane] + known[lane]) * 0x9e3779b1U ^ words[lane];
  }
  symmetry_->canonicalize(sorted_words_, &lane_at_);
  for (std::size_t place = 0; place < lanes; ++place) {
    sorted_words_[place] = words[lane_at_[place]];
  }
  if (!std::ranges::is_sorted(lane_at_)) {
    sorted_words_[memory_word()] = memory_->change_places(words[memory_word()], lane_at_);
  }
  std::ranges::copy(sorted_words_, words.begin());
  if (moved != nullptr) *moved = lane_at_;
}

}  // namespace simt
