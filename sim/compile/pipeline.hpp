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

/// Compiles `source` to `output`; intermediate files go to `scratch`, an existing folder. Writes a
/// make-style list of the files read to `depfile`; its target is `target`, or else `output`. Throws
/// compile_error or std::runtime_error (see compile.hpp).
void run_pipeline(const std::filesystem::path& source, const std::filesystem::path& output,
                  const std::filesystem::path& depfile, const std::filesystem::path& scratch,
                  const std::filesystem::path& target = {});

/// The absolute path of `source`, which goes into the debug information, so that reports can open
/// the file. Throws compile_error if it is no plain file.
std::filesystem::path existing_source(const std::filesystem::path& source);

/// The source with all that it includes, as the compiler sees it. The cache finds a subject by this
/// text. So a header that was not there before, or that the environment adds, makes a new subject.
std::string preprocess(const std::filesystem::path& source);

/// Preprocesses for another compilation: its command, without the option that names its output.
std::string preprocess(const words& command);

/// The object's build id: a hash of the subject's own files, without the API's and the system's
/// headers.
std::string fingerprint(const std::vector<dependency>& dependencies);

/// All that determines the result beside the files read: the flags, and the compiler.
std::string pipeline_identity();

/// The compiler of subjects. Throws compile_error if there is none.
std::filesystem::path subject_compiler();

/// LLVM's optimizer, of the same version. Throws compile_error if there is none.
std::filesystem::path subject_optimizer();

/// A program's path, followed by its arguments, which are given in parts.
words command(const std::filesystem::path& program, std::initializer_list<const words*> parts);

/// Whether a file is in the folder, or in one within it. Both paths are absolute and normal.
bool is_below(const std::filesystem::path& file, const std::filesystem::path& folder);

/// Whether a file belongs to the API or to the system, not to the author of a subject.
bool is_foreign(const std::filesystem::path& file);

/// Runs a compiler, and returns what it prints. If it fails, throws compile_error with its output,
/// without the name of the folder `scratch`.
std::string run_compiler_step(const words& arguments, const std::filesystem::path& scratch);

/// The folder with <simt/simt.hpp>.
std::filesystem::path api_include_folder();

}  // namespace simt::detail
