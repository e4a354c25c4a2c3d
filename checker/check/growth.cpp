// Looks at some of the explored states, in their order, for values that come to new extremes again
// and again.
#include "checker/check/growth.hpp"

#include <algorithm>
#include <cstring>
#include <map>
#include <set>
#include <utility>

namespace warpcheck {
namespace {

constexpr std::uint64_t most_samples = 4096;
constexpr std::uint64_t fewest_samples = 64;
constexpr std::uint64_t most_bytes_compared = std::uint64_t{64} << 20;
constexpr std::uint64_t fewest_extremes = 32;  // so many new extremes are no coincidence
constexpr std::size_t most_told = 4;
constexpr std::size_t cell = sizeof(std::int32_t);

struct extremes {
  std::int64_t first = 0, least = 0, most = 0;
  std::uint64_t times = 0;  // number of new extremes
  std::uint64_t last = 0;   // sample with the latest new extreme
};

struct places_met {
  std::set<simt::continuation> all;
  std::uint64_t last = 0;  // sample with the latest new continuation
};

std::int64_t value_in(std::span<const std::uint8_t> image, std::size_t at) {
  std::int32_t value = 0;
  std::memcpy(&value, image.data() + at, std::min(cell, image.size() - at));
  return value;
}

std::uint64_t address_of(const simt::device_memory& memory, std::uint64_t offset) {
  for (const simt::allocation& a : memory.allocations()) {
    if (offset >= a.offset && offset < a.offset + a.size) return a.address + offset - a.offset;
  }
  return 0;
}

}  // namespace

std::vector<growing_value> what_grows(simt::machine& machine, const simt::device_memory& memory,
                                      const compressed_table& states) {
  const std::uint64_t size = std::max<std::uint64_t>(memory.image_size(), 1);
  const std::uint64_t samples =
      std::min<std::uint64_t>({most_samples, states.size(), most_bytes_compared / size});
  if (samples < fewest_samples) return {};
  std::map<std::size_t, extremes> cells;
  std::map<std::uint64_t, places_met> places;  // by the operation at which lanes wait
  std::vector<std::uint8_t> first;
  std::vector<std::uint8_t> before;
  compressed_table::cursor here;
  for (std::uint64_t sample = 0; sample < samples; ++sample) {
    states.read(static_cast<state_id>(sample * states.size() / samples), here);
    const auto image = machine.image(here.words());
    if (first.empty()) first = before = {image.begin(), image.end()};
    for (std::size_t at = 0; at < image.size(); at += cell) {
      const std::size_t bytes = std::min(cell, image.size() - at);
      if (std::memcmp(image.data() + at, before.data() + at, bytes) == 0) continue;
      std::memcpy(before.data() + at, image.data() + at, bytes);
      const std::int64_t now = value_in(image, at);
      const auto [known, is_new] = cells.try_emplace(at);
      extremes& one = known->second;
      if (is_new) one.first = one.least = one.most = value_in(first, at);
      if (now >= one.least && now <= one.most) continue;
      one.least = std::min(one.least, now);
      one.most = std::max(one.most, now);
      ++one.times;
      one.last = sample;
    }
    for (std::size_t lane = 0; lane < machine.places().lanes.size(); ++lane) {
      const simt::continuation c = here.words()[lane];
      if (c >= machine.program().size()) continue;  // the lane has exited, for example
      places_met& met = places[machine.program().at(c).pc];
      if (met.all.insert(c).second) met.last = sample;
    }
  }
  const auto goes_on = [&](std::uint64_t times, std::uint64_t last) {
    return times >= fewest_extremes && last >= samples - samples / 4;
  };
  std::vector<growing_value> found;
  for (const auto& [at, one] : cells) {
    if (!goes_on(one.times, one.last)) continue;
    const bool up = one.most - one.first >= one.first - one.least;
    found.push_back({.address = address_of(memory, at),
                     .from = one.first,
                     .to = up ? one.most : one.least,
                     .times = one.times});
  }
  for (const auto& [pc, met] : places) {
    if (goes_on(met.all.size(), met.last)) found.push_back({.pc = pc, .times = met.all.size()});
  }
  std::ranges::stable_sort(found, std::ranges::greater(), &growing_value::times);
  if (found.size() > most_told) found.resize(most_told);
  return found;
}

}  // namespace warpcheck
