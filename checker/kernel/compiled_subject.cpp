// Compiles subjects with nvcc, finds their kernel in the PTX, and launches it as the GPU runner
// would (hardware/runner.cu).
#include "checker/kernel/compiled_subject.hpp"

#include <cstring>

#include <fmt/format.h>

#include <simt/detail/launch_parameters.hpp>

#include "checker/kernel/kernel_subject.hpp"
#include "checker/kernel/nvcc.hpp"
#include "checker/text/in_quotes.hpp"
#include "checker/text/usage_error.hpp"
#include "sim/ptx/launch.hpp"
#include "warpcheck_paths.hpp"

namespace warpcheck {
namespace {

namespace fs = std::filesystem;

std::string last_part_of(const std::string& subject) {
  return subject.substr(subject.rfind('/') + 1);
}

/// Returns "simt::counter_workload<tas>" for "void
/// simt::detail::run_workload<simt::counter_workload<tas> >(…)". Empty: the kernel runs no
/// workload.
std::string workload_of(const std::string& kernel) {
  const std::string front = "void simt::detail::run_workload<";
  if (!kernel.starts_with(front)) return {};
  std::size_t end = front.size();
  for (int depth = 1; end < kernel.size() && depth > 0; ++end)
    depth += kernel[end] == '<' ? 1 : kernel[end] == '>' ? -1 : 0;
  std::string type = kernel.substr(front.size(), end - 1 - front.size());
  while (type.ends_with(' ')) type.pop_back();
  return type;
}

/// Returns the one kernel of the subject that runs the scenario's workload.
const simt::ptx::kernel& kernel_of(const simt::ptx::module& module, const scenario& what) {
  const simt::ptx::kernel* found = nullptr;
  for (const simt::ptx::kernel& kernel : module.kernels) {
    const std::string type = workload_of(cuda_name(kernel));
    const std::string subject = "<" + last_part_of(what.subject);
    const auto at = type.find(subject);
    if (at == std::string::npos || type[at + subject.size()] != '>') continue;
    if (!what.workload.empty() && !type.starts_with("simt::" + what.workload + "_workload<"))
      continue;
    if (found != nullptr) {
      throw usage_error(fmt::format("{}: subject {} fits several workloads; add one of them",
                                    what.place_of("subject"), in_quotes(what.subject)));
    }
    found = &kernel;
  }
  if (found != nullptr) return *found;
  throw usage_error(
      fmt::format("{}: --compiled: nvcc makes no kernel of {} that fits the scenario's workload",
                  what.place_of("subject"), in_quotes(what.subject)));
}

/// Returns what the runner tells the threads of a grid, for the lanes of this scenario.
std::vector<std::uint8_t> parameters_of(const scenario& what) {
  simt::detail::launch_parameters parameters{};
  unsigned before = 0;
  for (std::size_t warp = 0; warp < what.grid.lanes.size(); ++warp) {
    parameters.lanes[warp] = what.grid.lanes[warp];
    parameters.first_lane[warp] = before;
    before += what.grid.lanes[warp];
  }
  parameters.block_threads = before;
  parameters.clients = what.clients == simt::clients::lane   ? simt::detail::client_kind::lane
                       : what.clients == simt::clients::warp ? simt::detail::client_kind::warp
                                                             : simt::detail::client_kind::block;
  std::vector<std::uint8_t> bytes(sizeof parameters);
  std::memcpy(bytes.data(), &parameters, sizeof parameters);
  return bytes;
}

void refuse_what_has_no_ptx(const scenario& what) {
  const auto fail = [&](const char* key, const std::string& why) {
    throw usage_error(fmt::format("{}: --compiled: {}", what.place_of(key), why));
  };
  if (what.generate || !what.threads.empty())
    fail("threads", "objects with operations are not checked as nvcc compiles them");
  if (what.never_ends()) fail("repeat", "give repeat a number");
}

}  // namespace

fs::path header_of_subject(const scenario& what) {
  if (what.source) return *what.source;
  const fs::path header = warpcheck_paths::algorithms_dir() / (what.subject + ".hpp");
  if (fs::is_regular_file(header)) return header;
  throw usage_error(fmt::format("{}: there is no subject \"{}\"; warpcheck list shows them",
                                what.place_of("subject"), what.subject));
}

scenario compiled_by_nvcc(const scenario& what) {
  refuse_what_has_no_ptx(what);
  const fs::path header = fs::absolute(header_of_subject(what));
  // SIMT_CHECKED: there is no host that a lane could talk to.
  const kernel_file file = read_kernels_of_cuda(
      header, {"-x", "cu", "-std=c++20", "--expt-relaxed-constexpr", "-DSIMT_CHECKED",
               "-I" + warpcheck_paths::include_dir().string()});
  const simt::ptx::kernel& kernel = kernel_of(file.module, what);
  for (const simt::ptx::variable& v : file.module.variables) {
    if (v.where != simt::ptx::space::global || v.name.find("history_turn") != std::string::npos ||
        v.name.find("$str") != std::string::npos)
      continue;
    throw usage_error(
        fmt::format("{}: --compiled: the subject has a variable in device memory besides its "
                    "object ({}), which its check could not see",
                    what.place_of("subject"), v.name));
  }
  refuse_unsupported(file, kernel);
  simt::ptx::launch launch;
  launch.grid = {what.grid.blocks, 1, 1};
  launch.block = {static_cast<std::uint32_t>(32 * what.grid.lanes.size()), 1, 1};
  launch.cluster = what.grid.cluster;
  launch.object = {header.string(), workload_of(cuda_name(kernel)), what.repeat};
  launch.arguments.resize(2);
  for (unsigned k = 0; k < 4; ++k)
    launch.arguments[1].bytes.push_back(static_cast<std::uint8_t>(what.repeat >> 8 * k));
  launch.variables.push_back({"launch", parameters_of(what), std::nullopt});
  scenario result = translated(what, file, kernel, launch, header.stem().string());
  result.repeat = 1;
  return result;
}

}  // namespace warpcheck
