// Tells ranks which run is next, and gathers what they can do.
#include "checker/commands/run/joined_runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <optional>
#include <utility>

#include "checker/check/check.hpp"
#include "checker/commands/run/asked_run.hpp"
#include "checker/commands/select_runs.hpp"
#include "checker/console/interrupt.hpp"
#include "checker/console/open_session.hpp"
#include "checker/console/standard_output.hpp"
#include "checker/kernel/compiled_subject.hpp"
#include "checker/kernel/kernel_subject.hpp"
#include "checker/search/search_on_ranks.hpp"

namespace warpcheck {

run_result joined_runs::together(const scenario& subject, const run_settings& settings,
                                 session& ready, const limits& bounds,
                                 const search_options* search) {
  const auto of = std::ranges::find(scenarios_, subject.file, &scenario::file);
  const auto run = std::ranges::find(of->runs, settings.name, &run_settings::name);
  message_writer called;
  called.number(static_cast<std::uint64_t>(of - scenarios_.begin()));
  called.number(static_cast<std::uint64_t>(run - of->runs.begin()));
  all_.from_first(called.take());
  const std::vector<byte_list> troubles = all_.gather({});
  for (std::uint32_t r = 0; r < troubles.size(); ++r) {
    if (troubles[r].empty()) continue;
    throw usage_error(
        fmt::format("rank {}: {}", r, std::string(troubles[r].begin(), troubles[r].end())));
  }
  try {
    return carry_out(ready, bounds, search);
  } catch (const usage_error&) {
    throw;
  } catch (const std::exception& error) {  // the other ranks wait for something else now
    flush_output();
    fmt::print(stderr, "{}: {}\n", readable_path(subject.file), error.what());
    all_.end_all(static_cast<int>(exit_status::internal_defect));
  }
}

void joined_runs::end() { all_.from_first({}); }

void joined_runs::join() {
  for (;;) {
    const byte_list called = all_.from_first({});
    if (called.empty()) return;
    message_reader in(called);
    std::unique_ptr<session> ready;
    message_writer trouble;
    std::string why;
    try {
      const scenario& subject = scenarios_.at(in.number());
      const run_settings& settings = subject.runs.at(in.number());
      const std::optional<scenario> of_kernel =
          subject.kernel      ? std::optional(with_subject(subject))
          : options_.compiled ? std::optional(compiled_by_nvcc(subject))
                              : std::nullopt;
      ready = open_session(of_kernel ? *of_kernel : subject, as_asked(options_, settings),
                           patience_of(options_, 0));
    } catch (const std::exception& error) {
      why = error.what();
      if (why.empty()) why = "the run cannot be opened";
    }
    const std::vector<byte_list> troubles = all_.gather({why.begin(), why.end()});
    const bool all_ready = std::ranges::all_of(troubles, [](const auto& t) { return t.empty(); });
    if (!all_ready) continue;
    limits bounds = limits_of(options_, 0);
    if (options_.spill) bounds.storage.spill_directory = *options_.spill;
    carry_out(*ready, bounds, options_.search ? &*options_.search : nullptr);
  }
}

run_result joined_runs::carry_out(session& ready, const limits& bounds,
                                  const search_options* search) {
  if (search != nullptr) return search_on_ranks(all_, ready, bounds, *search);
  if (all_.is_first()) return check_on_ranks(all_, ready, bounds, options_.reduce);
  follow_check(all_, ready, bounds, options_.reduce);
  return {};
}

exit_status run_on_ranks(const run_options& options) {
  ranks all(&stop_requested);
  handle_interrupts();
  exit_status status = exit_status::wrong_use;
  try {
    scenarios_read read = read_each(options.scenarios);
    if (read.refused.empty()) read.scenarios = chosen(std::move(read.scenarios), options.which);
    joined_runs joined(all, options, read.scenarios);
    if (!all.is_first()) {
      joined.join();
      return exit_status::as_expected;
    }
    try {
      status = run_scenarios(options, read, &joined);
    } catch (const usage_error& error) {
      flush_output();
      fmt::print(stderr, "{}\n", error.what());
    }
    if (!all.is_lost()) joined.end();
  } catch (const rank_lost&) {
    throw;
  } catch (const usage_error& error) {  // all ranks have read the same files
    if (all.is_first()) fmt::print(stderr, "{}\n", error.what());
  } catch (const std::exception& error) {
    fmt::print(stderr, "rank {}: {}\n", all.own(), error.what());
    throw;  // ends all ranks
  }
  return status;
}

}  // namespace warpcheck
