// Opens specifications by the names that people write: "queue", "bounded_queue:capacity=2".
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string_view>

#include <simt/spec.hpp>

#include "sim/worker/host_worker.hpp"

namespace warpcheck {

/// Opens a specification that comes with warpcheck, or one of the header `source`. `where` is put
/// in front of error messages: "--spec", or a place in a file. A header's specification is host
/// code, and `waiting` limits it. Throws usage_error, simt::compile_error, simt::host_code_error,
/// simt::host_code_stopped.
std::unique_ptr<simt::spec::specification> open_spec(
    std::string_view text, const std::optional<std::filesystem::path>& source,
    std::string_view where, const simt::patience& waiting = {});

}  // namespace warpcheck
