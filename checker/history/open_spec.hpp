// Specifications as people name them: "queue", "bounded_queue:capacity=2".
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>

#include <simt/spec.hpp>

namespace warpcheck {

/// One of those that come with warpcheck, or of the header `source`. `where` is put in front of
/// what is wrong: "--spec", or a place in a file. Throws usage_error, simt::compile_error.
std::unique_ptr<simt::spec::specification> open_spec(
    std::string_view text, const std::optional<std::filesystem::path>& source,
    std::string_view where);

}  // namespace warpcheck
