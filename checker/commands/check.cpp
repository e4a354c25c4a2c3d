// Implements warpcheck check: checks a kernel of CUDA or PTX, as a scenario with a [kernel] would.
#include <cstdio>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "checker/commands/commands.hpp"
#include "checker/commands/select_runs.hpp"
#include "checker/console/standard_output.hpp"
#include "checker/kernel/kernel_subject.hpp"
#include "checker/kernel/launch_to_try.hpp"
#include "checker/report/formats/json_report.hpp"
#include "checker/report/run_names.hpp"
#include "checker/scenario/kernel_launch.hpp"
#include "checker/text/json_text.hpp"
#include "checker/text/plain_text.hpp"
#include "sim/files/standard_input.hpp"

namespace warpcheck {
namespace {

namespace fs = std::filesystem;

// Reads the values of --buffer or --variable.
std::vector<written_buffer> contents(const std::string& option,
                                     const std::vector<std::string>& texts,
                                     const kernel_launch& launch) {
  std::vector<written_buffer> all;
  for (const std::string& text : texts) {
    const auto equals = text.find('=');
    if (equals == std::string::npos) {
      throw usage_error(fmt::format(
          "{}: \"{}\" has no name; write NAME=COUNT:TYPE, as in in=128:f32:iota", option, text));
    }
    const std::string name = text.substr(0, equals);
    if (std::ranges::find(all, name, &written_buffer::name) != all.end())
      throw usage_error(fmt::format("{}: \"{}\" is given twice; leave one out", option, name));
    all.push_back(buffer_from(name, text.substr(equals + 1), option));
    // Paths in counterexamples are relative to the kernel's folder.
    written_buffer& last = all.back();
    if (last.filled != written_buffer::fill::file) continue;
    last.file = fs::absolute(last.file).lexically_normal();
    last.text = fmt::format("{}:{}:{}", last.count, last.element,
                            last.file.lexically_relative(launch.file.parent_path()).string());
  }
  return all;
}

/// Returns the kernel's file. Standard input is kept as a file, which a replay can read again.
fs::path file_of(const check_options& options) {
  if (!simt::is_standard_input(options.file)) return options.file;
  const std::string ptx(std::istreambuf_iterator<char>(std::cin), {});
  if (ptx.find(".version") == std::string::npos) {
    throw usage_error(
        "check: standard input has no .version, so it is no PTX; compile CUDA with nvcc -ptx "
        "first, or name the .cu file");
  }
  return keep_text("stdin", ".ptx", ptx);
}

kernel_launch launch_from(const check_options& options, const fs::path& file) {
  kernel_launch launch;
  launch.file = fs::absolute(file).lexically_normal();
  if (const std::string why = why_no_kernels(launch.file, file.string()); !why.empty())
    throw usage_error(why);
  launch.name = options.kernel.value_or("");
  launch.flags = options.flags;
  launch.grid = extent_from(options.grid, "--grid");
  launch.block = extent_from(options.block, "--block");
  check_extents(launch, "--grid, --block");
  if (options.shared.value_or(0) > most_shared_bytes) {
    throw usage_error(fmt::format("--shared: {} bytes; a block has {} at most", *options.shared,
                                  most_shared_bytes));
  }
  launch.shared = static_cast<std::uint32_t>(options.shared.value_or(0));
  launch.cluster = options.cluster;
  launch.cooperative = options.cooperative;
  launch.zero_shared = options.zero_shared;
  launch.buffers = contents("--buffer", options.buffers, launch);
  launch.variables = contents("--variable", options.variables, launch);
  for (const std::string& text : options.pointers)
    launch.pointers.push_back(pointer_from(text, "--pointer"));
  for (const std::string& text : options.arguments)
    launch.arguments.push_back(argument_from(text, "--arg"));
  return launch;
}

// PTX for targets before sm_70 runs with the scheduling of those GPUs.
simt::reconvergence usual_reconvergence(const kernel_file& file) {
  constexpr std::uint32_t volta = 70;
  return file.module.sm < volta ? simt::reconvergence::stack : simt::reconvergence::its;
}

std::vector<run_settings> runs_of(const check_options& options, const kernel_file& file) {
  std::vector<run_settings> runs;
  for (const auto memory : {simt::memory_model::sc, simt::memory_model::ptx}) {
    if (options.memory && (*options.memory == "sc") != (memory == simt::memory_model::sc)) continue;
    run_settings run;
    run.machine.memory = memory;
    run.machine.reconvergence = !options.reconvergence              ? usual_reconvergence(file)
                                : *options.reconvergence == "stack" ? simt::reconvergence::stack
                                                                    : simt::reconvergence::its;
    runs.push_back(run);
  }
  return runs;
}

/// Fails if a kernel with parameters is named alone, and shows a launch to begin with.
void need_arguments(const check_options& options, const kernel_file& file,
                    const simt::ptx::kernel& kernel) {
  if (kernel.parameters.empty() || !options.buffers.empty() || !options.arguments.empty()) return;
  refuse_unsupported(file, kernel);  // no launch would help
  const std::string launch = launch_to_try(file, kernel);
  if (launch.empty()) return;  // a mistake in the launch is told later
  throw usage_error(fmt::format(
      "{0}: the kernel has {1} and gets 0 arguments; describe a small launch. To begin "
      "with:\n  warpcheck check {0} {2}\nThe kernel is {3}; p0 is the buffer of its "
      "first parameter. Change buffers, values, --grid and --block as it needs them",
      options.file.string(), counted(kernel.parameters.size(), "parameter", "parameters"), launch,
      cuda_name(kernel)));
}

// Lists kernels for people.
std::string text_of(const std::vector<listed_kernel>& kernels) {
  std::string text;
  for (const listed_kernel& one : kernels) {
    text += one.name + "\n";
    if (one.name_in_ptx != one.name) text += fmt::format("  in PTX: {}\n", one.name_in_ptx);
    for (const std::string& each : one.parameters) text += fmt::format("  parameter {}\n", each);
    if (!one.blocks.empty()) text += fmt::format("  needs {}\n", one.blocks);
    for (const std::string& use : one.unsupported) text += fmt::format("  unsupported: {}\n", use);
    if (!one.unsupported.empty()) continue;
    text += "  can be checked\n";
    if (!one.launch.empty()) text += fmt::format("  a launch to begin with: {}\n", one.launch);
    for (const std::string& clause : one.assumptions)
      text += fmt::format("  verdicts rest on this: {}\n", clause);
  }
  return text;
}

// Lists kernels as JSON.
nlohmann::ordered_json document_of(const std::vector<listed_kernel>& kernels,
                                   const std::string& file) {
  nlohmann::ordered_json document{
      {"version", json_version}, {"file", file}, {"kernels", nlohmann::ordered_json::array()}};
  for (const listed_kernel& one : kernels) {
    document["kernels"].push_back({{"kernel", one.name},
                                   {"name_in_ptx", one.name_in_ptx},
                                   {"parameters", one.parameters},
                                   {"needs", one.blocks},
                                   {"unsupported", one.unsupported},
                                   {"launch", one.launch},
                                   {"rests_on", one.assumptions}});
  }
  return document;
}

}  // namespace

exit_status check_kernel(const check_options& options) {
  scenario what;
  what.file = file_of(options);
  what.kernel = launch_from(options, what.file);
  const kernel_file file = read_kernels(*what.kernel);
  if (options.list) {
    const std::vector<listed_kernel> kernels = list_kernels(file);
    fmt::print("{}", options.run.json
                         ? json_text(document_of(kernels, options.file.string())) + "\n"
                         : text_of(kernels));
    flush_output();
    return exit_status::as_expected;
  }
  const simt::ptx::kernel& kernel = find_kernel(file, *what.kernel);
  need_arguments(options, file, kernel);
  what.title = cuda_name(kernel);
  what = with_subject(what, file);
  what.runs = runs_of(options, file);
  name_runs(what);
  std::vector<scenario> all{std::move(what)};
  all = chosen(std::move(all), options.run.which);
  // The owner of a kernel wants to see the first violations, not all that follow from them.
  run_options how = options.run;
  how.behind = 3;
  return run_scenarios(how, {std::move(all), {}});
}

}  // namespace warpcheck
