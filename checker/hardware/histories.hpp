// Judges histories that were recorded on a GPU by the specification of the object.
//
// Events have the order of tickets that lanes take. If that order says that one operation was
// before another, it was. See sim/include/simt/detail/cuda.hpp for the reason.
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

  /// Turns launches that finished with a history that is not linearizable into failures. The
  /// message says why the first of them is wrong.
  void judge(trial_batch& some);

 private:
  std::shared_ptr<const simt::spec::specification> spec_;
  // Why a history is wrong; empty: it is right.
  std::unordered_map<std::string, std::string> known_;

  const std::string& why_not(const std::string& events);
};

}  // namespace warpcheck
