// What threads on a GPU are told of their grid.
#pragma once

namespace simt::detail {

inline constexpr unsigned max_warps = 32;

/// Host memory that the device sees: lanes write it, the host polls it.
struct run_record {
  int claimed;        // a failing lane has taken the message
  int failed;         // the message is complete
  int abort;          // the host asks lanes to leave at their next repetition
  char message[244];  // of the first failed assertion
};

enum class client_kind : unsigned { lane, warp, block };

/// The shape of the running grid. Every block has the same warps.
struct launch_parameters {
  unsigned lanes[max_warps];       // of each warp
  unsigned first_lane[max_warps];  // the number of its lane 0 among the block's threads
  unsigned block_threads;          // the block's lanes that take part
  client_kind clients;
  unsigned delays;  // seed of short waits before atomic accesses; 0: none
  run_record* record;
};

}  // namespace simt::detail
