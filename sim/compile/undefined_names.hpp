// What a source declares and uses, and what nobody defines: found as soon as it is linked.
#pragma once

#include <filesystem>

#include "sim/compile/pipeline.hpp"

namespace simt::detail {

/// `link` is the command that made the shared object `object` of `source`. Throws compile_error if
/// that needs a name which neither a library nor the simulator has, with the place of its use.
void refuse_undefined_names(const words& link, const std::filesystem::path& object,
                            const std::filesystem::path& source);

/// The same of what is in PTX, and of PTX without a kernel. The place is a line that has the name.
void refuse_unusable_ptx(const std::string& ptx, const std::filesystem::path& source);

/// Throws compile_error if no type is registered as a subject in it.
void refuse_without_subject(const std::filesystem::path& object,
                            const std::filesystem::path& source);

}  // namespace simt::detail
