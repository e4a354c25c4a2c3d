// Calls of device code that are followed although nobody has marked what is called.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace simt::detail {

/// `module` is LLVM's text behind a first inlining. Lambdas, constexpr functions and defaulted
/// members that device code still calls, and those that they call, become always-inline: nvcc takes
/// them in device code as well (constexpr functions with --expt-relaxed-constexpr). Nothing: there
/// are none. What calls itself, or is marked noinline, is not inlined all the same, and is an error
/// where the subject is used.
std::optional<std::string> follow_calls(std::string_view module);

}  // namespace simt::detail
