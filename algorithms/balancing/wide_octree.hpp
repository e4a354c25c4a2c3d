// The work of chapter 3 of Cederman's thesis (3.5), done by whole blocks: particles are sorted into
// octants of octants, until an octant has few. Where it is explored, it is small, and an octant has
// two halves in place of eight parts; where it is measured, it has the thesis's size.
//
// A task is an octant: its first particle's place, and its level; `counts` has its particles. A
// block counts the particles of each part and moves those of one part together, to the other of two
// buffers. A part with few particles is a leaf, and its particles are counted as done; the other
// parts are new tasks.
#pragma once

#include <algorithm>
#include <vector>

#include <simt/simt.hpp>

/// What broken twins leave out.
enum class octree_fault { none, no_barrier_behind_counts };

template <octree_fault fault>
struct wide_octree_of {
  static constexpr int most = simt::sized(4, 1 << 20);  // particles
  static constexpr int leaf = simt::sized(1, 20);  // particles of an octant that is not divided
  static constexpr int levels = simt::sized(3, 10);
  static constexpr int bits = simt::sized(1, 3);  // of a particle's place, for each level
  static constexpr int parts = 1 << bits;
  static constexpr int most_waiting =
      most / (leaf + 1);  // tasks at any time: no particle is in two
  static constexpr int most_tasks = levels * most_waiting;
  static constexpr int most_of_block =
      (parts - 1) * levels + 1;  // where it does the last one first

  /// What the threads of a block share.
  struct block_memory {
    int counts[parts];
    int places[parts];
  };

  /// Where each particle is: its highest `bits` of `levels * bits` are the part at the first level.
  simt::device_array<int> particles{"particles"};
  int buffers[2][most]{};  // numbers of particles
  int counts[most]{};      // of the task that begins here
  int leaves[most]{};      // of the leaf that begins here: 16 times its particles, and its level
  simt::atomic<int, simt::thread_scope_device> done{0};

  wide_octree_of() {
    for (int i = 0; i < size(); ++i) buffers[0][i] = i;
    counts[0] = size();
  }

  SIMT_HOST_FN int size() const { return static_cast<int>(particles.size()); }
  SIMT_FN static int all() { return task_of(0, 0); }
  SIMT_FN bool is_done() { return done.load(simt::memory_order_acquire) == size(); }

  /// Does a task, by all threads of a block; one of them calls `add` with each of the new ones.
  template <class Add>
  SIMT_FN void divide(int task, block_memory& block, Add add) {
    const int begin = task / 16, level = task % 16;
    const int end = begin + counts[begin];
    const int* const from = buffers[level % 2];
    int* const to = buffers[(level + 1) % 2];
    const int threads = static_cast<int>(simt::block_size());
    const int me = static_cast<int>(simt::thread_rank()) % threads;

    for (int part = me; part < parts; part += threads) block.counts[part] = 0;
    simt::syncthreads();
    for (int i = begin + me; i < end; i += threads) {
      simt::atomicAdd_block(&block.counts[part_of(from[i], level)], 1);
    }
    if constexpr (fault != octree_fault::no_barrier_behind_counts) simt::syncthreads();
    for (int part = me; part < parts; part += threads) {
      int place = begin;
      for (int before = 0; before < part; ++before) place += block.counts[before];
      block.places[part] = place;
    }
    simt::syncthreads();
    for (int i = begin + me; i < end; i += threads) {
      const int particle = from[i];
      to[simt::atomicAdd_block(&block.places[part_of(particle, level)], 1)] = particle;
    }
    simt::syncthreads();
    if (me == 0) end_or_go_on(begin, level + 1, block, add);
    simt::syncthreads();
  }

  /// The leaves are those that there must be, and each particle is in its own.
  const char* check() const {
    if (done.host_value() != size()) return "a particle is left";
    std::vector<int> sorted(particles.data(), particles.data() + particles.size());
    std::sort(sorted.begin(), sorted.end());
    std::vector<bool> seen(particles.size());
    for (int begin = 0; begin < size();) {
      const int count = leaves[begin] / 16, level = leaves[begin] % 16;
      if (count == 0) return "a particle is in no leaf";
      const int* const here = &buffers[level % 2][begin];
      const int octant = octant_of(place_of(here[0]), level);
      const auto is_before = [&](int by) {
        return [=](int place, int other) { return octant_of(place, by) < other; };
      };
      const auto first_of = [&](int which, int by) {
        const auto at = std::lower_bound(sorted.begin(), sorted.end(), which, is_before(by));
        return static_cast<int>(at - sorted.begin());
      };
      if (first_of(octant, level) != begin || first_of(octant + 1, level) != begin + count) {
        return "a leaf is not all of its octant";
      }
      if (count > leaf && level < levels) return "a leaf has too many particles";
      const int above = octant >> bits;
      if (level > 1 && first_of(above + 1, level - 1) - first_of(above, level - 1) <= leaf) {
        return "an octant with few particles is divided";
      }
      for (int i = 0; i < count; ++i) {
        if (i > 0 && leaves[begin + i] != 0) return "a leaf begins within another one";
        const auto particle = static_cast<std::size_t>(here[i]);
        if (particle >= seen.size() || seen[particle]) return "a particle is not in one leaf";
        if (octant_of(place_of(here[i]), level) != octant) return "a particle is in a wrong leaf";
        seen[particle] = true;
      }
      begin += count;
    }
    return nullptr;
  }

 private:
  SIMT_FN static int task_of(int begin, int level) { return 16 * begin + level; }
  static int octant_of(int place, int level) { return place >> bits * (levels - level); }
  int place_of(int particle) const { return particles[static_cast<std::size_t>(particle)]; }
  SIMT_FN int part_of(int particle, int level) const {
    return particles[particle] >> bits * (levels - 1 - level) & (parts - 1);
  }

  /// By the block's first thread.
  template <class Add>
  SIMT_FN void end_or_go_on(int begin, int level, const block_memory& block, Add add) {
    int ended = 0;
    for (int part = 0; part < parts; ++part) {
      const int count = block.counts[part];
      if (count > leaf && level < levels) {
        counts[begin] = count;
        add(task_of(begin, level));
      } else if (count > 0) {
        leaves[begin] = 16 * count + level;
        ended += count;
      }
      begin += count;
    }
    if (ended > 0) done.fetch_add(ended, simt::memory_order_release);
  }
};

using wide_octree = wide_octree_of<octree_fault::none>;
