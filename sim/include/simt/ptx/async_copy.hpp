// PTX's asynchronous copies (cp.async): what a lane has begun to copy and not yet waited for.
//
// Models: the source is read and the destination written at any moment between the instruction and
// the end of the copy. A lane carries its copies out in front of each of its operations that order
// memory, again and again, until it has waited for them. So whatever another lane does to these
// bytes meanwhile is next to one of these accesses, and a race (docs/kernels.md). The lane's own
// accesses to them are compared with the copies here. Does not model: copies that end later than
// the arrival at an mbarrier that ends them. With .noinc they end at that instruction, otherwise at
// the lane's next operation on an mbarrier.
#pragma once

#include <simt/check.hpp>
#include <simt/ptx/access.hpp>
#include <simt/ptx/entries.hpp>

namespace simt::ptx {

/// Stands for a list of what the lane has written, in kernels without bulk copies.
struct tells_nobody {
  SIMT_FN void wrote(u64, u32) {}
};

/// `most`: the copies that may be pending at a time. Entries without a copy are zeros, so that
/// equal lanes look equal.
template <u32 most>
class async_copies {
 public:
  /// cp.async: `given` of `size` bytes come from the source, the others are zeros.
  SIMT_FN void begin(u64 to, u64 from, u32 size, u32 given) {
    simt::check(given <= size, "cp.async copies more bytes from its source than its size");
    (void)to_load(from, size);
    (void)to_store(to, size);
    about_to_write(to, size);
    about_to_read(from, given);
    if (count_ == most)
      simt::detail::misuse("more copies by cp.async are pending than can be checked");
    pending_[count_] = {to, from, size, given, 0, 0};
    ++count_;
  }
  /// Carries out all pending copies. Called when the lane is about to order memory. `told`: notes
  /// what the copies write, so that the lane's proxy fences cover it (bulk_lane).
  template <class T = tells_nobody>
  SIMT_FN void carry_out(T&& told = {}) {
    for (u32 k = 0; k < count_; ++k) copy(pending_[k], told);
  }
  /// cp.async.commit_group.
  SIMT_FN void commit() {
    for (u32 k = 0; k < count_; ++k) {
      pending_[k].groups_since += static_cast<u32>(pending_[k].groups_since < most_groups);
    }
  }
  /// cp.async.wait_group: all but the `groups` that were committed last are complete.
  template <class T = tells_nobody>
  SIMT_FN void wait_group(u32 groups, T&& told = {}) {
    u32 left = 0;
    for (u32 k = 0; k < count_; ++k) {
      const pending_copy each = pending_[k];
      const bool is_complete = each.groups_since > groups;
      if (is_complete) copy(each, told);
      left = keep_entry(pending_, each, !is_complete, left);
    }
    count_ = forget_entries(pending_, left, count_);
  }
  /// cp.async.wait_all.
  template <class T = tells_nobody>
  SIMT_FN void wait_all(T&& told = {}) {
    carry_out(told);
    count_ = forget_entries(pending_, 0, count_);
  }
  /// cp.async.mbarrier.arrive: the phase ends only when all pending copies are complete.
  SIMT_FN void bind() {
    for (u32 k = 0; k < count_; ++k) pending_[k].is_bound = 1;
  }
  /// Ends the copies that bind() has marked. Called when the lane is about to arrive at an
  /// mbarrier, or to wait for one.
  template <class T = tells_nobody>
  SIMT_FN void before_mbarrier(T&& told = {}) {
    u32 left = 0;
    for (u32 k = 0; k < count_; ++k) {
      const pending_copy each = pending_[k];
      copy(each, told);
      left = keep_entry(pending_, each, each.is_bound == 0, left);
    }
    count_ = forget_entries(pending_, left, count_);
  }
  /// Compares an access of the lane itself with its pending copies.
  SIMT_FN void about_to_read(u64 at, u32 size) const {
    for (u32 k = 0; k < count_; ++k) {
      simt::check(!overlaps(at, size, pending_[k].to, pending_[k].size),
                  "the thread reads what its cp.async still writes: wait for the copy first");
    }
  }
  SIMT_FN void about_to_write(u64 at, u32 size) const {
    for (u32 k = 0; k < count_; ++k) {
      simt::check(!overlaps(at, size, pending_[k].to, pending_[k].size),
                  "the thread writes where its cp.async still writes: wait for the copy first");
      simt::check(!overlaps(at, size, pending_[k].from, pending_[k].given),
                  "the thread writes what its cp.async still reads: wait for the copy first");
    }
  }

 private:
  static constexpr u32 most_groups = 64;
  struct pending_copy {
    u64 to = 0, from = 0;
    u32 size = 0, given = 0;
    u32 groups_since = 0;  // groups that were committed since the copy began
    u32 is_bound = 0;      // to an mbarrier
  };
  SIMT_FN static bool overlaps(u64 a, u32 size_of_a, u64 b, u32 size_of_b) {
    return (a < b + size_of_b) & (b < a + size_of_a);
  }
  template <class T>
  SIMT_FN static void copy(const pending_copy& what, T& told) {
    told.wrote(what.to, what.size);
    u32 at = 0;
    for (; at + 4 <= what.given; at += 4) store<u32>(what.to + at, load<u32>(what.from + at));
    for (; at < what.given; ++at) store<u8>(what.to + at, load<u8>(what.from + at));
    for (; at % 4 != 0; ++at) store<u8>(what.to + at, 0);
    for (; at < what.size; at += 4) store<u32>(what.to + at, 0);
  }

  pending_copy pending_[most] = {};
  u32 count_ = 0;
};

}  // namespace simt::ptx
