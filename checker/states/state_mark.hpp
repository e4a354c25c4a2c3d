// What a search knows of a state, in the one word that the table keeps beside the state.
//
// A mark of 0: no search has entered the state. Open: a search has entered the state, and whether
// it reaches an end is not decided. Closed: the state's strongly connected component, and all that
// can be reached from it, have been explored.
#pragma once

#include <cstdint>

namespace warpcheck::state_mark {

inline constexpr std::uint32_t closed = 0x80000000;

// Marks of open states.
inline constexpr std::uint32_t open = 0x40000000;
/// One of several searches is about to close the component.
inline constexpr std::uint32_t claimed = 0x20000000;
/// The position among the search's open states, if there is only one search.
inline constexpr std::uint32_t index_bits = 0x0fffffff;

// Marks of closed states.
inline constexpr std::uint32_t reaches_end = 0x40000000;
inline constexpr std::uint32_t leaves = 0x20000000;  // its component can be left
/// The component: a number from first_component on, or `alone` or `proved` for a single state.
inline constexpr std::uint32_t component_bits = 0x1fffffff;
inline constexpr std::uint32_t alone = 0;  // a component of one state
// A single state that is proved to be dead, and is not explored further.
inline constexpr std::uint32_t proved = 1;
inline constexpr std::uint32_t first_component = 2;

}  // namespace warpcheck::state_mark
