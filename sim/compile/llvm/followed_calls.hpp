// Follows calls of device code to functions that carry no mark.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace simt::detail {

/// `module` is LLVM's text behind a first inlining. In the result, functions that device code still
/// calls become always-inline, with the functions that these call: lambdas, constexpr functions and
/// defaulted members. nvcc takes them in device code as well (constexpr functions with
/// --expt-relaxed-constexpr). Nothing: there are none. A function that calls itself, or is marked
/// noinline, stays a call, and is an error where the subject is used.
std::optional<std::string> follow_calls(std::string_view module);

}  // namespace simt::detail
