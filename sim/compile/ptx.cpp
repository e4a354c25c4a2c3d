// Compiles a subject to PTX twice, with the arms of branches as written and swapped.
#include "sim/compile/ptx.hpp"

#include <fstream>
#include <sstream>
#include <vector>

#include "sim/compile/cache.hpp"
#include "sim/compile/llvm/block_order.hpp"
#include "sim/compile/pipeline.hpp"
#include "sim/compile/undefined_names.hpp"
#include "sim/files/scratch_folder.hpp"
#include "sim/files/whole_file.hpp"

namespace simt {
namespace {

namespace fs = std::filesystem;
using detail::command;
using detail::dependency;
using detail::is_below;
using detail::words;

// The target is set without the driver, which would look for a CUDA Toolkit, take the version of
// PTX from it, and not find the C++ library. Headers and word size are the host's. PTX 6.2 is the
// first version with `activemask`.
const words& target_flags() {
  static const words flags = {
    "-Xclang",
    "-triple",
    "-Xclang",
    "nvptx64-nvidia-cuda",
    "-Xclang",
    "-target-cpu",
    "-Xclang",
    "sm_60",
    "-Xclang",
    "-target-feature",
    "-Xclang",
    "+ptx62",
#if defined(__x86_64__)
    "-D__x86_64__",
#elif defined(__aarch64__)
    "-D__aarch64__",
#endif
  };
  return flags;
}

// The flags for the simulator (pipeline.cpp), without the instrumentation. That compilation has
// given the warnings. Checks on the host may use thread-local variables, which the target does not
// have; host code is parsed, but not compiled.
const words& frontend_flags() {
  static const words flags = {"-x",
                              "c++",
                              "-std=c++20",
                              "-O1",
                              "-Xclang",
                              "-disable-llvm-passes",
                              "-Xclang",
                              "-disable-lifetime-markers",
                              "-fconvergent-functions",
                              "-fno-exceptions",
                              "-fno-rtti",
                              "-Dthread_local=",
                              "-DSIMT_DELAYS",
                              "-w"};
  return flags;
}

// Inlines and uses registers, as for the simulator. Adds the fences that an order needs
// (detail/nvptx.hpp), and names all values and blocks, so that blocks can be moved.
constexpr const char* passes =
    "-passes=always-inline,function(sroa,lower-constant-intrinsics,instsimplify,instnamer),"
    "globaldce";

// Blocks stay where and as they are: no condition becomes two branches, either.
const words& backend_flags() {
  static const words flags = {"-x",
                              "ir",
                              "-O1",
                              "-S",
                              "-fno-addrsig",
                              "-Xclang",
                              "-disable-llvm-passes",
                              "-mllvm",
                              "-disable-cgp",
                              "-mllvm",
                              "-disable-block-placement",
                              "-mllvm",
                              "-jump-is-expensive",
                              "-mllvm",
                              "-enable-tail-merge=0",
                              "-mllvm",
                              "-disable-early-taildup",
                              "-mllvm",
                              "-disable-tail-duplicate",
                              "-mllvm",
                              "-tail-dup-placement=0"};
  return flags;
}

std::string content(const fs::path& file) {
  std::ifstream stream(file);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

// Comments in front of the PTX name the files that it was made of, with their hashes. They tell
// whether a file that was carried elsewhere still fits.
constexpr std::string_view title = "// warpcheck: for a GPU with stack scheduling";
constexpr std::string_view of_the_subject = "// read ";  // HASH PATH, from the header's folder
constexpr std::string_view of_the_api = "// simt ";      // HASH PATH, from the API's folder

std::string provenance(const fs::path& header, const std::vector<dependency>& files) {
  const fs::path api = fs::weakly_canonical(detail::api_include_folder());
  const fs::path folder = fs::weakly_canonical(header).parent_path();
  std::string text = std::string(title) + "\n";
  for (const dependency& each : files) {
    const fs::path file = fs::weakly_canonical(each.file);
    if (is_below(file, api)) {
      text += std::string(of_the_api) + each.hash + " " + file.lexically_relative(api).string();
    } else if (!is_below(file, "/usr/include") && !is_below(file, "/usr/lib")) {
      text +=
          std::string(of_the_subject) + each.hash + " " + file.lexically_relative(folder).string();
    } else {
      continue;
    }
    text += '\n';
  }
  return text;
}

void compile_in(const fs::path& scratch, const fs::path& header, const ptx_files& to) {
  const fs::path clang = detail::subject_compiler();
  const fs::path plain = scratch / "plain.bc";
  const fs::path inlined = scratch / "inlined.ll";
  const fs::path swapped = scratch / "swapped.ll";
  const fs::path depfile = scratch / "ptx.d";
  const words input = {"-I" + detail::api_include_folder().string(),
                       "-MD",
                       "-MF",
                       depfile.string(),
                       "-emit-llvm",
                       "-c",
                       header.string(),
                       "-o",
                       plain.string()};
  detail::run_compiler_step(command(clang, {&frontend_flags(), &target_flags(), &input}), scratch);
  detail::run_compiler_step(
      {detail::subject_optimizer().string(), passes, plain.string(), "-S", "-o", inlined.string()},
      scratch);
  std::ofstream(swapped) << detail::with_arms_swapped(content(inlined));

  const std::string origin = provenance(header, detail::hash_all(detail::read_depfile(depfile)));
  const fs::path made = scratch / "made.ptx";
  for (const auto& [module, ptx] :
       {std::pair(inlined, to.as_written), std::pair(swapped, to.arms_swapped)}) {
    const words output = {module.string(), "-o", made.string()};
    detail::run_compiler_step(command(clang, {&backend_flags(), &target_flags(), &output}),
                              scratch);
    const std::string text = content(made);
    detail::refuse_unusable_ptx(text, header);
    write_whole(ptx, origin + text);
  }
}

std::string identity() {
  std::string text = "ptx format 1\n" + std::string(passes) + "\n" + detail::pipeline_identity();
  for (const auto* flags : {&target_flags(), &frontend_flags(), &backend_flags()}) {
    for (const std::string& flag : *flags) text += flag + "\n";
  }
  return text;
}

}  // namespace

ptx_files compile_ptx(const fs::path& header) {
  const fs::path absolute = detail::existing_source(header);
  const fs::path folder = detail::cache_folder();
  const words input = {"-I" + detail::api_include_folder().string(), absolute.string()};
  const std::string text = detail::preprocess(
      command(detail::subject_compiler(), {&frontend_flags(), &target_flags(), &input}));
  const std::string name = absolute.stem().string() + "-" +
                           detail::content_hash(absolute.string() + "\n" + identity() + text);
  const auto as_written = detail::find_cached(folder, name + ".ptx");
  const auto arms_swapped = detail::find_cached(folder, name + ".swapped.ptx");
  if (as_written && arms_swapped) return {*as_written, *arms_swapped};

  const detail::scratch_folder scratch(folder);
  const ptx_files made{scratch.path() / "subject.ptx", scratch.path() / "swapped.ptx"};
  compile_in(scratch.path(), absolute, made);
  return {detail::keep_cached(folder, name + ".ptx", made.as_written),
          detail::keep_cached(folder, name + ".swapped.ptx", made.arms_swapped)};
}

void compile_ptx_to(const fs::path& header, const ptx_files& to) {
  for (const fs::path& file : {to.as_written, to.arms_swapped}) {
    fs::create_directories(fs::absolute(file).parent_path());
  }
  const detail::scratch_folder scratch(fs::absolute(to.as_written).parent_path());
  compile_in(scratch.path(), detail::existing_source(header), to);
}

std::string why_outdated(const fs::path& ptx, const fs::path& header) {
  std::ifstream lines(ptx);
  std::string line;
  if (!std::getline(lines, line)) return "it cannot be read";
  if (line != title) return "it is not such a file";
  while (std::getline(lines, line) && line.starts_with("// ")) {
    const bool is_api = line.starts_with(of_the_api);
    if (!is_api && !line.starts_with(of_the_subject)) break;
    std::istringstream rest(line.substr(of_the_api.size()));
    std::string hash;
    std::string path;
    std::getline(rest >> hash >> std::ws, path);
    const fs::path folder =
        is_api ? detail::api_include_folder() : fs::weakly_canonical(header).parent_path();
    if (detail::file_hash(folder / path) != hash)
      return "it was made of another " + fs::path(path).filename().string();
  }
  return {};
}

}  // namespace simt
