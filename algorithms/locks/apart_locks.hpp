// Grote's locks (2020, chapter 4) with their words where he has them: each in an allocation of its
// own (4.1, 4.6, 4.9), and so on a line of its own. Else they are the locks of tas.hpp, ttas.hpp,
// syncwarp_ticket_lock.hpp and mcs_cas_fenced.hpp. His locks load a pointer before each access;
// these do not.
#pragma once

#include "mcs_cas_fenced.hpp"
#include "tas.hpp"
#include "ttas.hpp"

namespace apart {

/// What a cudaMalloc is aligned to.
inline constexpr int bytes = 256;

struct alignas(bytes) tas_lock : tas {};
struct alignas(bytes) ttas_lock : ttas {};

struct ticket_lock {
  alignas(bytes) unsigned current = 0;
  alignas(bytes) unsigned next = 0;

  SIMT_FN void lock() {
    const unsigned own_ticket = simt::atomicAdd(&next, 1U);
    while (true) {
      if (own_ticket != *static_cast<volatile unsigned*>(&current)) {
        simt::syncwarp();
      } else {
        simt::__threadfence();
        return;
      }
    }
  }

  SIMT_FN void unlock() {
    simt::__threadfence();
    simt::atomicAdd(&current, 1U);
    simt::syncwarp();
  }
};

/// The queue's nodes are in one array, as with him.
struct mcs_lock {
  using qnode = mcs_cas_fenced_queue::qnode;

  alignas(bytes) int tail = 0;
  alignas(bytes) int head = 0;

  SIMT_FN void lock(qnode* nodes) {
    const int slot = static_cast<int>(simt::thread_rank()) + 1;
    nodes[slot].next = 0;
    nodes[slot].waiting = 1;
    simt::__threadfence();
    const int prev = simt::atomicExch(&tail, slot);
    simt::__threadfence();
    if (prev != 0) {
      nodes[prev].next = slot;
      while (simt::atomicCAS(const_cast<int*>(&nodes[slot].waiting), 0, 0) != 0) {
      }
    }
    simt::__threadfence();
    head = slot;
  }

  SIMT_FN void unlock(qnode* nodes) {
    const int slot = head;
    simt::__threadfence();
    int succ = nodes[slot].next;
    if (succ == 0) {
      if (simt::atomicCAS(&tail, slot, 0) == slot) return;
      while (simt::atomicCAS(const_cast<int*>(&nodes[slot].next), 0, 0) == 0) {
      }
    }
    succ = nodes[slot].next;
    simt::__threadfence();
    nodes[succ].waiting = 0;
  }
};

}  // namespace apart
