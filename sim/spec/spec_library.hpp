// Specifications by name: those that come with warpcheck, and those of a user's header, compiled on
// first use.
#pragma once

#include <filesystem>
#include <memory>
#include <string_view>
#include <vector>

#include <simt/spec.hpp>

namespace simt {

/// Those of <simt/spec/all.hpp>, sorted by name.
const std::vector<spec::maker>& shipped_specs();

/// Those of a header with SIMT_SPEC lines. It is compiled with optimization and without
/// instrumentation, and kept in the cache of compiled subjects; what is loaded stays loaded. Throws
/// compile_error (also where there is no SIMT_SPEC line), std::runtime_error.
const std::vector<spec::maker>& load_specs(const std::filesystem::path& source);

/// The one of that name, made; null if there is none.
std::unique_ptr<spec::specification> make_spec(const std::vector<spec::maker>& from,
                                               std::string_view name);

}  // namespace simt
