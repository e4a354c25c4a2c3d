// Reads kernels, finds the one that is meant, and writes the subject that stands for its launch.
#include "checker/kernel/kernel_subject.hpp"

#include <algorithm>
#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <string_view>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "checker/kernel/launch_to_try.hpp"
#include "checker/kernel/launch_values.hpp"
#include "checker/kernel/nvcc.hpp"
#include "checker/scenario/assumptions.hpp"
#include "checker/scenario/scenario_limits.hpp"
#include "checker/text/in_quotes.hpp"
#include "sim/compile/cache.hpp"
#include "sim/compile/compile.hpp"
#include "sim/files/scratch_folder.hpp"
#include "sim/files/whole_file.hpp"
#include "sim/ptx/discarded_loads.hpp"
#include "sim/ptx/parse.hpp"
#include "sim/ptx/translate.hpp"
#include "sim/ptx/unsupported.hpp"
#include "sim/ptx/waits.hpp"
#include "sim/subject/elf_image.hpp"

namespace warpcheck {
namespace {

namespace fs = std::filesystem;

std::string text_of_ptx(const fs::path& file) {
  constexpr std::uintmax_t largest = std::uintmax_t{256} << 20;
  std::error_code error;
  if (fs::file_size(file, error) > largest && !error) {
    throw usage_error(file.string() + ": is larger than 256 MiB");
  }
  std::ifstream stream(file, std::ios::binary);
  std::ostringstream text;
  text << stream.rdbuf();
  if (!stream) throw usage_error(file.string() + ": cannot be read; check who may read it");
  return std::move(text).str();
}

// The place in `text` of the last of these characters that no bracket encloses. Nothing: there is
// none.
std::optional<std::size_t> last_outside(const std::string& text, std::string_view wanted) {
  int depth = 0;
  for (std::size_t at = text.size(); at-- > 0;) {
    const char c = text[at];
    if (c == '(' || c == '<') --depth;
    if (depth == 0 && wanted.find(c) != std::string_view::npos) return at;
    if (c == ')' || c == '>') ++depth;
  }
  return std::nullopt;
}

// The parts of "void ns::scan<int>(int*, int)".
struct kernel_names {
  std::string with_result;  // "void ns::scan<int>"
  std::string name;         // "ns::scan<int>"
  std::string parameters;   // "(int*, int)"
};

kernel_names parts_of(const std::string& demangled) {
  const bool has_parameters = demangled.ends_with(')');
  const auto open = has_parameters ? last_outside(demangled, "(") : std::nullopt;
  kernel_names parts;
  parts.with_result = demangled.substr(0, open.value_or(demangled.size()));
  parts.parameters = demangled.substr(parts.with_result.size());
  const auto space = last_outside(parts.with_result, " ");
  parts.name = parts.with_result.substr(space ? *space + 1 : 0);
  return parts;
}

bool is_called(const simt::ptx::kernel& kernel, const std::string& name) {
  const std::string full = cuda_name(kernel);
  const kernel_names parts = parts_of(full);
  const auto is_one_of = [&](const std::string& one) {
    const auto open = one.ends_with('>') ? last_outside(one, "<") : std::nullopt;
    return name == one || name == one + parts.parameters || (open && name == one.substr(0, *open));
  };
  if (name == kernel.name || name == full || name == parts.with_result) return true;
  const auto scope = last_outside(parts.name, ":");
  return is_one_of(parts.name) || (scope && is_one_of(parts.name.substr(*scope + 1)));
}

std::string use_text(const simt::ptx::unsupported_use& use, const fs::path& ptx) {
  const std::string where = use.file.empty()
                                ? fmt::format("{}:{}", ptx.filename().string(), use.line)
                                : fmt::format("{}:{}", use.file, use.source_line);
  return fmt::format("{}: {} ({}; line {} of the PTX)", where, use.what, use.reason, use.line);
}

std::string place_text(const simt::ptx::unsupported_use& use, const fs::path& ptx) {
  if (use.file.empty()) return fmt::format("{}:{}", ptx.filename().string(), use.line);
  return fmt::format("{}:{}", fs::path(use.file).filename().string(), use.source_line);
}

// Returns what is taken for granted about a kernel, a clause each, with the places where that is
// so.
std::vector<std::string> assumptions_of(const kernel_file& file, const simt::ptx::kernel& kernel) {
  std::vector<std::string> reasons;
  std::map<std::string, std::vector<std::string>> places;
  for (const auto& use : simt::ptx::assumed(file.module, kernel)) {
    std::vector<std::string>& there = places[use.reason];
    if (there.empty()) reasons.push_back(use.reason);
    const std::string place = place_text(use, file.ptx);
    if (std::ranges::find(there, place) == there.end()) there.push_back(place);
  }
  std::vector<std::string> all;
  for (const std::string& reason : reasons)
    all.push_back(fmt::format("{} ({})", reason, fmt::join(places[reason], ", ")));
  return all;
}

bool has_mbarriers_without_scope(const simt::ptx::module& m) {
  const auto is_one = [](const simt::ptx::instruction& i) {
    const bool has_scope = i.has("arrive") || i.has("arrive_drop") || i.has("expect_tx") ||
                           i.has("complete_tx") || i.has("test_wait") || i.has("try_wait");
    return i.opcode == "mbarrier" && has_scope && !i.has("cta") && !i.has("cluster");
  };
  const auto has_one = [&](const simt::ptx::function& f) {
    return std::ranges::any_of(f.instructions, is_one);
  };
  return std::ranges::any_of(m.kernels, has_one) || std::ranges::any_of(m.functions, has_one);
}

simt::grid_shape shape_of(const kernel_launch& launch) {
  simt::grid_shape shape;
  shape.blocks = static_cast<std::uint32_t>(launch.blocks());
  shape.lanes.clear();
  auto left = static_cast<std::uint32_t>(launch.threads_of_block());
  for (constexpr std::uint32_t full = max_lanes; left > 0; left -= std::min(left, full))
    shape.lanes.push_back(std::min(left, full));
  shape.cooperative = launch.cooperative;
  return shape;
}

}  // namespace

void refuse_unsupported(const kernel_file& file, const simt::ptx::kernel& kernel) {
  const auto uses = simt::ptx::unsupported(file.module, kernel);
  if (uses.empty()) return;
  constexpr std::size_t most_shown = 10;
  std::string text =
      fmt::format("{}: kernel {} uses what cannot be checked yet:", file.ptx.string(),
                  in_quotes(cuda_name(kernel)));
  for (std::size_t i = 0; i < std::min(uses.size(), most_shown); ++i)
    text += "\n  " + use_text(uses[i], file.ptx);
  if (uses.size() > most_shown) text += fmt::format("\n  and {} more", uses.size() - most_shown);
  throw usage_error(text);
}

// The name contains a hash of the text, so that equal texts share one file.
fs::path keep_text(const std::string& stem, const std::string& extension, const std::string& text) {
  const fs::path folder = simt::detail::cache_folder();
  const std::string name = stem + "-" + simt::detail::content_hash(text) + extension;
  if (auto found = simt::detail::find_cached(folder, name)) return *found;
  const simt::detail::scratch_folder scratch(folder);
  const fs::path made = scratch.path() / ("kernel" + extension);
  simt::write_whole(made, text);
  return simt::detail::keep_cached(folder, name, made);
}

fs::path keep_header(const std::string& stem, const std::string& text) {
  return keep_text(stem, ".hpp", text);
}

namespace {

kernel_file read_ptx(const fs::path& ptx) {
  kernel_file file;
  file.ptx = ptx;
  try {
    file.module = simt::ptx::parse(text_of_ptx(file.ptx));
    file.module.file = file.ptx.string();
    simt::ptx::guard_discarded_loads(file.module);
    simt::ptx::join_polls(file.module);
  } catch (const simt::ptx::ptx_error& error) {
    throw usage_error(
        fmt::format("{}:{}:{}: {}", file.ptx.string(), error.line, error.column, error.what()));
  }
  return file;
}

}  // namespace

kernel_file read_kernels_of_cuda(const fs::path& source, const std::vector<std::string>& flags) {
  return read_ptx(compile_cuda_to_ptx(source, flags));
}

kernel_file read_kernels(const kernel_launch& what) {
  const std::string extension = what.file.extension().string();
  if (extension == ".cu") return read_kernels_of_cuda(what.file, what.flags);
  if (extension != ".ptx") {
    throw usage_error(fmt::format("{}: is neither a .cu nor a .ptx file", what.file.string()));
  }
  if (!what.flags.empty()) {
    throw usage_error(fmt::format("{}: flags are for nvcc, which PTX does not need: leave them out",
                                  what.file.string()));
  }
  return read_ptx(what.file);
}

std::string cuda_name(const simt::ptx::kernel& kernel) {
  return simt::detail::demangle(kernel.name.c_str());
}

const simt::ptx::kernel& find_kernel(const kernel_file& file, const kernel_launch& what) {
  std::vector<const simt::ptx::kernel*> fitting;
  std::vector<std::string> names;
  for (const simt::ptx::kernel& kernel : file.module.kernels) {
    names.push_back(cuda_name(kernel));
    if (what.name.empty() || is_called(kernel, what.name)) fitting.push_back(&kernel);
  }
  if (fitting.size() == 1) return *fitting.front();
  if (names.empty()) throw usage_error(what.file.string() + ": has no kernel (.entry)");
  const char* const why = what.name.empty() ? "has several kernels"
                          : fitting.empty() ? "has no such kernel"
                                            : "has several kernels of that name";
  throw usage_error(
      fmt::format("{}: {}; name one with --kernel NAME, or name = \"NAME\" in "
                  "[kernel]:\n  {}",
                  what.file.string(), why, fmt::join(names, "\n  ")));
}

std::vector<listed_kernel> list_kernels(const kernel_file& file) {
  std::vector<listed_kernel> all;
  for (const simt::ptx::kernel& kernel : file.module.kernels) {
    listed_kernel& one = all.emplace_back();
    one.name = cuda_name(kernel);
    one.name_in_ptx = kernel.name;
    for (std::size_t i = 0; i < kernel.parameters.size(); ++i)
      one.parameters.push_back(parameter_text(kernel.parameters[i], i));
    if (kernel.required_threads[0]) {
      one.blocks = fmt::format("blocks of {} × {} × {} threads", *kernel.required_threads[0],
                               kernel.required_threads[1].value_or(1),
                               kernel.required_threads[2].value_or(1));
    } else if (kernel.max_threads[0]) {
      one.blocks = fmt::format("blocks of at most {} threads", *kernel.max_threads[0]);
    }
    for (const auto& use : simt::ptx::unsupported(file.module, kernel))
      one.unsupported.push_back(use_text(use, file.ptx));
    if (!one.unsupported.empty()) continue;
    one.launch = launch_to_try(file, kernel);
    one.assumptions = assumptions_of(file, kernel);
  }
  return all;
}

scenario with_subject(const scenario& what) {
  return what.source ? what : with_subject(what, read_kernels(*what.kernel));
}

scenario with_subject(const scenario& what, const kernel_file& file) {
  const kernel_launch& launch = *what.kernel;
  const simt::ptx::kernel& kernel = find_kernel(file, launch);
  // Whatever arguments the launch gives, such a kernel cannot be checked.
  refuse_unsupported(file, kernel);

  simt::ptx::launch made;
  made.grid = launch.grid;
  made.block = launch.block;
  made.dynamic_shared = launch.shared;
  made.cluster = launch.cluster;
  made.cooperative = launch.cooperative;
  made.zero_shared = launch.zero_shared;
  made.buffers = buffers_of(launch);
  made.variables = variables_of(file.module, launch);
  made.arguments = arguments_of(kernel, launch);
  scenario result;
  try {
    result = translated(what, file, kernel, made, launch.file.stem().string());
  } catch (const simt::ptx::launch_error& error) {
    throw usage_error(fmt::format("{}: {}", launch.file.string(), error.what()));
  }
  result.grid = shape_of(launch);
  result.grid.cluster = simt::ptx::cluster_of(kernel, made);
  for (const run_settings& run : result.runs) {
    const std::uint32_t resident = run.machine.resident;
    const bool all = resident == 0 || resident >= result.grid.blocks;
    if (all || (result.grid.cluster == 1 && !result.grid.cooperative)) continue;
    throw usage_error(
        fmt::format("{}: \"resident\" is {} of {} blocks, but {}; leave \"resident\" out",
                    launch.file.string(), resident, result.grid.blocks,
                    result.grid.cooperative ? "a cooperative launch fails unless all fit"
                                            : "in grids of clusters all blocks are resident here"));
  }
  return result;
}

scenario translated(const scenario& what, const kernel_file& file, const simt::ptx::kernel& kernel,
                    const simt::ptx::launch& launch, const std::string& stem) {
  scenario result = what;
  result.source = keep_header(stem, simt::ptx::to_subject(file.module, kernel, launch));
  result.subject = "kernel_subject";
  result.workload = "kernel";
  result.rests_on = assumptions_of(file, kernel);
  if (simt::ptx::cluster_of(kernel, launch) > 1 && has_mbarriers_without_scope(file.module)) {
    result.rests_on.emplace_back(
        "operations of mbarriers that state no scope have that of the cluster");
  }
  if (launch.zero_shared) result.rests_on.emplace_back("shared memory starts as zeros");
  if (const auto unknown = simt::ptx::unknown_in_memory(file.module, kernel); !unknown.empty()) {
    std::vector<std::string> places;
    for (const auto& use : unknown) {
      const std::string place = place_text(use, file.ptx);
      if (std::ranges::find(places, place) == places.end()) places.push_back(place);
    }
    result.rests_on.push_back(fmt::format("{}numbers that are not known count as equal ({})",
                                          where_deterministic, fmt::join(places, ", ")));
  }
  return result;
}

}  // namespace warpcheck
