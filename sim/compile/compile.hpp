// Compiles a C++ header to an instrumented shared object, by an unoptimized pipeline of three
// steps.
#pragma once

#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

namespace simt {

/// The subject does not compile. what() is the compiler's message, or says that there is no
/// compiler.
class compile_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// Compiles `source` (a header with SIMT_SUBJECT lines) to `output`. Unless `depfile` is empty,
/// writes the make-style list of the files read there. Throws compile_error, or std::runtime_error
/// if a compiler that is there cannot be run.
void compile_subject_to(const std::filesystem::path& source, const std::filesystem::path& output,
                        const std::filesystem::path& depfile = {});

/// The shared object of `source`, compiled now or taken from the cache. The cache is keyed by the
/// content of the source and of every file it includes, the API's headers, and the compiler. Throws
/// as compile_subject_to does.
std::filesystem::path compile_subject(const std::filesystem::path& source);

/// Whether no file from which `object` was compiled has changed since, by the make-style list that
/// lies beside it with the extension .d. Without a list: true, since a build keeps such an object
/// current.
bool is_current(const std::filesystem::path& object);

/// The shared object that holds shipped subject `name` ("locks/tas"). Empty: there is no such
/// subject. An object that the build has not made, or that is_current() no longer, is compiled now,
/// into the build's folder or, if that cannot be written, into the cache. Throws as compile_subject
/// does.
std::filesystem::path shipped_subject(const std::string& name);

/// The names of all shipped subjects, in alphabetical order, compiled or not.
std::vector<std::string> shipped_subjects();

/// A hash of the content of `source` and of the files it includes, other than the API's and the
/// system's headers. It does not depend on where the files are. Compiles the source if need be.
std::string source_fingerprint(const std::filesystem::path& source);

/// The fingerprint of the source that a shared object was compiled from: its build id. Empty: not
/// known. Throws std::runtime_error if the file is no shared object.
std::string object_fingerprint(const std::filesystem::path& object);

}  // namespace simt
