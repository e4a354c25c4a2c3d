#include "checker/progress/scenario_of.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "checker/progress/in_order.hpp"
#include "checker/scenario/scenario.hpp"
#include "checker/verdict.hpp"

namespace warpcheck {
namespace {

constexpr std::size_t lanes_of_a_warp = 32;

/// algorithms/progress/interpreter.hpp says what each digit is.
std::string encoded(const progress_instruction& i) {
  return fmt::format("0x{:x}_{:02x}_{:04x}_{:04x}_{:04x}", static_cast<unsigned>(i.what) + 1,
                     i.word, i.value, i.compare, i.target);
}

/// As a TOML string. JSON's escapes are TOML's, but for one character that JSON leaves as it is.
std::string toml_string(const std::string& text) {
  std::string result;
  for (const char c : nlohmann::json(text).dump()) {
    result += c == '\x7f' ? std::string("\\u007f") : std::string(1, c);
  }
  return result;
}

/// Under `its`, each lane is owed progress, weakly: the model FAIR.
verdict under_its(const progress_answer& answer) {
  if (*answer.holds({fairness_notion::weak, progress_model::fair})) return verdict::ok;
  const bool can_always_end = *answer.holds({fairness_notion::strong, progress_model::fair});
  return can_always_end ? verdict::livelock : verdict::deadlock;
}

/// Under `stack`, lane 0 runs to its end, then lane 1, and so on: there is nothing to choose.
verdict under_stack(const progress_answer& answer) {
  switch (run_in_order(answer.graph())) {
    case in_order_run::finishes: return verdict::ok;
    case in_order_run::stuck: return verdict::simt_deadlock;
    case in_order_run::lost: break;
  }
  return verdict::deadlock;
}

}  // namespace

std::string scenario_text(const progress_answer& answer) {
  const progress_program& program = answer.test().program;
  if (program.threads.size() > lanes_of_a_warp) {
    throw usage_error(
        fmt::format("--scenarios: {} has {} threads, but a warp has {} lanes; leave it "
                    "out by --test",
                    answer.test().id, program.threads.size(), lanes_of_a_warp));
  }
  if (!answer.graph().complete()) {
    throw usage_error(
        fmt::format("--scenarios: what to expect of {} is not known; raise "
                    "--max-states, or leave it out by --test",
                    answer.test().id));
  }
  std::string firsts;
  std::string code;
  std::size_t count = 0;
  for (std::size_t t = 0; t < program.threads.size(); ++t) {
    firsts += fmt::format("{}, ", count);
    const auto& thread = program.threads[t];
    count += thread.size();
    for (std::size_t i = 0; i < thread.size(); ++i) {
      code += fmt::format("  {},  # thread {}, {}: {}\n", encoded(thread[i]), t, i,
                          text_of(thread[i], thread.size()));
    }
  }
  // An array has one element at least.
  if (code.empty()) code = "  0,\n";
  return fmt::format(
      "title   = {}\n"
      "subject = \"progress/interpreter\"\n\n"
      "[grid]\nlanes = {}\n\n"
      "[arrays]\nfirst  = [{}{}]\nmemory = {}\ncode   = [\n{}]\n\n"
      "[[run]]\nreconvergence = \"its\"\nexpect        = \"{}\"\n\n"
      "[[run]]\nreconvergence = \"stack\"\nexpect        = \"{}\"\n",
      toml_string(fmt::format("Forward-progress test {}", answer.test().id)),
      program.threads.size(), firsts, count, std::max(program.words(), 1U), code,
      name(under_its(answer)), name(under_stack(answer)));
}

}  // namespace warpcheck
