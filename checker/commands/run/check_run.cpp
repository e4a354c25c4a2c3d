// Explores a run, or makes single runs of it, within the limits of the options.
#include "checker/commands/run/check_run.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <new>
#include <utility>

#include "checker/check/check.hpp"
#include "checker/commands/generated_progress.hpp"
#include "checker/commands/run/asked_run.hpp"
#include "checker/console/interrupt.hpp"
#include "checker/console/open_session.hpp"
#include "checker/console/progress.hpp"
#include "checker/console/read_all.hpp"
#include "checker/explore/asked_in_time.hpp"
#include "checker/run/generate_clients.hpp"
#include "checker/scenario/model_names.hpp"
#include "checker/search/search.hpp"

namespace warpcheck {

namespace {

run_result stopped_by(stop_cause why, double seconds) {
  run_result result;
  result.gravest = verdict::inconclusive;
  result.stopped = std::move(why);
  result.seconds = seconds;
  return result;
}

/// Adds what was found for one combination of clients to what earlier ones had.
void take_in(std::optional<benign_aba>& sum, benign_aba one) {
  if (!sum) {
    sum = std::move(one);
    return;
  }
  sum->states += one.states;
  if (sum->found) return;
  one.states = sum->states;
  if (!one.found && !sum->complete) {
    one.complete = false;
    one.stopped = sum->stopped;
  }
  sum = std::move(one);
}

void show_aba(session& ready, names& named, const aba_search_result& found, benign_aba& aba) {
  aba.how = follow(ready, named, *found.found);
  const std::vector<aba_finding> all = find_aba(aba.how);
  if (all.empty()) throw std::logic_error("a run with ABA has none when it is replayed");
  aba.found = all.back();
  aba.text = text_of(*aba.found, named);
  aba.table = make_table(ready, named, aba.how);
}

}  // namespace

run_checker::checked run_checker::check(const scenario& subject, const run_settings& settings,
                                        const std::string& file) {
  return subject.generate ? check_generated(subject, settings, file)
                          : check_one(subject, settings, 0, file + ".search", false);
}

run_checker::checked run_checker::check_one(const scenario& subject, const run_settings& settings,
                                            double spent, const std::string& file, bool is_part) {
  checked one;
  const limits bounds = limits_of(options_, spent);
  try {
    one.ready = open_session(subject, as_asked(options_, settings), patience_of(options_, spent));
    one.result = explore(*one.ready, spent, file, is_part);
    if (options_.aba && one.result.violations.empty()) one.aba = look_for_aba(*one.ready, spent);
  } catch (const std::bad_alloc&) {
    one.result = stopped_by(limits::no_more_memory(), bounds.seconds());
  } catch (const simt::host_code_stopped& error) {
    one.result = stopped_by(bounds.host_code_was_stopped(error.what()), bounds.seconds());
  }
  return one;
}

/// Returns the smallest clients that fail, or the last ones. Numbers are sums over all
/// combinations.
run_checker::checked run_checker::check_generated(const scenario& subject,
                                                  const run_settings& settings,
                                                  const std::string& file) {
  const limits bounds = limits_of(options_, 0);
  std::vector<client_lists> all;
  try {
    all = generate_clients(subject, patience_of(options_, 0));
  } catch (const simt::host_code_stopped& error) {
    return {nullptr, stopped_by(bounds.host_code_was_stopped(error.what()), bounds.seconds()), {}};
  }
  const std::string identity =
      generated_identity(subject, as_asked(options_, settings), all, to_text(options_.reduce));
  const auto start = std::chrono::steady_clock::now();
  const auto spent = [&] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  };
  generated_progress made;
  made.done.assign(all.size(), false);
  run_result sum;
  if (options_.resume) {
    const auto from = *options_.resume / (file + ".generated");
    made = read_generated(from, identity, all.size());
    if (std::filesystem::exists(from)) sum.resumed = from;
  }
  generated_progress covered = made;  // also with combinations that were stopped
  checked last;
  std::optional<benign_aba> aba;  // the first one found
  sum.complete = true;
  sum.gravest = verdict::ok;
  for (std::size_t i = 0; i < all.size(); ++i) {
    sum.generated = {i + 1, all.size()};
    // A report needs some session, so the last combination is checked in any case.
    if (made.done[i] && (last.ready || i + 1 < all.size())) continue;
    scenario one = subject;
    one.generate.reset();
    one.threads = all[i];
    const bool known = made.done[i];
    last = check_one(one, settings, spent(), fmt::format("{}-{}.search", file, i + 1), true);
    const run_result& r = last.result;
    if (last.aba) take_in(aba, std::move(*last.aba));
    if (!known) {
      covered.add(i, r);
      if (r.complete && r.violations.empty()) made.add(i, r);
    }
    if (!r.complete && sum.complete) {
      sum.complete = false;
      sum.gravest = verdict::inconclusive;
      sum.stopped = r.stopped;
      sum.grows = r.grows;
    }
    if (!r.violations.empty()) {
      sum.violations = r.violations;
      sum.gravest = r.gravest;
      if (i + 1 < all.size()) {
        sum.complete = false;
        sum.stopped = {stop_reason::larger_clients,
                       "larger clients are not looked at once some have failed"};
      }
      break;
    }
    if (stop_requested || (options_.time && spent() > *options_.time)) {
      if (i + 1 == all.size()) break;
      sum.complete = false;
      sum.gravest = verdict::inconclusive;
      if (sum.stopped.empty()) {
        sum.stopped = stop_requested ? stop_cause(stop_reason::interrupted, "interrupted")
                                     : limits::reached_time(*options_.time);
      }
      break;
    }
  }
  sum.states = covered.states;
  sum.transitions = covered.transitions;
  sum.seconds = covered.seconds;
  sum.device_runs = covered.device_runs;
  sum.rounds = covered.rounds;
  sum.depth = covered.depth;
  sum.peak_bytes = covered.peak_bytes;
  if (options_.save && !sum.complete && sum.violations.empty()) {
    try {
      sum.saved = *options_.save / (file + ".generated");
      save_generated(*sum.saved, identity, made);
    } catch (const usage_error& error) {
      sum.saved.reset();
      lose_(error.what());
    }
  }
  last.result = std::move(sum);
  last.aba = last.result.violations.empty() ? std::move(aba) : std::nullopt;
  return last;
}

