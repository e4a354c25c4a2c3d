// Numbers states, and keeps what each step does to them. Every application is carried out once.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>

#include "checker/history/task.hpp"

namespace warpcheck {

using state_number = std::uint32_t;

class state_store {
 public:
  explicit state_store(const simt::spec::specification& spec) : spec_(spec) {}

  state_number number_of(const simt::spec::state& s);
  [[nodiscard]] const simt::spec::state& state(state_number s) const { return *states_[s]; }

  /// Steps with the same number do the same in every state.
  std::uint32_t signature_of(const timed_step& step);

  /// Returns the states after the step with this signature. None: it is not enabled, or would
  /// return something else. The span is valid until the next call.
  std::span<const state_number> after(state_number before, std::uint32_t signature);

  [[nodiscard]] std::uint64_t bytes() const {
    return bytes_ + transitions_.bucket_count() * 20 + targets_.capacity() * sizeof(state_number);
  }

 private:
  struct hash {
    std::size_t operator()(const simt::spec::state& s) const {
      std::uint64_t h = s.size();
      for (const simt::spec::value v : s) {
        h = (h ^ static_cast<std::uint64_t>(v)) * 0x9e3779b97f4a7c15U;
        h ^= h >> 32;
      }
      return h;
    }
  };
  struct range {
    std::uint32_t begin, size;
  };

  const simt::spec::specification& spec_;
  std::unordered_map<simt::spec::state, state_number, hash> numbers_;
  std::vector<const simt::spec::state*> states_;
  std::unordered_map<std::string, std::uint32_t> signature_numbers_;
  std::vector<timed_step> signatures_;  // an example of each signature
  boost::unordered_flat_map<std::uint64_t, range> transitions_;
  std::vector<state_number> targets_;
  std::uint64_t bytes_ = 0;
};

}  // namespace warpcheck
