// Explores a program's states breadth first, with started threads as part of a state.
#include "checker/progress/graph.hpp"

#include <algorithm>
#include <boost/unordered/unordered_flat_map.hpp>
#include <string>

namespace warpcheck {
namespace {

/// Memory, program counters, and the set of started threads, as one string, which has a hash
/// already.
using packed_state = std::u16string;

thread_set unpack_started(const packed_state& state, std::size_t from) {
  thread_set started = 0;
  for (std::size_t part = 0; part < 4; ++part) {
    started |= thread_set{state[from + part]} << (16 * part);
  }
  return started;
}

}  // namespace

progress_graph::progress_graph(const progress_program& program, std::uint64_t max_states,
                               const std::atomic<bool>* stop)
    : threads_(static_cast<std::uint32_t>(program.threads.size())),
      words_(program.words()),
      width_(words_ + program.threads.size()) {
  max_states = std::clamp<std::uint64_t>(max_states, 1, none - 1);
  boost::unordered_flat_map<packed_state, std::uint32_t> numbers;
  const auto number_of = [&](const packed_state& state, std::uint32_t from, std::uint32_t by) {
    if (const auto known = numbers.find(state); known != numbers.end()) return known->second;
    if (states() == max_states) {
      complete_ = false;
      return none;
    }
    const std::uint32_t number = states();
    numbers.emplace(state, number);
    values_.insert(values_.end(), state.begin(),
                   state.begin() + static_cast<std::ptrdiff_t>(width_));
    thread_set unfinished = 0;
    for (std::uint32_t t = 0; t < threads_; ++t) {
      if (state[words_ + t] < program.threads[t].size()) unfinished |= only(t);
    }
    unfinished_.push_back(unfinished);
    started_.push_back(unpack_started(state, width_));
    parent_.push_back(from);
    parent_thread_.push_back(static_cast<std::uint8_t>(by));
    return number;
  };

  number_of(packed_state(width_ + 4, u'\0'), none, 0);
  packed_state here(width_ + 4, u'\0');
  packed_state after;
  for (std::uint32_t state = 0; state < states(); ++state) {
    if (stop != nullptr && stop->load(std::memory_order_relaxed)) {
      complete_ = false;
      break;
    }
    for (std::size_t i = 0; i < width_; ++i) here[i] = values_[std::size_t{state} * width_ + i];
    for (std::uint32_t t = 0; t < threads_; ++t) {
      if ((unfinished_[state] & only(t)) == 0) {
        next_.push_back(none);
        continue;
      }
      after = here;
      const std::uint16_t counter = here[words_ + t];
      const progress_instruction& i = program.threads[t][counter];
      const bool taken = jumps(i) && here[i.word] == i.compare;
      if (writes(i)) after[i.word] = i.value;
      after[words_ + t] = taken ? i.target : static_cast<char16_t>(counter + 1);
      const thread_set started = started_[state] | only(t);
      for (std::size_t part = 0; part < 4; ++part) {
        after[width_ + part] = static_cast<char16_t>(started >> (16 * part));
      }
      next_.push_back(number_of(after, state, t));
    }
  }
}

std::vector<std::uint32_t> progress_graph::way_to(std::uint32_t state) const {
  std::vector<std::uint32_t> way;
  for (; parent_[state] != none; state = parent_[state]) way.push_back(parent_thread_[state]);
  std::ranges::reverse(way);
  return way;
}

}  // namespace warpcheck
