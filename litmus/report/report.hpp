// Renders an answer to a litmus test: text for people, JSON for programs, a graph for Graphviz.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>

#include "litmus/answer.hpp"

namespace litmus {

/// What a key says of a test. Empty: it says nothing.
struct expectation {
  std::optional<bool> holds, terminates;
};

/// A test, its answer, and what was expected.
struct answered {
  std::string file;
  litmus::program program;
  candidate_options options;
  litmus::answer answer;
  std::optional<expectation> expected;
  std::string stopped;  // why `options.stop` was true, with a remedy; empty: it never was

  /// Whether the answer is the expected one. Without an expectation, the statement must be true.
  /// Empty: not known.
  [[nodiscard]] std::optional<bool> as_expected() const;
};

/// A head line; a table of outcomes; races. With `why`: a witness, or why there is none.
std::string render(const answered& one, bool why);

/// One line: the file, the condition, the verdict.
std::string headline(const answered& one);

/// One element of "results" (docs/litmus.md).
nlohmann::ordered_json to_json(const answered& one, bool why);

/// The execution that decides, as a digraph: one that satisfies the formula (for forall:
/// contradicts it), else any complete one, else one that never ends. Empty: there is none.
std::string dot(const answered& one);

}  // namespace litmus
