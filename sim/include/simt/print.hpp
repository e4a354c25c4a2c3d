// printf of device code.
#pragma once

#include <type_traits>

#include <simt/detail/backend.hpp>

namespace simt {

#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wgcc-compat"  // that it is not variadic
#define SIMT_DETAIL_PRINTS __attribute__((format(printf, 1, 2)))
#else
#define SIMT_DETAIL_PRINTS
#endif

/// CUDA's printf. In the simulator it is no step and nothing that others see: reports and replays
/// show what a lane prints behind the operation that it did last (docs/reports.md). Strings are
/// literals or the lane's own variables. In trials and measurements on a GPU it does nothing.
template <class... A>
SIMT_DETAIL_PRINTS SIMT_FN void printf(const char* format, A... arguments) {
  static_assert(((std::is_scalar_v<A>)&&...),
                "simt::printf prints numbers, characters, pointers and strings");
  detail::print(format, arguments...);
}

#undef SIMT_DETAIL_PRINTS
#if defined(__clang__)
#pragma clang diagnostic pop
#endif

}  // namespace simt
