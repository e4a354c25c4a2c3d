// Runs clang and LLVM's passes on a subject, with the flags of each step.
#include "sim/compile/pipeline.hpp"

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string_view>

#include "sim/compile/cache.hpp"
#include "sim/compile/compile.hpp"
#include "sim/compile/compiler_messages.hpp"
#include "sim/compile/llvm/between.hpp"
#include "sim/compile/llvm/followed_calls.hpp"
#include "sim/compile/llvm/inline_assembly.hpp"
#include "sim/compile/llvm/kept_accesses.hpp"
#include "sim/compile/llvm/undefined_value.hpp"
#include "sim/compile/llvm/unseen_access.hpp"
#include "sim/compile/process.hpp"
#include "sim/compile/undefined_names.hpp"
#include "sim/files/kind_of_file.hpp"

#include <warpcheck_paths.hpp>

namespace simt::detail {
namespace {

namespace fs = std::filesystem;

// The path that was found when the project was configured, and the name to look for if the path is
// gone.
struct tool_name {
  std::string_view configured;
  const char* name;
};
constexpr tool_name compiler{warpcheck_paths::clang, "clang++-19"};
constexpr tool_name optimizer{warpcheck_paths::opt, "opt-19"};

// The flags of the first step, and why they are there:
// - Nothing may optimize before the instrumentation. Optimization would merge barriers, delete
//   spins on weak loads, and thread loops into others with a different reconvergence. -O1 is there
//   because -O0 marks every function `optnone`.
// - Lifetime markers are off. With them clang sends every `break` and `return` out of a scope
//   through one shared cleanup block with a switch behind it, which moves the immediate
//   post-dominators.
// - Unreachable code that is reached all the same traps. It would run on into the code behind it,
//   or be taken for another case of a switch.
// - A frame that is larger than a lane's stack touches each page, so that it cannot reach over the
//   guard below the stack.
// - An access through a literal null pointer is not deleted.
// - Destructors of a subject's globals do not run. They would run at warpcheck's own end, and could
//   change the exit status.
const std::vector<std::string>& frontend_flags() {
  static const std::vector<std::string> flags = {"-x",
                                                 "c++",
                                                 "-std=c++20",
                                                 "-O1",
                                                 "-Xclang",
                                                 "-disable-llvm-passes",
                                                 "-Xclang",
                                                 "-disable-lifetime-markers",
                                                 "-Werror=uninitialized",
                                                 "-Werror=sometimes-uninitialized",
                                                 "-Werror=return-type",
                                                 "-Werror=format",
                                                 "-fsanitize=thread",
                                                 "-fsanitize=unreachable,return",
                                                 "-fsanitize-trap=unreachable,return",
                                                 "-fno-c++-static-destructors",
                                                 "-fstack-clash-protection",
                                                 "-fno-delete-null-pointer-checks",
                                                 "-g",
                                                 "-fno-exceptions",
                                                 "-fPIC",
                                                 "-fvisibility=hidden",
                                                 "--no-default-config",
                                                 "-Wno-pragma-once-outside-header"};
  return flags;
}

// Comes first, so that a body is one graph.
constexpr const char* inline_passes = "-passes=always-inline";

// sroa keeps a lane's locals in registers, so that only shared data is seen as memory. sccp removes
// what decided branches never reach. The code generator would find such blocks dead, and dead
// blocks have no address of their own. Reads before writes are kept: each is a step of its own.
//
// The text is printed before the blocks get their tables. Tables name blocks by their addresses,
// and for each of them the printer would number the whole function anew. Code is not generated from
// the text, which forgets the order of uses.
const std::vector<std::string>& instrument_flags() {
  static const std::vector<std::string> flags = {
      "-passes=function(sroa,instsimplify,sccp),tsan-module,function(tsan),print,sancov-module",
      "-tsan-distinguish-volatile",
      "-tsan-instrument-read-before-write",
      "-tsan-instrument-func-entry-exit=0",
      "-sanitizer-coverage-level=3",
      "-sanitizer-coverage-trace-pc-guard",
      "-sanitizer-coverage-pc-table",
      "-sanitizer-coverage-control-flow",
      "-sanitizer-coverage-prune-blocks=0"};
  return flags;
}

const std::vector<std::string>& backend_flags() {
  // A place in the program must stay one place in the code. Merged tails would make the barriers of
  // two arms one; duplicated tails would make one barrier two.
  static const std::vector<std::string> flags = {"-O1",
                                                 "-Xclang",
                                                 "-disable-llvm-passes",
                                                 "-fPIC",
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

// Host code of a subject may allocate; device code may not. The simulator's `__wrap_` functions
// tell the two apart. The process has the C++ library already: reading it would take half of the
// linker's time.
const std::vector<std::string>& link_flags() {
  static const std::vector<std::string> flags = {
      "-shared", "-nostdlib++",
      "-Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=free,--wrap=aligned_alloc,"
      "--wrap=posix_memalign,--wrap=_Znwm,--wrap=_Znam,--wrap=_ZdlPv,--wrap=_ZdlPvm,"
      "--wrap=_ZdaPv,--wrap=_ZdaPvm,--wrap=__assert_fail,--wrap=memcmp,--wrap=bcmp"};
  return flags;
}

fs::path find(const tool_name& tool) {
  std::error_code ignored;
  if (fs::is_regular_file(tool.configured, ignored)) return tool.configured;
  const fs::path found = find_program(tool.name);
  if (found.empty()) {
    throw compile_error(std::string("cannot find ") + tool.name +
                        ", which compiles subjects: run tools/setup to install it");
  }
  return found;
}

std::string without(std::string text, const std::string& part) {
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at)) {
    text.erase(at, part.size());
  }
  return text;
}

std::string content_of(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  return text.str();
}

void write(const fs::path& file, const std::string& text) {
  std::ofstream stream(file, std::ios::binary);
  stream << text;
  stream.close();
  if (!stream) throw compile_error("cannot write " + file.string());
}

[[noreturn]] void fail_step(const words& arguments, const process_result& result,
                            const fs::path& scratch) {
  if (const std::string_view missing =
          between(result.output, "unable to execute command: Executable \"", "\"");
      !missing.empty()) {
    throw compile_error("cannot find " + std::string(missing) +
                        ", which the compiler of subjects calls: run tools/setup to install it");
  }
  std::string message =
      shortened(without(result.output, scratch.string() + "/"), api_include_folder());
  if (message.empty()) {
    message = arguments[0] + " failed with status " + std::to_string(result.status);
  }
  throw compile_error(message);
}

bool has_too_large_globals(const std::string& linker_output) {
  return linker_output.find("relocation truncated to fit") != std::string::npos;
}

void refuse_unseen_accesses(const std::string& module) {
  std::istringstream text(module);
  const auto found = find_unseen_access(text);
  if (!found) return;
  throw compile_error(found->place.text() + ": an access of type " + found->type +
                      " would not be seen: device code reads and writes shared data in 1, 2, 4, 8 "
                      "or 16 bytes at a time. Use an integer of such a size, or copy in parts.");
}

void refuse_undefined_values(const std::string& module, const fs::path& source) {
  std::istringstream text(module);
  const auto found = find_undefined_value(text);
  if (!found) return;
  throw compile_error(
      (found->line != 0 ? found->text() : source.string()) +
      ": error: a value here is undefined, as the compiler knows without a run: an index outside a "
      "constant array, a shift by too many bits, or a division by zero");
}

/// Generates code. The processor's assembler rejects inline PTX, but names no line of the source.
/// So this function does.
void generate(const words& compiler_call, const fs::path& module, const fs::path& scratch) {
  const process_result result = run_process(compiler_call);
  if (result.status == 0) return;
  if (result.output.find("<inline asm>") != std::string::npos) {
    std::ifstream text(module);
    std::string message;
    for (const source_place& place : find_inline_assembly(text)) {
      if (!message.empty()) message += '\n';
      message +=
          place.text() +
          ": error: inline assembly: the simulator does not know PTX; use what simt:: has in "
          "its place (docs/from-cuda.md), or keep it for GPUs, behind #ifdef __CUDACC__";
    }
    if (!message.empty()) throw compile_error(message);
  }
  fail_step(compiler_call, result, scratch);
}

/// The text, with hashes of the files that the assembler will read: `asm(".incbin \"table.bin\"")`.
std::string with_files_of_assembly(std::string text) {
  std::string hashes;
  for (const std::string_view directive : {".incbin", ".include"}) {
    for (auto at = text.find(directive); at != std::string::npos;
         at = text.find(directive, at + 1)) {
      const auto begin = text.find_first_not_of(" \t\\\"", at + directive.size());
      if (begin == std::string::npos) break;
      const auto end = text.find_first_of("\\\"\n", begin);
      if (end == std::string::npos) break;
      hashes += "\n// " + file_hash(text.substr(begin, end - begin));
    }
  }
  return text + hashes;
}

}  // namespace

void run_pipeline(const fs::path& source, const fs::path& output, const fs::path& depfile,
                  const fs::path& scratch, const fs::path& target) {
  const fs::path clang = find(compiler);
  const fs::path opt = find(optimizer);
  const std::string plain = (scratch / "plain.bc").string();
  const std::string inlined = (scratch / "inlined.ll").string();
  const std::string kept = (scratch / "kept.ll").string();
  const std::string instrumented = (scratch / "instrumented.bc").string();
  const std::string object = (scratch / "subject.o").string();

  const words inputs = {"-I" + api_include_folder().string(),
                        "-MD",
                        "-MQ",
                        (target.empty() ? output : target).string(),
                        "-MF",
                        depfile.string(),
                        "-emit-llvm",
                        "-c",
                        source.string(),
                        "-o",
                        plain};
  run_compiler_step(command(clang, {&frontend_flags(), &inputs}), scratch);

  run_compiler_step({opt.string(), inline_passes, plain, "-S", "-o", inlined}, scratch);
  if (const auto followed = follow_calls(content_of(inlined))) {
    const std::string more = (scratch / "followed.ll").string();
    write(more, *followed);
    run_compiler_step({opt.string(), inline_passes, more, "-S", "-o", inlined}, scratch);
  }
  write(kept, keep_accesses(content_of(inlined)));
  const words instrument = {kept, "-o", instrumented};
  const std::string readable =
      run_compiler_step(command(opt, {&instrument_flags(), &instrument}), scratch);
  refuse_unseen_accesses(readable);
  refuse_undefined_values(readable, source);

  const words output_files = {"-c", instrumented, "-o", object};
  generate(command(clang, {&backend_flags(), &output_files}), inlined, scratch);

  // By the build id a replay knows whether the source is still the one that was recorded.
  const std::string id = fingerprint(hash_all(read_depfile(depfile)));
  const words link = {"-Wl,--build-id=0x" + id, object, "-o", output.string()};
  const words linking = command(clang, {&link_flags(), &link});
  const process_result linked = run_process(linking);
  if (has_too_large_globals(linked.output)) {
    throw compile_error(source.string() +
                        ": error: global variables are too large for the linker, which holds 2 GiB "
                        "in all: make their arrays smaller");
  }
  if (linked.status != 0) fail_step(linking, linked, scratch);
  refuse_undefined_names(linking, output, source);
  refuse_without_subject(output, source);
}

std::string preprocess(const fs::path& source) {
  const words inputs = {"-I" + api_include_folder().string(), source.string()};
  return preprocess(command(find(compiler), {&frontend_flags(), &inputs}));
}

std::string preprocess(const words& command) {
  words all = command;
  all.emplace_back("-E");
  process_result result = run_process(all, process_output::without_errors);
  if (result.status == 0) return with_files_of_assembly(std::move(result.output));
  all.insert(all.end(), {"-o", "/dev/null"});  // its messages alone
  const process_result told = run_process(all);
  const std::string message = shortened(told.output, api_include_folder());
  throw compile_error(message.empty() ? command[0] + " fails" : message);
}

std::string fingerprint(const std::vector<dependency>& dependencies) {
  std::string hashes;
  for (const dependency& each : dependencies) {
    if (!is_foreign(each.file)) hashes += each.hash + "\n";
  }
  return content_hash(hashes);
}

std::string pipeline_identity() {
  std::string identity = "subject format 8\n" + api_include_folder().string() + "\n";
  identity += std::string(inline_passes) + "\n";
  for (const auto* flags :
       {&frontend_flags(), &instrument_flags(), &backend_flags(), &link_flags()}) {
    for (const std::string& flag : *flags) identity += flag + "\n";
  }
  // The file's name, size and time identify a compiler. Asking for versions would take longer than
  // the look-up.
  for (const tool_name& tool : {compiler, optimizer}) {
    const fs::path file = fs::canonical(find(tool));
    identity += file.string() + " " + std::to_string(fs::file_size(file)) + " " +
                std::to_string(fs::last_write_time(file).time_since_epoch().count()) + "\n";
  }
  // Variables that the compiler's driver reads, and that the preprocessed text does not show.
  for (const char* name : {"CCC_OVERRIDE_OPTIONS", "CCC_ADD_ARGS", "COMPILER_PATH", "LIBRARY_PATH",
                           "GCC_EXEC_PREFIX"}) {
    if (const char* value = std::getenv(name)) identity += std::string(name) + "=" + value + "\n";
  }
  return identity;
}

words command(const fs::path& program, std::initializer_list<const words*> parts) {
  words all{program.string()};
  for (const words* part : parts) all.insert(all.end(), part->begin(), part->end());
  return all;
}

bool is_below(const fs::path& file, const fs::path& folder) {
  return file.string().starts_with(folder.string() + "/");
}

bool is_foreign(const fs::path& file) {
  return is_below(file, api_include_folder()) || is_below(file, "/usr/include") ||
         is_below(file, "/usr/lib");
}

fs::path existing_source(const fs::path& source) {
  if (const std::string why = objection_to_file(source); !why.empty()) {
    throw compile_error(source.string() + ": " + why);
  }
  return fs::absolute(source).lexically_normal();
}

fs::path subject_compiler() { return find(compiler); }

fs::path subject_optimizer() { return find(optimizer); }

std::string run_compiler_step(const words& arguments, const fs::path& scratch) {
  process_result result = run_process(arguments);
  if (result.status != 0) fail_step(arguments, result, scratch);
  return std::move(result.output);
}

fs::path api_include_folder() { return warpcheck_paths::include_dir(); }

}  // namespace simt::detail
