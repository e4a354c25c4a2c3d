// Describes the options of `check` and `exec`, which take CUDA's kernels and programs.
#include <array>
#include <string>
#include <string_view>

#include "checker/options/add_option.hpp"
#include "checker/options/all_options.hpp"
#include "checker/scenario/scenario_limits.hpp"

namespace warpcheck {

void add_check(CLI::App& app, check_options& options, search_arguments& search) {
  CLI::App& check = *app.add_subcommand(
      "check", "Check a kernel of a .cu or .ptx file: deadlocks, races, wrong accesses");
  check.add_option("file", options.file, "the kernel's file; - is standard input, with PTX")
      ->type_name("FILE");
  check.add_flag("--list", options.list, "show its kernels, and what of them is not supported");
  const std::string group = "The launch (docs/kernels.md)";
  const auto of_launch = [&](CLI::Option* option, const char* kind) {
    option->type_name(kind)->group(group);
  };
  of_launch(check.add_option("--kernel", options.kernel, "which one, where the file has several"),
            "NAME");
  of_launch(check.add_option("--grid", options.grid, "blocks: 4, or 2,2,1 (1)"), "N,N,N");
  of_launch(check.add_option("--block", options.block, "threads of a block (32)"), "N,N,N");
  of_launch(check
                .add_option("--cluster", options.cluster,
                            "blocks of a cluster, along x (as the kernel says, or 1)")
                ->check(CLI::Range(std::uint32_t{1}, static_cast<std::uint32_t>(max_cluster))
                            .description("")),
            "N");
  add_quantity<std::uint64_t>(check, "--shared", options.shared, parse_size, "SIZE",
                              "bytes of shared memory, besides the static ones (0)");
  check.get_option("--shared")->group(group);
  check
      .add_flag("--zero-shared", options.zero_shared,
                "shared memory starts as zeros; otherwise a read before any write is a bad-access")
      ->group(group);
  check.add_flag("--cooperative", options.cooperative, "a cooperative launch")->group(group);
  of_launch(check
                .add_option("--buffer", options.buffers,
                            "an array in global memory: in=128:f32:iota; it begins as zero, iota, "
                            "a list of numbers (1,0,7), or a file of bytes; repeatable")
                ->allow_extra_args(false),
            "NAME=COUNT:TYPE[:FILL]");
  of_launch(check
                .add_option("--variable", options.variables,
                            "what a variable of the module holds, by its name in PTX; as --buffer")
                ->allow_extra_args(false),
            "NAME=COUNT:TYPE[:FILL]");
  of_launch(check
                .add_option("--pointer", options.pointers,
                            "an address that a buffer holds: list+16=nodes; repeatable")
                ->allow_extra_args(false),
            "PLACE=ADDRESS");
  of_launch(check
                .add_option("--arg", options.arguments,
                            "the next parameter: a buffer, a number, or a structure by offsets "
                            "({0:in, 8:5:u64}); repeatable")
                ->allow_extra_args(false),
            "VALUE");
  of_launch(check.add_option("--nvcc", options.flags, "one more argument for nvcc; repeatable")
                ->allow_extra_args(false),
            "FLAG");
  const auto add_model = [&](const char* name, std::optional<std::string>& target,
                             std::span<const std::string_view> names, const char* description) {
    add_choice(
        check, name, names, [&target, names](std::size_t at) { target = names[at]; }, description)
        ->group(group);
  };
  static constexpr std::array<std::string_view, 2> reconvergence{"its", "stack"};
  static constexpr std::array<std::string_view, 2> memory{"sc", "ptx"};
  add_model("--reconvergence", options.reconvergence, reconvergence,
            "its or stack (what the target of the PTX has)");
  add_model("--memory", options.memory, memory, "sc or ptx (first sc, then ptx)");
  add_exploration(check, options.run, search);
  check.footer(
      "Exit status: as for run.\n"
      "Example:\n  warpcheck check kernel.cu --list\n"
      "  warpcheck check kernel.cu --kernel scan --grid 2 --block 64 \\\n"
      "      --buffer in=128:f32:iota --buffer out=128:f32 --arg in --arg out --arg 128");
}

void add_exec(CLI::App& app, exec_options& options, search_arguments& search) {
  CLI::App& exec =
      *app.add_subcommand("exec", "Run a CUDA program without a GPU, and check what it launches");
  exec.prefix_command();
  const std::string group = "Launches (docs/exec.md)";
  const auto add = [&](const std::string& name, std::optional<std::uint64_t>& target,
                       const std::string& description) {
    add_quantity<std::uint64_t>(exec, name, target, parse_count, "N", description);
    exec.get_option(name)->group(group);
  };
  add("--launch", options.launch, "check only the launch of this number, from 1");
  exec.add_option("--kernel-regex", options.kernel_regex,
                  "check only kernels whose name in CUDA has a match; kns=PART and kne=NAME "
                  "name a part of it, or all of it")
      ->type_name("REGEX")
      ->group(group);
  add("--launch-skip", options.launch_skip,
      "leave out the first so many of the launches that the other options name");
  add("--launch-count", options.launch_count, "check so many launches at most");
  add("--shrink", options.shrink, "check so many blocks of a grid at most");
  add_quantity<double>(exec, "--launch-time", options.launch_time, parse_seconds, "TIME",
                       "how long it may take to carry a launch out (60 s)");
  exec.get_option("--launch-time")->group(group);
  exec.add_option("--launches", options.launches,
                  "keep the launches there, as scenarios for warpcheck run")
      ->type_name("DIR")
      ->group(group);
  add_exploration(exec, options.run, search);
  add_run_models(exec, options.run.which);
  exec.get_option("--time")->description("end a run, inconclusive, after so long (60 seconds)");
  exec.footer(
      "The options stand in front of the program.\n"
      "Exit status: as for run; 1 also where the program fails.\n"
      "Example:\n  warpcheck exec ./program input.txt\n"
      "  warpcheck exec --kernel-regex scan --shrink 2 ./program");
}

}  // namespace warpcheck
