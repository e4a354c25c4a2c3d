#include "sim/subject/compile.hpp"

#include <system_error>
#include <vector>

#include <warpcheck_paths.hpp>

#include "sim/files/scratch_folder.hpp"
#include "sim/subject/cache.hpp"
#include "sim/subject/elf_image.hpp"
#include "sim/subject/pipeline.hpp"

namespace simt {
namespace {

namespace fs = std::filesystem;
using detail::dependency;

// An absolute path goes into the debug information, so that reports can open the file.
fs::path existing(const fs::path& source) {
  if (!fs::exists(source)) throw compile_error(source.string() + ": no such file");
  return fs::absolute(source).lexically_normal();
}

struct compiled {
  fs::path object;
  std::vector<dependency> dependencies;
};

bool changed_since(const std::vector<dependency>& files, fs::file_time_type start) {
  for (const dependency& each : files) {
    std::error_code gone;
    const fs::file_time_type written = fs::last_write_time(each.file, gone);
    if (gone || written > start) return true;
  }
  return false;
}

// What is hashed must be what was compiled: if somebody edits the source meanwhile, do it again.
compiled compile_in(const fs::path& scratch, const fs::path& source) {
  constexpr int attempts = 3;
  compiled result;
  for (int attempt = 0; attempt < attempts; ++attempt) {
    const fs::file_time_type start = fs::file_time_type::clock::now();
    result.object = scratch / "subject.so";
    const fs::path depfile = scratch / "subject.d";
    detail::run_pipeline(source, result.object, depfile, scratch);
    result.dependencies = detail::hash_all(detail::read_depfile(depfile));
    if (!changed_since(result.dependencies, start)) break;
  }
  return result;
}

}  // namespace

void compile_subject_to(const fs::path& source, const fs::path& output, const fs::path& depfile) {
  const fs::path absolute_source = existing(source);
  const fs::path folder = fs::absolute(output).parent_path();
  fs::create_directories(folder);
  const detail::scratch_folder scratch(folder);
  const fs::path list = depfile.empty() ? scratch.path() / "subject.d" : depfile;
  const fs::path object = scratch.path() / "subject.so";
  detail::run_pipeline(absolute_source, object, list, scratch.path(), output);
  fs::rename(object, output);
}

fs::path compile_subject(const fs::path& source) {
  const fs::path absolute_source = existing(source);
  const std::string identity = detail::pipeline_identity();
  const std::string key = detail::content_hash(absolute_source.string() + "\n" + identity);
  const fs::path folder = detail::cache_folder();
  if (auto found = detail::find_cached(folder, key)) return *found;

  const detail::scratch_folder scratch(folder);
  const compiled made = compile_in(scratch.path(), absolute_source);

  std::string all = key + "\n";
  for (const dependency& each : made.dependencies) all += each.hash + "\n";
  const std::string name =
      absolute_source.stem().string() + "-" + detail::content_hash(all) + ".so";
  const fs::path object = folder / name;
  fs::rename(made.object, object);
  detail::record(folder, key, name, made.dependencies);
  return object;
}

fs::path shipped_subject(const std::string& name) {
  // A name is a path below the folder of subjects, and must not lead out of it.
  const fs::path relative = fs::path(name + ".so").lexically_normal();
  if (name.empty() || relative.is_absolute() || *relative.begin() == "..") return {};
  const fs::path file = warpcheck_paths::subjects_dir_in_use() / relative;
  std::error_code error;  // for a name that no file can have, too
  return fs::is_regular_file(file, error) ? file : fs::path{};
}

std::string source_fingerprint(const fs::path& source) {
  return object_fingerprint(compile_subject(source));
}

std::string object_fingerprint(const fs::path& object) { return detail::read_build_id(object); }

}  // namespace simt
