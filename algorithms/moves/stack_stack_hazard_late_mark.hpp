// The broken twin of `stack_stack_hazard`: a mark that comes when the DCAS has succeeded stays, as
// D26 is printed. Nobody's hazard pointer names the descriptor then, and yet it is in a word.
#pragma once

#include "hazard_words.hpp"

struct stack_stack_hazard_late_mark
    : containers_with<movable_stack, movable_stack,
                      hazard_words<move_hazards{.count = 1, .leaves_late_marks = true}>> {
  static constexpr const char* spec = "containers";
};
SIMT_SUBJECT(stack_stack_hazard_late_mark);
