// The parts of cause.hpp, by the kind of violation.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "checker/report/trace.hpp"

namespace warpcheck {

/// Deadlocks, livelocks, barrier divergence: waiting.cpp.
std::vector<std::string> why_lanes_wait(session& run, names& named, const violation& v,
                                        const trace& t);

/// Starvation, and claims that do not hold: progress.cpp.
std::vector<std::string> why_progress_ends(session& run, names& named, const violation& v,
                                           const trace& t);

/// Races, bad accesses, assertions: accesses.cpp.
std::vector<std::string> why_accesses_race(session& run, names& named, const trace& t);
/// Races under weak memory (weak_races.cpp): also which steps race, and what would help.
std::vector<std::string> why_weak_accesses_race(session& run, names& named, const trace& t);
std::string numbers_of_weak_race(session& run, const trace& t);
std::string remedy_of_weak_race(session& run, const trace& t);
std::vector<std::string> why_access_is_bad(session& run, names& named, const trace& t);
std::vector<std::string> why_assertion_fails(session& run, names& named, const violation& v,
                                             const trace& t);
/// Returns the narrowest scope that includes both lanes, if they are of different blocks: "cluster"
/// or "device". For lanes of one block it is "device", too.
std::string_view scope_of_both(session& run, std::uint32_t a, std::uint32_t b);
/// Whether the scope of the access does not include the lane `other`.
bool leaves_out(session& run, const lane_action& access, std::uint32_t other);
/// Returns what would let a lane read the newest value, if an assertion rests on an older one.
std::string remedy_of_old_value(session& run, const trace& t);

}  // namespace warpcheck
