// The word of an mbarrier, as the simulator keeps it, and as GPUs before sm_90 do that lack some of
// the instructions. On newer ones the word is the hardware's own and opaque.
#pragma once

#include <cstdint>

#include <simt/detail/qualifiers.hpp>

namespace simt::detail {

/// From the lowest bit: 20 bits of arrivals that each phase expects, 20 bits of arrivals that are
/// pending, and 21 bits of bytes that are pending (two's complement). Then the parity of the phase,
/// whether the word is an initialized mbarrier, and the next bit of the phase's number. With that
/// last bit, a token tells four phases apart.
inline constexpr unsigned mbarrier_pending = 20, mbarrier_bytes = 40, mbarrier_phase = 61,
                          mbarrier_live = 62, mbarrier_pair = 63;
inline constexpr std::uint64_t mbarrier_phase_bits =
    std::uint64_t{1} << mbarrier_phase | std::uint64_t{1} << mbarrier_pair;
inline constexpr std::uint64_t mbarrier_count_mask = 0xfffff, mbarrier_bytes_mask = 0x1fffff;
/// The most arrivals, and bytes, of a phase (PTX ISA, "Contents of the mbarrier object").
inline constexpr std::uint32_t mbarrier_most = 0xfffff;

/// What changes an mbarrier: `arrivals` come, `drops` of them for all phases to come, and `bytes`
/// more are expected (fewer, where it is negative).
struct mbarrier_change {
  std::uint32_t arrivals = 0;
  std::uint32_t drops = 0;
  std::int32_t bytes = 0;
};
constexpr SIMT_HOST_FN std::uint64_t pack_mbarrier_change(std::uint32_t arrivals,
                                                          std::int32_t bytes) {
  return arrivals | static_cast<std::uint64_t>(static_cast<std::uint32_t>(bytes)) << 32;
}

constexpr SIMT_HOST_FN std::uint64_t mbarrier_initial(std::uint32_t count) {
  const std::uint64_t expected = count & mbarrier_count_mask;
  return expected | expected << mbarrier_pending | std::uint64_t{1} << mbarrier_live;
}
constexpr SIMT_HOST_FN std::uint32_t mbarrier_expected_arrivals(std::uint64_t word) {
  return static_cast<std::uint32_t>(word & mbarrier_count_mask);
}
constexpr SIMT_HOST_FN std::uint32_t mbarrier_pending_arrivals(std::uint64_t word) {
  return static_cast<std::uint32_t>(word >> mbarrier_pending & mbarrier_count_mask);
}
constexpr SIMT_HOST_FN std::int32_t mbarrier_pending_bytes(std::uint64_t word) {
  return static_cast<std::int32_t>(
             static_cast<std::uint32_t>(word >> mbarrier_bytes & mbarrier_bytes_mask) << 11) >>
         11;
}
constexpr SIMT_HOST_FN std::uint32_t mbarrier_parity(std::uint64_t word) {
  return static_cast<std::uint32_t>(word >> mbarrier_phase & 1);
}
/// The number of the phase, modulo 4.
constexpr SIMT_HOST_FN std::uint32_t mbarrier_phase_number(std::uint64_t word) {
  return mbarrier_parity(word) | static_cast<std::uint32_t>(word >> mbarrier_pair) << 1;
}
/// The bits of the word that change where a phase ends.
constexpr SIMT_HOST_FN std::uint64_t mbarrier_turn(std::uint64_t word) {
  return std::uint64_t{1} << mbarrier_phase | static_cast<std::uint64_t>(mbarrier_parity(word))
                                                  << mbarrier_pair;
}
/// The number of phases that have ended since a lane got the token, modulo 4.
constexpr SIMT_HOST_FN std::uint32_t mbarrier_age(std::uint64_t word, std::uint64_t token) {
  return (mbarrier_phase_number(word) - mbarrier_phase_number(token)) & 3;
}
constexpr SIMT_HOST_FN bool mbarrier_is_live(std::uint64_t word) {
  return (word >> mbarrier_live & 1) != 0;
}

/// The word behind the change. A phase is complete when neither arrivals nor bytes are pending:
/// then the next one begins. Free of branches, since lanes compute it too.
constexpr SIMT_HOST_FN std::uint64_t mbarrier_after(std::uint64_t word, mbarrier_change by) {
  const std::uint64_t expected = (word - by.drops) & mbarrier_count_mask;
  const std::uint64_t pending = ((word >> mbarrier_pending) - by.arrivals) & mbarrier_count_mask;
  const std::uint64_t bytes =
      ((word >> mbarrier_bytes) + static_cast<std::uint64_t>(std::int64_t{by.bytes})) &
      mbarrier_bytes_mask;
  const auto complete = static_cast<std::uint64_t>((pending | bytes) == 0);
  const std::uint64_t flags = word & std::uint64_t{7} << mbarrier_phase;
  const std::uint64_t left = pending | (expected & (0 - complete));
  return expected | left << mbarrier_pending | bytes << mbarrier_bytes |
         (flags ^ (mbarrier_turn(word) & (0 - complete)));
}

/// What is wrong with a change; 0: nothing.
enum class mbarrier_misuse : std::uint8_t { none, not_live, too_many_arrivals, too_many_bytes };
constexpr SIMT_HOST_FN std::uint32_t mbarrier_misuse_of(std::uint64_t word, mbarrier_change by) {
  const std::uint32_t dead = static_cast<std::uint32_t>(!mbarrier_is_live(word));
  const std::uint32_t surplus =
      static_cast<std::uint32_t>(by.arrivals > mbarrier_pending_arrivals(word));
  const std::int32_t bytes = mbarrier_pending_bytes(word) + by.bytes;
  const auto limit = static_cast<std::int32_t>(mbarrier_most);
  const std::uint32_t overflow =
      static_cast<std::uint32_t>(bytes > limit) | static_cast<std::uint32_t>(bytes < -limit);
  return dead | (1 - dead) * (surplus * 2 + (1 - surplus) * overflow * 3);
}

/// What a change tells its lane of the word before it: the phase, and what is wrong with the
/// change. Lanes that are told no counts do not remember in which order they arrived.
constexpr SIMT_HOST_FN std::uint64_t mbarrier_told(std::uint64_t word, mbarrier_change by) {
  return (word & mbarrier_phase_bits) | mbarrier_misuse_of(word, by);
}
/// What a test by parity looks at: the parity, and whether the word is an mbarrier. A test by a
/// token looks at the number of the phase.
inline constexpr std::uint64_t mbarrier_tested = std::uint64_t{3} << mbarrier_phase,
                               mbarrier_tested_by_token = std::uint64_t{7} << mbarrier_phase;
/// Beside the drops of a change: the lane is told the whole word.
inline constexpr std::uint64_t mbarrier_tells_counts = std::uint64_t{1} << 32;

/// In place of the value that a compare_exchange compares with, a store gives these where an
/// mbarrier begins or ends with it.
inline constexpr std::uint64_t mbarrier_begins = 1, mbarrier_ends = 2;

}  // namespace simt::detail
