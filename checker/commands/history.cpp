// warpcheck history: can the operations of a recorded history have happened one by one?
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <chrono>

#include "checker/commands/commands.hpp"
#include "checker/commands/interrupt.hpp"
#include "checker/commands/memory.hpp"
#include "checker/commands/read_all.hpp"
#include "checker/commands/terminal.hpp"
#include "checker/history/check_history.hpp"
#include "checker/report/history_report.hpp"
#include "checker/scenario/closest_name.hpp"
#include "checker/scenario/scenario.hpp"
#include "sim/spec/spec_library.hpp"

namespace warpcheck {

namespace {

using clock = std::chrono::steady_clock;

std::string did_you_mean(std::string_view wrong, const std::vector<std::string_view>& names) {
  const auto near = closest_name(wrong, names);
  return near ? fmt::format("did you mean \"{}\"?", *near)
              : fmt::format("there is {}", fmt::join(names, ", "));
}

void set_parameters(simt::spec::specification& spec, std::string_view text) {
  std::vector<std::string_view> names;
  const auto parameters = spec.parameters();
  for (const auto& p : parameters) names.emplace_back(p.name);
  while (!text.empty()) {
    const std::string_view one = text.substr(0, text.find(','));
    text.remove_prefix(std::min(one.size() + 1, text.size()));
    const std::string_view name = one.substr(0, one.find('='));
    const std::string_view number = one.substr(std::min(name.size() + 1, one.size()));
    const auto known = std::ranges::find(names, name);
    if (known == names.end()) {
      throw usage_error(
          names.empty()
              ? fmt::format("--spec: {} has no parameters; leave \":{}\" out", spec.name(), one)
              : fmt::format("--spec: {} has no parameter \"{}\"; {}", spec.name(), name,
                            did_you_mean(name, names)));
    }
    simt::spec::value value = 0;
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
    if (number.empty() || error != std::errc() || end != number.data() + number.size() ||
        !spec.set(name, value)) {
      const auto& p = parameters[static_cast<std::size_t>(known - names.begin())];
      throw usage_error(fmt::format(
          "--spec: {} of {} is an integer{}; write for example {}:{}={}", name, spec.name(),
          p.least == INT64_MIN ? "" : fmt::format(" of at least {}", p.least), spec.name(), name,
          std::max<simt::spec::value>(p.preset, p.least)));
    }
  }
}

std::unique_ptr<simt::spec::specification> open_spec(const history_command_options& options) {
  const std::string_view text = options.spec;
  const std::string_view name = text.substr(0, text.find(':'));
  const auto& makers = options.source ? simt::load_specs(*options.source) : simt::shipped_specs();
  auto spec = simt::make_spec(makers, name);
  if (spec == nullptr) {
    std::vector<std::unique_ptr<simt::spec::specification>> all;
    std::vector<std::string_view> names;
    for (const auto make : makers) {
      all.push_back(make());
      names.emplace_back(all.back()->name());
    }
    throw usage_error(fmt::format("--spec: there is no specification \"{}\"{}; {}", name,
                                  options.source ? " in " + options.source->string() : "",
                                  did_you_mean(name, names)));
  }
  set_parameters(*spec, text.substr(std::min(name.size() + 1, text.size())));
  return spec;
}

consistency consistency_named(const std::string& text) {
  for (std::size_t i = 0; i < consistency_names.size(); ++i) {
    if (consistency_names[i] == text) return static_cast<consistency>(i);
  }
  throw usage_error(fmt::format("--consistency: \"{}\" is none; write {}", text,
                                fmt::join(consistency_names, ", ")));
}

}  // namespace

exit_status check_recorded(const history_command_options& options) {
  if (options.file.empty() || options.spec.empty()) {
    throw usage_error(
        "history needs a file and a specification; for example: warpcheck history recorded.jsonl "
        "--spec queue");
  }
  const auto begin = clock::now();
  history_options how;
  how.wanted = consistency_named(options.consistency);
  how.search_only = options.search;
  const auto spec = open_spec(options);
  const history recorded = read_history(options.file, *spec);
  handle_interrupts();
  if (options.time) {
    how.limits.deadline = begin + std::chrono::duration_cast<clock::duration>(
                                      std::chrono::duration<double>(*options.time));
  }
  how.limits.max_memory = options.max_memory.value_or(available_memory() / 4 * 3);
  how.limits.stop = &stop_requested;
  const history_result result = check_history(recorded, *spec, how);
  const history_report report{readable_path(options.file),
                              recorded,
                              *spec,
                              how.wanted,
                              result,
                              options.order,
                              std::chrono::duration<double>(clock::now() - begin).count()};
  if (options.json) {
    fmt::print("{}\n", to_json(report).dump(2));
  } else {
    fmt::print("{}", to_text(report, standard_output().columns));
  }
  switch (result.decided) {
    case answer::explained: return exit_status::as_expected;
    case answer::impossible: return exit_status::not_expected;
    case answer::stopped: break;
  }
  return exit_status::inconclusive;
}

}  // namespace warpcheck
