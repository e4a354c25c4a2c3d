// Follows lassos and stuck runs step by step, and writes them as a table.
#include "checker/progress/evidence.hpp"

#include <algorithm>
#include <array>
#include <bit>

#include <fmt/format.h>

#include "checker/text/plain_text.hpp"

namespace warpcheck {
namespace {

/// Carries out the steps of `threads` from `state`, which becomes the last state.
std::vector<progress_step> follow(const progress_answer& answer, progress_model model,
                                  const std::vector<std::uint32_t>& threads, std::uint32_t& state) {
  const progress_graph& graph = answer.graph();
  std::vector<progress_step> steps;
  for (const std::uint32_t t : threads) {
    progress_step step;
    step.thread = t;
    step.at = graph.counter(state, t);
    step.owed = answer.guarantees()->owed(model, state);
    const std::uint32_t word = answer.test().program.threads[t][step.at].word;
    step.before = graph.memory(state, word);
    state = graph.next(state, t);
    step.after = graph.memory(state, word);
    step.to = graph.counter(state, t);
    steps.push_back(step);
  }
  return steps;
}

std::string names_of(thread_set threads) {
  std::string text;
  for (std::uint32_t t = 0; t < most_progress_threads; ++t) {
    if ((threads & only(t)) != 0) text += fmt::format("{}{}", text.empty() ? "" : ", ", t);
  }
  return text.empty() ? "nobody" : text;
}

using cells = std::array<std::string, 6>;

class step_table {
 public:
  explicit step_table(const progress_program& program) : program_(program) {}

  void add(const std::vector<progress_step>& steps, bool cycle) {
    bool first = cycle;
    for (const progress_step& s : steps) {
      const auto& thread = program_.threads[s.thread];
      const progress_instruction& i = thread[s.at];
      rows_.push_back({fmt::format("{}{}", first ? "⟳ " : "", ++number_),
                       fmt::format("{}", s.thread),
                       fmt::format("{}: {}", s.at, text_of(i, thread.size())),
                       s.to == thread.size() ? "end" : fmt::format("{}", s.to),
                       writes(i) ? fmt::format("m{} {} → {}", i.word, s.before, s.after)
                                 : fmt::format("m{} is {}", i.word, s.before),
                       names_of(s.owed)});
      first = false;
    }
  }

  [[nodiscard]] std::string text() const {
    const cells head{"step", "thread", "instruction", "next", "memory", "owed progress"};
    std::array<std::size_t, 6> widths{};
    for (std::size_t c = 0; c < head.size(); ++c) {
      widths[c] = width_of(head[c]);
      for (const cells& row : rows_) widths[c] = std::max(widths[c], width_of(row[c]));
    }
    std::string text = line(head, widths);
    cells rule;
    for (std::size_t c = 0; c < rule.size(); ++c) {
      for (std::size_t i = 0; i < widths[c]; ++i) rule[c] += "─";
    }
    text += line(rule, widths);
    for (const cells& row : rows_) text += line(row, widths);
    return text;
  }

 private:
  const progress_program& program_;
  std::vector<cells> rows_;
  std::size_t number_ = 0;

  // Numbers of steps are aligned to the right.
  static std::string line(const cells& row, const std::array<std::size_t, 6>& widths) {
    std::string text = "  " + std::string(widths[0] - width_of(row[0]), ' ') + row[0];
    for (std::size_t c = 1; c < row.size(); ++c) text += "  " + padded(row[c], widths[c]);
    text.erase(text.find_last_not_of(' ') + 1);
    return text + "\n";
  }
};

std::string threads_text(thread_set threads) {
  return fmt::format("thread{} {}", std::has_single_bit(threads) ? "" : "s", names_of(threads));
}

}  // namespace

progress_evidence evidence(const progress_answer& answer, progress_column column) {
  progress_evidence result;
  std::uint32_t state = 0;
  if (column.notion == fairness_notion::weak) {
    const progress_lasso lasso = answer.guarantees()->lasso(column.model);
    result.prefix = follow(answer, column.model, lasso.prefix, state);
    result.owed = answer.guarantees()->owed(column.model, state);
    result.cycle = follow(answer, column.model, lasso.cycle, state);
    return result;
  }
  const stuck_progress stuck = answer.guarantees()->stuck(column.model);
  result.prefix = follow(answer, column.model, stuck.prefix, state);
  result.owed = answer.guarantees()->owed(column.model, state);
  result.walk = follow(answer, column.model, stuck.turns.prefix, state);
  result.cycle = follow(answer, column.model, stuck.turns.cycle, state);
  result.states = stuck.states;
  return result;
}

std::string render(const progress_answer& answer, progress_column column,
                   const progress_evidence& why) {
  const bool weak = column.notion == fairness_notion::weak;
  std::string text = fmt::format("{}, {} {}: termination is not guaranteed\n", answer.test().id,
                                 name(column.notion), name(column.model));
  if (weak) {
    text += fmt::format(
        "  A run that never ends, and in whose loop {} (owed progress there) {} steps:\n\n",
        threads_text(why.owed), std::has_single_bit(why.owed) ? "takes" : "all take");
  } else {
    text += fmt::format(
        "  {}, {} owed progress. Steps of threads owed progress lead from there\n"
        "  to {}, and never to an end. Taking turns, they do this:\n\n",
        why.prefix.empty() ? "At the start"
                           : fmt::format("After {}", counted(why.prefix.size(), "step", "steps")),
        threads_text(why.owed) + (std::has_single_bit(why.owed) ? " is" : " are"),
        counted(why.states, "state", "states"));
  }
  step_table table(answer.test().program);
  table.add(why.prefix, false);
  table.add(why.walk, false);
  table.add(why.cycle, true);
  text += table.text();
  text += "        └─ repeats for ever\n";
  return text;
}

}  // namespace warpcheck
