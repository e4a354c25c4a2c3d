// The skip list without locks of Sundell and Tsigas (Fast and lock-free concurrent priority queues
// for multi-thread systems, JPDC 65, 2005; Scalable and lock-free concurrent dictionaries, SAC
// 2004). A node is deleted when its value is marked. Who marked it says from which node it was
// reached, which leads back those that stand on it, and marks its links, each of which others may
// help to unlink. Nodes are used again when reference counts say that nobody refers to them.
//
// Theirs calls itself where it meets a deleted node while it helps with another one. Here a walk
// unlinks such a node from where it comes from, and goes back only if it stands on a deleted one.
#pragma once

#include <climits>

#include "../reference_count.hpp"
#include "skip_nodes.hpp"

template <int levels>
struct sundell_node_of : skip_node_of<levels> {
  using typename skip_node_of<levels>::shared;

  int top{0};        // its highest level
  shared value{0};   // its lowest bit: it is deleted
  shared back{0};    // of a deleted node: one before it; 0: none yet
  shared linked{0};  // on how many levels walks may begin at it
};

/// Of two levels, how high a node rises is drawn: the environment chooses.
struct two_levels {
  static constexpr int levels = 2;
  SIMT_FN static int draw(int) { return static_cast<int>(simt::choose(2)); }
};

/// Nodes with an odd key are on both levels, those with an even one on level zero.
struct two_levels_by_key {
  static constexpr int levels = 2;
  SIMT_FN static int draw(int key) { return key & 1; }
};

/// Nodes that each thread takes one after another, each used once. Nobody counts references.
template <class Levels>
struct sundell_nodes_once : Levels {
  using node = sundell_node_of<Levels::levels>;
  static constexpr int ends = 2;  // the first two nodes, which stay; number 0 is none
  static constexpr int threads = simt::sized(4, simt::measured_threads / 4);
  static constexpr int each = simt::sized(3, 1);  // inserts of a thread
  static constexpr int count = 1 + ends + threads * each;

  node all[count];
  int used[threads]{};

  SIMT_FN void prepare() {}
  SIMT_FN node& operator[](int number) { return all[number]; }
  SIMT_FN int take() {
    const int me = static_cast<int>(simt::thread_rank());
    return 1 + ends + me * each + used[me]++;
  }
  SIMT_FN static void retire(int) {}

  /// The node that a link leads to; 0: the link is marked.
  SIMT_FN static int refer(typename node::shared& link) {
    const int seen = link.load(simt::memory_order_acquire);
    return marked_links::is_marked(seen) ? 0 : marked_links::number_of(seen);
  }
  SIMT_FN static void add(int) {}
  SIMT_FN static void drop(int) {}
};

/// Nodes of a pool.
template <class Levels>
struct sundell_pool : Levels {
  using node = sundell_node_of<Levels::levels>;
  static constexpr int ends = 2;
  static constexpr int count = 1 + ends + 6;

  simt::pool<node, count - 1> all;

  SIMT_FN void prepare() {
    for (int i = 0; i < ends; ++i) all.allocate();
  }
  SIMT_FN node& operator[](int number) { return all.at(number); }
  SIMT_FN int take() { return all.index_of(all.allocate()); }
  SIMT_FN void retire(int number) { all.retire(&all.at(number)); }
};

/// Nodes that are retired when nobody refers to them, neither a thread nor another node.
template <class Nodes>
struct sundell_counted : Nodes {
  reference_count<> counts[Nodes::count];

  /// With one reference, which is the caller's.
  SIMT_FN int take() {
    const int mine = Nodes::take();
    counts[mine].begin();
    return mine;
  }
  /// With one more reference.
  SIMT_FN int refer(typename Nodes::node::shared& link) {
    while (true) {
      const int seen = link.load(simt::memory_order_acquire);
      if (marked_links::is_marked(seen)) return 0;
      const int number = marked_links::number_of(seen);
      add(number);
      if (number <= Nodes::ends || link.load(simt::memory_order_acquire) == seen) return number;
      drop(number);
    }
  }
  SIMT_FN void add(int number) {
    if (number > Nodes::ends) counts[number].add();
  }
  SIMT_FN void drop(int number) {
    while (number > Nodes::ends && counts[number].drop()) {
      const int back = (*this)[number].back.load(simt::memory_order_acquire);
      Nodes::retire(number);
      number = back;
    }
  }
};

template <class Levels>
using sundell_nodes_again = sundell_counted<sundell_pool<Levels>>;

/// What broken twins leave out, and priority queues add.
struct sundell_ways {
  bool swaps_values = true;  // a value is marked by compare-and-swap
  bool marks_links = true;   // before a node is unlinked from a level
  bool holds_next = true;    // the node behind a new one is referred to until that is linked
  bool counts_links = true;  // on each level, and not once for the whole list
  bool looks_ahead = true;   // a deleted node is unlinked from the node that a walk stands on
  bool updates = false;      // an insert changes the value of a node that has its key (not in sets)
};

