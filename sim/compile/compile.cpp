#include "sim/compile/compile.hpp"

#include <system_error>
#include <utility>

#include <warpcheck_paths.hpp>

#include "sim/compile/cache.hpp"
#include "sim/compile/pipeline.hpp"
#include "sim/files/scratch_folder.hpp"
#include "sim/subject/elf_image.hpp"

namespace simt {
namespace {

namespace fs = std::filesystem;

// What was compiled must be what the name in the cache says: if somebody edits the source
// meanwhile, do it again. Returns the preprocessed source.
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

}  // namespace

void compile_subject_to(const fs::path& source, const fs::path& output, const fs::path& depfile) {
  const fs::path absolute_source = detail::existing_source(source);
  const fs::path folder = fs::absolute(output).parent_path();
  fs::create_directories(folder);
  const detail::scratch_folder scratch(folder);
  const fs::path list = depfile.empty() ? scratch.path() / "subject.d" : depfile;
  const fs::path object = scratch.path() / "subject.so";
  detail::run_pipeline(absolute_source, object, list, scratch.path(), output);
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
