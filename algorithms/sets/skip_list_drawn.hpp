// A skip list with three levels, which are drawn. When nobody is at work, each node of a level that
// is not erased is on the level below.
#pragma once

#include "drawn_skip_lists.hpp"

struct skip_list_drawn : drawn_skip_list {
  const char* check() const {
    for (int level = 1; level < list::levels; ++level) {
      for (int number = list::first; number != list::last; number = after(number, level)) {
        if (!is_erased(number) && !is_on(number, level - 1)) return "a level lacks a node";
      }
    }
    return nullptr;
  }
};
SIMT_SUBJECT(skip_list_drawn);
