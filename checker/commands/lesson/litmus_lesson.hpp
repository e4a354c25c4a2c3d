// Lessons that are litmus tests: the reader may only add fences.
#pragma once

#include <filesystem>

namespace warpcheck {

/// Throws usage_error if the reader's test differs from the lesson's in anything but fences.
void need_same_test(const std::filesystem::path& lesson, const std::filesystem::path& own);

}  // namespace warpcheck
