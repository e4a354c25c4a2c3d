// Makes a module say what its source accesses, before passes delete some of these accesses.
#pragma once

#include <string>
#include <string_view>

namespace simt::detail {

/// `module` is LLVM's text with its calls inlined and nothing optimized. The result
///   - uses what each load gives, so that a load whose value is dead stays one: the source's access
///     may race, or be out of bounds;
///   - uses each field of an object that is copied into a variable of a lane;
///   - hides that a variable of a lane is set to null, so that an access through it stays one.
std::string keep_accesses(std::string_view module);

}  // namespace simt::detail
