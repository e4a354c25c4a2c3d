// Reads operations as scenarios write them.
#include <algorithm>
#include <charconv>
#include <span>

#include <fmt/format.h>
#include <simt/spec.hpp>

#include "checker/scenario/scenario.hpp"

namespace warpcheck {

std::string written_operation::text() const {
  std::string all = name;
  for (const std::int64_t a : arguments) all += fmt::format(" {}", a);
  return all;
}

std::optional<written_operation> operation_from(std::string_view text) {
  const auto is_letter = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || (c >= '0' && c <= '9');
  };
  std::vector<std::string_view> words;
  while (!text.empty()) {
    const std::size_t begin = std::min(text.find_first_not_of(' '), text.size());
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    if (begin < end) words.push_back(text.substr(begin, end - begin));
    text.remove_prefix(end);
  }
  if (words.empty()) return std::nullopt;
  for (const char c : words.front()) {
    if (!is_letter(c)) return std::nullopt;
  }
  written_operation operation;
  if (words.size() > 1 + simt::spec::max_arguments) return std::nullopt;
  operation.name = words.front();
  for (const std::string_view word : std::span(words).subspan(1)) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    if (error != std::errc() || end != word.data() + word.size()) return std::nullopt;
    operation.arguments.push_back(value);
  }
  return operation;
}

}  // namespace warpcheck
