// `skip_list_drawn`, and the wrong claim that no erased node stays linked when nobody is at work.
// An insert sets the links of its node before it links level zero, and not again.
#pragma once

#include "drawn_skip_lists.hpp"

struct skip_list_drawn_leftover : drawn_skip_list {
  const char* check() const {
    for (int level = 0; level < list::levels; ++level) {
      for (int number = list::first; number != list::last; number = after(number, level)) {
        if (is_erased(number)) return "an erased node is still linked";
      }
    }
    return nullptr;
  }
};
SIMT_SUBJECT(skip_list_drawn_leftover);
