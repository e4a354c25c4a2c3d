// Nodes that are handed out and given back: dynamic memory for lists, with a bound.
//
// A pool is a member of the subject. It hands out nodes that were retired before fresh ones, the
// one with the lowest number first, so that a node comes back as early as it can. Of the order in
// which nodes were retired nothing depends.
//
// A retired node keeps what was in it. In the simulator an access to a node that is not in use, and
// retiring one that is not, are a `bad-access`. On a GPU accesses are not looked at; retiring a
// node twice fails as an assertion does.
#pragma once

#include <cstdint>

#include <simt/detail/backend.hpp>

namespace simt {

enum class pool_policy : std::uint8_t {
  reuse,        // retired nodes are handed out again
  no_reuse,     // they are not
  type_stable,  // they are, and may be accessed all the while, as algorithms with counts need it
};

/// `capacity` nodes of type T, numbered from 1; 0 is none. Allocating and retiring are atomic, of
/// device scope, with acquire and release order. So what was done to a node before it was retired
/// is done before the node is handed out again.
template <class T, unsigned capacity, pool_policy policy = pool_policy::reuse>
class pool {
  static_assert(capacity > 0);

 public:
  using node_type = T;

  pool() {
    detail::register_pool(
        {words_, nodes_, sizeof(T), capacity, policy != pool_policy::type_stable});
  }
  pool(const pool&) = delete;
  pool& operator=(const pool&) = delete;

  /// A node that is not in use, and then is; null: there is none. (With more than 55 nodes: none
  /// was found, one after another 56 of them at a time.)
  SIMT_FN T* allocate() {
    unsigned number = take(0);
    if constexpr (word_count > 1) {
      for (unsigned word = 1; word < word_count && number == 0; ++word) number = take(word);
    }
    return reinterpret_cast<T*>(reinterpret_cast<std::uintptr_t>(&nodes_[number]) * (number != 0));
  }

  /// Gives back a node that is in use.
  SIMT_FN void retire(T* node) {
    const auto number = static_cast<unsigned>(index_of(node));
    detail::pool_retire(&words_[number / detail::pool_word_nodes],
                        number % detail::pool_word_nodes);
  }

  /// The number of a node, 1 to `capacity`; of null: 0.
  SIMT_HOST_FN int index_of(const T* node) const {
    const std::uintptr_t behind =
        reinterpret_cast<std::uintptr_t>(node) - reinterpret_cast<std::uintptr_t>(&nodes_[0]);
    return static_cast<int>(behind / sizeof(T)) * (node != nullptr);
  }

  /// The node of that number. `at(0)` is no node: it must not be accessed.
  SIMT_HOST_FN T& at(int number) { return nodes_[number]; }
  SIMT_HOST_FN const T& at(int number) const { return nodes_[number]; }

 private:
  static constexpr unsigned slots = capacity + 1;  // with node 0
  static constexpr unsigned word_count =
      (slots + detail::pool_word_nodes - 1) / detail::pool_word_nodes;

  // Node 0 has been handed out, and is never retired.
  std::uint64_t words_[word_count]{std::uint64_t{1} << detail::pool_word_nodes};
  T nodes_[slots]{};

  SIMT_FN unsigned take(unsigned word) {
    const unsigned first = word * detail::pool_word_nodes;
    const unsigned rest = slots - first;
    const unsigned nodes = word + 1 < word_count ? detail::pool_word_nodes : rest;
    const unsigned taken = detail::pool_take(&words_[word], nodes, policy != pool_policy::no_reuse);
    return (first + taken) * (taken != detail::pool_no_node);
  }
};

}  // namespace simt
