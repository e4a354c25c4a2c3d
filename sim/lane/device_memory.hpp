// The device memory of one run: where each allocation lies, and the image of it that a state holds.
//
// The simulated device's memory is real memory at fixed addresses. An arena has the object, device
// arrays and block-shared variables; the subject's own globals stay where the linker put them. An
// image has the bytes of all allocations, one after another. Then comes a bit for each byte of
// block-shared memory that starts without a value: the byte has been written. Last comes a bit for
// each 8 bytes of block-shared memory: an mbarrier is there.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "sim/lane/array_setup.hpp"
#include "sim/model/model.hpp"
#include "sim/subject/subject.hpp"
#include "sim/worker/host_worker.hpp"

namespace simt {

struct allocation {
  enum class kind : std::uint8_t { object, array, global, shared };
  kind what{};
  std::uint64_t address = 0;
  std::uint64_t size = 0;
  std::uint64_t offset = 0;        // in an image
  std::uint32_t block = no_block;  // shared: the block that owns it
  std::string name;                // array, global: its name; shared: "shared 0"
};

/// A pool of nodes in the object (simt/pool.hpp).
struct device_pool {
  std::uint64_t words = 0;         // address of the first word
  std::uint64_t nodes = 0;         // address of node 0
  std::uint64_t stride = 0;        // bytes
  std::uint64_t words_offset = 0;  // in an image
  std::uint32_t capacity = 0;      // nodes are numbered 0 .. capacity
  std::uint32_t first = 0;         // number of its node 0 among the nodes of all pools
  bool guarded = true;             // only nodes in use may be accessed
};

/// A node of some pool, or no_node.
using pool_node = std::uint32_t;
inline constexpr pool_node no_node = 0xffffffff;

/// The bits of an image that say which bytes of block-shared memory have been written: those of one
/// access, all in the byte at `offset`. None for memory that has a value from the start.
struct written_marks {
  std::uint32_t offset = 0;
  std::uint8_t bits = 0;  // in one byte, since places are aligned to their sizes

  /// Whether all of these bytes have been written; any_in(): whether any has.
  [[nodiscard]] bool all_in(std::span<const std::uint8_t> image) const {
    return (~image[offset] & bits) == 0;
  }
  [[nodiscard]] bool any_in(std::span<const std::uint8_t> image) const {
    return bits == 0 || (image[offset] & bits) != 0;
  }
  void set_in(std::span<std::uint8_t> image) const { image[offset] |= bits; }
};

/// The bit of an image that says whether an mbarrier is in the 8 bytes that an access goes to.
/// `bit` is 0 for memory that is not block-shared.
struct mbarrier_mark {
  std::uint32_t offset = 0;
  std::uint8_t bit = 0;

  [[nodiscard]] bool is_in(std::span<const std::uint8_t> image) const {
    return (image[offset] & bit) != 0;
  }
  void set_in(std::span<std::uint8_t> image, bool there) const {
    image[offset] = static_cast<std::uint8_t>((image[offset] & ~bit) | (there ? bit : 0));
  }
};

/// The bytes that fill memory that a lane was not given: 0 everywhere, or other bytes that vary
/// from address to address.
constexpr std::uint8_t poison_at(std::uint8_t poison, std::uint64_t address) {
  if (poison == 0) return 0;
  const std::uint64_t mixed = (address * 0x9e3779b97f4a7c15U) >> 56;
  return static_cast<std::uint8_t>(mixed | 1U);
}

/// A scenario asks for more memory than there is, or gives an array values that it cannot hold. The
/// message says what to do.
class memory_error : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

class device_memory {
 public:
  /// Lays out and constructs the object, its arrays, and the block-shared variables of `blocks`
  /// blocks. Arrays without an entry in `arrays` get one element for each thread. The constructor
  /// runs in a worker process, which stays for check() and next_launch(). Throws memory_error,
  /// host_code_error, host_code_stopped.
  device_memory(std::shared_ptr<const subject_library> library, const detail::subject_entry& entry,
                const array_setups& arrays, const grid_shape& grid, patience waiting = {});
  ~device_memory();
  device_memory(const device_memory&) = delete;
  device_memory& operator=(const device_memory&) = delete;

  [[nodiscard]] std::uint64_t image_size() const { return image_size_; }
  [[nodiscard]] const std::vector<std::uint8_t>& initial_image() const { return initial_; }
  [[nodiscard]] const std::vector<allocation>& allocations() const { return allocations_; }
  [[nodiscard]] void* object() const { return object_; }
  /// The range [begin, end) of all memory except the subject's globals.
  [[nodiscard]] std::pair<std::uint64_t, std::uint64_t> arena() const {
    const auto begin = reinterpret_cast<std::uint64_t>(arena_);
    return {begin, begin + arena_size_};
  }

  /// The allocation that holds all of [address, address + size), or null.
  [[nodiscard]] const allocation* find(std::uint64_t address, std::uint64_t size) const;
  /// The address of a block-shared variable (detail::pack_shared) for a lane of block `own`. 0: the
  /// cluster has no such block.
  [[nodiscard]] std::uint64_t shared_address(std::uint32_t packed, std::uint32_t own) const;
  /// The slot of the block-shared variable `a`, which must be one of allocations().
  [[nodiscard]] std::uint32_t shared_slot(const allocation& a) const {
    const auto place = static_cast<std::size_t>(&a - allocations_.data());
    return static_cast<std::uint32_t>((place - first_shared_) % shared_slots_);
  }

