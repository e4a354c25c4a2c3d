// Which part of a long test is due. `tools/check` runs a tenth of what compares scenarios or cases,
// and a twentieth of generated programs; which one depends on the commit, so that some commits run
// everything. `tools/check --all` runs all of it.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "tests/setting.hpp"

namespace test {

/// Everything is due: WARPCHECK_THOROUGH is set, as `tools/check --all` does.
inline bool is_thorough() { return std::getenv("WARPCHECK_THOROUGH") != nullptr; }

/// The tenth that is due, 0 to 9: the last digit of WARPCHECK_TENTH, as `tools/check` sets it.
inline unsigned tenth() { return static_cast<unsigned>(setting("WARPCHECK_TENTH", 0) % 10); }

/// Whether the one of this name is due. tests/scenarios/due.py has the same function: FNV-1a, 32
/// bits.
inline bool is_due(std::string_view name) {
  if (is_thorough()) return true;
  std::uint32_t hash = 2166136261;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619;
  return hash % 10 == tenth();
}

/// Numbers of generated programs: from `begin` on, `end` not included.
struct program_range {
  unsigned begin = 0, end = 0;
};

/// The programs that are due of 0 to `usual`: a twentieth, or all. The environment's variable
/// `count` asks for another number of programs, and `first` for another first one.
inline program_range due_programs(unsigned usual, const char* count, const char* first) {
  constexpr unsigned parts = 20;
  const unsigned part = is_thorough() ? usual : (usual + parts - 1) / parts;
  const auto which = static_cast<unsigned>(setting("WARPCHECK_TENTH", 0) % parts);
  const auto begin = static_cast<unsigned>(setting(first, is_thorough() ? 0 : which * part));
  return {begin, begin + static_cast<unsigned>(setting(count, part))};
}

/// Of tests that take turns, the one that is due: number `which` of `all`. If everything is due, or
/// the environment's variable `count` asks for programs, each is.
inline bool is_turn(unsigned which, unsigned all, const char* count) {
  return is_thorough() || std::getenv(count) != nullptr || tenth() % all == which;
}

}  // namespace test
