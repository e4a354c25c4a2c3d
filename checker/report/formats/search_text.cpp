// Puts the runs, seeds and bounds of a search into sentences.
#include "checker/report/formats/search_text.hpp"

#include <cmath>

#include <fmt/format.h>

#include "checker/text/plain_text.hpp"

namespace warpcheck {
namespace {

std::string coverage_of(const run_result& result) {
  const search_coverage& s = *result.search;
  std::string text =
      fmt::format("searched by {}, not explored: {} from seed {} on, {} at most", name(s.kind),
                  counted(s.runs, "run", "runs"), s.seed, counted(s.longest, "step", "steps"));
  if (s.cut_off != 0) {
    text += fmt::format("; {} cut off after {}",
                        s.cut_off == 1 ? "1 was" : fmt::format("{} were", grouped(s.cut_off)),
                        counted(s.step_limit, "step", "steps"));
  }
  if (s.undecided != 0) {
    text += fmt::format("; {} in deadlocks of a kind that is not decided",
                        counted(s.undecided, "run", "runs"));
  }
  if (s.impossible != 0) {
    text += fmt::format("; {} in promises that cannot be kept, which is no execution",
                        s.impossible == 1 ? "1 ended" : grouped(s.impossible) + " ended");
  }
  text += ".";
  if (s.without_promises) text += " Load buffering was left out.";
  if (!result.stopped.empty()) text += fmt::format(" Ended: {}.", result.stopped.text);
  text += result.violations.empty()
              ? " Nothing was found, which proves nothing; livelocks are not looked for."
              : " There may be more than what was found; livelocks are not looked for.";
  return text;
}

std::string bound_of(const search_coverage& s) {
  std::string formula = grouped(s.lanes);
  if (s.depth == 2) formula = fmt::format("({} × {})", formula, grouped(s.length));
  if (s.depth > 2) formula = fmt::format("({} × {}^{})", formula, grouped(s.length), s.depth - 1);
  const double all =
      s.runs == 0 ? 0 : -std::expm1(static_cast<double>(s.runs) * std::log1p(-*s.bound));
  std::string text = fmt::format(
      "A bug of depth d = {} is found by one run with a probability of at least 1/(n k^(d-1)) = "
      "1/{} = {:.2g}, by {} with {}; n = {}, k = {} (an estimate).",
      s.depth, formula, *s.bound, counted(s.runs, "run", "runs"),
      all > 0.99 ? "more than 0.99" : fmt::format("{:.2g}", all), counted(s.lanes, "lane", "lanes"),
      counted(s.length, "event", "events"));
  if (s.longer != 0) {
    text += fmt::format(" {} longer: for {} the bound does not hold.",
                        s.longer == 1 ? "1 run was" : grouped(s.longer) + " runs were",
                        s.longer == 1 ? "it" : "them");
  }
  return text;
}

}  // namespace

std::string extent_of(const search_coverage& seen) {
  return fmt::format("{}  {}", counted(seen.runs, "run", "runs"),
                     counted(seen.steps, "step", "steps"));
}

std::vector<std::string> sentences_about(const run_result& result) {
  const search_coverage& s = *result.search;
  std::vector<std::string> all{coverage_of(result)};
  if (s.bound) all.push_back(bound_of(s));
  for (const auto& f : s.found) {
    const std::string again = f.alone ? fmt::format(" (--seed {} --runs 1)", f.seed)
                                      : fmt::format(", of a search from seed {} on", s.seed);
    all.push_back(
        fmt::format("{}: first found by the run with seed {}{}.", name(f.kind), f.seed, again));
  }
  return all;
}

}  // namespace warpcheck
