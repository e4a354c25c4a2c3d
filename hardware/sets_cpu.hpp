// The sets of measured_sets.hpp on the CPU's cores, for sets.cu.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "mixes.hpp"

namespace measured {

class cpu_set {
 public:
  virtual ~cpu_set() = default;
  virtual void clear() = 0;
  /// Carries out all operations on `threads` threads. Thread t takes those that are t modulo
  /// `threads`. `answers` gets the answer of each operation.
  virtual void carry_out(const std::vector<operation>& all, std::vector<unsigned char>& answers,
                         unsigned threads) = 0;
  /// Looks for the key on one thread. All others are done.
  virtual bool has(int key) = 0;
};

/// "cpu_list", "cpu_hash_list", "cpu_skip_list" or "cpu_sundell_skip_list". Null: another name.
std::unique_ptr<cpu_set> make_cpu_set(const std::string& name);

}  // namespace measured
