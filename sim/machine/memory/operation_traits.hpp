// The meaning of a lane's operation for the machine.
#pragma once

#include <cstdint>
#include <span>

#include "sim/lane/device_memory.hpp"
#include "sim/lane/operation_table.hpp"

namespace simt {

/// How an access uses an mbarrier: not at all; as one that is there; or it begins or ends one.
enum class mbarrier_use : std::uint8_t { none, of_life, begins, ends };

/// The meaning of a continuation's operation for the machine.
struct operation_traits {
  using kind = step_kind;
  kind what{};
  std::uint8_t size = 0;
  bool writes = false;
  bool suspicious = false;         // weak, or not for all lanes that can make it: may race
  std::uint32_t offset = 0;        // access: in the memory image
  std::uint32_t block = no_block;  // access to block-shared memory: the block that owns it
  bool in_scope = false;           // access: all lanes that can make it are in its scope
  pool_node node = no_node;        // access: a node that must be in use
  bool needs_value = false;        // access: the answer depends on the value read
  written_marks written;           // access: the marks of its bytes
  mbarrier_mark mbarrier;          // access: the mark of its place
  mbarrier_use use_of_mbarrier{};  // access

  /// Whether the access must not be carried out: it is no operation of mbarriers and an mbarrier is
  /// there, or the reverse.
  [[nodiscard]] bool misuses_mbarrier(std::span<const std::uint8_t> image) const {
    using use = mbarrier_use;
    return mbarrier.bit != 0 && use_of_mbarrier != use::of_life &&
           mbarrier.is_in(image) == (use_of_mbarrier != use::ends);
  }
  /// Whether carrying out the access changes marks of the image.
  [[nodiscard]] bool changes_marks(std::span<const std::uint8_t> image) const {
    const bool changes_mbarrier =
        mbarrier.bit != 0 &&
        (use_of_mbarrier == mbarrier_use::begins || use_of_mbarrier == mbarrier_use::ends) &&
        mbarrier.is_in(image) != (use_of_mbarrier == mbarrier_use::begins);
    return changes_mbarrier || (writes && !written.all_in(image));
  }
  void change_marks(std::span<std::uint8_t> image) const {
    if (writes) written.set_in(image);
    if (use_of_mbarrier == mbarrier_use::begins || use_of_mbarrier == mbarrier_use::ends) {
      mbarrier.set_in(image, use_of_mbarrier == mbarrier_use::begins);
    }
  }
};

}  // namespace simt
