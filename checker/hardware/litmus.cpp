// Implements warpcheck litmus --hardware: runs litmus tests on a GPU, and compares the outcomes
// with the model's answer.
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <charconv>
#include <chrono>
#include <cstdio>

#include "checker/console/child_process.hpp"
#include "checker/console/interrupt.hpp"
#include "checker/console/outcome.hpp"
#include "checker/console/read_litmus.hpp"
#include "checker/console/status_line.hpp"
#include "checker/console/write_whole.hpp"
#include "checker/hardware/build.hpp"
#include "checker/hardware/gpu.hpp"
#include "checker/hardware/hardware.hpp"
#include "checker/hardware/litmus_folder.hpp"
#include "checker/hardware/litmus_report.hpp"
#include "checker/hardware/report.hpp"
#include "checker/scenario/scenario.hpp"
#include "checker/text/json_text.hpp"
#include "checker/text/plain_text.hpp"
#include "litmus/gpu/source.hpp"

namespace warpcheck {

namespace {

// A launch that is not done by then never will be: its loops are bounded, and it takes
// milliseconds.
constexpr double deadline = 5;  // seconds

constexpr double usual_time = 10;  // seconds, for each test

/// Returns 90 for "sm_90". Throws usage_error.
std::uint32_t architecture_number(const std::string& name) {
  std::uint32_t number = 0;
  if (name.starts_with("sm_")) {
    // "sm_90a" is 90, too.
    std::from_chars(name.data() + 3, name.data() + name.size(), number);
  }
  if (number == 0) {
    throw usage_error(fmt::format("--arch: there is no \"{}\"; write for example sm_90", name));
  }
  return number;
}

/// Returns the answers of both models, without executions to show.
litmus::answer answer_of(const litmus::answered& one, litmus::memory_model model) {
  litmus::candidate_options options = one.options;
  options.model = model;
  litmus::answer found = litmus::evaluate(one.program, options);
  found.satisfying.reset();
  found.contradicting.reset();
  found.endless.reset();
  return found;
}

void answer_all(std::vector<litmus::answered>& tests) {
  for (litmus::answered& one : tests) one.answer = answer_of(one, litmus::memory_model::ptx);
}

/// Whether the runner has the test. The runner's tests have numbers in their order.
bool is_compiled(const litmus::answered& one, std::uint32_t architecture) {
  return litmus::gpu::why_not_compiled(one.program, architecture).empty();
}

std::string source_of(const std::vector<litmus::answered>& tests, std::uint32_t architecture) {
  std::vector<litmus::gpu::compiled_test> compiled;
  for (const litmus::answered& one : tests) {
    if (!is_compiled(one, architecture)) continue;
    compiled.push_back({one.file, &one.program,
                        litmus::gpu::place(one.program, one.answer.terminates == true),
                        one.answer.observed});
  }
  return litmus::gpu::cuda_source(compiled);
}

compiled_litmus compile(const litmus_options& options, const std::string& architecture) {
  compiled_litmus made;
  made.tests = read_litmus_tests(options);
  made.architecture = architecture;
  answer_all(made.tests);
  const cuda_compiler compiler = find_nvcc();
  made.nvcc = compiler.version;
  const status_line line(!options.json);
  line.show(fmt::format("nvcc compiles {}", counted(made.tests.size(), "test", "tests")));
  made.runner = build_litmus_runner(source_of(made.tests, architecture_number(architecture)),
                                    architecture, compiler);
  return made;
}

exit_status build(const litmus_options& options) {
  std::string architecture;
  if (options.hardware.architecture) {
    architecture = *options.hardware.architecture;
    architecture_number(architecture);
  } else {
    const gpu_search search = find_gpu();
    if (!search.found) {
      throw usage_error(fmt::format("--build: {}; say what to compile for, such as --arch sm_90",
                                    search.why_not));
    }
    architecture = search.device.architecture;
  }
  make_folder(*options.hardware.build, "--build");
  const compiled_litmus made = compile(options, architecture);
  write_litmus_folder(*options.hardware.build, made);
  return exit_status::as_expected;
}

class litmus_comparer {
 public:
  litmus_comparer(const litmus_options& options, const gpu& device, compiled_litmus made)
      : options_(options), made_(std::move(made)), line_(!options.json) {
    setting_ = {device,
                made_.nvcc,
                today(),
                options.hardware.instances,
                options.hardware.seed,
                options.time.value_or(usual_time)};
  }

