// The limit of time, where a single step may take long.
#pragma once

#include "checker/explore/limits.hpp"
#include "sim/machine/lane_automaton.hpp"

namespace warpcheck {

/// While it lives, nothing new is asked of device code once time is over, nor what a lane could do
/// alone: that throws lane_automaton::given_up. (What is kept rests on whole steps.)
class asked_in_time {
 public:
  asked_in_time(simt::lane_automaton& lanes, const limits& bounds) : lanes_(lanes) {
    if (!bounds.files.save) lanes.give_up_where([&bounds] { return bounds.is_over(); });
  }
  ~asked_in_time() { lanes_.give_up_where({}); }
  asked_in_time(const asked_in_time&) = delete;
  asked_in_time& operator=(const asked_in_time&) = delete;

 private:
  simt::lane_automaton& lanes_;
};

}  // namespace warpcheck