  /// Bytes [begin, end) of the real memory, a multiple of `unit`, where plain accesses are carried
  /// out in units of 1, 2, 4 or 8 bytes. Of larger accesses, the units come one after another; in
  /// place of less, a load reads the whole unit. So a memory model has to know one size alone.
  struct unit_range {
    std::uint64_t begin, end;
    std::uint32_t unit;
  };
  /// `units`: sorted, without overlaps. To be called before any lane runs.
  void set_units(std::vector<unit_range> units) { units_ = std::move(units); }
  /// The unit at `address`. 0: accesses there are carried out as they are.
  [[nodiscard]] std::uint32_t unit_at(std::uint64_t address) const;

  /// The marks of an access to a place in an image, aligned to its size.
  [[nodiscard]] written_marks marks_at(std::uint64_t offset, std::uint8_t size) const;
  /// The mark of the 8 bytes around a place in an image.
  [[nodiscard]] mbarrier_mark mbarrier_mark_at(std::uint64_t offset) const;

  [[nodiscard]] const std::vector<device_pool>& pools() const { return pools_; }
  /// The number of nodes of all pools.
  [[nodiscard]] std::uint32_t pool_nodes() const { return pool_nodes_; }
  /// The node that contains `address`; no_node: none does.
  [[nodiscard]] pool_node node_at(std::uint64_t address) const;
  /// The node of bit `place` of the pool's word at `address`; no_node: there is no such word.
  [[nodiscard]] pool_node node_of_word(std::uint64_t address, std::uint64_t place) const;
  [[nodiscard]] const device_pool& pool_of(pool_node node) const;
  /// Whether the node is in use. Node 0 of a pool never is.
  [[nodiscard]] bool is_in_use(pool_node node, std::span<const std::uint8_t> image) const;

  /// What the subject's own check says about the memory that a complete run leaves. Nothing: all is
  /// well, or there is no check. For any thread. Throws host_code_error, host_code_stopped.
  [[nodiscard]] std::optional<std::string> check(std::span<const std::uint8_t> image,
                                                 const detail::launch_shape& shape) const;

  /// The step of the host when all lanes of a launch have exited: the memory that it leaves, and
  /// whether it starts launch number `launch`. Shared variables of blocks end with their launch.
  /// For any thread. Throws host_code_error, host_code_stopped.
  struct host_step {
    std::vector<std::uint8_t> image;
    bool launches = false;
  };
  [[nodiscard]] host_step next_launch(std::span<const std::uint8_t> image,
                                      std::uint32_t launch) const;

  /// Writes `image` to the real memory, for host code of the subject.
  void restore(std::span<const std::uint8_t> image) const;
  /// Reads the real memory back as an image, without what ends with a launch.
  [[nodiscard]] std::vector<std::uint8_t> image_between_launches() const;
  /// Fills device memory with the poison.
  void fill(std::uint8_t poison) const;
  /// The first address that does not hold the poison and is in none of `except`. 0: there is none.
  struct range {
    std::uint64_t begin, end;
  };
  [[nodiscard]] std::uint64_t first_change(std::uint8_t poison,
                                           std::span<const range> except) const;

  /// The names of array sizes that the object asked for, to recognize a misspelt one.
  [[nodiscard]] const std::vector<std::string>& array_names() const { return array_names_; }

 private:
  std::shared_ptr<const subject_library> library_;
  const detail::subject_entry& entry_;
  patience waiting_;
  std::unique_ptr<host_worker> host_;
  std::uint8_t* arena_ = nullptr;
  std::uint64_t arena_size_ = 0;
  std::uint64_t used_ = 0;
  void* object_ = nullptr;
  std::uint32_t shared_slots_ = 0;
  std::uint32_t cluster_ = 1;  // blocks in a cluster
  std::size_t first_shared_ = 0;
  // Block-shared variables that have no value before they are written.
  struct unwritten {
    std::uint64_t begin, end;  // in an image, multiples of 8
    std::uint64_t marks;       // where the bits of its bytes begin
  };
  std::vector<unwritten> unwritten_;                 // sorted by place
  std::uint64_t shared_begin_ = 0, shared_end_ = 0;  // all block-shared memory, in an image
  std::uint64_t mbarriers_ = 0;                      // where the bits of mbarriers begin
  std::vector<allocation> allocations_;              // sorted by offset
  std::vector<std::uint32_t> by_address_;            // indices, sorted by address
  std::vector<std::uint8_t> initial_;
  std::uint64_t image_size_ = 0;
  std::vector<std::string> array_names_;
  std::vector<unit_range> units_;
  std::vector<device_pool> pools_;
  std::uint32_t pool_nodes_ = 0;
  mutable std::array<std::vector<std::uint8_t>, 2> poisoned_;  // the arena, made on demand

  [[nodiscard]] const std::vector<std::uint8_t>& poisoned(std::uint8_t poison) const;

  std::uint64_t place(allocation::kind what, std::uint64_t size, std::uint64_t align,
                      std::string name, std::uint32_t block = no_block);
  void construct(const array_setups& arrays, const grid_shape& grid);
  void lay_out_rest(const grid_shape& grid);
  std::string serve(std::string_view request, const array_setups& arrays, const grid_shape& grid);
  friend class arena_arrays;
};

}  // namespace simt
