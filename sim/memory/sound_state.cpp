// Checks each number in a decoded state against the sizes of the lists that it points into.
#include "sim/memory/sound_state.hpp"

#include <algorithm>

namespace simt {
namespace {

class examiner {
 public:
  examiner(weak_state& state, std::size_t memory) : state_(state), memory_(memory) {}

  bool is_sound() {
    bool sound = std::ranges::all_of(state_.locations, [&](const auto& x) { return fits(x); });
    sound = sound && std::ranges::all_of(state_.lanes, [&](const auto& l) { return fits(l); });
    for (const auto& records : state_.records) {
      sound = sound && std::ranges::all_of(records, [](const auto& r) { return fits(r.scope); });
    }
    sound = sound && fit(state_.fences);
    state_.for_each_view([&](const view& v) { sound = sound && fits(v); });
    return sound;
  }

 private:
  weak_state& state_;
  std::size_t memory_;

  static bool fits(sync_scope scope) { return scope <= sync_scope::sys; }
  [[nodiscard]] bool is_lane(std::size_t lane) const { return lane < state_.lanes.size(); }
  [[nodiscard]] bool fits(record_ref r) const {
    return is_lane(r.lane) && r.index < state_.records[r.lane].size();
  }
  [[nodiscard]] bool fit(const std::vector<record_ref>& refs) const {
    return std::ranges::all_of(refs, [&](record_ref r) { return fits(r); });
  }
  // for_each_view() checks the view.
  [[nodiscard]] bool fits(const released_view& r) const { return is_lane(r.who) && fits(r.scope); }
  [[nodiscard]] bool fit(const std::vector<released_view>& all) const {
    return std::ranges::all_of(all, [&](const released_view& r) { return fits(r); });
  }
  [[nodiscard]] bool fits(const message& m) const {
    return is_lane(m.writer) && fits(m.scope) && fit(m.records) && fit(m.carries) &&
           std::ranges::all_of(m.acquired, [&](const message::acquirer& a) {
             return is_lane(a.lane) && fits(a.scope);
           });
  }
  [[nodiscard]] bool fits(const memory_location& x) const {
    return x.size <= sizeof(message::value) && x.key <= memory_ && x.size <= memory_ - x.key &&
           !x.messages.empty() &&
           std::ranges::all_of(x.messages, [&](const message& m) { return fits(m); });
  }
  [[nodiscard]] bool fits(const lane_knowledge& l) const {
    const std::size_t locations = state_.locations.size();
    return std::ranges::all_of(l.seen,
                               [&](const lane_knowledge::seen_release& s) {
                                 if (s.location >= locations) return false;
                                 if (s.promise == lane_knowledge::no_promise) return fits(s.what);
                                 return s.promise < state_.locations[s.location].messages.size();
                               }) &&
           std::ranges::all_of(l.released, [&](const lane_knowledge::past_release& r) {
             const bool somewhere =
                 r.location < locations || r.location == lane_knowledge::any_location;
             return somewhere && fits(r.what);
           });
  }
  [[nodiscard]] bool fits(const view& v) const {
    for (std::size_t x = 0; x < v.at.size(); ++x) {
      if (v.at[x] >= state_.locations[x].messages.size()) return false;
    }
    for (std::size_t l = 0; l < v.clock.size(); ++l) {
      if (v.clock[l] > state_.records[l].size()) return false;
    }
    return fit(v.observed);
  }
};

}  // namespace

bool is_sound(weak_state& state, std::size_t memory) { return examiner(state, memory).is_sound(); }

}  // namespace simt
