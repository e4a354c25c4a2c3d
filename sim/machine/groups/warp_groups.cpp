// Finds lanes of a warp that wait at collectives which can never be carried out.
#include "sim/machine/groups/warp_groups.hpp"

#include <bit>

namespace simt {

std::optional<std::pair<std::size_t, std::size_t>> circular_wait(
    std::span<const waiting_group> groups, std::uint32_t living) {
  const auto waits_for = [&](const waiting_group& a, const waiting_group& b) {
    if (a.kind == detail::collective_kind::activemask) return false;
    return b.kind != detail::collective_kind::activemask &&
           (a.mask & living & ~a.lanes & b.lanes) != 0;
  };
  // A group that waits for none of the groups that are left lies on no circle.
  std::uint64_t left =
      groups.size() >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << groups.size()) - 1;
  const auto first_awaited = [&](std::size_t a) -> std::optional<std::size_t> {
    for (std::size_t b = 0; b < groups.size(); ++b) {
      if (b != a && (left >> b & 1U) != 0 && waits_for(groups[a], groups[b])) return b;
    }
    return std::nullopt;
  };
  for (bool more = true; more;) {
    more = false;
    for (std::size_t a = 0; a < groups.size(); ++a) {
      if ((left >> a & 1U) == 0 || first_awaited(a)) continue;
      left &= ~(std::uint64_t{1} << a);
      more = true;
    }
  }
  if (left == 0) return std::nullopt;
  // From any group that is left, the search reaches a circle.
  auto at = static_cast<std::size_t>(std::countr_zero(left));
  for (std::size_t i = 0; i < groups.size(); ++i) at = *first_awaited(at);
  return std::pair(at, *first_awaited(at));
}

std::optional<std::uint32_t> lane_with_wrong_mask(const std::array<std::uint32_t, 32>& masks,
                                                  std::uint32_t active, std::uint32_t living) {
  for (std::uint32_t i = 0; i < 32; ++i) {
    if ((active >> i & 1U) == 0) continue;
    const std::uint32_t named = masks[i] & living;
    if ((masks[i] >> i & 1U) == 0 || (named & ~active) != 0) return i;
    for (std::uint32_t j = 0; j < 32; ++j) {
      if ((named >> j & 1U) != 0 && masks[j] != masks[i]) return i;
    }
  }
  return std::nullopt;
}

}  // namespace simt
