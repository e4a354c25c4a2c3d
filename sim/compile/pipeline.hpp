// The commands that turn a subject's source into an instrumented shared object.
#pragma once

#include <filesystem>
#include <initializer_list>
#include <string>
#include <vector>

#include "sim/compile/cache.hpp"

namespace simt::detail {

/// Arguments of a program.
using words = std::vector<std::string>;

/// Compiles `source` to `output`; intermediate files go to `scratch`, an existing folder. Writes
/// a make-style list of the files read to `depfile`; its target is `target`, or else `output`.
/// Throws compile_error or std::runtime_error (see compile.hpp).
void run_pipeline(const std::filesystem::path& source, const std::filesystem::path& output,
                  const std::filesystem::path& depfile, const std::filesystem::path& scratch,
                  const std::filesystem::path& target = {});

/// `source` by its absolute path, which goes into the debug information, so that reports can open
/// the file. Throws compile_error where it is no plain file.
std::filesystem::path existing_source(const std::filesystem::path& source);

/// The source as the compiler sees it once all that it includes is in it; what a subject is found
/// again by. So a header that was not there before, or that the environment brings, makes a new
/// one.
std::string preprocess(const std::filesystem::path& source);

/// The same for another compilation: its command, but for the file that it writes.
std::string preprocess(const words& command);

/// What becomes the object's build id: a hash of the subject's own files, without the API's and the
/// system's headers.
std::string fingerprint(const std::vector<dependency>& dependencies);

/// Whatever determines the result besides the files read: flags, and which compiler it is.
std::string pipeline_identity();

/// The compiler of subjects. Throws compile_error if there is none.
std::filesystem::path subject_compiler();

/// LLVM's optimizer, of the same version. Throws the same.
std::filesystem::path subject_optimizer();

/// A program's path and its arguments, in parts.
words command(const std::filesystem::path& program, std::initializer_list<const words*> parts);

/// Whether a file is in the folder, or in one within it. Both paths are absolute and normal.
bool is_below(const std::filesystem::path& file, const std::filesystem::path& folder);

/// Whether a file belongs to the API or to the system, not to the author of a subject.
bool is_foreign(const std::filesystem::path& file);

/// Runs a compiler, and returns what it prints. Throws compile_error with that if it fails, without
/// the name of the folder `scratch`.
std::string run_compiler_step(const words& arguments, const std::filesystem::path& scratch);

/// The folder with <simt/simt.hpp>.
std::filesystem::path api_include_folder();

}  // namespace simt::detail
