// The nodes of skip lists without locks: on each level a list whose links carry the mark of the
// node that has the link. A node is deleted when it is marked on level zero. After Herlihy and
// Shavit (The art of multiprocessor programming, revised first edition, 14.4), as Misra and
// Chaudhuri (ICPADS 2012, III-C) say.
//
// Where levels are not drawn there are two: nodes with an odd key are on both, those with an even
// one on level zero.
#pragma once

#include <climits>

#include "marked_nodes.hpp"

/// A node, and what leads on from it on each level.
template <int levels>
struct skip_node_of {
  using shared = simt::atomic<int, simt::thread_scope_device>;

  int key{0};
  shared next[levels]{};

  SIMT_FN int link(int level) { return next[level].load(simt::memory_order_acquire); }
  SIMT_FN bool change(int level, int expected, int desired) {
    return next[level].compare_exchange_strong(expected, desired, simt::memory_order_acq_rel,
                                               simt::memory_order_acquire);
  }
  /// Marks the link of that level, unless others have.
  SIMT_FN void mark(int level) {
    int seen = link(level);
    while (!marked_links::is_marked(seen) && !change(level, seen, marked_links::marked(seen))) {
      seen = link(level);
    }
  }
};

using skip_node = skip_node_of<2>;

/// Levels that are not drawn.
struct levels_by_key {
  static constexpr int levels = 2;
  using node = skip_node;

  SIMT_FN static int top_of(int key) { return key & 1; }
  SIMT_FN static int top_of(node&, int key) { return top_of(key); }
  SIMT_FN static void draw(node&) {}
};

/// Each thread takes nodes of its own part one after another.
template <class Levels>
struct skip_nodes_once : Levels {
  static constexpr int threads = simt::sized(4, simt::measured_threads / 4);
  static constexpr int each = simt::sized(3, 1);  // inserts of a thread
  static constexpr int first = 0;
  static constexpr int last = 1;

  using node = typename Levels::node;

  node all[2 + threads * each];
  int used[threads]{};

  SIMT_FN void prepare() {}
  SIMT_FN int take() {
    const int me = static_cast<int>(simt::thread_rank());
    return 2 + me * each + used[me]++;
  }
  SIMT_FN node& operator[](int number) { return all[number]; }
};

template <class Nodes>
struct skip_nodes_of : marked_links {
  static constexpr int first = Nodes::first;
  static constexpr int last = Nodes::last;
  static constexpr int levels = Nodes::levels;
  using node = typename Nodes::node;

  /// On each level two neighbours, as in `marked_nodes`.
  struct place {
    int before[levels];
    int at[levels];
    bool has_key;
  };

  Nodes nodes;

  SIMT_FN void init() {
    nodes.prepare();
    nodes[first].key = INT_MIN;
    nodes[last].key = INT_MAX;
    for (int number = first; number <= last; ++number) {
      for (int level = 0; level < levels; ++level) {
        nodes[number].next[level].store(link_to(last), simt::memory_order_relaxed);
      }
    }
  }

  SIMT_FN node& operator[](int number) { return nodes[number]; }
  /// The highest level of a node.
  SIMT_FN int top_of(node& at, int key) { return Nodes::top_of(at, key); }

  SIMT_FN int allocate(int key) {
    const int mine = nodes.take();
    nodes[mine].key = key;
    Nodes::draw(nodes[mine]);
    return mine;
  }
  /// Sets the links of a node that nobody sees yet.
  SIMT_FN void lead(int mine, const place& where) {
    for (int level = 0; level <= top_of(nodes[mine], nodes[mine].key); ++level) {
      nodes[mine].next[level].store(link_to(where.at[level]), simt::memory_order_release);
    }
  }
  /// Links the node on that level, looking again for where as often as others are faster.
  SIMT_FN void link(int mine, int key, int level, place& where) {
    while (!nodes[where.before[level]].change(level, link_to(where.at[level]), link_to(mine))) {
      where = find(key);
    }
  }

  /// The place of `key` on each level. Unlinks the marked nodes on the way, and starts over if
  /// somebody else has changed the link.
  SIMT_FN place find(int key) {
    place where{};
    while (true) {
      int before = first;
      bool is_whole = true;
      for (int level = levels - 1; level >= 0 && is_whole; --level) {
        is_whole = find_on(level, key, before, where);
      }
      if (is_whole) return where;
    }
  }

  SIMT_FN bool insert(int key) {
    int mine = 0;
    while (true) {
      place where = find(key);
      if (where.has_key) return false;
      if (mine == 0) mine = allocate(key);
      lead(mine, where);
      if (!nodes[where.before[0]].change(0, link_to(where.at[0]), link_to(mine))) continue;
      for (int level = 1; level <= top_of(nodes[mine], key); ++level) link(mine, key, level, where);
      return true;
    }
  }

  /// Marks the node from its top level down. Who marks level zero has erased it, and unlinks it.
  SIMT_FN bool erase(int key) {
    const place where = find(key);
    if (!where.has_key) return false;
    node& victim = nodes[where.at[0]];
    for (int level = top_of(victim, key); level > 0; --level) victim.mark(level);
    int seen = victim.link(0);
    while (!is_marked(seen)) {
      if (victim.change(0, seen, marked(seen))) {
        find(key);
        return true;
      }
      seen = victim.link(0);
    }
    return false;
  }

  /// Whether a node with `key` is not marked on level zero. Changes nothing.
  SIMT_FN bool contains(int key) {
    int before = first;
    int at = first;
    for (int level = levels - 1; level >= 0; --level) {
      at = number_of(nodes[before].link(level));
      while (true) {
        const int link = nodes[at].link(level);
        if (!is_marked(link)) {
          if (nodes[at].key >= key) break;
          before = at;
        }
        at = number_of(link);
      }
    }
    return nodes[at].key == key;
  }

 private:
  /// One level of `find`, from `before` on; false: somebody else has changed the link.
  SIMT_FN bool find_on(int level, int key, int& before, place& where) {
    int at = number_of(nodes[before].link(level));
    while (true) {
      const int link = nodes[at].link(level);
      if (is_marked(link)) {
        if (!nodes[before].change(level, link_to(at), link_to(number_of(link)))) return false;
      } else {
        const int found = nodes[at].key;
        if (found >= key) {
          where.before[level] = before;
          where.at[level] = at;
          where.has_key = found == key;
          return true;
        }
        before = at;
      }
      at = number_of(link);
    }
  }
};

using skip_nodes = skip_nodes_of<skip_nodes_once<levels_by_key>>;
