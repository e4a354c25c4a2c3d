// What lanes may still come to, whatever others do or promise: a set that is too large rather than
// too small, by which it is seen that no burst of promises can end.
//
// Models: docs/memory-model.md, "Load buffering in the machine". Each lane runs alone. A strong
// read returns any value that is there, or that a lane stores strongly on such a run; so does a
// plain one, and values that lanes store plainly at telling locations are among them. Nothing else
// is kept of coherence, causality, or what depends on what. Does not model: votes and shuffles;
// with these, or too many values, all is possible. Axioms: none; it says where promises need not be
// looked for.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include <boost/unordered/unordered_flat_map.hpp>
#include <boost/unordered/unordered_flat_set.hpp>

#include "sim/machine/machine.hpp"

namespace simt {

class machine::prospect {
 public:
  prospect(machine& of, state_view state);

  /// Whether some lane may, in its next step, read what another one has promised by then.
  [[nodiscard]] bool may_end(const standoff& lanes);

 private:
  struct stop {
    std::uint32_t lane = 0;
    continuation at = exited;
    std::uint32_t plain = 0;  // what it has stored plainly, as a number in `images_`
    friend bool operator==(const stop&, const stop&) = default;
    friend std::size_t hash_value(const stop& s) {
      const std::uint64_t h =
          (std::uint64_t{s.at} << 32 ^ std::uint64_t{s.plain} << 8 ^ s.lane) * 0x9e3779b97f4a7c15U;
      return h ^ h >> 32;
    }
  };
  struct location {
    std::uint8_t size = 0;
    std::vector<std::uint64_t> values;
    std::vector<stop> readers;
  };
  struct stored {
    std::uint32_t lane = 0, offset = 0;
    bool releases = false;
    friend auto operator<=>(const stored&, const stored&) = default;
  };
  static constexpr std::size_t most_stops = 100'000;
  static constexpr std::size_t most_values = 32;  // of a location

  machine& machine_;
  state_view state_;
  weak_state memory_;
  bool is_known_ = true;
  std::map<std::uint32_t, location> locations_;  // by offset
  std::set<stored> stored_;
  std::vector<std::vector<std::uint8_t>> images_;
  std::map<std::vector<std::uint8_t>, std::uint32_t> image_numbers_;
  boost::unordered_flat_set<stop> seen_;
  std::vector<stop> todo_;

  void run();
  void step(const stop& here);
  void access(const stop& here);
  void read(const stop& here, std::uint64_t value);
  void store(const stop& here, std::uint64_t value);
  void go_on(const stop& here, std::uint64_t answer, std::uint32_t plain);
  location* location_of(const operation_traits& t);
  std::uint32_t number_of(const std::vector<std::uint8_t>& image);
};

}  // namespace simt
