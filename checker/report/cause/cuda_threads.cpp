// Finds the names of lanes in sentences, and says which threads of CUDA they are.
#include "checker/report/cause/cuda_threads.hpp"

#include <algorithm>
#include <array>
#include <regex>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "checker/scenario/scenario_limits.hpp"

namespace warpcheck {
namespace {

std::string place_in(std::uint64_t number, const std::array<std::uint32_t, 3>& extent) {
  return fmt::format("({},{},{})", number % extent[0], number / extent[0] % extent[1],
                     number / extent[0] / extent[1]);
}

}  // namespace

std::string cuda_threads(const std::vector<std::string>& sentences, const kernel_launch& launch) {
  static const std::regex lane_pattern(R"((?:\bb(\d+)\.)?\bw(\d+)\.l(\d+))");
  constexpr std::size_t most = 6;
  std::vector<std::string> seen;
  std::vector<std::string> told;
  for (const std::string& sentence : sentences) {
    for (std::sregex_iterator at(sentence.begin(), sentence.end(), lane_pattern), end; at != end;
         ++at) {
      const std::string name = at->str();
      if (std::ranges::find(seen, name) != seen.end() || seen.size() == most) continue;
      seen.push_back(name);
      const std::uint64_t block = (*at)[1].matched ? std::stoull((*at)[1].str()) : 0;
      const std::uint64_t thread =
          std::stoull((*at)[2].str()) * max_lanes + std::stoull((*at)[3].str());
      told.push_back(fmt::format("{} is thread {} of block {}", name,
                                 place_in(thread, launch.block), place_in(block, launch.grid)));
    }
  }
  return told.empty() ? std::string() : fmt::format("{}.", fmt::join(told, "; "));
}

}  // namespace warpcheck
