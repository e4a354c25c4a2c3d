// Chooses the remedy of an inconclusive run by its stop reason, puts it into the user's words, and
// adds the section that has more.
#include "checker/report/formats/remedy_text.hpp"

#include <array>
#include <string_view>

#include <fmt/format.h>

namespace warpcheck {
namespace {

const way_on& way_on_for(const run_result& result) {
  if (!result.search) return way_on_from(result.stopped.reason);
  switch (result.stopped.reason) {
    case stop_reason::none:
    case stop_reason::interrupted:
    case stop_reason::time:
    case stop_reason::memory:
    case stop_reason::states: return way_on_from_search();
    default: return way_on_from(result.stopped.reason);
  }
}

/// What stands for a part of a remedy where a kernel is checked.
struct other_words {
  std::string_view scenario;
  std::string_view kernel_table;
  std::string_view check;
};

constexpr std::string_view smaller_table = "use a smaller \"grid\" or \"block\"";
constexpr std::string_view smaller_option = "use a smaller --grid or --block";

// A part comes before parts that it contains.
constexpr std::array words{
    other_words{"use fewer lanes, or name in \"check\" the violations to look for, without "
                "\"livelock\"",
                smaller_table, smaller_option},
    other_words{"use fewer lanes, a smaller \"repeat\" or fewer operations", smaller_table,
                smaller_option},
    other_words{"use fewer lanes or a smaller \"repeat\"", smaller_table, smaller_option},
    other_words{"use fewer lanes", smaller_table, smaller_option},
    other_words{"use warps of 12 lanes or less", "use a \"block\" of 12 threads or less",
                "use a --block of 12 threads or less"},
    other_words{"memory = \"sc\"", "memory = \"sc\"", "--memory sc"},
    other_words{"reconvergence = \"its\"", "reconvergence = \"its\"", "--reconvergence its"},
    other_words{"with the scenario and its source", "with the scenario and its kernel",
                "with the command and the kernel"},
};

}  // namespace

asked_by asked_by_user(const scenario& what) {
  if (!what.kernel) return asked_by::scenario;
  return what.file.extension() == ".toml" ? asked_by::kernel_table : asked_by::check;
}

std::string in_words_of(asked_by user, std::string_view remedy) {
  std::string text(remedy);
  if (user == asked_by::scenario) return text;
  for (const other_words& part : words) {
    const std::string_view other = user == asked_by::check ? part.check : part.kernel_table;
    for (std::size_t at = text.find(part.scenario); at != std::string::npos;
         at = text.find(part.scenario, at + other.size())) {
      text.replace(at, part.scenario.size(), other);
    }
  }
  return text;
}

std::string remedy_of(const run_result& result, asked_by user) {
  if (result.gravest != verdict::inconclusive) return {};
  const std::string usual = in_words_of(user, way_on_for(result).remedy);
  if (result.grows.empty()) return usual;
  return fmt::format("{}; if it has a bound, {}", in_words_of(user, way_on_from_growth().remedy),
                     usual);
}

std::string remedy_with_section(const run_result& result, asked_by user) {
  if (result.gravest != verdict::inconclusive) return {};
  const way_on& way = result.grows.empty() ? way_on_for(result) : way_on_from_growth();
  return fmt::format("Remedy: {} (docs/reports.md, \"{}\").", remedy_of(result, user), way.section);
}

}  // namespace warpcheck
