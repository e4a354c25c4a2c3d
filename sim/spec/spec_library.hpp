// Specifications by name: those that come with warpcheck, and those of a user's header, compiled on
// first use.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <simt/spec.hpp>

#include "sim/worker/host_worker.hpp"

namespace simt {

/// The specifications of <simt/spec/all.hpp>, sorted by name.
const std::vector<spec::maker>& shipped_specs();

/// A specification, or null, and the names of all that there are.
struct found_spec {
  std::unique_ptr<spec::specification> spec;
  std::vector<std::string> names;
};

found_spec shipped_spec(std::string_view name);

/// Looks for a specification in a header with SIMT_SPEC lines. The header is compiled with
/// optimization and without instrumentation, and kept in the cache of compiled subjects. Its code
/// runs in a worker process (worker_spec.hpp), and none of it is loaded here. Throws compile_error
/// (also if there is no SIMT_SPEC line), host_code_error, host_code_stopped.
found_spec load_spec(const std::filesystem::path& source, std::string_view name,
                     const patience& waiting);

/// Makes the specification of that name. Null: there is none.
std::unique_ptr<spec::specification> make_spec(const std::vector<spec::maker>& from,
                                               std::string_view name);

}  // namespace simt
