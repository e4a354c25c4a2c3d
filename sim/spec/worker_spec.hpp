// Specifications of a user's header. Their code is loaded and runs in a worker process, which these
// classes ask. Answers are remembered, since specifications are functions: the same call in the
// same state has the same outcomes.
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
  /// Loads the shared object, which was made of `source`, in the worker. Throws host_code_error,
  /// host_code_stopped.
  spec_worker(std::string source, const std::filesystem::path& object, const patience& waiting);

  /// The names of the specifications, in the order of their SIMT_SPEC lines.
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  /// Makes one of these specifications, which takes over the worker.
  std::unique_ptr<spec::specification> make(std::string_view name) &&;

 private:
  std::string source_;
  patience waiting_;
  std::unique_ptr<host_worker> worker_;
  std::vector<std::string> names_;
};

}  // namespace simt
