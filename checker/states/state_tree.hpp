// Says which words of a state form a tuple that is stored once.
//
// A state is two halves, and each half is a tuple. A state of few words is cut in the middle. In a
// larger one, four neighbouring words are a leaf, and leaves belong to the halves by turns. A
// search that has not come far has changed a few neighbouring lanes only. Within a half, four
// leaves make a branch, and so on, until few enough are left for the half's own tuple. Words that
// change with most steps (memory) are "hot": they are part of the right half's tuple itself.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace warpcheck {

struct state_shape {
  std::size_t words = 0;
  std::size_t first_hot = 0;
  std::size_t hot = 0;  // number of hot words, at most most_hot
  static constexpr std::size_t most_hot = 4;
  friend bool operator==(const state_shape&, const state_shape&) = default;
};

class state_tree {
 public:
  static constexpr std::size_t arity = 4;

  /// Throws std::invalid_argument if there are no words, or the hot words are not among them.
  explicit state_tree(const state_shape& shape);

  struct leaf {
    std::uint32_t first, count;  // words of the state
    std::uint32_t half;
    std::uint32_t at;  // number of the leaf within its half
  };
  /// A level holds numbers of tuples (of leaves, then of branches), as part of one array of all
  /// numbers of a state. Behind them is room, filled with zeros, for a whole number of tuples.
  struct level {
    std::uint32_t first, count;
  };
  struct half {
    std::vector<level> levels;  // none in a flat tree
    std::uint32_t first,
        count;  // elements of its tuple: numbers (last level, then hot words), or words if flat
  };

  [[nodiscard]] const state_shape& shape() const { return shape_; }
  /// Whether the state has few words, so that the halves consist of words themselves.
  [[nodiscard]] bool is_flat() const { return leaves_.empty(); }
  [[nodiscard]] const std::vector<leaf>& leaves() const { return leaves_; }
  [[nodiscard]] const half& side(std::size_t i) const { return halves_[i]; }
  [[nodiscard]] std::size_t numbers() const { return numbers_; }
  [[nodiscard]] std::size_t levels() const {
    return std::max(halves_[0].levels.size(), halves_[1].levels.size());
  }

 private:
  static constexpr std::size_t flat_words = 16;
  static constexpr std::uint32_t half_numbers = 8;  // in the last level

  state_shape shape_;
  std::vector<leaf> leaves_;
  std::array<half, 2> halves_{};
  std::size_t numbers_ = 0;

  void add_leaves(std::size_t first, std::size_t end);
};

}  // namespace warpcheck
