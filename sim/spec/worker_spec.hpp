// Specifications of a user's header: their code is loaded and runs in a worker process, and here is
// who asks it. What was asked before is remembered, since specifications are functions: the same
// call in the same state has the same outcomes.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <simt/spec.hpp>

#include "sim/worker/host_worker.hpp"

namespace simt {

class spec_worker {
 public:
  /// Loads a shared object that was made of `source`, there. Throws host_code_error,
  /// host_code_stopped.
  spec_worker(std::string source, const std::filesystem::path& object, const patience& waiting);

  /// In the order of their SIMT_SPEC lines.
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  /// One of these. It takes over the worker.
  std::unique_ptr<spec::specification> make(std::string_view name) &&;

 private:
  std::string source_;
  patience waiting_;
  std::unique_ptr<host_worker> worker_;
  std::vector<std::string> names_;
};

}  // namespace simt
