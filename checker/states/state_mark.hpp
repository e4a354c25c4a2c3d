// What a search knows of a state, in the one word that the table keeps beside it.
//
// 0: nobody has been there. Open: some search has entered it; whether an end can be reached from it
// is not decided. Closed: the state's strongly connected component, and all that can be reached
// from it, have been explored.
#pragma once

#include <cstdint>

namespace warpcheck::state_mark {

inline constexpr std::uint32_t closed = 0x80000000;

// Open states.
inline constexpr std::uint32_t open = 0x40000000;
/// One of several searches is about to close the component.
inline constexpr std::uint32_t claimed = 0x20000000;
/// Where the state lies among the search's open states, if there is only one search.
inline constexpr std::uint32_t index_bits = 0x0fffffff;

// Closed states.
inline constexpr std::uint32_t reaches_end = 0x40000000;
inline constexpr std::uint32_t leaves = 0x20000000;  // its component can be left
/// The component: a number from first_component on, or one of the two for single states.
inline constexpr std::uint32_t component_bits = 0x1fffffff;
inline constexpr std::uint32_t alone = 0;   // a component of one state
inline constexpr std::uint32_t proved = 1;  // the same; proved to be dead, not explored further
inline constexpr std::uint32_t first_component = 2;

}  // namespace warpcheck::state_mark
