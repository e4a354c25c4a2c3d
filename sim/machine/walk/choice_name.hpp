// Names of choices that mean the same whatever machines have learnt of the program, and in every
// process.
//
// Under weak memory the number of a choice counts messages, or promises that a lane may make. Which
// of these there are depends on facts of the program. A name counts *groups* of stores instead
// (coherence_step.hpp), which are the same with all facts, and says what a promise stores.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "sim/machine/machine.hpp"

namespace simt {

struct choice_name {
  /// The choice. If `place` is set, its mask only says whether the step keeps a promise.
  choice by;
  /// What a promise stores: "object+4 = 1 by a release store for gpu". Empty for other choices.
  std::string store;
  /// The message that a step reads or stores behind, or the one in front of a promise.
  struct place_in_order {
    std::size_t newer = 0;  // groups
    // How many messages of its own group are newer. Nothing: the step tests the phase of an
    // mbarrier, and the message is the oldest of that phase that can be read.
    std::optional<std::size_t> within = 0;
    friend bool operator==(const place_in_order&, const place_in_order&) = default;
  };
  std::optional<place_in_order> place;
  /// Tells readers what is there: "object+4 is 0". No choice depends on it.
  std::string note;

  friend bool operator==(const choice_name&, const choice_name&) = default;
};

/// The name of a choice that is possible in `state`.
choice_name name_of(machine& in, state_view state, const choice& by);

/// The name with its place, even if that is the newest store. At a test of an mbarrier, groups are
/// phases. Nothing: the choice neither accesses memory nor promises a store.
std::optional<choice_name> placed(machine& in, state_view state, const choice& by);

/// The name as text. Examples beside those of choices: "w0.l1 older 1 (object+4 is 0)", "w0.l1
/// phase 1 (b0.shared 0)", "w0.l1 keeps 0 (flag is 0)". The text "w0.l1 older 0+2 (flag is 1)"
/// means all but two messages of the newest group. A promise is "w0.l1 promises flag = 1 by a
/// release store for gpu, older 0 (behind 0)".
std::string to_text(const choice_name& name, const grid_shape& grid);
/// Reads the text that to_text() gives, of a name or of a choice. Throws std::invalid_argument.
choice_name choice_name_from(std::string_view text, const grid_shape& grid);

/// Names a place in an image by its allocation: "object+4", "flag", "b0.shared 0+8".
std::string name_of_place(const device_memory& memory, std::uint64_t offset);
/// The place of the promised store in an image. Nothing: there is no such place.
std::optional<std::uint32_t> place_of_store(const device_memory& memory, const choice_name& name);

}  // namespace simt
