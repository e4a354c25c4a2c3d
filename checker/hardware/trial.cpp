// Writes the runner's options, reads its answer, and repeats processes until enough trials are
// made.
#include "checker/hardware/trial.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "checker/console/child_process.hpp"
#include "checker/run/object.hpp"

namespace warpcheck {

namespace {

const char* clients_name(simt::clients who) {
  switch (who) {
    case simt::clients::lane: return "lane";
    case simt::clients::warp: return "warp";
    case simt::clients::block: return "block";
  }
  return "";
}

/// Makes a batch that says nothing about the subject.
trial_batch no_answer(std::string message) {
  trial_batch none;
  none.counts[trial_outcome::no_result] = 1;
  none.message = std::move(message);
  return none;
}

/// Reads {"finished": 12, "hang": 1}. Nothing, if the text holds no such counts.
std::optional<trial_counts> counts_from(const nlohmann::json& rounds) {
  if (!rounds.is_object()) return std::nullopt;
  trial_counts counts;
  for (const auto& [outcome, count] : rounds.items()) {
    const auto known = trial_outcome_named(outcome);
    if (!known || !count.is_number_unsigned()) return std::nullopt;
    counts[*known] = count.get<std::uint64_t>();
  }
  if (counts.sum() == 0) return std::nullopt;
  return counts;
}

/// Returns "--seed 7 --trials 1: thread 0 chose 1, 0". Empty, if no thread has chosen anything.
std::string choices_text(const nlohmann::json& of) {
  std::string text;
  const nlohmann::json all = of.value("choices", nlohmann::json::object());
  for (const auto& [thread, chosen] : all.items()) {
    std::string own;
    for (const auto& each : chosen) own += (own.empty() ? "" : ", ") + each.dump();
    text += fmt::format("{} thread {} chose {}", text.empty() ? ":" : ";", thread, own);
  }
  if (text.empty()) return {};
  return fmt::format("--seed {} --trials 1{}", of.value("round", std::uint64_t{0}), text);
}

trial_batch parse(const std::string& text, int status) {
  const auto line = nlohmann::json::parse(text, nullptr, false);
  std::optional<trial_counts> counts;
  if (status == 0 && line.is_object()) counts = counts_from(line.value("rounds", nlohmann::json()));
  if (!counts) {
    if (text.empty()) {
      return no_answer(fmt::format("the runner ended with status {} and said nothing", status));
    }
    return no_answer(text.substr(0, text.find_last_not_of('\n') + 1));
  }
  trial_batch result;
  result.counts = *counts;
  result.message = with_choices(line.value("message", ""), choices_text(line));
  result.longest = line.value("seconds", 0.0);
  result.usable = line.value("usable", false);
  for (const auto& history : line.value("histories", nlohmann::json::array())) {
    recorded_events recorded{{}, history.value("count", std::uint64_t{1}), choices_text(history)};
    for (const auto& event : history.at("events")) recorded.text += event.dump() + "\n";
    result.histories.push_back(std::move(recorded));
  }
  return result;
}

/// Returns "enqueue:1,dequeue".
std::string list_of(const std::vector<written_operation>& operations) {
  std::string text;
  for (const written_operation& each : operations) {
    text += (text.empty() ? "" : ",") + each.name;
    for (const std::int64_t argument : each.arguments) text += fmt::format(":{}", argument);
  }
  return text;
}

}  // namespace

std::string with_choices(const std::string& message, const std::string& choices) {
  if (message.empty() || choices.empty()) return message + choices;
  return message + " (" + choices + ")";
}

told_choices choices_of(const named_execution& how) {
  told_choices told;
  for (const auto* part : {&how.prefix, &how.cycle}) {
    for (const simt::choice_name& name : *part) {
      if (name.by.is_at_choose()) {
        told[name.by.unit].push_back(name.by.chosen());
      }
    }
  }
  return told;
}

std::vector<std::string> runner_command(const std::filesystem::path& runner, const scenario& what,
                                        double deadline, const told_choices& told) {
  std::vector<std::string> command{runner.string(), "--subject",
                                   what.subject.substr(what.subject.rfind('/') + 1)};
  const auto add = [&](const char* option, std::string value) {
    command.emplace_back(option);
    command.push_back(std::move(value));
  };
  const std::string workload = what.threads.empty() ? what.workload : "operations";
  if (!workload.empty()) add("--workload", workload);
  add("--clients", clients_name(what.clients));
  add("--blocks", std::to_string(what.grid.blocks));
  if (what.grid.cluster > 1) add("--cluster", std::to_string(what.grid.cluster));
  if (what.grid.cooperative) add("--cooperative", "yes");
  std::string lanes;
  for (const std::uint32_t each : what.grid.lanes) {
    if (!lanes.empty()) lanes += ',';
    lanes += std::to_string(each);
  }
  add("--lanes", lanes);
  add("--repeat", std::to_string(what.repeat));
  for (const auto& [name, array] : what.arrays) {
    add("--array", fmt::format("{}={}", name, array.elements));
    // An argument can have 128 KiB at most.
    for (std::size_t i = 0; i < array.values.size(); i += 1000) {
      const std::size_t end = std::min(i + 1000, array.values.size());
      add("--values",
          fmt::format("{}={}", name,
                      fmt::join(array.values.begin() + static_cast<std::ptrdiff_t>(i),
                                array.values.begin() + static_cast<std::ptrdiff_t>(end), ",")));
    }
  }
  if (!what.threads.empty()) {
    const std::vector<std::uint32_t> lanes_of_threads = client_lanes(what);
    for (std::size_t i = 0; i < what.threads.size(); ++i) {
      if (what.threads[i].empty()) continue;
      add("--operations", fmt::format("{}={}", lanes_of_threads[i], list_of(what.threads[i])));
    }
    if (!what.initial.empty()) add("--initial", list_of(what.initial));
  }
  for (const auto& [thread, values] : told) {
    add("--choose", fmt::format("{}={}", thread, fmt::join(values, ",")));
  }
  add("--deadline", fmt::format("{}", deadline));
  add("--delays", "1");
  add("--budget", fmt::format("{}", batch_budget));
  return command;
}

trial_batch run_batch(const std::vector<std::string>& command,
                      std::chrono::duration<double> patience, const std::atomic<bool>& stop) {
  const child_result ended = run_child(command, patience, stop);
  if (ended.how == child_ending::by_itself) return parse(ended.output, ended.status);
  if (ended.how == child_ending::too_late) {
    return no_answer(
        fmt::format("the runner did not answer within {:.0f} s and was killed", patience.count()));
  }
  trial_batch stopped;
  stopped.interrupted = true;
  return stopped;
}

namespace {

void add_message(std::vector<std::string>& to, const std::string& message) {
  if (std::ranges::find(to, message) == to.end()) to.push_back(message);
}

}  // namespace

trials run_trials(
    std::uint64_t most,
    const std::function<trial_batch(std::uint64_t first, std::uint64_t count)>& launch) {
  trials all;
  std::uint64_t lost = 0;
  for (std::uint64_t made = 0; made < most && lost < most_lost_processes;) {
    const trial_batch some = launch(made, most - made);
    if (some.interrupted) {
      all.interrupted = true;
      break;
    }
    made += some.counts.sum();
    all.counts += some.counts;
    for (const recorded_events& each : some.histories) all.histories += each.count;
    if (!some.message.empty()) add_message(all.messages, some.message);
    all.longest = std::max(all.longest, some.longest);
    if (!some.usable) ++lost;
    // If the runner itself fails, it will fail the next time, too.
    if (some.counts[trial_outcome::no_result] != 0) break;
  }
  return all;
}

void add(trials& to, const trials& more) {
  to.counts += more.counts;
  for (const std::string& message : more.messages) add_message(to.messages, message);
  to.histories += more.histories;
  to.longest = std::max(to.longest, more.longest);
  to.interrupted = to.interrupted || more.interrupted;
}

}  // namespace warpcheck
