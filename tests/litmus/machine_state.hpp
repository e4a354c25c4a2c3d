// A state of the machine that runs litmus tests: a value, with a canonical form.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "litmus/program.hpp"
#include "sim/memory/ptx_memory.hpp"

namespace naive {

/// Ranks are for No-thin-air: by the order in which messages came to be, the newest one that
/// something depends on.
struct thread_state {
  std::uint32_t at = 0;
  bool waits = false;  // has arrived at the barrier that it is at
  std::uint32_t control = 0;
  std::vector<litmus::value> registers;
  std::vector<std::uint32_t> ranks;  // of registers
};

/// A thread got to a barrier.
struct arrival {
  std::uint32_t thread = 0, instruction = 0;
  std::optional<litmus::value> resource;
  friend auto operator<=>(const arrival&, const arrival&) = default;
};

/// Barriers that meet, if they wait for the same number of arrivals.
struct barrier_group {
  bool of_cluster = false;
  std::uint32_t first = 0;  // thread of the CTA, or of the cluster
  litmus::value instance = 0;
  std::optional<litmus::value> resource, quorum;
  friend auto operator<=>(const barrier_group&, const barrier_group&) = default;
};

/// A group with a quorum was let go: by which arrivals.
struct quorum_choice {
  barrier_group group;
  std::vector<arrival> sources;
  friend auto operator<=>(const quorum_choice&, const quorum_choice&) = default;
};

struct last_message {
  litmus::value stored = 0;
  std::uint32_t rank = 0;
};

struct machine_state {
  std::vector<thread_state> threads;
  simt::weak_state memory;
  std::vector<last_message> last;      // by location, of those that memory has forgotten
  std::vector<arrival> arrivals;       // rising
  std::vector<quorum_choice> choices;  // rising
  std::uint32_t next_rank = 1;
  bool crossed = false;  // a thread alone: it is behind what makes stores worth to promise
};

machine_state initial_state(const litmus::program& p, const simt::ptx_memory& memory);

/// The last message of the location.
last_message newest(const machine_state& s, std::uint32_t location);
/// The location's place in the state's memory, where it is added if it is not there.
std::uint16_t locate(machine_state& s, std::uint32_t location);

/// Memory forgets what makes no difference.
void canonicalize(machine_state& s, const simt::ptx_memory& memory);
/// Makes ranks small: of one it only matters how many of the open promises are not newer.
void renumber(machine_state& s);
/// States with the same key are the same.
std::string key_of(const machine_state& s);

/// A promise that nobody has read yet; null if there is none.
const simt::message* unread_in(const machine_state& s);
void mark_read(machine_state& s);

}  // namespace naive
