#include "checker/commands/hardware_trial.hpp"

#include "checker/explore/object.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>
#include <stdexcept>

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

struct child {
  pid_t process = 0;  // and its process group
  int output = -1;    // what it writes to stdout and stderr
};

[[noreturn]] void cannot(const std::string& program, int error) {
  throw std::runtime_error(fmt::format("cannot run {}: {}", program, std::strerror(error)));
}

child start(const std::vector<std::string>& command) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) cannot(command[0], errno);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDERR_FILENO);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&attributes, 0);

  std::vector<char*> words;
  for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
  words.push_back(nullptr);
  child started;
  const int error =
      ::posix_spawn(&started.process, words[0], &actions, &attributes, words.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  ::close(ends[1]);
  started.output = ends[0];
  if (error != 0) {
    ::close(ends[0]);
    cannot(command[0], error);
  }
  return started;
}

enum class ending { by_itself, too_late, stopped };

// Reads until the child closes its output, time is up, or `stop` is set.
ending listen(int output, std::string& text, std::chrono::duration<double> patience,
              const std::atomic<bool>& stop) {
  using clock = std::chrono::steady_clock;
  const auto end = clock::now() + std::chrono::duration_cast<clock::duration>(patience);
  while (!stop) {
    if (clock::now() >= end) return ending::too_late;
    pollfd readable{output, POLLIN, 0};
    constexpr int step = 50;  // milliseconds; how late `stop` and the end of patience are seen
    const int ready = ::poll(&readable, 1, step);
    if (ready == 0 || (ready < 0 && errno == EINTR)) continue;
    std::array<char, 4096> part{};
    const ssize_t count = ::read(output, part.data(), part.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return ending::by_itself;
    text.append(part.data(), static_cast<std::size_t>(count));
  }
  return ending::stopped;
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
  const child started = start(command);
  std::string text;
  const ending how = listen(started.output, text, patience, stop);
  // The whole group, also where the runner ended by itself: it may have left processes behind.
  ::kill(-started.process, SIGKILL);
  ::close(started.output);
  int ended = 0;
  while (::waitpid(started.process, &ended, 0) < 0 && errno == EINTR) {
  }
  trial result;
  if (how == ending::stopped) {
    result.interrupted = true;
  } else if (how == ending::too_late) {
    result.message =
        fmt::format("the runner did not answer within {:.0f} s and was killed", patience.count());
  } else {
    result = parse(text, WIFEXITED(ended) ? WEXITSTATUS(ended) : 128 + WTERMSIG(ended));
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
