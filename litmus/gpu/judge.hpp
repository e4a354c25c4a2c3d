// Compares the outcomes of a litmus test on a GPU with those that the model allows.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "litmus/answer.hpp"

namespace litmus::gpu {

/// How the runner ended (hardware/litmus_runner.cu).
enum class ending : std::uint8_t {
  finished,
  hang,          // a launch did not end by the deadline; the counts are of those before
  device_error,  // the same, where CUDA reported an error
  no_result      // the runner itself failed
};

inline constexpr std::array<std::string_view, 4> ending_names{"finished", "hang", "device-error",
                                                              "no-result"};

struct counted_outcome {
  std::vector<value> values;  // of answer::observed
  std::uint64_t count = 0;
};

/// All instances of a test that were run.
struct observation {
  ending end = ending::no_result;
  std::string message;  // of an error
  std::uint64_t launches = 0;
  std::uint64_t instances = 0;
  std::uint64_t incomplete = 0;  // of them: a thread gave up at a loop or barrier
  double seconds = 0;
  std::vector<counted_outcome> outcomes;  // of the others
};

/// What the runner printed, with its exit status.
observation read_observation(const std::string& printed, int status);

/// An outcome that the model allows, or that was seen.
struct judged_outcome {
  std::vector<value> values;
  std::uint64_t seen = 0;
  bool allowed = false;
  bool satisfies = false;          // the condition's formula
  std::optional<bool> sequential;  // possible under sequential consistency; empty: not known
};

enum class conclusion : std::uint8_t {
  agrees,         // all that was seen is allowed
  contradicts,    // something is forbidden, or a launch hung although every execution ends
  no_prediction,  // what was seen is none of the outcomes that were found before a bound was hit
  no_result       // nothing was seen
};

inline constexpr std::array<std::string_view, 4> conclusion_names{"agrees", "contradicts",
                                                                  "no prediction", "no result"};

constexpr std::string_view name(conclusion c) {
  return conclusion_names[static_cast<std::size_t>(c)];
}

struct judgement {
  std::vector<judged_outcome> outcomes;  // in the order of their values
  conclusion end = conclusion::no_result;
};

/// `sequential`: the answer of sequential consistency to the same test.
judgement judge(const program& p, const answer& model, const answer& sequential,
                const observation& seen);

}  // namespace litmus::gpu
