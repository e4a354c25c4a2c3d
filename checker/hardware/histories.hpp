// Histories that were recorded on a GPU, against the specification of the object.
//
// Events have the order of tickets that lanes take (sim/include/simt/detail/cuda.hpp says why that
// is sound): where it says that one operation was before another, it was.
#pragma once

#include <memory>
#include <string>
#include <unordered_map>

#include <simt/spec.hpp>

#include "checker/hardware/trial.hpp"

namespace warpcheck {

class history_judge {
 public:
  explicit history_judge(std::shared_ptr<const simt::spec::specification> spec)
      : spec_(std::move(spec)) {}

  /// Launches that finished, with a history that is not linearizable: become such that have not,
  /// and the first of them says why.
  void judge(trial_batch& some);

 private:
  std::shared_ptr<const simt::spec::specification> spec_;
  std::unordered_map<std::string, std::string> known_;  // why it is not; empty: it is

  const std::string& why_not(const std::string& events);
};

}  // namespace warpcheck
