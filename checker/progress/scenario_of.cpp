// Writes a test as instructions for the interpreter, with the verdict that each model leads to.
#include "checker/progress/scenario_of.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>

#include "checker/progress/in_order.hpp"
#include "checker/scenario/scenario.hpp"
#include "checker/verdicts/verdict.hpp"

namespace warpcheck {
namespace {

constexpr std::size_t lanes_of_a_warp = 32;

/// algorithms/progress/interpreter.hpp says what each digit is.
std::string encoded(const progress_instruction& i) {
  return fmt::format("0x{:x}_{:02x}_{:04x}_{:04x}_{:04x}", static_cast<unsigned>(i.what) + 1,
                     i.word, i.value, i.compare, i.target);
}

/// Writes a TOML string. JSON's escapes are TOML's, except for one character that JSON does not
/// escape.
std::string toml_string(const std::string& text) {
  std::string result;
  for (const char c : nlohmann::json(text).dump()) {
    result += c == '\x7f' ? std::string("\\u007f") : std::string(1, c);
  }
  return result;
}

/// Returns the verdict under `its`, where each lane is owed progress, weakly: the model FAIR.
verdict under_its(const progress_answer& answer) {
  if (*answer.holds({fairness_notion::weak, progress_model::fair})) return verdict::ok;
  const bool can_always_end = *answer.holds({fairness_notion::strong, progress_model::fair});
  return can_always_end ? verdict::livelock : verdict::deadlock;
}

/// Returns the verdict under `stack`. Lane 0 runs to its end, then lane 1, and so on: nothing is
/// chosen.
verdict under_stack(const progress_answer& answer) {
  switch (run_in_order(answer.graph())) {
    case in_order_run::finishes: return verdict::ok;
    case in_order_run::stuck: return verdict::simt_deadlock;
    case in_order_run::lost: break;
  }
  return verdict::deadlock;
}

/// Returns the verdict under one of the models, where each thread is a block.
verdict of_blocks(const progress_answer& answer, progress_column column) {
  if (!*answer.holds({fairness_notion::strong, progress_model::fair})) return verdict::deadlock;
  return *answer.holds(column) ? verdict::ok : verdict::livelock;
}

void check_placement(const progress_answer& answer, thread_placement placement) {
  const std::string& id = answer.test().id;
  const auto& threads = answer.test().program.threads;
  if (placement == thread_placement::lane && threads.size() > lanes_of_a_warp) {
    throw usage_error(
        fmt::format("--scenarios: {} has {} threads, but a warp has {} lanes; leave it "
                    "out by --only, or use --placement block",
                    id, threads.size(), lanes_of_a_warp));
  }
  // A thread without instructions would still look up what to do, and that is a step.
  const auto empty = std::ranges::find_if(threads, [](const auto& t) { return t.empty(); });
  if (placement == thread_placement::block && empty != threads.end()) {
    throw usage_error(
        fmt::format("--placement: thread {} of {} has no instructions, but a block of the "
                    "interpreter starts before it finds that out; leave it out by --only",
                    empty - threads.begin(), id));
  }
  if (!answer.graph().complete()) {
    throw usage_error(
        fmt::format("--scenarios: what to expect of {} is not known; raise "
                    "--max-states, or leave it out by --only",
                    id));
  }
}

std::string lower_case(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return result;
}

std::string runs_text(const progress_answer& answer, thread_placement placement) {
  if (placement == thread_placement::lane) {
    return fmt::format(
        "\n[[run]]\nreconvergence = \"its\"\nmemory        = \"sc\"\nexpect        = \"{}\"\n"
        "\n[[run]]\nreconvergence = \"stack\"\nmemory        = \"sc\"\nexpect        = \"{}\"\n",
        name(under_its(answer)), name(under_stack(answer)));
  }
  std::string text;
  for (const progress_column column : progress_columns({}, {})) {
    text += fmt::format(
        "\n[[run]]\nmemory   = \"sc\"\nprogress = \"{}\"\nfairness = \"{}\"\nexpect   = \"{}\"\n",
        lower_case(name(column.model)), name(column.notion), name(of_blocks(answer, column)));
  }
  return text;
}

}  // namespace

std::string scenario_text(const progress_answer& answer, thread_placement placement) {
  check_placement(answer, placement);
  const progress_program& program = answer.test().program;
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
  // An array must have an element.
  if (code.empty()) code = "  0,\n";
  return fmt::format(
             "title   = {}\n"
             "subject = \"progress/interpreter\"\n\n"
             "[grid]\n{} = {}\n\n"
             "[arrays]\nfirst  = [{}{}]\nmemory = {}\ncode   = [\n{}]\n",
             toml_string(fmt::format("Forward-progress test {}", answer.test().id)),
             placement == thread_placement::lane ? "lanes" : "blocks", program.threads.size(),
             firsts, count, std::max(program.words(), 1U), code) +
         runs_text(answer, placement);
}

}  // namespace warpcheck
