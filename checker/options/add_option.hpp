// Adds kinds of options that several commands have.
//
// The name of an option's type is part of its description (description.hpp). FILE, DIR and FILE|DIR
// are paths. Lower-case words with | between them are all possible values.
#pragma once

#include <CLI/CLI.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "checker/commands/select_runs.hpp"
#include "checker/console/quantities.hpp"

namespace warpcheck {

/// Adds an option that a function of quantities.hpp parses. `Target` is a value, or an optional.
template <class Value, class Target>
CLI::Option* add_quantity(CLI::App& app, const std::string& name, Target& target,
                          Value (*parse)(std::string_view, const std::string&),
                          const std::string& type, const std::string& description) {
  return app
      .add_option_function<std::string>(
          name, [&target, parse, name](const std::string& text) { target = parse(name, text); },
          description)
      ->type_name(type);
}

/// Returns the place of `text` in a list of names. Upper and lower case are equal.
inline std::size_t place_in(std::string_view option, const std::string& text,
                            std::span<const std::string_view> names) {
  const auto same = [](char a, char b) {
    return std::toupper(static_cast<unsigned char>(a)) ==
           std::toupper(static_cast<unsigned char>(b));
  };
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (std::ranges::equal(names[i], text, same)) return i;
  }
  throw usage_error(
      fmt::format("{}: there is no \"{}\"; it is one of {}", option, text, fmt::join(names, ", ")));
}

/// Adds an option whose value is one of some names. `take` gets the place of the name in the list.
template <class Take>
CLI::Option* add_choice(CLI::App& app, const std::string& name,
                        std::span<const std::string_view> names, Take take,
                        const std::string& description) {
  return app
      .add_option_function<std::string>(
          name, [=](const std::string& text) { take(place_in(name, text, names)); }, description)
      ->type_name(fmt::format("{}", fmt::join(names, "|")));
}

/// Adds such an option that may be given several times.
template <class Take>
CLI::Option* add_choices(CLI::App& app, const std::string& name,
                         std::span<const std::string_view> names, Take take,
                         const std::string& description) {
  return app
      .add_option_function<std::vector<std::string>>(
          name,
          [=](const std::vector<std::string>& all) {
            for (const std::string& text : all) take(place_in(name, text, names));
          },
          description)
      ->type_name(fmt::format("{}", fmt::join(names, "|")))
      ->allow_extra_args(false);
}

/// Adds the option for a page for a browser, besides what is printed.
inline void add_html(CLI::App& app, std::optional<std::filesystem::path>& target) {
  app.add_option("--html", target,
                 "write the report to this file, as a page to step through in a browser")
      ->type_name("FILE");
}

inline void add_json(CLI::App& app, bool& target) {
  app.add_flag("--json", target, "print one JSON document");
}

/// Adds the options that pick runs of scenario files by name.
inline void add_run_names(CLI::App& app, run_choice& which) {
  app.add_option("--only", which.only,
                 "only the runs of this name, stack-sc-fair (list FILE shows them); repeatable")
      ->type_name("NAME")
      ->allow_extra_args(false);
  app.add_option("-k", which.matching,
                 "only the runs that have this in their file or their name; repeatable")
      ->type_name("PART")
      ->allow_extra_args(false);
}

/// Adds the options that pick runs of scenario files by model.
inline void add_run_models(CLI::App& app, run_choice& which) {
  static constexpr std::array<std::string_view, 2> reconvergence{"stack", "its"};
  static constexpr std::array<std::string_view, 2> memory{"sc", "ptx"};
  add_choice(
      app, "--reconvergence", reconvergence,
      [&which](std::size_t at) {
        which.reconvergence = at == 0 ? simt::reconvergence::stack : simt::reconvergence::its;
      },
      "only runs under its, or only those under stack");
  add_choice(
      app, "--memory", memory,
      [&which](std::size_t at) {
        which.memory = at == 0 ? simt::memory_model::sc : simt::memory_model::ptx;
      },
      "only runs under sc, or only those under ptx");
}

inline void add_scenarios(CLI::App& app, std::vector<std::filesystem::path>& target) {
  // Not required(): CLI11 would complain about that before it names an unknown option.
  app.add_option("scenarios", target, "scenario files, and folders of them; - is standard input")
      ->type_name("FILE|DIR");
}

}  // namespace warpcheck
