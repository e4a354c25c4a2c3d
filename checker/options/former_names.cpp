// The table of renamed options, and what replaces their names.
#include "checker/options/former_names.hpp"

#include <algorithm>
#include <array>

#include <fmt/format.h>

namespace warpcheck {
namespace {

constexpr std::array renamed{
    // --time ends an exploration; --launch-time is about one launch, as in exec.
    former_name{"hardware", "--time", "--launch-time"},
    former_name{"measure", "--time", "--launch-time"},
    // --threads are those that explore.
    former_name{"measure", "--threads", "--block-sizes"},
    // --search is a search without proof.
    former_name{"history", "--search", "--only-search"},
    // --memory chooses the memory model, --model that of a scheduler.
    former_name{"litmus", "--model", "--memory"},
    // --only chooses by name, --explain shows why.
    former_name{"progress", "--test", "--only"},
    former_name{"progress", "--evidence", "--explain"},
};

}  // namespace

std::span<const former_name> former_names() { return renamed; }

renamed_arguments with_names_of_today(std::vector<std::string> arguments) {
  renamed_arguments result{std::move(arguments), {}};
  if (result.arguments.empty()) return result;
  const std::string command = result.arguments.front();
  for (std::string& word : result.arguments) {
    if (word == "--") break;
    const std::string name = word.substr(0, word.find('='));
    const auto found = std::ranges::find_if(renamed, [&](const former_name& one) {
      return one.command == command && one.before == name;
    });
    if (found == renamed.end()) continue;
    word.replace(0, name.size(), found->now);
    std::string hint =
        fmt::format("{}: {} is called {} now; it has the same meaning in all commands", command,
                    found->before, found->now);
    if (std::ranges::find(result.hints, hint) == result.hints.end()) {
      result.hints.push_back(std::move(hint));
    }
  }
  return result;
}

}  // namespace warpcheck
