// Programs as tests write them.
#pragma once

#include <string>
#include <vector>

#include "checker/progress/answer.hpp"

namespace test {

/// A test with the instructions of each thread. Throws instruction_error.
inline warpcheck::progress_test test_of(const std::vector<std::vector<std::string>>& threads) {
  warpcheck::progress_test result;
  result.id = "test";
  for (const auto& thread : threads) {
    auto& instructions = result.program.threads.emplace_back();
    for (const std::string& text : thread) {
      instructions.push_back(warpcheck::parse_instruction(text, thread.size()));
    }
  }
  return result;
}

/// Ten letters for the ten columns, "HOBLF HOBLF": that of a model where termination is guaranteed
/// (B: HSA_OBE), and a dot where it is not. First weak, then strong.
template <class Holds>
std::string letters(Holds holds) {
  std::string text;
  for (const auto notion : warpcheck::fairness_notions) {
    if (!text.empty()) text += ' ';
    for (const auto model : warpcheck::progress_models) {
      text += holds(notion, model) ? "HOBLF"[static_cast<std::size_t>(model)] : '.';
    }
  }
  return text;
}

inline std::string letters(const warpcheck::progress_answer& answer) {
  return letters([&](auto notion, auto model) { return answer.holds({notion, model}).value(); });
}

}  // namespace test
