// Reads the model, the questions and the expectations of a run, and checks that they agree.
#include "checker/scenario/parse_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>

#include "checker/scenario/scenario_limits.hpp"

namespace warpcheck {

namespace {

constexpr std::array<std::string_view, 10> keys{
    "reconvergence", "memory", "progress", "fairness",          "resident",
    "block_order",   "check",  "expect",   "expect_violations", "deterministic"};

/// Returns the position in `names` of the value of `key`, or 0 (the default) if the key is missing.
template <std::size_t N>
std::size_t choice(const toml_reader& reader, const toml::table& table, std::string_view key,
                   const std::array<std::string_view, N>& names) {
  const auto text = reader.string(table, key);
  if (!text) return 0;
  for (std::size_t i = 0; i < N; ++i) {
    if (names[i] == text->text) return i;
  }
  reader.not_one_of(*text, key, names);
}

verdict verdict_in(const toml_reader& reader, const located_string& text, std::string_view key,
                   bool only_violations) {
  if (const auto found = verdict_named(text.text);
      found && (is_violation(*found) || !only_violations)) {
    return *found;
  }
  // "linearizable" asks for the violation "not-linearizable".
  if (only_violations) {
    const auto found = verdict_named("not-" + text.text);
    if (found && (bit(*found) & inconsistencies) != 0) return *found;
    if (text.text == "linearization-points") return verdict::wrong_linearization_point;
  }
  const std::size_t possible =
      only_violations ? static_cast<std::size_t>(verdict::inconclusive) : verdict_names.size();
  reader.not_one_of(text, key, std::span(verdict_names).first(possible));
}

/// Returns the set of violations that the array `key` names; nothing if the key is missing.
std::optional<verdict_set> violations_in(const toml_reader& reader, const toml::table& table,
                                         std::string_view key) {
  const auto names = reader.strings(table, key);
  if (!names) return std::nullopt;
  verdict_set set = 0;
  for (const located_string& text : *names) {
    const verdict_set one = bit(verdict_in(reader, text, key, true));
    if ((set & one) != 0) {
      reader.fail(text.place, fmt::format("{} is in {} twice; remove one", in_quotes(text.text),
                                          in_quotes(key)));
    }
    set |= one;
  }
  return set;
}

verdict gravest(verdict_set set) {
  return set == 0 ? verdict::ok : static_cast<verdict>(std::countr_zero(set));
}

void parse_expectation(const toml_reader& reader, const toml::table& table, run_settings& run) {
  run.expect_violations = violations_in(reader, table, "expect_violations");
  if (const auto text = reader.string(table, "expect")) {
    run.expect = verdict_in(reader, *text, "expect", false);
  }
  const verdict_set expected = run.expect_violations.value_or(0);
  const verdict_set unchecked = static_cast<verdict_set>(expected & ~run.check);
  if (unchecked != 0) {
    reader.fail(
        *table.get("expect_violations"),
        fmt::format(
            "{} is expected, but \"check\" does not look for it; add it there or remove it here",
            in_quotes(name(gravest(unchecked)))));
  }
  if (!run.expect) {
    if (run.expect_violations) run.expect = gravest(expected);
    return;
  }
  const toml::node& expect = *table.get("expect");
  if (is_violation(*run.expect) && (bit(*run.expect) & run.check) == 0) {
    reader.fail(expect,
                fmt::format("{} is expected, but \"check\" does not look for it; add it there",
                            in_quotes(name(*run.expect))));
  }
  if (!run.expect_violations) return;
  // A run that was cut short and found nothing is inconclusive, and has no violations either.
  const bool agree =
      *run.expect == gravest(expected) || (expected == 0 && *run.expect == verdict::inconclusive);
  if (!agree) {
    reader.fail(
        expect,
        fmt::format(
            "\"expect\" is {}, but the gravest of \"expect_violations\" is {}; make them agree",
            in_quotes(name(*run.expect)), in_quotes(name(gravest(expected)))));
  }
}

/// Reads `true`, or a list of names.
std::optional<std::vector<std::string>> deterministic_in(const toml_reader& reader,
                                                         const toml::table& table) {
  const toml::node* const node = table.get("deterministic");
  if (node == nullptr || (node->is_boolean() && !node->as_boolean()->get())) return std::nullopt;
  std::vector<std::string> names;
  if (node->is_boolean()) return names;
  if (!node->is_array()) {
    reader.fail(*node, "\"deterministic\" is true, or a list of buffers, as in [\"out\"]");
  }
  const std::vector<located_string> given = reader.strings(table, "deterministic").value();
  for (const located_string& name : given) names.push_back(name.text);
  return names;
}

}  // namespace

std::span<const std::string_view> run_keys() { return keys; }

run_settings parse_run(const toml_reader& reader, const toml::table& table) {
  reader.known_keys(table, keys, [](std::string_view) { return std::optional<std::string>(); });
  run_settings run;

  constexpr std::array<std::string_view, 2> reconvergence{"its", "stack"};
  run.machine.reconvergence = choice(reader, table, "reconvergence", reconvergence) == 0
                                  ? simt::reconvergence::its
                                  : simt::reconvergence::stack;
  constexpr std::array<std::string_view, 2> memory{"sc", "ptx"};
  run.machine.memory = static_cast<simt::memory_model>(choice(reader, table, "memory", memory));
  run.progress = static_cast<simt::progress>(choice(reader, table, "progress", progress_names));
  run.fairness = static_cast<simt::fairness>(choice(reader, table, "fairness", fairness_names));
  if (run.progress == simt::progress::unfair && run.fairness == simt::fairness::strong) {
    reader.fail(*table.get("fairness"),
                "fairness = \"strong\" says nothing where progress = \"unfair\", which owes nobody "
                "anything; leave one of them out");
  }
  constexpr std::array<std::string_view, 2> order{"any", "index"};
  run.machine.order = choice(reader, table, "block_order", order) == 0 ? simt::block_order::any
                                                                       : simt::block_order::index;
  run.machine.resident =
      static_cast<std::uint32_t>(reader.integer(table, "resident", 1, max_threads).value_or(0));

  if (const auto check = violations_in(reader, table, "check")) {
    if (*check == 0) {
      reader.fail(
          *table.get("check"),
          "\"check\" is empty, so nothing would be checked; leave it out to check everything");
    }
    run.check = *check;
  }
  run.deterministic = deterministic_in(reader, table);
  parse_expectation(reader, table, run);
  return run;
}

}  // namespace warpcheck
