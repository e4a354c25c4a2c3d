// A generated program as the engine has it: a subject of a header, on a grid, under a model.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "checker/run/session.hpp"
#include "checker/verdicts/verdict.hpp"
#include "tests/naive/generate.hpp"

namespace test {

/// "simt-deadlock race ", or "ok".
inline std::string list_of(warpcheck::verdict_set set) {
  std::string result;
  for (unsigned v = 0; v < static_cast<unsigned>(warpcheck::verdict::inconclusive); ++v) {
    if ((set >> v & 1U) != 0) result += fmt::format("{} ", warpcheck::verdict_names[v]);
  }
  return result.empty() ? "ok" : result;
}

/// "its lobe strong"
inline std::string model_of(const naive::configuration& c) {
  return fmt::format("{} {} {}", c.reconvergence == naive::reconvergence::its ? "its" : "stack",
                     warpcheck::progress_names[static_cast<std::size_t>(c.progress)],
                     c.strong ? "strong" : "weak");
}

/// What is asked of its operations.
struct operations_of {
  std::optional<warpcheck::guarantee> claims;
  bool never_end = false;
  std::optional<std::uint32_t> step_bound{};
};

inline warpcheck::session session_of(const std::filesystem::path& header,
                                     const naive::sample& sample, const naive::configuration& c,
                                     const operations_of& operations = {}) {
  const auto number = [](int value) { return static_cast<std::uint32_t>(value); };
  warpcheck::scenario s;
  s.file = "generated.toml";
  s.subject = sample.code.name;
  s.source = header;
  s.grid.blocks = number(c.blocks);
  s.grid.cluster = number(c.cluster);
  s.grid.lanes.clear();
  for (const int lanes : c.lanes) s.grid.lanes.push_back(number(lanes));
  s.claims = operations.claims;
  s.bounds.each = operations.step_bound;
  if (operations.never_end) s.repeat = simt::detail::for_ever;
  warpcheck::run_settings settings;
  settings.machine.reconvergence = c.reconvergence == naive::reconvergence::stack
                                       ? simt::reconvergence::stack
                                       : simt::reconvergence::its;
  settings.progress = static_cast<simt::progress>(c.progress);  // in the same order
  settings.fairness = c.strong ? simt::fairness::strong : simt::fairness::weak;
  settings.machine.resident = number(c.resident);
  settings.machine.order = c.blocks_in_order ? simt::block_order::index : simt::block_order::any;
  return {s, settings};
}

}  // namespace test
