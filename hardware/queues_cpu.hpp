// The queues of measured_queues.hpp on the CPU's cores, for queues.cu.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "mixes.hpp"

namespace measured {

class cpu_queue {
 public:
  virtual ~cpu_queue() = default;
  virtual void clear() = 0;
  /// All operations by so many threads, thread t those whose number is t modulo them. `answers`: of
  /// each operation.
  virtual void carry_out(const std::vector<operation>& all, std::vector<int>& answers,
                         unsigned threads) = 0;
  /// By one thread, when all others are done: what is left, up to so many.
  virtual std::vector<int> take_all(std::size_t most) = 0;
};

/// "cpu_michael_scott", "cpu_vyukov" or "cpu_mutex" (a std::queue); else null.
std::unique_ptr<cpu_queue> make_cpu_queue(const std::string& name);

}  // namespace measured
