// Cuts a state into leaves, and computes the levels of branches above them.
#include "checker/states/state_tree.hpp"

#include <algorithm>
#include <stdexcept>

namespace warpcheck {

state_tree::state_tree(const state_shape& shape) : shape_(shape) {
  if (shape.words == 0) throw std::invalid_argument("states without words");
  if (shape.hot > state_shape::most_hot || shape.first_hot > shape.words ||
      shape.hot > shape.words - shape.first_hot) {
    throw std::invalid_argument("a state does not have such hot words");
  }
  const auto words = static_cast<std::uint32_t>(shape.words);
  if (words <= flat_words) {
    const std::uint32_t cut = std::max(words / 2, 1U);
    halves_[0] = {{}, 0, cut};
    halves_[1] = {{}, cut, words - cut};
    return;
  }
  const auto tuples = [](std::uint32_t count) { return (count - 1) / std::uint32_t{arity} + 1; };
  add_leaves(0, shape.first_hot);
  add_leaves(shape.first_hot + shape.hot, words);

  std::uint32_t next = 0;
  for (std::uint32_t i = 0; i < 2; ++i) {
    half& h = halves_[i];
    auto count = static_cast<std::uint32_t>(
        std::ranges::count_if(leaves_, [&](const leaf& l) { return l.half == i; }));
    for (;; count = tuples(count)) {
      h.levels.push_back({next, count});
      if (count <= half_numbers) break;
      next += tuples(count) * std::uint32_t{arity};
    }
    h.first = next;
    h.count = count + (i == 1 ? static_cast<std::uint32_t>(shape.hot) : 0);
    next += h.count;
  }
  numbers_ = next;
}

void state_tree::add_leaves(std::size_t first, std::size_t end) {
  for (; first < end; first += arity) {
    const auto number = static_cast<std::uint32_t>(leaves_.size());
    leaves_.push_back({static_cast<std::uint32_t>(first),
                       static_cast<std::uint32_t>(std::min(arity, end - first)), number % 2,
                       number / 2});
  }
}

}  // namespace warpcheck
