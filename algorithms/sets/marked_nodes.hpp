// The nodes of sorted lists without locks, each used once (Harris, A pragmatic implementation of
// non-blocking linked-lists, DISC 2001): a link is one word, the number of the next node and, as
// its lowest bit, the mark of the node that has the link. A marked node is deleted, and its link
// never changes again.
#pragma once

#include <limits>

#include <simt/simt.hpp>

/// Links of nodes that are known by number.
struct marked_links {
  SIMT_FN static int link_to(int number) { return number << 1; }
  SIMT_HOST_FN static int number_of(int link) { return link >> 1; }
  SIMT_FN static int marked(int link) { return link | 1; }
  SIMT_HOST_FN static bool is_marked(int link) { return (link & 1) != 0; }
};

/// `Fixed`: nodes that are there from the start, beside the two ends.
template <class Key, int Fixed = 0>
struct marked_nodes_of : marked_links {
  static constexpr int threads = simt::sized(4, simt::measured_threads / 4);
  static constexpr int each = simt::sized(3, 1);  // inserts of a thread
  static constexpr int first = 0;                 // the head, whose key is below all others
  static constexpr int last = 1;                  // the tail, whose key is above all others
  static constexpr int fixed = 2;                 // the first of the fixed nodes
  static constexpr Key lowest = std::numeric_limits<Key>::min();
  static constexpr Key highest = std::numeric_limits<Key>::max();
  static constexpr int count = fixed + Fixed + threads * each;

  struct node {
    Key key{0};
    simt::atomic<int, simt::thread_scope_device> next{last << 1};

    SIMT_FN int link() { return next.load(simt::memory_order_acquire); }
    /// Whether the link was the expected one, and now is the other.
    SIMT_FN bool change(int expected, int desired) {
      return next.compare_exchange_strong(expected, desired, simt::memory_order_acq_rel,
                                          simt::memory_order_relaxed);
    }
  };
  /// Two neighbours: `at` has the smallest key that is not below the one looked for.
  struct place {
    int before;
    int at;
    bool has_key;
  };

  node nodes[count];
  int used[threads]{};

  SIMT_FN void init() {
    nodes[first].key = lowest;
    nodes[last].key = highest;
  }

  SIMT_FN node& operator[](int number) { return nodes[number]; }

  /// Of the calling thread.
  SIMT_FN int allocate(Key key) {
    const int me = static_cast<int>(simt::thread_rank());
    const int mine = fixed + Fixed + me * each + used[me]++;
    nodes[mine].key = key;
    return mine;
  }

  /// The place of `key`, behind `head`. Unlinks the marked nodes on the way, one at a time, and
  /// starts over if somebody else has changed the link.
  SIMT_FN place find(Key key, int head = first) {
    while (true) {
      int before = head;
      int at = number_of(nodes[before].link());
      bool is_whole = true;
      while (is_whole) {
        const int link = nodes[at].link();
        if (is_marked(link)) {
          is_whole = nodes[before].change(link_to(at), link_to(number_of(link)));
        } else {
          const Key found = nodes[at].key;
          if (found >= key) return {before, at, found == key};
          before = at;
        }
        at = number_of(link);
      }
    }
  }

  /// Links a new node with `key` behind `head`, unless the key is there.
  SIMT_FN bool insert(Key key, int head = first) {
    int mine = 0;
    while (true) {
      const auto where = find(key, head);
      if (where.has_key) return false;
      if (mine == 0) mine = allocate(key);
      nodes[mine].next.store(link_to(where.at), simt::memory_order_release);
      if (nodes[where.before].change(link_to(where.at), link_to(mine))) return true;
    }
  }

  /// Marks the node with `key`, if there is one behind `head`, and tries once to unlink it.
  SIMT_FN bool erase(Key key, int head = first) {
    while (true) {
      const auto where = find(key, head);
      if (!where.has_key) return false;
      const int link = nodes[where.at].link();
      if (is_marked(link)) continue;
      if (!nodes[where.at].change(link, marked(link))) continue;
      nodes[where.before].change(link_to(where.at), link);
      return true;
    }
  }

  /// Whether a node with `key` that is behind `head` is not marked. Changes nothing.
  SIMT_FN bool contains(Key key, int head = first) {
    int at = number_of(nodes[head].link());
    Key found = nodes[at].key;
    while (found < key) {
      at = number_of(nodes[at].link());
      found = nodes[at].key;
    }
    return found == key && !is_marked(nodes[at].link());
  }
};

using marked_nodes = marked_nodes_of<int>;
