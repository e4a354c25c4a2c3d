// Takes tokens one by one, and gives registers and locations their numbers.
#include "litmus/read/reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "checker/text/closest_name.hpp"

namespace litmus {

const token& reader::ahead(std::size_t distance) const {
  return all_[std::min(at_ + distance, all_.size() - 1)];
}

token reader::take() {
  token t = next();
  if (at_ + 1 < all_.size()) ++at_;
  return t;
}

bool reader::take_if(std::string_view text) {
  if (!next().is(text)) return false;
  take();
  return true;
}

token reader::expect(std::string_view text, std::string_view what_and_remedy) {
  if (!next().is(text)) fail(what_and_remedy);
  return take();
}

std::string reader::shown(const token& t) {
  if (t.what == token::kind::end) return "the end of the file";
  constexpr std::size_t longest = 60;
  return fmt::format("\"{}{}\"", t.text.substr(0, longest), t.text.size() > longest ? "…" : "");
}

bool reader::integer_follows() const {
  return next().what == token::kind::integer ||
         (next().is("-") && ahead(1).what == token::kind::integer);
}

value reader::integer(std::string_view what_and_remedy) {
  if (!integer_follows()) fail(what_and_remedy);
  const bool negative = take_if("-");
  const token digits = take();
  const std::string text = (negative ? "-" : "") + std::string(digits.text);
  value number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) fail(digits, "the number has more than 64 bits; write a smaller one");
  return number;
}

bool reader::is_register(const token& t) {
  return t.what == token::kind::word && t.text.size() > 1 && t.text[0] == 'r' &&
         std::ranges::all_of(t.text.substr(1), [](char c) { return c >= '0' && c <= '9'; });
}

bool reader::is_location(const token& t) {
  return t.what == token::kind::word && !is_register(t) &&
         t.text.find('.') == std::string_view::npos;
}

std::uint32_t reader::register_index(std::size_t thread, std::string_view name) {
  litmus::thread& owner = program.threads[thread];
  const auto found = std::ranges::find(owner.registers, name);
  const auto index = static_cast<std::uint32_t>(found - owner.registers.begin());
  if (found == owner.registers.end()) {
    owner.registers.emplace_back(name);
    owner.initial.push_back(0);
  }
  return index;
}

named_memory reader::memory(const token& t) {
  const auto alias = std::ranges::find(program.aliases, t.text, &litmus::alias::name);
  if (alias != program.aliases.end()) return {alias->location, alias->address};
  const auto found = std::ranges::find(program.locations, t.text);
  const auto index = static_cast<std::uint32_t>(found - program.locations.begin());
  if (found == program.locations.end()) {
    if (index == most_locations) {
      fail(t, fmt::format("there are more than {} locations; use fewer", most_locations));
    }
    program.locations.emplace_back(t.text);
    program.initial.push_back(0);
  }
  return {index, 0};
}

named_memory reader::memory_in_brackets(std::string_view what_and_remedy) {
  const bool bracket = take_if("[");
  if (!is_location(next())) {
    fail(fmt::format("{} is no location; {}", shown(next()), what_and_remedy));
  }
  const named_memory named = memory(take());
  if (bracket) expect("]", "the bracket is not closed; write ] behind the location");
  return named;
}

void reader::check_size(const token& at, std::uint32_t location, std::uint32_t bits) {
  const access_size first = sizes_.try_emplace(location, access_size{bits, at.line}).first->second;
  if (first.bits == bits) return;
  fail(at, fmt::format("{} is accessed with {} bits here, and with {} in line {}; give all of its "
                       "accesses one size (64 bits without a type)",
                       program.locations[location], bits, first.bits, first.line));
}

std::string reader::text(std::size_t begin, std::size_t end) const {
  std::string all;
  for (std::size_t i = begin; i < end; ++i) {
    const token& t = all_[i];
    const bool gap =
        i > begin && t.text.data() != all_[i - 1].text.data() + all_[i - 1].text.size();
    if (gap) all += ' ';
    all += t.text;
  }
  return all;
}

std::string reader::nearest(std::string_view wrong, std::span<const std::string_view> known,
                            std::string_view remedy) {
  const auto near = warpcheck::closest_name(wrong, known);
  return near ? fmt::format("did you mean {}?", *near) : std::string(remedy);
}

}  // namespace litmus
