// Refuses names that a source declares and uses, but that nothing defines.
#pragma once

#include <filesystem>

#include "sim/compile/pipeline.hpp"

namespace simt::detail {

/// `link` is the command that made the shared object `object` of `source`. Throws compile_error if
/// the object needs a name which neither a library nor the simulator has, with the place of its
/// use.
void refuse_undefined_names(const words& link, const std::filesystem::path& object,
                            const std::filesystem::path& source);

/// Refuses such names in PTX, and PTX without a kernel. The place is a line that has the name.
void refuse_unusable_ptx(const std::string& ptx, const std::filesystem::path& source);

/// Throws compile_error if the object registers no type as a subject.
void refuse_without_subject(const std::filesystem::path& object,
                            const std::filesystem::path& source);

}  // namespace simt::detail
