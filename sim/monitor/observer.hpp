// Judges the history of a run event by event. A number, the word, says what the run so far still
// allows.
//
// A word stands for all that the past means to the future, so that states with the same word can be
// merged. The observer that makes words interns them.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include <simt/spec.hpp>

namespace simt {

/// `points`: linearizable, with each operation in its declared place. The last two kinds are for
/// transactions, the others for all other objects.
enum class consistency : std::uint8_t {
  linearizable,
  sequential,
  quiescent,
  points,
  strictly_serializable,
  opaque
};
inline constexpr consistency all_consistencies[]{consistency::linearizable,
                                                 consistency::sequential,
                                                 consistency::quiescent,
                                                 consistency::points,
                                                 consistency::strictly_serializable,
                                                 consistency::opaque};
constexpr bool is_of_transactions(consistency c) {
  return c == consistency::strictly_serializable || c == consistency::opaque;
}

class observer {
 public:
  using word = std::uint32_t;

  observer() = default;
  observer(const observer&) = delete;
  observer& operator=(const observer&) = delete;
  virtual ~observer() = default;

  /// The word before any event, when the object is in one of these states (sorted).
  virtual word initial(std::span<const spec::state> states) = 0;
  /// The word after `what.client` calls. The client has no other call pending.
  virtual word called(word before, const spec::call& what) = 0;
  /// The word after the pending call of `client` returns. Throws std::length_error if there is too
  /// much to remember.
  virtual word returned(word before, std::uint32_t client, const spec::result& result) = 0;
  /// The word after `client` passes a linearization point.
  virtual word passed_point(word before, std::uint32_t /*client*/) { return before; }
  /// Whether no order explains what has happened so far, whatever happens later.
  [[nodiscard]] virtual bool is_broken(word now) const = 0;
  /// Whether no order explains the history if nothing happens later. No call is pending.
  virtual bool is_broken_at_end(word now) = 0;
  /// The memory in use: bytes, roughly.
  [[nodiscard]] virtual std::size_t memory() const = 0;
};

/// The specification must outlive the observer. For one thread at a time.
std::unique_ptr<observer> make_observer(consistency wanted, const spec::specification& spec);

}  // namespace simt
