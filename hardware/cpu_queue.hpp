// A queue on the CPU's cores, for queues.cu and priority_queues.cu.
#pragma once

#include <vector>

#include "mixes.hpp"

namespace measured {

class cpu_queue {
 public:
  virtual ~cpu_queue() = default;
  virtual void clear() = 0;
  /// Carries out all operations on `threads` threads. Thread t takes those that are t modulo
  /// `threads`. `answers` gets the answer of each operation.
  virtual void carry_out(const std::vector<operation>& all, std::vector<int>& answers,
                         unsigned threads) = 0;
  /// Takes what is left, at most `most` values, on one thread. All others are done.
  virtual std::vector<int> take_all(std::size_t most) = 0;
};

}  // namespace measured
