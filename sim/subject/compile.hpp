// From a C++ header to an instrumented shared object, by the unoptimized three-step pipeline.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>

namespace simt {

/// The subject does not compile; what() is the compiler's own message.
class compile_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Compiles `source` (a header with SIMT_SUBJECT lines) to `output`. Throws compile_error, or
/// std::runtime_error when the compiler itself cannot be run.
void compile_subject_to(const std::filesystem::path& source, const std::filesystem::path& output);

/// The shared object of `source`, compiled now or taken from the cache. The cache is keyed by the
/// content of the source and of every file it includes, the API's headers, and the compiler.
std::filesystem::path compile_subject(const std::filesystem::path& source);

/// The shared object that holds shipped subject `name` ("locks/tas"); empty if there is none.
std::filesystem::path shipped_subject(const std::string& name);

}  // namespace simt
