#include "checker/commands/hardware_trial.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "checker/commands/child_process.hpp"
#include "checker/explore/object.hpp"

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

trial parse(const std::string& text, int status) {
  trial result;
  const auto line = nlohmann::json::parse(text, nullptr, false);
  const bool reported =
      status == 0 && line.is_object() && line.value("outcome", nlohmann::json()).is_string();
  const auto outcome = reported ? trial_outcome_named(line["outcome"].get<std::string>())
                                : std::optional<trial_outcome>();
  if (!outcome) {
    result.message = text.empty()
                         ? fmt::format("the runner ended with status {} and said nothing", status)
                         : text;
    while (result.message.ends_with('\n')) result.message.pop_back();
    return result;
  }
  result.outcome = *outcome;
  result.message = line.value("message", "");
  result.seconds = line.value("seconds", 0.0);
  for (const auto& history : line.value("histories", nlohmann::json::array())) {
    recorded_events recorded{{}, history.value("count", std::uint64_t{1})};
    for (const auto& event : history.at("events")) recorded.text += event.dump() + "\n";
    result.histories.push_back(std::move(recorded));
  }
  return result;
}

/// "enqueue:1,dequeue"
std::string list_of(const std::vector<written_operation>& operations) {
  std::string text;
  for (const written_operation& each : operations) {
    text += (text.empty() ? "" : ",") + each.name;
    for (const std::int64_t argument : each.arguments) text += fmt::format(":{}", argument);
  }
  return text;
}

}  // namespace

std::vector<std::string> runner_command(const std::filesystem::path& runner, const scenario& what,
                                        double deadline) {
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
  std::string lanes;
  for (const std::uint32_t each : what.grid.lanes) {
    if (!lanes.empty()) lanes += ',';
    lanes += std::to_string(each);
  }
  add("--lanes", lanes);
  add("--repeat", std::to_string(what.repeat));
  for (const auto& [name, array] : what.arrays) {
    add("--array", fmt::format("{}={}", name, array.elements));
    // An argument can have 128 KiB.
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
    add("--rounds", std::to_string(rounds_of_an_object));
  }
  add("--deadline", fmt::format("{}", deadline));
  return command;
}

trial run_trial(const std::vector<std::string>& command, std::chrono::duration<double> patience,
                const std::atomic<bool>& stop) {
  const child_result ended = run_child(command, patience, stop);
  trial result;
  switch (ended.how) {
    case child_ending::stopped: result.interrupted = true; break;
    case child_ending::too_late:
      result.message =
          fmt::format("the runner did not answer within {:.0f} s and was killed", patience.count());
      break;
    case child_ending::by_itself: result = parse(ended.output, ended.status); break;
  }
  return result;
}

namespace {

void add_message(std::vector<std::string>& to, const std::string& message) {
  if (std::ranges::find(to, message) == to.end()) to.push_back(message);
}

}  // namespace

trials run_trials(std::uint64_t most, const std::function<trial()>& once) {
  trials all;
  for (std::uint64_t made = 0; made < most; ++made) {
    const trial one = once();
    if (one.interrupted) {
      all.interrupted = true;
      break;
    }
    ++all.counts[one.outcome];
    for (const recorded_events& each : one.histories) all.histories += each.count;
    if (!one.message.empty()) add_message(all.messages, one.message);
    if (one.outcome == trial_outcome::hang) {
      if (all.counts[trial_outcome::hang] == 1) most = std::min(most, made + 1 + trials_after_hang);
    } else {
      all.longest = std::max(all.longest, one.seconds);
    }
    // What the runner itself cannot do, it will not do next time either.
    if (one.outcome == trial_outcome::no_result) break;
  }
  return all;
}

void add(trials& to, const trials& more) {
  for (std::size_t i = 0; i < to.counts.of.size(); ++i) to.counts.of[i] += more.counts.of[i];
  for (const std::string& message : more.messages) add_message(to.messages, message);
  to.histories += more.histories;
  to.longest = std::max(to.longest, more.longest);
  to.interrupted = to.interrupted || more.interrupted;
}

}  // namespace warpcheck
