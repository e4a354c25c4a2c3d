// The structures of section 5.6.2 of Cederman's thesis (2011) as transactions: queue, hash map,
// binary tree and skip list; and a counter of several words, the smallest of them.
//
// Keys do not change once a node is linked, so they are plain; links are words of the memory. Node
// 0 is none. Each client takes its nodes from a part of its own, before its transaction.
#pragma once

#include "atomically.hpp"

namespace stm {

inline constexpr int clients = most_clients;
inline constexpr int nodes_each = simt::sized(2, 64);
inline constexpr int nodes = clients * nodes_each;

/// Words that are incremented together.
template <template <int> class Memory, int words, class Backoff = no_backoff>
struct counter {
  static constexpr const char* spec = "counter";

  retried<Memory<words>, Backoff> transactions;

  SIMT_FN void increment() {
    transactions.atomically([](auto& now) {
      for (int word = 0; word < words; ++word) now.write(word, now.read(word) + 1);
    });
  }
  SIMT_FN int read() {
    int first = 0;
    bool same = true;
    transactions.atomically([&](auto& now) {
      first = now.read(0);
      same = true;
      for (int word = 1; word < words; ++word) same = now.read(word) == first && same;
    });
    return same ? first : -1;
  }
};

/// Figure 5.1: word 0 is the head, word 1 the tail, the others are elements.
template <template <int> class Memory, class Backoff = no_backoff>
struct queue {
  static constexpr const char* spec = "queue";
  static constexpr int elements = simt::sized(4, nodes);  // all that are ever enqueued

  retried<Memory<2 + elements>, Backoff> transactions;

  SIMT_FN void enqueue(int value) {
    transactions.atomically([&](auto& now) {
      const int tail = now.read(1);
      now.write(2 + tail, value);
      now.write(1, tail + 1);
    });
  }
  SIMT_FN simt::maybe<int> dequeue() {
    simt::maybe<int> got;
    transactions.atomically([&](auto& now) {
      got = {};
      const int head = now.read(0);
      if (head == now.read(1)) return;
      got = now.read(2 + head);
      now.write(0, head + 1);
    });
    return got;
  }
};

/// What the three sets of nodes share.
struct keyed_nodes {
  int key[nodes + 1]{};
  int used[clients]{};

  SIMT_FN int take(int with_key) {
    const int me = static_cast<int>(simt::thread_rank());
    simt::check(used[me] < nodes_each, "no node is left");
    const int node = me * nodes_each + ++used[me];
    key[node] = with_key;
    return node;
  }
};

/// A list for each bucket; who inserts goes to its end. Words: the buckets, then a link a node.
template <template <int> class Memory, class Backoff = no_backoff>
struct hash_map {
  static constexpr const char* spec = "set";
  static constexpr int buckets = simt::sized(2, 128);

  retried<Memory<buckets + nodes>, Backoff> transactions;
  keyed_nodes all;

  SIMT_FN bool insert(int key) {
    const int node = all.take(key);
    bool is_new = false;
    transactions.atomically([&](auto& now) {
      int link = 0;
      is_new = find(now, key, link) == 0;
      if (is_new) now.write(link, node);
    });
    return is_new;
  }
  SIMT_FN bool contains(int key) {
    bool found = false;
    transactions.atomically([&](auto& now) {
      int link = 0;
      found = find(now, key, link) != 0;
    });
    return found;
  }

 private:
  template <class Attempt>
  SIMT_FN int find(Attempt& now, int key, int& link) {
    link = key % buckets;
    int at = now.read(link);
    while (at != 0 && all.key[at] != key) {
      link = buckets + at - 1;
      at = now.read(link);
    }
    return at;
  }
};

/// Word 0 is the root; a node has two words, for its smaller and its greater keys.
template <template <int> class Memory, class Backoff = no_backoff>
struct binary_tree {
  static constexpr const char* spec = "set";

  retried<Memory<1 + 2 * nodes>, Backoff> transactions;
  keyed_nodes all;

  SIMT_FN bool insert(int key) {
    const int node = all.take(key);
    bool is_new = false;
    transactions.atomically([&](auto& now) {
      int link = 0;
      is_new = find(now, key, link) == 0;
      if (is_new) now.write(link, node);
    });
    return is_new;
  }
  SIMT_FN bool contains(int key) {
    bool found = false;
    transactions.atomically([&](auto& now) {
      int link = 0;
      found = find(now, key, link) != 0;
    });
    return found;
  }

 private:
  template <class Attempt>
  SIMT_FN int find(Attempt& now, int key, int& link) {
    link = 0;
    int at = now.read(link);
    while (at != 0 && all.key[at] != key) {
      link = 2 * at - (key < all.key[at] ? 1 : 0);
      at = now.read(link);
    }
    return at;
  }
};

/// Two levels; a node of an even key is on both. Where it is measured there are seven, and a node
/// is on one more for each power of two that its key is a multiple of. The first words, one for a
/// level, are the head; then as many for each node.
template <template <int> class Memory, class Backoff = no_backoff>
struct skip_list {
  static constexpr const char* spec = "set";

  static constexpr int levels = simt::sized(2, 7);

  retried<Memory<levels*(1 + nodes)>, Backoff> transactions;
  keyed_nodes all;

  SIMT_FN bool insert(int key) {
    const int node = all.take(key);
    bool is_new = false;
    transactions.atomically([&](auto& now) {
      int before[levels] = {};
      const int at = find(now, key, before);
      is_new = at == 0 || all.key[at] != key;
      if (!is_new) return;
      for (int level = 0; level < levels_of(key); ++level) {
        now.write(link(node, level), now.read(link(before[level], level)));
        now.write(link(before[level], level), node);
      }
    });
    return is_new;
  }
  SIMT_FN bool erase(int key) {
    bool is_there = false;
    transactions.atomically([&](auto& now) {
      int before[levels] = {};
      const int at = find(now, key, before);
      is_there = at != 0 && all.key[at] == key;
      if (!is_there) return;
      for (int level = 0; level < levels_of(key); ++level) {
        now.write(link(before[level], level), now.read(link(at, level)));
      }
    });
    return is_there;
  }
  SIMT_FN bool contains(int key) {
    bool is_there = false;
    transactions.atomically([&](auto& now) {
      int before[levels] = {};
      const int at = find(now, key, before);
      is_there = at != 0 && all.key[at] == key;
    });
    return is_there;
  }

 private:
  SIMT_FN static int levels_of(int key) {
    int of = 1;
    for (int rest = key; of < levels && rest % 2 == 0; rest /= 2) ++of;
    return of;
  }
  SIMT_FN static int link(int node, int level) { return levels * node + level; }

  /// The first node on the lower level that does not have a smaller key; and who is before it.
  template <class Attempt>
  SIMT_FN int find(Attempt& now, int key, int* before) {
    int at = 0;
    int next = 0;
    for (int level = levels - 1; level >= 0; --level) {
      next = now.read(link(at, level));
      while (next != 0 && all.key[next] < key) {
        at = next;
        next = now.read(link(at, level));
      }
      before[level] = at;
    }
    return next;
  }
};

}  // namespace stm
