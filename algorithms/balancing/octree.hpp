// The work of chapter 3 of Cederman's thesis (3.5) in small: particles are sorted into octants of
// octants, until an octant has few. Here an octant has two halves in place of eight parts.
//
// A task is an octant: a range of the particles, and its level. Who does it counts the particles of
// each half and moves those of one half together, to the other of two buffers. A half with few
// particles is a leaf, and its particles are counted as done; the other halves are new tasks.
#pragma once

#include <simt/simt.hpp>

struct octree {
  static constexpr int most = 8;    // particles
  static constexpr int leaf = 1;    // particles of an octant that is not divided further
  static constexpr int levels = 3;  // that there are at most
  static constexpr int most_tasks = 6;

  /// Where each particle is: its bit `levels - 1` is the half at the first level, and so on.
  simt::device_array<int> particles{"particles"};
  int buffers[2][most]{};  // numbers of particles
  simt::atomic<int, simt::thread_scope_device> done{0};
  int times[most]{};  // how often each particle came to a leaf

  octree() {
    for (int i = 0; i < most; ++i) buffers[0][i] = i;
  }

  SIMT_FN int size() const { return static_cast<int>(particles.size()); }
  SIMT_FN int all() const { return task_of(0, size(), 0); }
  SIMT_FN bool is_done() { return done.load(simt::memory_order_acquire) == size(); }

  /// Does a task; `add` takes the new ones.
  template <class Add>
  SIMT_FN void divide(int task, Add add) {
    const int begin = task % 16, count = task / 16 % 16, level = task / 256;
    const int* const from = buffers[level % 2];
    int* const to = buffers[(level + 1) % 2];
    int low = 0, high = 0;
    for (int i = begin; i < begin + count; ++i) {
      const int particle = from[i];
      const bool is_low = (particles[particle] >> (levels - 1 - level) & 1) == 0;
      to[is_low ? begin + low++ : begin + count - 1 - high++] = particle;
    }
    end_or_go_on(begin, low, level + 1, add);
    end_or_go_on(begin + low, high, level + 1, add);
  }

  const char* check() const {
    if (done.host_value() != static_cast<int>(particles.size())) return "a particle is left";
    for (std::size_t i = 0; i < particles.size(); ++i) {
      if (times[i] != 1) return "a particle is not in one leaf";
    }
    return nullptr;
  }

 private:
  SIMT_FN static int task_of(int begin, int count, int level) {
    return begin + 16 * count + 256 * level;
  }
  template <class Add>
  SIMT_FN void end_or_go_on(int begin, int count, int level, Add add) {
    if (count > leaf && level < levels) return add(task_of(begin, count, level));
    for (int i = begin; i < begin + count; ++i) {
      const int particle = buffers[level % 2][i];
      times[particle] = times[particle] + 1;
    }
    if (count > 0) done.fetch_add(count, simt::memory_order_release);
  }
};
