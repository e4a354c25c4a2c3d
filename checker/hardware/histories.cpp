// Checks each different history once, and turns launches with wrong ones into failures.
#include "checker/hardware/histories.hpp"

#include <fmt/format.h>

#include "checker/history/check_history.hpp"
#include "checker/report/history_report.hpp"

namespace warpcheck {

void history_judge::judge(trial_batch& some) {
  if (spec_ == nullptr) return;
  for (const recorded_events& each : some.histories) {
    const std::string& why = why_not(each.text);
    if (why.empty()) continue;
    some.counts[trial_outcome::finished] -= each.count;
    some.counts[trial_outcome::wrong_history] += each.count;
    // Another failure's message comes first.
    if (some.message.empty()) some.message = with_choices(why, each.choices);
  }
}

const std::string& history_judge::why_not(const std::string& events) {
  const auto [known, is_new] = known_.try_emplace(events);
  if (!is_new) return known->second;
  const history recorded = parse_history(events, "recorded on the GPU", *spec_);
  history_options options;
  options.wanted = usual_consistency(*spec_);
  const history_result result = check_history(recorded, *spec_, options);
  if (result.decided == answer::impossible) {
    constexpr std::size_t width = 100;
    known->second =
        fmt::format("{}\n\n{}", result.evidence.why,
                    history_bars(recorded, *spec_, result.evidence.operations, "events", width));
  }
  return known->second;
}

}  // namespace warpcheck
