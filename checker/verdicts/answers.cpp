// Puts the answers about progress into one line of text.
#include "checker/verdicts/answers.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace warpcheck {

std::optional<guarantee> progress_answers::strongest() const {
  for (const guarantee g : {guarantee::wait_free, guarantee::lock_free, guarantee::obstruction_free,
                            guarantee::blocking}) {
    if ((*this)[g] == decision::holds) return g;
  }
  return std::nullopt;
}

namespace {

// Returns what holds under a fair scheduler.
std::string under_fair(const progress_answers& answers) {
  switch (answers[guarantee::blocking]) {
    case decision::undecided: return {};
    case decision::fails: return "not deadlock-free: in a fair run nothing may complete any more";
    case decision::holds: break;
  }
  switch (answers.starvation_free) {
    case decision::undecided: return "deadlock-free";
    case decision::holds: return "starvation-free";
    case decision::fails: return "deadlock-free, not starvation-free";
  }
  return {};
}

}  // namespace

std::string text_of(const progress_answers& answers) {
  constexpr guarantee kinds[] = {guarantee::wait_free, guarantee::lock_free,
                                 guarantee::obstruction_free};
  std::optional<guarantee> strongest;
  std::vector<std::string_view> undecided, failing;
  for (const guarantee g : kinds) {
    if (strongest) break;
    switch (answers[g]) {
      case decision::holds: strongest = g; break;
      case decision::fails: failing.push_back(name(g)); break;
      case decision::undecided: undecided.push_back(name(g)); break;
    }
  }
  std::string text;
  if (strongest) {
    text = name(*strongest);
    if (!failing.empty()) text += fmt::format(", not {}", failing.back());
  } else if (undecided.empty()) {
    text = "blocking";
  } else {
    text = "no guarantee is shown";
  }
  if (strongest != guarantee::wait_free && strongest != guarantee::lock_free) {
    if (const std::string fair = under_fair(answers); !fair.empty()) text += "; " + fair;
  }
  if (!strongest && answers[guarantee::blocking] == decision::holds &&
      answers.starvation_free == decision::undecided) {
    undecided.push_back("starvation-free");
  }
  if (!undecided.empty()) {
    text += fmt::format("; {}: not decided{}", fmt::join(undecided, ", "),
                        answers.missing.empty() ? "" : " (" + answers.missing + ")");
  }
  return text;
}

}  // namespace warpcheck