template <class Nodes, sundell_ways ways = sundell_ways{}>
struct sundell_list : marked_links {
  static constexpr int none = 0;
  static constexpr int first = 1;
  static constexpr int last = 2;
  static constexpr int levels = Nodes::levels;

  /// The caller refers to `at` and to as many of `before` as it asked for.
  struct place {
    int before[levels];
    int at;
    bool has_key;
  };

  Nodes nodes;

  SIMT_FN void init() {
    nodes.prepare();
    nodes[first].key = INT_MIN;
    nodes[last].key = INT_MAX;
    for (int level = 0; level < levels; ++level) {
      nodes[first].next[level].store(link_to(last), simt::memory_order_relaxed);
    }
    nodes[first].linked.store(levels, simt::memory_order_relaxed);
  }

  SIMT_FN bool insert(int key) {
    const int top = Nodes::draw(key);
    place where = find(key, top);
    int mine = none;
    while (true) {
      if (where.has_key && (!ways.updates || update(where.at))) {
        leave(where, top);
        nodes.drop(mine);
        return false;
      }
      if (where.has_key) {  // it has been deleted since
        nodes.drop(where.at);
        look(where, 0, key);
        continue;
      }
      if (mine == none) mine = allocate(key, top);
      lead(mine, 0, where.at);
      if (link(mine, 0, where.before[0], where.at)) break;
      look(where, 0, key);
    }
    nodes.drop(where.before[0]);
    for (int level = 1; level <= top; ++level) link_above(mine, level, key, where);
    nodes[mine].linked.store(top + 1, simt::memory_order_release);
    if (is_deleted(mine)) unlink_all(mine, key);
    nodes.drop(mine);
    return true;
  }

  SIMT_FN bool erase(int key) {
    while (true) {
      const place where = find(key, 0);
      if (!where.has_key) {
        leave(where, 0);
        return false;
      }
      if (claim(where.at)) {
        remove(where);
        return true;
      }
      leave(where, 0);
    }
  }

  SIMT_FN bool contains(int key) {
    const place where = find(key, 0);
    leave(where, 0);
    return where.has_key;
  }

  /// The place of `key`, with a reference to who is before it on each level up to `kept`.
  SIMT_FN place find(int key, int kept) {
    place where{};
    where.before[levels - 1] = first;
    for (int level = levels - 1; level > 0; --level) {
      look(where, level, key);
      nodes.drop(where.at);
      where.before[level - 1] = where.before[level];
      if (level <= kept) nodes.add(where.before[level]);
    }
    look(where, 0, key);
    return where;
  }
  /// Sets who is next to the place of `key` on that level, walking on from `before`.
  SIMT_FN void look(place& where, int level, int key) {
    int& before = where.before[level];
    bool is_found = walk(where, before, level, key);
    while (!is_found) {  // from the head
      for (int above = levels - 1; above >= level; --above) {
        is_found = walk(where, before, above, key);
        if (!is_found) break;
        if (above > level) nodes.drop(where.at);
      }
    }
  }
  SIMT_FN void leave(const place& where, int kept) {
    nodes.drop(where.at);
    for (int level = 0; level <= kept; ++level) nodes.drop(where.before[level]);
  }

  SIMT_FN int value_of(int number) { return nodes[number].value.load(simt::memory_order_acquire); }
  /// Whether the value was the one seen, and now is the other.
  SIMT_FN bool change_value(int number, int seen, int desired) {
    if constexpr (!ways.swaps_values) {
      nodes[number].value.store(desired, simt::memory_order_release);
      return true;
    }
    return nodes[number].value.compare_exchange_strong(seen, desired, simt::memory_order_acq_rel,
                                                       simt::memory_order_relaxed);
  }
  /// Whether the caller deleted the node.
  SIMT_FN bool claim(int number) {
    int seen = value_of(number);
    while ((seen & 1) == 0 && !change_value(number, seen, seen | 1)) seen = value_of(number);
    return (seen & 1) == 0;
  }
  /// Unlinks the node at a place, which the caller deleted. The node keeps the reference to who is
  /// before it.
  SIMT_FN void remove(const place& where) {
    auto& victim = nodes[where.at];
    victim.back.store(where.before[0], simt::memory_order_release);
    if constexpr (ways.marks_links) {
      for (int level = victim.top; level >= 0; --level) victim.mark(level);
    }
    leave(find(victim.key, 0), 0);
    nodes.drop(where.at);
    if constexpr (!ways.counts_links) nodes.drop(where.at);
  }

 private:
  static constexpr int gone = 1;  // the link of a node that is unlinked from that level

