// All orders of a small history, tried one by one.
#pragma once

#include <vector>

#include "checker/history/check_history.hpp"
#include "tests/history/generate_history.hpp"

namespace naive_history {

class oracle {
 public:
  oracle(naive_object object, std::vector<naive_operation> all, warpcheck::consistency wanted)
      : object_(std::move(object)), all_(std::move(all)), wanted_(wanted) {
    done_.resize(all_.size(), 0);
  }

  bool has_order() { return extend(object_); }

  /// Must operation a be before operation b?
  [[nodiscard]] bool precedes(const naive_operation& a, const naive_operation& b) const {
    if (wanted_ == warpcheck::consistency::sequential) {
      return a.client == b.client && a.called < b.called;
    }
    if (a.returns < 0 || a.returns > b.called) return false;
    if (wanted_ == warpcheck::consistency::linearizable) return true;
    for (int moment = a.returns; moment < b.called; ++moment) {  // just after that event
      const bool quiet = std::none_of(all_.begin(), all_.end(), [&](const naive_operation& o) {
        return o.called <= moment && (o.returns < 0 || o.returns > moment);
      });
      if (quiet) return true;
    }
    return false;
  }

 private:
  naive_object object_;
  std::vector<naive_operation> all_;
  warpcheck::consistency wanted_;
  std::vector<unsigned> done_;  // steps taken, by operation

  bool extend(const naive_object& now) {
    bool complete = true;
    for (std::size_t i = 0; i < all_.size(); ++i) {
      complete = complete && (all_[i].returns < 0 || done_[i] == all_[i].steps);
    }
    if (complete) return true;
    for (std::size_t i = 0; i < all_.size(); ++i) {
      if (done_[i] == all_[i].steps || !may_go(i)) continue;
      naive_object next = now;
      const auto got = next.apply(all_[i].op, all_[i].args, all_[i].client, done_[i]);
      if (!got) continue;
      const bool last = done_[i] + 1 == all_[i].steps;
      if (last && all_[i].returns >= 0 && *got != all_[i].returned) continue;
      ++done_[i];
      const bool found = extend(next);
      --done_[i];
      if (found) return true;
    }
    return false;
  }

  bool may_go(std::size_t i) const {
    for (std::size_t other = 0; other < all_.size(); ++other) {
      if (other != i && done_[other] < all_[other].steps && precedes(all_[other], all_[i])) {
        return false;
      }
    }
    return true;
  }
};

}  // namespace naive_history
