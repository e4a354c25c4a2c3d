// Names the first difference between the memory of one run and that of another.
#include "checker/pilot/one_outcome.hpp"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "checker/pilot/run_by_turns.hpp"
#include "checker/text/in_quotes.hpp"
#include "checker/text/usage_error.hpp"
#include "sim/automaton/lane_automaton.hpp"
#include "sim/automaton/lane_program.hpp"
#include "sim/lane/device_memory.hpp"
#include "sim/ptx/module.hpp"

namespace warpcheck {
namespace {

constexpr std::uint64_t most_steps = 20'000'000;

std::string value_text(const std::string& element, const std::uint8_t* at, std::uint64_t size) {
  std::uint64_t bits = 0;
  std::memcpy(&bits, at, size);
  if (element == "f32") {
    float value = 0;
    std::memcpy(&value, at, sizeof value);
    return fmt::format("{}", value);
  }
  if (element == "f64") {
    double value = 0;
    std::memcpy(&value, at, sizeof value);
    return fmt::format("{}", value);
  }
  if (!element.starts_with('s')) return fmt::format("{}", bits);
  const unsigned unused = 64 - 8 * static_cast<unsigned>(size);
  return fmt::format("{}", static_cast<std::int64_t>(bits << unused) >> unused);
}

}  // namespace

one_outcome::one_outcome(const scenario& what, const simt::machine_setup& setup,
                         simt::lane_program& program, const std::vector<std::string>& names) {
  if (!what.kernel) {
    throw usage_error(
        fmt::format("{}: deterministic is for kernels; this scenario has a subject, whose check() "
                    "may look at its results",
                    what.file.string()));
  }
  std::vector<std::string> there;
  for (const simt::allocation& a : setup.memory->allocations()) {
    if (a.what != simt::allocation::kind::global || a.name.starts_with("__simt_") ||
        a.name == "grid_workspace") {
      continue;
    }
    there.push_back(a.name);
    if (!names.empty() && std::ranges::find(names, a.name) == names.end()) continue;
    const auto buffer = std::ranges::find(what.kernel->buffers, a.name, &written_buffer::name);
    const bool is_buffer = buffer != what.kernel->buffers.end();
    places_.push_back({a.name, a.offset, a.size,
                       is_buffer         ? buffer->element
                       : a.size % 4 == 0 ? "u32"
                                         : "u8"});
  }
  for (const std::string& name : names) {
    if (std::ranges::find(there, name) != there.end()) continue;
    throw usage_error(fmt::format("deterministic: the launch has no buffer {}; there is {}",
                                  in_quotes(name), fmt::join(there, ", ")));
  }
  simt::machine_setup under_sc = setup;
  under_sc.model.memory = simt::memory_model::sc;
  simt::lane_automaton automaton(program, false);
  simt::machine_stores stores(automaton);
  const auto machine = simt::make_machine(under_sc, stores);
  const one_run run = run_by_turns(*machine, turns::as_far_as_it_can, most_steps);
  if (run.ends == one_run::end::nowhere) {
    throw usage_error(
        fmt::format("deterministic: the run in which each thread in its turn goes as far as it "
                    "can has no end within {} steps; make the launch smaller",
                    most_steps));
  }
  expected_ = run.memory;
}

std::optional<std::string> one_outcome::difference(std::span<const std::uint8_t> image) const {
  if (expected_.empty()) return std::nullopt;
  for (const compared& place : places_) {
    const std::uint8_t* const got = image.data() + place.offset;
    const std::uint8_t* const wanted = expected_.data() + place.offset;
    const std::uint64_t same =
        static_cast<std::uint64_t>(std::mismatch(got, got + place.size, wanted).first - got);
    if (same == place.size) continue;
    const std::uint64_t size = simt::ptx::size_of(simt::ptx::type_named(place.element));
    const std::uint64_t index = same / size;
    return fmt::format(
        "`{}[{}]` ends as {} here, and as {} where each thread in its turn runs as "
        "far as it can",
        place.name, index, value_text(place.element, got + index * size, size),
        value_text(place.element, wanted + index * size, size));
  }
  return std::nullopt;
}

}  // namespace warpcheck
