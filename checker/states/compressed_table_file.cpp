// Writes and reads saved tables: a header, the tuples and states in order of their numbers, and a
// checksum, all as 32-bit words of this machine. Indices are made anew. A file is not trusted: each
// number must refer to something, nothing may occur twice, and the checksum must be right.
#include <array>
#include <istream>
#include <ostream>
#include <stdexcept>
#include <string>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "checker/states/compressed_table.hpp"

namespace warpcheck {
namespace {

constexpr std::array<std::uint32_t, 2> table_magic = {0x7473'6377, 1};  // "wcst", version
constexpr std::size_t state_words = 3;                                  // two halves, the mark
constexpr std::size_t at_once = 4096;                                   // tuples or states

[[noreturn]] void damaged(const char* why) {
  throw std::runtime_error(std::string("the saved states are damaged: ") + why);
}

}  // namespace

class table_checksum {
 public:
  table_checksum() { XXH3_64bits_reset(&state_); }
  void add(std::span<const std::uint32_t> words) {
    XXH3_64bits_update(&state_, words.data(), words.size_bytes());
  }
  [[nodiscard]] std::array<std::uint32_t, 2> value() const {
    const std::uint64_t digest = XXH3_64bits_digest(&state_);
    return {static_cast<std::uint32_t>(digest), static_cast<std::uint32_t>(digest >> 32)};
  }

 private:
  XXH3_state_t state_;
};

class compressed_table::writer {
 public:
  explicit writer(std::ostream& out) : out_(out) {}

  void words(std::span<const std::uint32_t> some) {
    sum_.add(some);
    put(some);
  }
  void tuples(const tuple_table& table) {
    words({{table.size()}});
    std::vector<std::uint32_t> buffer;
    for (std::uint32_t first = 0; first < table.size(); first += at_once) {
      const auto count = std::min<std::size_t>(at_once, table.size() - first);
      words({table[first], count * table.words()});
    }
  }
  void finish() { put(sum_.value()); }

 private:
  std::ostream& out_;
  table_checksum sum_;

  void put(std::span<const std::uint32_t> some) {
    out_.write(reinterpret_cast<const char*>(some.data()),
               static_cast<std::streamsize>(some.size_bytes()));
  }
};

class compressed_table::reader {
 public:
  explicit reader(std::istream& in) : in_(in) {}

  void words(std::span<std::uint32_t> some) {
    get(some);
    sum_.add(some);
  }
  std::uint32_t word() {
    std::uint32_t one = 0;
    words({&one, 1});
    return one;
  }
  state_shape shape() {
    std::array<std::uint32_t, 2> first{};
    words(first);
    if (first != table_magic)
      throw std::runtime_error("these are no saved states (of this version)");
    state_shape result;
    result.words = word();
    result.first_hot = word();
    result.hot = word();
    constexpr std::uint32_t most_words = 1U << 20;
    if (result.words > most_words) damaged("states are too long");
    try {
      (void)state_tree(result);
    } catch (const std::invalid_argument&) {
      damaged("states of no known form");
    }
    return result;
  }
  /// Reads tuples, whose first words must be below `bound`.
  void tuples(tuple_table& table, std::size_t numbers, std::uint32_t bound) {
    const std::uint32_t count = word();
    if (count > compact_index::most_rows) damaged("too many parts");
    std::vector<std::uint32_t> buffer(at_once * table.words());
    while (table.size() < count) {
      const std::size_t some = std::min<std::size_t>(at_once, count - table.size());
      words({buffer.data(), some * table.words()});
      for (std::size_t i = 0; i < some; ++i) {
        const std::uint32_t* const tuple = buffer.data() + i * table.words();
        if (std::any_of(tuple, tuple + numbers, [&](std::uint32_t n) { return n >= bound; })) {
          damaged("a part of a part is missing");
        }
        const std::uint32_t expected = table.size();
        if (table.intern(tuple) != expected) damaged("a part is there twice");
      }
    }
  }
  void finish() {
    std::array<std::uint32_t, 2> expected{};
    get(expected);
    if (sum_.value() != expected) damaged("the checksum differs");
  }

 private:
  std::istream& in_;
  table_checksum sum_;

  void get(std::span<std::uint32_t> some) {
    in_.read(reinterpret_cast<char*>(some.data()), static_cast<std::streamsize>(some.size_bytes()));
    if (!in_) damaged("they end too early");
  }
};

void compressed_table::save(std::ostream& out) const {
  writer to(out);
  to.words(table_magic);
  const state_shape& shape = tree_.shape();
  to.words({{static_cast<std::uint32_t>(shape.words), static_cast<std::uint32_t>(shape.first_hot),
             static_cast<std::uint32_t>(shape.hot)}});
  for (const auto& table : levels_) to.tuples(*table);
  for (const auto& table : halves_) to.tuples(*table);
  to.words({{size()}});
  std::vector<std::uint32_t> buffer;
  for (state_id id = 0; id < size(); ++id) {
    std::uint32_t halves[2];
    read_halves(id, halves);
    buffer.insert(buffer.end(), {halves[0], halves[1], mark(id)});
    if (buffer.size() == at_once * state_words || id + 1 == size()) {
      to.words(buffer);
      buffer.clear();
    }
  }
  to.finish();
}

compressed_table::compressed_table(std::istream& saved, const storage_options& options)
    : compressed_table(reader(saved), options) {}

compressed_table::compressed_table(reader&& in, const storage_options& options)
    : compressed_table(in.shape(), options) {
  std::uint32_t bound = 0;
  for (std::size_t i = 0; i < levels_.size(); ++i) {
    in.tuples(*levels_[i], i == 0 ? 0 : arity, bound);
    bound = levels_[i]->size();
  }
  for (std::size_t i = 0; i < 2; ++i) {
    const state_tree::half& h = tree_.side(i);
    if (tree_.is_flat()) {
      in.tuples(*halves_[i], 0, 0);
    } else {
      in.tuples(*halves_[i], h.levels.back().count, levels_[h.levels.size() - 1]->size());
    }
  }
  const std::uint32_t count = in.word();
  if (count > most_states) damaged("too many states");
  std::vector<std::uint32_t> buffer(at_once * state_words);
  std::vector<key> keys;
  while (size() < count) {
    const std::size_t some = std::min<std::size_t>(at_once, count - size());
    in.words({buffer.data(), some * state_words});
    keys.clear();
    for (std::size_t i = 0; i < some; ++i) {
      const std::uint32_t* const state = buffer.data() + i * state_words;
      if (state[0] >= halves_[0]->size() || state[1] >= halves_[1]->size()) {
        damaged("a part of a state is missing");
      }
      keys.push_back(located({state[0], state[1]}));
      prefetch_slot(keys.back());
    }
    for (std::size_t i = 0; i < some; ++i) {
      const auto [id, is_new] = intern(keys[i]);
      if (!is_new) damaged("a state is there twice");
      mark(id) = buffer[i * state_words + 2];
    }
  }
  in.finish();
}

}  // namespace warpcheck
