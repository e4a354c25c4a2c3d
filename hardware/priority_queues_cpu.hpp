// Priority queues on the CPU's cores, for priority_queues.cu.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "mixes.hpp"

namespace measured {

class cpu_priority_queue {
 public:
  virtual ~cpu_priority_queue() = default;
  virtual void clear() = 0;
  /// Carries out all operations on `threads` threads. Thread t takes those that are t modulo
  /// `threads`. `answers` gets the answer of each operation.
  virtual void carry_out(const std::vector<operation>& all, std::vector<int>& answers,
                         unsigned threads) = 0;
  /// Takes what is left, on one thread.
  virtual std::vector<int> take_all() = 0;
};

/// "cpu_skip_queue" or "cpu_mutex". Null: another name.
std::unique_ptr<cpu_priority_queue> make_cpu_priority_queue(const std::string& name);

}  // namespace measured
