// Runs the real C++ of a lane from one visible operation to the next.
//
// All lanes run on one stack region at a fixed address. A stopped lane is its registers and the
// bytes between its stack pointer and the region's top: an `image`. Running a lane from an image,
// with the answer to its operation, gives the next operation and the next image.
//
// Each run is made twice, with different bytes in all memory that the lane was not given. That is
// the stack below its stack pointer, dead bytes of the image, and device memory. Bytes of the new
// image that differ hold nothing from the program: they are stored as 0 and marked dead. If the
// next operation differs, device code has used what it was not given. If device memory changed
// without an announcement, device code has written to it unnoticed. In both cases lane_error says
// where.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "sim/lane/device_memory.hpp"
#include "sim/lane/operation.hpp"
#include "sim/lane/printed_line.hpp"

namespace simt {

/// The subject does what a lane must not do. It allocates, leaves a pointer to its stack in device
/// memory, reads uninitialized data, or calls a function that was not inlined.
class lane_error : public std::runtime_error {
 public:
  lane_error(const std::string& what, std::uint64_t pc) : std::runtime_error(what), pc_(pc) {}
  [[nodiscard]] std::uint64_t pc() const { return pc_; }  // 0: unknown

 private:
  std::uint64_t pc_;
};

/// What lanes may do has no end, or too many cases to follow. That is no mistake of the subject.
class lane_runaway : public lane_error {
 public:
  enum class cause : std::uint8_t {
    silent_loop,     // no visible operation for too long
    mixed_sizes,     // accesses that overlap, where memory is weak
    growing_stores,  // stores without end that a lane alone may promise
    early_stores,    // whether all promises can be kept
  };
  lane_runaway(cause why, const std::string& what, std::uint64_t pc)
      : lane_error(what, pc), why_(why) {}
  [[nodiscard]] cause why() const { return why_; }

 private:
  cause why_;
};

/// A stopped lane.
struct lane_image {
  operation next;                   // the operation at which the lane waits
  std::vector<std::uint8_t> stack;  // from the stack pointer to the top; dead bytes are 0
  std::vector<std::uint8_t> dead;   // 1 for each dead byte of `stack`
  std::vector<place_fact> told;     // answers, while the lane asks about its place
};

class lane_runner {
 public:
  using lines = std::vector<printed_line>;
  /// `branch_stops`: also record control flow, which the stack model needs.
  lane_runner(std::shared_ptr<const subject_library> library, const device_memory& memory,
              bool branch_stops);
  /// Another runner with the same stack, so each can resume the other's images.
  [[nodiscard]] lane_runner another() const { return {library_, memory_, branch_stops_, stack_}; }

  /// Starts a lane in `body(object, repeat)`, or in `init(object)`, and runs it to its first
  /// operation.
  lane_image start_body(void (*body)(void*, std::uint32_t), std::uint32_t repeat);
  lane_image start_init(void (*init)(void*));

  /// Runs a stopped lane to its next operation. `answer` is the result of its present one.
  lane_image resume(const lane_image& from, std::uint64_t answer);

  /// The branch stops that the last run passed, whether or not it reached an operation.
  [[nodiscard]] const std::vector<branch_stop>& way() const { return way_; }

  /// What the lane prints on its way to its first operation.
  lines printed_at_start(void (*body)(void*, std::uint32_t), std::uint32_t repeat);
  /// What the lane prints on its way from `from` to its next operation.
  lines printed(const lane_image& from, std::uint64_t answer);

  /// The number of runs of device code; a pair of runs counts once.
  [[nodiscard]] std::uint64_t runs() const { return runs_; }

 private:
  struct attempt;
  struct stack_region;
  std::shared_ptr<const subject_library> library_;
  const device_memory& memory_;
  bool branch_stops_;
  std::shared_ptr<stack_region> stack_;
  std::uint64_t runs_ = 0;
  std::vector<branch_stop> way_;
  std::array<lines, 2>* prints_ = nullptr;  // of both runs of a pair; null: not wanted

  lane_runner(std::shared_ptr<const subject_library> library, const device_memory& memory,
              bool branch_stops, std::shared_ptr<stack_region> stack);

  lane_image start();
  lane_image run_twice(const lane_image& from, std::uint64_t answer);
  [[noreturn]] void fail_by_fault();
  lines print_twice(const std::function<void()>& run);
  void take_way();
  void run_once(const lane_image& from, std::uint64_t answer, std::uint8_t poison, attempt& out);
};

}  // namespace simt
