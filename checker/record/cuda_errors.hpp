// Error codes of CUDA's driver, as replies to the program have them.
#pragma once

namespace warpcheck::cuda_error {

inline constexpr int success = 0;
inline constexpr int invalid_value = 1;
inline constexpr int invalid_ptx = 218;
inline constexpr int illegal_address = 700;
inline constexpr int launch_timeout = 702;
inline constexpr int assert_failed = 710;
inline constexpr int not_supported = 801;
inline constexpr int unknown = 999;

}  // namespace warpcheck::cuda_error
