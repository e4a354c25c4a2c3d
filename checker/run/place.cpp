// Finds the line and function of the user's code behind an address, by debug information.
#include "checker/run/place.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>

#include <fmt/format.h>

#include "checker/run/session.hpp"

namespace warpcheck {
namespace {

// "ns::my_lock<int>::lock" → "lock"
std::string last_name(const std::string& function) {
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < function.size(); ++i) {
    if (function.compare(i, 8, "operator") == 0) break;  // operator<, operator()
    if (function[i] == '<') ++depth;
    if (function[i] == '>') --depth;
    if (depth == 0 && function[i] == ':' && i + 1 < function.size() && function[i + 1] == ':') {
      begin = i + 2;
    }
  }
  std::string name = function.substr(begin);
  if (name.starts_with("operator()")) return {};  // a kernel has no name but its type's
  return name.starts_with("operator") ? name : name.substr(0, name.find_first_of("<("));
}

/// Returns the address where the function begins that contains `address`. Without an address,
/// returns that of the body.
std::uint64_t function_at(const simt::subject_library& library, const session& run,
                          std::uint64_t address) {
  const auto body = reinterpret_cast<std::uint64_t>(run.setup().entry->body);
  if (address == 0) return body;
  const simt::basic_block* nearest = nullptr;
  for (const simt::basic_block& block : library.blocks) {
    if (block.address > address) continue;
    if (nearest == nullptr || block.address > nearest->address) nearest = &block;
  }
  return nearest != nullptr ? library.blocks[nearest->function].address : body;
}

}  // namespace

std::string source_place::text() const { return known() ? fmt::format("{}:{}", file, line) : "?"; }

std::string source_place::text_with_function() const {
  return function.empty() ? text() : fmt::format("{} ({})", text(), function);
}

std::string source_place::aside() const {
  return function.empty() ? fmt::format("({})", text()) : fmt::format("({}, {})", text(), function);
}

source_place place_of(const simt::debug_info& info, std::uint64_t return_address) {
  if (return_address == 0) return {};
  const auto frames = info.frames(return_address);
  const simt::source_frame* shown = nullptr;
  for (const auto& frame : frames) {
    if (!frame.function.starts_with("simt::")) {
      shown = &frame;
      break;
    }
    const bool workload = frame.function.find("_workload<") != std::string::npos;
    if (shown == nullptr && workload) shown = &frame;
  }
  if (shown == nullptr && !frames.empty()) shown = &frames.front();
  if (shown == nullptr) return {};
  return {std::filesystem::path(shown->file).filename().string(), shown->line,
          last_name(shown->function), shown->file};
}

bool is_of_user(const simt::debug_info& info, std::uint64_t return_address) {
  if (return_address == 0) return false;
  return std::ranges::any_of(info.frames(return_address), [](const simt::source_frame& frame) {
    return !frame.function.starts_with("simt::");
  });
}

std::string barrier_call(const simt::debug_info& info, std::uint64_t return_address) {
  // Translated PTX calls the reductions in simt::detail.
  constexpr std::array<std::string_view, 11> calls{
      "simt::syncthreads",          "simt::bar_sync",
      "simt::bar_arrive",           "simt::bar_red_popc",
      "simt::bar_red_and",          "simt::bar_red_or",
      "simt::named_barrier_sync",   "simt::named_barrier_arrive",
      "simt::detail::bar_red_popc", "simt::detail::bar_red_and",
      "simt::detail::bar_red_or"};
  std::string outermost;
  for (const simt::source_frame& frame : info.frames(return_address)) {
    if (!frame.function.starts_with("simt::")) break;
    const std::string name = frame.function.substr(0, frame.function.find_first_of("<("));
    if (std::ranges::find(calls, name) != calls.end()) outermost = last_name(name);
  }
  return outermost;
}

std::string at_place(const session& run, std::uint64_t pc) {
  if (pc == 0) return {};
  const simt::debug_info info(run.setup().library->file);
  const source_place place = place_of(info, pc);
  return place.known() ? fmt::format(" ({})", place.text()) : std::string();
}

std::string text_of(const session& run, const simt::lane_error& error) {
  const simt::debug_info info(run.setup().library->file);
  const simt::subject_library& library = *run.setup().library;
  source_place place = place_of(info, error.pc());
  if (!is_of_user(info, error.pc()) || place.line == 0) {
    // The address may lie at the beginning of a body, where its frame is made. Then take the first
    // line of the user's code in the function.
    constexpr std::uint64_t far = 4096;
    const std::uint64_t begin = function_at(library, run, error.pc());
    for (std::uint64_t at = begin + 1; at < std::min(begin + far, library.code_end); ++at) {
      if (!is_of_user(info, at)) continue;
      place = place_of(info, at);
      if (place.line != 0) break;
    }
  }
  return place.known() ? fmt::format("{} ({})", error.what(), place.text()) : error.what();
}

usage_error misuse(const session& run, const simt::lane_error& error) {
  return usage_error(fmt::format("{}: {}", run.subject().subject, text_of(run, error)));
}

}  // namespace warpcheck
