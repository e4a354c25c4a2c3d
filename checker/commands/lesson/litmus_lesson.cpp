// Compares a reader's litmus test with that of the lesson, without fences.
#include "checker/commands/lesson/litmus_lesson.hpp"

#include <fmt/format.h>

#include <string>
#include <vector>

#include "checker/text/usage_error.hpp"
#include "litmus/read/parser.hpp"

namespace warpcheck {

namespace {

litmus::program read(const std::filesystem::path& file) {
  try {
    return litmus::read_program(file);
  } catch (const litmus::syntax_error& mistake) {
    throw usage_error(mistake.what());
  }
}

/// Returns each thread's place, initial values, and instructions without fences.
std::vector<std::string> without_fences(const litmus::program& of) {
  std::vector<std::string> lines;
  for (const litmus::thread& thread : of.threads) {
    lines.push_back(fmt::format("thread of CTA {}, cluster {}, GPU {}", thread.place.cta,
                                thread.place.cluster.value_or(-1), thread.place.gpu));
    for (std::size_t r = 0; r < thread.registers.size(); ++r) {
      lines.push_back(fmt::format("{} = {}", thread.registers[r], thread.initial[r]));
    }
    for (const litmus::instruction& one : thread.instructions) {
      if (!one.text.starts_with("fence")) lines.push_back(one.text);
    }
  }
  return lines;
}

}  // namespace

void need_same_test(const std::filesystem::path& lesson, const std::filesystem::path& own) {
  const litmus::program shipped = read(lesson);
  const litmus::program mine = read(own);
  const bool same_end =
      shipped.final.text == mine.final.text && shipped.final.quantifier == mine.final.quantifier;
  const bool same_start = shipped.locations == mine.locations && shipped.initial == mine.initial &&
                          shipped.mbarriers == mine.mbarriers;
  if (same_end && same_start && without_fences(shipped) == without_fences(mine)) return;
  throw usage_error(fmt::format(
      "{}: {} is not that of the lesson; add fences, and leave everything else as it is",
      own.string(), same_end ? same_start ? "an instruction" : "the start" : "the last line"));
}

}  // namespace warpcheck