  exit_status run() {
    if (!options_.json) fmt::print("{}", heading(setting_));
    const std::uint32_t built_for = architecture_number(made_.architecture);
    std::size_t number = 0;
    for (litmus::answered& one : made_.tests) {
      if (stop_requested) break;
      const std::size_t mine = is_compiled(one, built_for) ? number++ : number;
      const std::string reason =
          litmus::gpu::why_not_run(one.program, {built_for, setting_.device.count});
      if (!reason.empty()) {
        results_.skipped.push_back({one.file, reason});
      } else {
        compare(one, mine);
      }
    }
    results_.interrupted = stop_requested;
    line_.clear();
    if (options_.json)
      fmt::print("{}\n", json_text(to_json(setting_, results_)));
    else
      fmt::print("{}", summary(results_));
    return status();
  }

 private:
  const litmus_options& options_;
  compiled_litmus made_;
  status_line line_;
  litmus_setting setting_;
  litmus_hardware_results results_;

  void compare(litmus::answered& one, std::size_t number) {
    line_.show(fmt::format("{}  on the GPU", one.file));
    const std::vector<std::string> command{made_.runner.string(),
                                           "--test",
                                           std::to_string(number),
                                           "--instances",
                                           std::to_string(setting_.instances),
                                           "--seed",
                                           std::to_string(setting_.seed),
                                           "--time",
                                           fmt::format("{}", setting_.time),
                                           "--deadline",
                                           fmt::format("{}", deadline)};
    const double patience = setting_.time + deadline + cuda_start_allowance;
    const child_result ended =
        run_child(command, std::chrono::duration<double>(patience), stop_requested);
    if (ended.how == child_ending::stopped) return;
    litmus_comparison result;
    if (ended.how == child_ending::too_late) {
      result.seen.message =
          fmt::format("the runner did not answer within {:.0f} s and was killed", patience);
    } else {
      result.seen = litmus::gpu::read_observation(ended.output, ended.status);
    }
    result.judged = litmus::gpu::judge(one.program, one.answer,
                                       answer_of(one, litmus::memory_model::sc), result.seen);
    result.test = std::move(one);
    line_.clear();
    if (!options_.json) print(result);
    results_.compared.push_back(std::move(result));
  }

  void print(const litmus_comparison& one) const {
    if (!options_.quiet)
      fmt::print("{}", render(one));
    else if (one.judged.end != litmus::gpu::conclusion::agrees)
      fmt::print("{}", headline(one));
    std::fflush(stdout);
  }

  [[nodiscard]] exit_status status() const {
    exit_status all = results_.interrupted ? exit_status::inconclusive : exit_status::as_expected;
    for (const litmus_comparison& each : results_.compared) {
      switch (each.judged.end) {
        case litmus::gpu::conclusion::agrees: break;
        case litmus::gpu::conclusion::contradicts:
          all = worse(all, exit_status::not_expected);
          break;
        case litmus::gpu::conclusion::no_prediction:
        case litmus::gpu::conclusion::no_result: all = worse(all, exit_status::inconclusive); break;
      }
    }
    return all;
  }
};

}  // namespace

exit_status litmus_on_hardware(const litmus_options& options) {
  if (options.hardware.build) return build(options);
  compiled_litmus made;
  if (options.hardware.run) {
    made = read_litmus_folder(*options.hardware.run, options.evaluation);
  } else {
    read_litmus_tests(options);  // mistakes are reported first
  }
  const gpu_search search = find_gpu();
  if (!search.found) {
    fmt::print(stderr, "{}\n", search.why_not);
    return exit_status::nothing_to_run_on;
  }
  handle_interrupts();
  if (options.hardware.run)
    answer_all(made.tests);
  else
    made = compile(options, search.device.architecture);
  return litmus_comparer(options, search.device, std::move(made)).run();
}

}  // namespace warpcheck
