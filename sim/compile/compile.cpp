// Compiles subjects on demand: finds the cached object of a source, or makes and keeps a new one.
#include "sim/compile/compile.hpp"

#include <algorithm>
#include <fstream>
#include <set>
#include <system_error>
#include <utility>

#include <unistd.h>

#include <warpcheck_paths.hpp>

#include "sim/compile/cache.hpp"
#include "sim/compile/pipeline.hpp"
#include "sim/files/scratch_folder.hpp"
#include "sim/subject/elf_image.hpp"

namespace simt {
namespace {

namespace fs = std::filesystem;

// The object must be of the source that its name in the cache stands for. If somebody edits the
// source meanwhile, compiles again. Returns the preprocessed source.
std::string compile_in(const fs::path& scratch, const fs::path& source, std::string text,
                       const fs::path& object) {
  constexpr int attempts = 3;
  for (int attempt = 0; attempt < attempts; ++attempt) {
    detail::run_pipeline(source, object, scratch / "subject.d", scratch);
    std::string after = detail::preprocess(source);
    if (after == text) break;
    text = std::move(after);
  }
  return text;
}

/// Whether the header has a subject. Other headers are there to be included.
bool has_subject(const fs::path& header) {
  std::ifstream text(header);
  for (std::string line; std::getline(text, line);) {
    if (line.starts_with("SIMT_SUBJECT")) return true;
  }
  return false;
}

/// Whether this process was started from a build, into which it may write.
bool is_build_folder_writable() {
  const fs::path folder = warpcheck_paths::subjects_dir_in_use();
  return folder == warpcheck_paths::subjects_dir &&
         ::access(folder.parent_path().c_str(), W_OK | X_OK) == 0;
}

/// The list of files from which a subject was compiled that the build has left to its first use.
fs::path list_beside(const fs::path& object) { return fs::path(object).replace_extension(".d"); }

}  // namespace

void compile_subject_to(const fs::path& source, const fs::path& output, const fs::path& depfile) {
  const fs::path absolute_source = detail::existing_source(source);
  const fs::path folder = fs::absolute(output).parent_path();
  fs::create_directories(folder);
  const detail::scratch_folder scratch(folder);
  const fs::path list = scratch.path() / "subject.d";
  const fs::path object = scratch.path() / "subject.so";
  detail::run_pipeline(absolute_source, object, list, scratch.path(), output);
  // Each of the two files appears as a whole. They may be on different file systems.
  if (!depfile.empty()) fs::copy_file(list, depfile, fs::copy_options::overwrite_existing);
  fs::rename(object, output);
}

fs::path compile_subject(const fs::path& source) {
  const fs::path absolute_source = detail::existing_source(source);
  const fs::path folder = detail::cache_folder();
  const std::string identity = absolute_source.string() + "\n" + detail::pipeline_identity();
  const auto name_of = [&](const std::string& text) {
    return absolute_source.stem().string() + "-" + detail::content_hash(identity + text) + ".so";
  };
  std::string text = detail::preprocess(absolute_source);
  if (auto found = detail::find_cached(folder, name_of(text))) return *found;

  const detail::scratch_folder scratch(folder);
  const fs::path object = scratch.path() / "subject.so";
  text = compile_in(scratch.path(), absolute_source, std::move(text), object);
  return detail::keep_cached(folder, name_of(text), object);
}

bool is_current(const fs::path& object) {
  std::error_code error;
  const fs::path list = list_beside(object);
  if (!fs::is_regular_file(list, error)) return true;
  const fs::file_time_type compiled = fs::last_write_time(object, error);
  return !error && std::ranges::all_of(detail::read_depfile(list), [&](const fs::path& file) {
    const fs::file_time_type changed = fs::last_write_time(file, error);
    return !error && changed <= compiled;
  });
}

fs::path shipped_subject(const std::string& name) {
  // A name is a path below the folder of subjects, and must not lead out of it.
  const fs::path relative = fs::path(name + ".so").lexically_normal();
  if (name.empty() || relative.is_absolute() || *relative.begin() == "..") return {};
  const fs::path file = warpcheck_paths::subjects_dir_in_use() / relative;
  std::error_code error;  // also of names that no file can have
  if (fs::is_regular_file(file, error) && is_current(file)) return file;
  const fs::path source = warpcheck_paths::algorithms_dir() / (name + ".hpp");
  if (!has_subject(source)) return {};
  if (!is_build_folder_writable()) return compile_subject(source);
  compile_subject_to(source, file, list_beside(file));
  return file;
}

std::vector<std::string> shipped_subjects() {
  std::set<std::string> names;
  const auto add = [&](const fs::path& folder, const char* extension, auto&& is_one) {
    std::error_code error;
    for (fs::recursive_directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error)) {
      // An interrupted build may leave objects in the scratch folder. They are no subjects.
      if (entry->path().filename() == detail::scratch_folder::room) {
        entry.disable_recursion_pending();
      } else if (entry->path().extension() == extension && is_one(entry->path())) {
        names.insert(entry->path().lexically_relative(folder).replace_extension().string());
      }
    }
  };
  add(warpcheck_paths::subjects_dir_in_use(), ".so", [](const fs::path&) { return true; });
  add(warpcheck_paths::algorithms_dir(), ".hpp", has_subject);
  return {names.begin(), names.end()};
}

std::string source_fingerprint(const fs::path& source) {
  return object_fingerprint(compile_subject(source));
}

std::string object_fingerprint(const fs::path& object) { return detail::read_build_id(object); }

}  // namespace simt
