// Gives values numbers, so that observers compare numbers instead of what they remember.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

namespace simt {

template <class Value>
class words_of {
 public:
  std::uint32_t intern(Value value) {
    const auto [at, is_new] =
        numbers_.try_emplace(std::move(value), static_cast<std::uint32_t>(values_.size()));
    if (is_new) values_.push_back(&at->first);
    return at->second;
  }
  [[nodiscard]] const Value& operator[](std::uint32_t word) const { return *values_[word]; }
  [[nodiscard]] std::size_t size() const { return values_.size(); }

 private:
  std::map<Value, std::uint32_t> numbers_;  // nodes stay where they are
  std::vector<const Value*> values_;
};

}  // namespace simt
