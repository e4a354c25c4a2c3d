// Reads instructions from text, and writes them.
#include "checker/progress/program.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>

#include <fmt/format.h>

#include "checker/text/closest_name.hpp"
#include "checker/text/in_quotes.hpp"

namespace warpcheck {
namespace {

using kind = progress_instruction::kind;

constexpr std::array<std::string_view, 3> kind_names{"store", "branch", "xbranch"};
// The operands that follow each name, for messages.
constexpr std::array<std::string_view, 3> forms{"store WORD VALUE", "branch WORD COMPARE TARGET",
                                                "xbranch WORD VALUE COMPARE TARGET"};

constexpr std::size_t longest_instruction = 80;  // characters

std::vector<std::string_view> words_of(std::string_view text) {
  std::vector<std::string_view> words;
  for (std::size_t at = 0; (at = text.find_first_not_of(' ', at)) != std::string_view::npos;) {
    const std::size_t end = std::min(text.find(' ', at), text.size());
    words.push_back(text.substr(at, end - at));
    at = end;
  }
  return words;
}

std::optional<std::uint32_t> number_in(std::string_view text) {
  std::uint32_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || rest != end || text.empty()) return std::nullopt;
  return value;
}

std::uint16_t memory_word(std::string_view text) {
  const auto number =
      text.starts_with('m') ? number_in(text.substr(1)) : std::optional<std::uint32_t>();
  if (!number || *number >= most_progress_words) {
    throw instruction_error(fmt::format("{} is no word of memory; write m0 to m{}", in_quotes(text),
                                        most_progress_words - 1));
  }
  return static_cast<std::uint16_t>(*number);
}

std::uint16_t value_in(std::string_view text) {
  const auto number = number_in(text);
  if (!number || *number > largest_progress_value) {
    throw instruction_error(fmt::format("{} is no value; write a number from 0 to {}",
                                        in_quotes(text), largest_progress_value));
  }
  return static_cast<std::uint16_t>(*number);
}

std::uint16_t target_in(std::string_view text, std::size_t size) {
  if (text == "end") return static_cast<std::uint16_t>(size);
  const auto number = number_in(text);
  if (!number || *number >= size) {
    throw instruction_error(
        fmt::format("{} is no target; write the number of one of the thread's instructions ({}), "
                    "or end",
                    in_quotes(text), size == 1 ? "0" : fmt::format("0 to {}", size - 1)));
  }
  return static_cast<std::uint16_t>(*number);
}

}  // namespace

std::uint32_t progress_program::words() const {
  std::uint32_t count = 0;
  for (const auto& thread : threads) {
    for (const progress_instruction& i : thread) count = std::max(count, i.word + 1U);
  }
  return count;
}

progress_instruction parse_instruction(std::string_view text, std::size_t size) {
  if (text.size() > longest_instruction) {
    throw instruction_error(fmt::format("the instruction has {} characters; it needs {} at most",
                                        text.size(), longest_instruction));
  }
  const std::vector<std::string_view> words = words_of(text);
  if (words.empty()) {
    throw instruction_error("the instruction is empty; write for example \"store m0 1\"");
  }
  const auto name = std::ranges::find(kind_names, words.front());
  if (name == kind_names.end()) {
    const auto near = closest_name(words.front(), kind_names);
    throw instruction_error(fmt::format("there is no instruction {}; {}", in_quotes(words.front()),
                                        near ? fmt::format("did you mean {}?", in_quotes(*near))
                                             : "it is one of store, branch, xbranch"));
  }
  const auto which = static_cast<std::size_t>(name - kind_names.begin());
  if (words.size() != words_of(forms[which]).size()) {
    throw instruction_error(
        fmt::format("{} has {} operands; write {}", *name, words.size() - 1, forms[which]));
  }
  progress_instruction result;
  result.what = static_cast<kind>(which);
  std::size_t next = 1;
  result.word = memory_word(words[next++]);
  if (writes(result)) result.value = value_in(words[next++]);
  if (jumps(result)) {
    result.compare = value_in(words[next++]);
    result.target = target_in(words[next], size);
  }
  return result;
}

std::string text_of(const progress_instruction& i, std::size_t size) {
  std::string text = fmt::format("{} m{}", kind_names[static_cast<std::size_t>(i.what)], i.word);
  if (writes(i)) text += fmt::format(" {}", i.value);
  if (jumps(i)) {
    text += fmt::format(" {} {}", i.compare, i.target == size ? "end" : std::to_string(i.target));
  }
  return text;
}

}  // namespace warpcheck
