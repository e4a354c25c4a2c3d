// Programs as C++ subjects, and as litmus tests.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tests/weak/program.hpp"

namespace weak {

/// "weak_12"
std::string name_of(const program& p);

/// One subject. Its cells are the locations, and behind them what lanes have read: a cell for each
/// lane with its registers, or one with their sum.
std::string subject_of(const program& p);
/// A whole header.
std::string header_of(const std::vector<program>& programs);

/// Of the litmus test, by place.
inline constexpr std::string_view location_names = "xyzuvwabc";

/// A compare-exchange of a lane, by the register that it sets, which no other operation does.
using lane_register = std::pair<int, int>;

/// The same program as a litmus test. A sequentially consistent access is a fence.sc and the
/// access, as libcu++ compiles it. The registers of lane t are P<t>:r0 and so on. The
/// compare-exchanges in `failing` are loads.
std::string litmus_test_of(const program& p, const std::set<lane_register>& failing = {});

}  // namespace weak
