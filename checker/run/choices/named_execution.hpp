// Executions by the names of their choices, as files have them. A name means the same in every
// process, and whatever was learnt of the program.
#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "checker/run/result.hpp"
#include "checker/run/session.hpp"
#include "sim/machine/walk/choice_name.hpp"

namespace warpcheck {

struct named_execution {
  std::vector<simt::choice_name> prefix;
  std::vector<simt::choice_name> cycle;
  /// What votes and reductions of barriers may answer. Promises may rest on answers that lanes get
  /// only later. Empty where no store is promised.
  std::map<simt::vote, simt::vote_answers> votes;
};

/// Names the choices of an execution that was found in this session. If the execution cannot be
/// followed, its choices keep their numbers.
named_execution names_of_choices(session& run, const execution& how);

struct found_execution {
  execution how;
  std::string lost;  // says which choice cannot be made; empty: each can
};

/// Asks what a report will ask of the states of an execution, so that the machine learns from the
/// answers, too.
using later_questions = std::function<void(std::span<const simt::state_words>)>;

/// Finds the choices that are named, in a session with which nothing else was done. Learns from the
/// steps what they depend on, and begins again where it did not know that. Afterwards the facts of
/// the session are settled.
found_execution find_choices(session& run, const named_execution& named,
                             const later_questions& ask = {});

}  // namespace warpcheck
