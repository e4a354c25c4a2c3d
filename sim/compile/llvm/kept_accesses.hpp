// Makes a module say what its source accesses, before passes that would forget some of it.
#pragma once

#include <string>
#include <string_view>

namespace simt::detail {

/// `module` is LLVM's text of one with its calls inlined and nothing optimized. The result
///   - uses what each load gives, so that a load whose value is dead stays one: the source's access
///     may race, or be out of bounds;
///   - likewise for copies of objects into variables of a lane, field by field;
///   - hides that a variable of a lane is set to null, so that an access through it stays one.
std::string keep_accesses(std::string_view module);

}  // namespace simt::detail
