// Ends steps that take long when time is over.
#pragma once

#include <functional>
#include <utility>

#include "checker/run/limits.hpp"
#include "sim/automaton/lane_automaton.hpp"

namespace warpcheck {

/// While an object lives and time is over, machines of the automaton end their steps, and new
/// questions throw lane_automaton::given_up. Questions go to device code, or ask what a lane could
/// do alone. If the search is to be saved, the object does nothing, because a saved search rests on
/// whole steps.
class asked_in_time {
 public:
  asked_in_time(simt::lane_automaton& lanes, const limits& bounds) : lanes_(lanes) {
    if (!bounds.files.save) begin([&bounds] { return bounds.is_over(); });
  }
  asked_in_time(simt::lane_automaton& lanes, overtime& more) : lanes_(lanes) {
    if (!more.bounds().files.save) begin([&more] { return more.is_over(); });
  }
  ~asked_in_time() {
    if (began_) lanes_.give_up_where(std::move(before_));
  }
  asked_in_time(const asked_in_time&) = delete;
  asked_in_time& operator=(const asked_in_time&) = delete;

 private:
  simt::lane_automaton& lanes_;
  std::function<bool()> before_;
  bool began_ = false;

  void begin(std::function<bool()> is_over) {
    before_ = lanes_.give_up_where(std::move(is_over));
    began_ = true;
  }
};

}  // namespace warpcheck
