// A broken twin of `michael_list_hazard`: `erase` retires its node even if it fails to unlink it.
// So others still reach a node that is not in use, and retire it a second time.
#pragma once

#include "michael_nodes.hpp"

struct michael_list_retire_anyway {
  static constexpr const char* spec = "set";

  michael_nodes<hazard_nodes<2>> list;

  SIMT_FN bool insert(int key) {
    const bool inserted = list.insert(key);
    list.nodes.release();
    return inserted;
  }
  SIMT_FN bool erase(int key) {
    bool erased = false;
    while (!erased) {
      const auto where = list.find(key);
      if (!where.has_key) break;
      erased = list.change(where.at, where.link, marked_links::marked(where.link));
      if (!erased) continue;
      list.change(where.before, marked_links::link_to(where.at), where.link);
      list.nodes.remove(where.at);
    }
    list.nodes.release();
    return erased;
  }
  SIMT_FN bool contains(int key) {
    const bool found = list.find(key).has_key;
    list.nodes.release();
    return found;
  }
};
SIMT_SUBJECT(michael_list_retire_anyway);
