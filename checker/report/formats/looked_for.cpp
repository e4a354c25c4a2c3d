// Compares a run's "check" with what is looked for by default.
#include "checker/report/formats/looked_for.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace warpcheck {

namespace {

/// Returns what is looked for in such a scenario without "check". Histories are of transactions or
/// of other operations. Only a check of the other kind tells which, so alone it leaves nothing out.
verdict_set usual_in(const scenario& what, const run_settings& how) {
  verdict_set all = usual_checks;
  const bool has_history = !what.threads.empty() || what.generate;
  if (!has_history) all = static_cast<verdict_set>(all & ~of_histories);
  const bool transactions = (how.check & of_transactions) != 0;
  const bool others = (how.check & (of_histories & ~of_transactions)) != 0;
  if (!transactions) all &= ~of_transactions;
  if (transactions && !others) all &= ~(of_histories & ~of_transactions);
  if (!what.claims_progress())
    all = static_cast<verdict_set>(all & ~bit(verdict::progress_violated));
  return all;
}

std::vector<std::string_view> kinds_in(verdict_set set) {
  std::vector<std::string_view> all;
  for (std::size_t i = 0; i < verdict_names.size(); ++i) {
    if ((set & bit(static_cast<verdict>(i))) != 0) all.push_back(verdict_names[i]);
  }
  return all;
}

/// Returns "race", "race and livelock", or "race, livelock and starvation".
std::string in_words(std::vector<std::string_view> names) {
  const std::string_view last = names.back();
  names.pop_back();
  return names.empty() ? std::string(last) : fmt::format("{} and {}", fmt::join(names, ", "), last);
}

}  // namespace

std::vector<std::string_view> looked_for(const scenario& what, const run_settings& how) {
  const bool is_less = (usual_in(what, how) & ~how.check) != 0;
  return is_less ? kinds_in(how.check) : std::vector<std::string_view>();
}

std::string looked_for_text(const scenario& what, const run_settings& how) {
  const auto named = looked_for(what, how);
  if (named.empty()) return {};
  const auto left_out = kinds_in(static_cast<verdict_set>(usual_in(what, how) & ~how.check));
  if (left_out.size() < named.size()) {
    return fmt::format("{} {} not looked for: \"check\" does not name {}.", in_words(left_out),
                       left_out.size() == 1 ? "was" : "were", left_out.size() == 1 ? "it" : "them");
  }
  return fmt::format("Only {} {} looked for: \"check\" names nothing else.", in_words(named),
                     named.size() == 1 ? "was" : "were");
}

}  // namespace warpcheck
