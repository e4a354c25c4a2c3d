// Names PTX files by subject, and compiles them or reads them from a folder.
#include "checker/hardware/stack.hpp"

#include <fmt/format.h>

#include "checker/console/read_all.hpp"
#include "checker/hardware/build.hpp"
#include "sim/compile/cache.hpp"
#include "sim/compile/pipeline.hpp"

namespace warpcheck {

namespace {

namespace fs = std::filesystem;

// Shipped subjects go by their names. A user's subject goes by the content of its header, since two
// may share a name.
simt::ptx_files files_in(const fs::path& folder, const scenario& what, const fs::path& header) {
  const std::string name =
      what.source ? header.stem().string() + "-" + simt::detail::file_hash(header).substr(0, 16)
                  : what.subject;
  return {folder / (name + ".ptx"), folder / (name + ".swapped.ptx")};
}

}  // namespace

void require_ptx_compiler() {
  simt::detail::subject_compiler();
  simt::detail::subject_optimizer();
}

std::string stack_code::why_not() const {
  if (folder_) return {};
  try {
    require_ptx_compiler();
    return {};
  } catch (const simt::compile_error& error) {
    return fmt::format("{}; or make the PTX elsewhere with --prepare, and give it with --ptx",
                       error.what());
  }
}

simt::ptx_files stack_code::of(const scenario& what) const {
  const fs::path header = subject_header(what);
  if (!folder_) return simt::compile_ptx(header);
  const simt::ptx_files files = files_in(*folder_, what, header);
  for (const fs::path& file : {files.as_written, files.arms_swapped}) {
    if (!fs::is_regular_file(file)) {
      throw usage_error(fmt::format("{}: there is no {}; make it with --prepare where clang is",
                                    readable_path(what.file), file.string()));
    }
    const std::string why = simt::why_outdated(file, header);
    if (!why.empty()) {
      throw usage_error(fmt::format("{}: {} does not fit: {}; make it again with --prepare",
                                    readable_path(what.file), file.string(), why));
    }
  }
  return files;
}

void prepare_ptx(const scenario& what, const fs::path& folder) {
  const fs::path header = subject_header(what);
  simt::compile_ptx_to(header, files_in(folder, what, header));
}

}  // namespace warpcheck
