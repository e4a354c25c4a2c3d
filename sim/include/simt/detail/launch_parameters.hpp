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

/// What `choose` returns in a round is decided by the seed, the thread, and how many choices this
/// has made before, unless the thread is told what to choose. The first `most_choices` of each
/// thread are kept, and so many can be told.
inline constexpr unsigned most_choices = 64;
struct choice_record {
  unsigned seed;
  unsigned* counts;  // by thread: its choices so far; null: the clock decides, and nothing is kept
  unsigned* made;    // `most_choices` of each thread, one more than what it chose; 0: none
  const unsigned*
      told;  // likewise, what it is to choose; 0: the seed decides. Null: nothing is told
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
  choice_record choices;
};

}  // namespace simt::detail
