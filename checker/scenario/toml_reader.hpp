// Reads typed values out of TOML tables. Every mistake is a usage_error with its place and its
// remedy.
#pragma once

#include <toml++/toml.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "checker/text/in_quotes.hpp"

namespace warpcheck {

/// A string of the file with its place.
struct located_string {
  std::string text;
  toml::source_position place;
};

class toml_reader {
 public:
  explicit toml_reader(std::filesystem::path file) : file_(std::move(file)) {}

  /// Returns "file:line:column".
  [[nodiscard]] std::string text_of(toml::source_position place) const;
  /// Throws usage_error "file:line:column: what_and_remedy".
  [[noreturn]] void fail(toml::source_position place, const std::string& what_and_remedy) const;
  [[noreturn]] void fail(const toml::node& node, const std::string& what_and_remedy) const;

  /// Throws for the first key of `table` that is not in `known`. `elsewhere` says what to do about
  /// a key that is known in another place, or not available yet. It may return nothing.
  void known_keys(const toml::table& table, std::span<const std::string_view> known,
                  std::optional<std::string> (*elsewhere)(std::string_view key)) const;

  // Each function returns nothing if the key is missing, and throws for a wrong type.
  [[nodiscard]] std::optional<located_string> string(const toml::table& table,
                                                     std::string_view key) const;
  [[nodiscard]] std::optional<std::vector<located_string>> strings(const toml::table& table,
                                                                   std::string_view key) const;
  [[nodiscard]] std::optional<std::uint64_t> integer(const toml::table& table, std::string_view key,
                                                     std::uint64_t least, std::uint64_t most) const;
  [[nodiscard]] const toml::table* table(const toml::table& table, std::string_view key) const;

  /// Returns the integer in `node`, which is the value of `key`.
  [[nodiscard]] std::uint64_t integer_in(const toml::node& node, std::string_view key,
                                         std::uint64_t least, std::uint64_t most) const;

  /// Throws for `text`, which is not among the possible values of `key`.
  [[noreturn]] void not_one_of(const located_string& text, std::string_view key,
                               std::span<const std::string_view> possible) const;

 private:
  std::filesystem::path file_;
};

/// Returns "a string", "an integer", ... for messages.
std::string_view type_name(const toml::node& node);

}  // namespace warpcheck
