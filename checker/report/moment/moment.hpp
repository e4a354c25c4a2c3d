// Says what can be looked at between two steps of an execution: where lanes stand, what memory
// holds, what may still be read. Also which lanes wait at barriers or are parked.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "checker/report/trace.hpp"

namespace warpcheck {

/// A location of memory that an execution accesses.
struct watched_location {
  std::string name;
  std::uint64_t address = 0;
  std::uint32_t offset = 0;  // offset in a memory image
  std::uint8_t size = 0;     // bytes
};

struct moment {
  struct standing {
    lane_position::kind what{};
    source_place at;        // place of its next operation, or where it goes on
    std::string operation;  // its next operation, "load" or "syncthreads"; empty: none
    friend bool operator==(const standing&, const standing&) = default;
  };
  /// A store that some lane may still read, under `ptx`.
  struct message {
    std::string value;
    bool promised = false;               // its lane has not carried it out yet
    std::vector<std::uint32_t> readers;  // lanes
  };
  /// A location of which lanes may see different values. The newest message comes last.
  struct messages {
    std::size_t location = 0;  // index in `locations`
    std::vector<message> stored;
  };
  struct barrier {
    std::string name;  // "syncthreads at sum.hpp:7 (run)", "barrier 1 of b0"
    std::uint32_t arrived = 0, expected = 0;
    std::string unit;  // counts "lanes" or "warps"
  };
  /// An open branch on a warp's stack, under `stack`.
  struct frame {
    std::string warp;
    source_place reconverges;  // unknown: the lanes meet when they exit
    std::vector<std::uint32_t> parked;
    std::vector<std::vector<std::uint32_t>> sides;  // sides that have yet to run
  };

  std::vector<standing> lanes;
  std::vector<std::string> memory;  // the values of `locations`; under `ptx`, the newest ones
  std::vector<messages> readable;   // only locations with several messages
  std::vector<barrier> barriers;    // barriers at which some lane has arrived
  std::vector<frame> stack;         // warp by warp, the outermost branch first
};

struct execution_moments {
  std::vector<watched_location> locations;  // in the order of the first accesses
  std::vector<moment> before;               // one before each of trace::steps
  moment last;
};

/// Returns the locations that `t` accesses.
std::vector<watched_location> watched_in(session& run, const trace& t);

moment moment_of(session& run, names& named, simt::state_view state,
                 const std::vector<lane_position>& positions,
                 const std::vector<watched_location>& locations);

execution_moments moments_of(session& run, names& named, const trace& t);

}  // namespace warpcheck
