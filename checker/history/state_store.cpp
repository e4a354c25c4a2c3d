// Gives numbers to states and to steps, and keeps the results of applying steps to states.
#include "checker/history/state_store.hpp"

#include <algorithm>

namespace warpcheck {

state_number state_store::number_of(const simt::spec::state& s) {
  const auto [at, is_new] = numbers_.try_emplace(s, static_cast<state_number>(states_.size()));
  if (is_new) {
    states_.push_back(&at->first);
    bytes_ += s.size() * sizeof(simt::spec::value) + 80;
  }
  return at->second;
}

std::uint32_t state_store::signature_of(const timed_step& step) {
  const simt::spec::call& c = step.what;
  simt::spec::state key{c.operation, c.step};
  const std::size_t arguments = spec_.operations()[c.operation].arguments.size();
  key.insert(key.end(), c.arguments, c.arguments + arguments);
  key.push_back(spec_.uses_clients() ? c.client : 0);
  key.push_back((step.has_result ? 1 : 0) + (step.may_be_done ? 2 : 0) +
                (step.has_result && step.returned.is_some ? 4 : 0));
  key.push_back(step.has_result ? step.returned.what : 0);
  std::string bytes;
  simt::spec::append_bytes(key, bytes);
  const auto [at, is_new] = signature_numbers_.try_emplace(
      std::move(bytes), static_cast<std::uint32_t>(signatures_.size()));
  if (is_new) {
    signatures_.push_back(step);
    bytes_ += 200;
  }
  return at->second;
}

std::span<const state_number> state_store::after(state_number before, std::uint32_t signature) {
  const std::uint64_t key = std::uint64_t{before} << 32 | signature;
  const auto known = transitions_.find(key);
  if (known != transitions_.end()) {
    return {targets_.data() + known->second.begin, known->second.size};
  }
  const timed_step& step = signatures_[signature];
  simt::spec::outcomes out;
  spec_.apply(state(before), step.what, out);
  const auto begin = static_cast<std::uint32_t>(targets_.size());
  const auto add = [&](state_number s) {
    if (std::find(targets_.begin() + begin, targets_.end(), s) == targets_.end()) {
      targets_.push_back(s);
    }
  };
  for (const auto& o : out.all()) {
    if (!step.has_result || o.returned == step.returned) add(number_of(o.after));
  }
  if (step.may_be_done) add(before);
  const range made{begin, static_cast<std::uint32_t>(targets_.size()) - begin};
  transitions_.emplace(key, made);
  return {targets_.data() + made.begin, made.size};
}

}  // namespace warpcheck
