// Reads keys with their types, and words the mistakes with places and remedies.
#include "checker/scenario/toml_reader.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "checker/scenario/scenario.hpp"
#include "checker/text/closest_name.hpp"
#include "checker/text/in_quotes.hpp"

namespace warpcheck {

std::string_view type_name(const toml::node& node) {
  switch (node.type()) {
    case toml::node_type::table: return "a table";
    case toml::node_type::array: return "an array";
    case toml::node_type::string: return "a string";
    case toml::node_type::integer: return "an integer";
    case toml::node_type::floating_point: return "a number with a fraction";
    case toml::node_type::boolean: return "true or false";
    case toml::node_type::date:
    case toml::node_type::time:
    case toml::node_type::date_time: return "a date or time";
    case toml::node_type::none: break;
  }
  return "nothing";
}

std::string toml_reader::text_of(toml::source_position place) const {
  // A table that only its subtables imply has no place of its own.
  return fmt::format("{}:{}:{}", file_.string(), std::max(place.line, 1U),
                     std::max(place.column, 1U));
}

void toml_reader::fail(toml::source_position place, const std::string& what_and_remedy) const {
  throw usage_error(fmt::format("{}: {}", text_of(place), what_and_remedy));
}

void toml_reader::fail(const toml::node& node, const std::string& what_and_remedy) const {
  fail(node.source().begin, what_and_remedy);
}

void toml_reader::known_keys(const toml::table& table, std::span<const std::string_view> known,
                             std::optional<std::string> (*elsewhere)(std::string_view)) const {
  const toml::key* first = nullptr;
  for (const auto& entry : table) {
    if (std::find(known.begin(), known.end(), entry.first.str()) != known.end()) continue;
    // The table is sorted by name, but a person looks for the first mistake from the top.
    if (first == nullptr || entry.first.source().begin < first->source().begin)
      first = &entry.first;
  }
  if (first == nullptr) return;
  std::string remedy;
  if (const auto hint = elsewhere(first->str())) {
    remedy = *hint;
  } else if (const auto near = closest_name(first->str(), known)) {
    remedy = fmt::format("did you mean {}?", in_quotes(*near));
  } else {
    remedy = fmt::format("the keys that can stand here are {}", fmt::join(known, ", "));
  }
  fail(first->source().begin, fmt::format("unknown key {}; {}", in_quotes(first->str()), remedy));
}

std::optional<located_string> toml_reader::string(const toml::table& table,
                                                  std::string_view key) const {
  const toml::node* node = table.get(key);
  if (node == nullptr) return std::nullopt;
  if (!node->is_string()) {
    fail(*node, fmt::format("{} is {}, not a string; write {} = \"...\"", in_quotes(key),
                            type_name(*node), key));
  }
  return located_string{node->as_string()->get(), node->source().begin};
}

std::optional<std::vector<located_string>> toml_reader::strings(const toml::table& table,
                                                                std::string_view key) const {
  const toml::node* node = table.get(key);
  if (node == nullptr) return std::nullopt;
  if (!node->is_array()) {
    fail(*node, fmt::format("{} is {}, not an array; write {} = [\"...\"]", in_quotes(key),
                            type_name(*node), key));
  }
  std::vector<located_string> result;
  for (const toml::node& element : *node->as_array()) {
    if (!element.is_string()) {
      fail(element, fmt::format("{} has {} in it; write only strings, as in {} = [\"...\"]",
                                in_quotes(key), type_name(element), key));
    }
    result.push_back({element.as_string()->get(), element.source().begin});
  }
  return result;
}

std::optional<std::uint64_t> toml_reader::integer(const toml::table& table, std::string_view key,
                                                  std::uint64_t least, std::uint64_t most) const {
  const toml::node* node = table.get(key);
  if (node == nullptr) return std::nullopt;
  return integer_in(*node, key, least, most);
}

std::uint64_t toml_reader::integer_in(const toml::node& node, std::string_view key,
                                      std::uint64_t least, std::uint64_t most) const {
  if (!node.is_integer()) {
    fail(node, fmt::format("{} is {}, not an integer; give it a value from {} to {}",
                           in_quotes(key), type_name(node), least, most));
  }
  const std::int64_t value = node.as_integer()->get();
  if (value < 0 || static_cast<std::uint64_t>(value) < least ||
      static_cast<std::uint64_t>(value) > most) {
    fail(node, fmt::format("{} cannot be {}; give it a value from {} to {}", in_quotes(key), value,
                           least, most));
  }
  return static_cast<std::uint64_t>(value);
}

const toml::table* toml_reader::table(const toml::table& table, std::string_view key) const {
  const toml::node* node = table.get(key);
  if (node == nullptr) return nullptr;
  if (!node->is_table()) {
    fail(*node,
         fmt::format(
             "{} is {}, not a table; write [{}] on a line of its own, and what belongs to it below",
             in_quotes(key), type_name(*node), key));
  }
  return node->as_table();
}

void toml_reader::not_one_of(const located_string& text, std::string_view key,
                             std::span<const std::string_view> possible) const {
  std::vector<std::string> names;
  for (const std::string_view name : possible) names.push_back(in_quotes(name));
  const auto near = closest_name(text.text, possible);
  fail(text.place, fmt::format("{} cannot be {}; {}", in_quotes(key), in_quotes(text.text),
                               near ? fmt::format("did you mean {}?", in_quotes(*near))
                                    : fmt::format("it is one of {}", fmt::join(names, ", "))));
}

}  // namespace warpcheck