benign_aba run_checker::look_for_aba(session& ready, double spent) {
  const limits bounds = limits_of(options_, spent);
  const aba_search_result found = search_aba(ready, bounds);
  benign_aba aba{{}, {}, {}, {}, found.complete, found.stopped, found.states};
  if (!found.found) return aba;
  names named(ready);
  overtime more(bounds);
  const asked_in_time patience(ready.stores().program, more);
  try {
    show_aba(ready, named, found, aba);
  } catch (const simt::lane_automaton::given_up&) {
    return {{}, {}, {}, {}, false, bounds.reached(0), found.states};
  }
  return aba;
}

run_result run_checker::explore(session& ready, double spent, const std::string& search_file,
                                bool is_part) {
  const scenario& subject = ready.subject();
  limits bounds = limits_of(options_, spent);
  if (options_.spill) bounds.storage.spill_directory = *options_.spill;
  if (options_.save) bounds.files.save = *options_.save / search_file;
  if (options_.resume) bounds.files.resume = *options_.resume / search_file;
  progress_line line(
      !options_.json && !options_.quiet,
      fmt::format("{}  {}", readable_path(subject.file), model_label(ready.settings())), how_far_);
  if (options_.search) {
    search_options how = *options_.search;
    how.progress = [&line](const search_progress& now) { line.update_search(now); };
    if (joined_ != nullptr && !is_part) {
      return joined_->together(subject, ready.settings(), ready, bounds, &how);
    }
    return warpcheck::search(ready, bounds, how);
  }
  bounds.progress = [&line](const exploration_progress& now) {
    line.update({now.states, now.depth, now.bytes});
  };
  // What --save and --resume keep is the search of one process.
  const bool is_kept = options_.save || options_.resume;
  const bool is_shared = joined_ != nullptr && !is_part && !is_kept && ranks_can_share(ready);
  run_result result = is_shared
                          ? joined_->together(subject, ready.settings(), ready, bounds, nullptr)
                          : warpcheck::check(ready, bounds, options_.reduce);
  if (!result.not_saved.empty()) lose_("--save: " + result.not_saved);
  return result;
}
}  // namespace warpcheck