  SIMT_FN bool is_deleted(int number) { return number > last && (value_of(number) & 1) != 0; }
  /// Whether the node was not deleted, and its value is a new one.
  SIMT_FN bool update(int number) {
    int seen = value_of(number);
    while ((seen & 1) == 0 && !change_value(number, seen, seen + 2)) seen = value_of(number);
    return (seen & 1) == 0;
  }

  SIMT_FN int allocate(int key, int top) {
    const int mine = nodes.take();
    auto& node = nodes[mine];
    node.key = key;
    node.top = top;
    node.value.store(0, simt::memory_order_release);
    node.back.store(none, simt::memory_order_release);
    node.linked.store(0, simt::memory_order_release);
    return mine;
  }
  /// Sets the link of a level that the node is not linked on.
  SIMT_FN void lead(int mine, int level, int at) {
    nodes[mine].next[level].store(at == none ? gone : link_to(at), simt::memory_order_release);
  }
  /// Links the node on that level, if `at` is still behind `before`. The links refer to both, as
  /// one referred to `at`.
  SIMT_FN bool link(int mine, int level, int before, int at) {
    const bool counts = ways.counts_links || level == 0;
    if (counts) nodes.add(mine);
    if constexpr (!ways.holds_next) nodes.drop(at);
    const bool is_linked = nodes[before].change(level, link_to(at), link_to(mine));
    if constexpr (ways.holds_next) nodes.drop(at);
    if (counts && !is_linked) nodes.drop(mine);
    return is_linked;
  }
  /// Links the node on a level above zero, unless it is deleted.
  SIMT_FN void link_above(int mine, int level, int key, place& where) {
    nodes[mine].linked.store(level, simt::memory_order_release);
    while (true) {
      look(where, level, key);
      lead(mine, level, where.at);
      if (is_deleted(mine)) {
        lead(mine, level, none);
        nodes.drop(where.at);
        break;
      }
      if (link(mine, level, where.before[level], where.at)) break;
    }
    nodes.drop(where.before[level]);
  }
  /// Unlinks a deleted node from where its insert has linked it since.
  SIMT_FN void unlink_all(int mine, int key) {
    if constexpr (ways.counts_links) {
      leave(find(key, 0), 0);
    } else {
      place where{};
      where.before[0] = first;
      look(where, 0, key);
      leave(where, 0);
    }
  }

  /// Finds the first node whose key is not below `key`. Unlinks deleted nodes on the way, and goes
  /// back if `before` is deleted; false: there is no way but from the head.
  SIMT_FN bool walk(place& where, int& before, int level, int key) {
    while (true) {
      const int at = nodes.refer(nodes[before].next[level]);
      if (at == none) {
        if (!go_back(before, level)) return false;
      } else if (ways.looks_ahead && is_deleted(at)) {
        unlink(before, at, level);
        nodes.drop(at);
      } else {
        const int found = nodes[at].key;
        if (found >= key) {
          where.at = at;
          where.has_key = found == key && (ways.looks_ahead || !is_deleted(at));
          return true;
        }
        nodes.drop(before);
        before = at;
        if (!ways.looks_ahead && is_deleted(at)) before = help_behind(at, level);
      }
    }
  }
  /// From a deleted node; false: to the head.
  SIMT_FN bool go_back(int& before, int level) {
    const int to = nodes[before].back.load(simt::memory_order_acquire);
    const bool leads = to != none && nodes[to].linked.load(simt::memory_order_acquire) > level;
    if (leads) nodes.add(to);
    nodes.drop(before);
    before = leads ? to : first;
    return leads;
  }
  /// Helps to unlink a deleted node from a level.
  SIMT_FN void unlink(int before, int at, int level) {
    if constexpr (ways.marks_links) nodes[at].mark(level);
    const int behind = number_of(nodes[at].link(level));
    if (behind == none) return;
    if (!nodes[before].change(level, link_to(at), link_to(behind))) return;
    nodes[at].next[level].store(gone, simt::memory_order_release);
    if constexpr (ways.counts_links) nodes.drop(at);
  }
  /// Helps to unlink the deleted node that a walk stands on, unless another node with its key comes
  /// first, and returns where the walk goes on. References are not counted.
  SIMT_FN int help_behind(int at, int level) {
    nodes[at].mark(level);
    const int back = nodes[at].back.load(simt::memory_order_acquire);
    const int from =
        back == none || nodes[back].linked.load(simt::memory_order_acquire) <= level ? first : back;
    int before = from;
    int there = number_of(nodes[before].link(level));
    while (there != none && nodes[there].key < nodes[at].key) {
      before = there;
      there = number_of(nodes[before].link(level));
    }
    if (there == at) unlink(before, at, level);
    return from;
  }
};
