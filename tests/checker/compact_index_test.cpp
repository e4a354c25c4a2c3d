// Tests the index that finds rows by hash in less than six bytes each: entries, growth, bad hashes,
// errors.
#include "checker/states/compact_index.hpp"

#include <random>
#include <stdexcept>
#include <vector>

#include <doctest/doctest.h>

namespace {

using warpcheck::compact_index;

/// Rows that are single words, with a hash to try.
template <class Hash>
class word_set {
 public:
  explicit word_set(Hash hash)
      : hash_(hash), index_({}, [this](std::uint32_t row) { return hash_(words_[row]); }) {}

  compact_index::interned intern(std::uint32_t word) {
    return index_.intern(
        index_.locate(hash_(word)), [&](std::uint32_t row) { return is(row, word); },
        [&] {
          words_.push_back(word);
          return static_cast<std::uint32_t>(words_.size() - 1);
        });
  }
  [[nodiscard]] std::uint32_t find(std::uint32_t word) const {
    return index_.find(index_.locate(hash_(word)),
                       [&](std::uint32_t row) { return is(row, word); });
  }
  [[nodiscard]] std::size_t size() const { return words_.size(); }
  [[nodiscard]] std::size_t memory() const { return index_.memory(); }

 private:
  Hash hash_;
  std::vector<std::uint32_t> words_;
  compact_index index_;

  [[nodiscard]] bool is(std::uint32_t row, std::uint32_t word) const {
    return row < words_.size() && words_[row] == word;
  }
};

std::uint32_t scattered(std::uint32_t word) {
  const std::uint64_t mixed = (word + std::uint64_t{1}) * 0x9e3779b97f4a7c15;
  return static_cast<std::uint32_t>((mixed ^ mixed >> 29) * 0xbf58476d1ce4e5b9 >> 32);
}

/// Interns 0 ... count - 1, each twice, and finds them.
template <class Hash>
void fill(word_set<Hash>& set, std::uint32_t count) {
  for (std::uint32_t i = 0; i < count; ++i) {
    REQUIRE(set.find(i) == compact_index::none);
    const auto first = set.intern(i);
    REQUIRE(first.row == i);
    REQUIRE(first.is_new);
    const std::uint32_t earlier = scattered(i) % (i + 1);
    const auto again = set.intern(earlier);
    REQUIRE(again.row == earlier);
    REQUIRE(!again.is_new);
  }
  for (std::uint32_t i = 0; i < count; ++i) REQUIRE(set.find(i) == i);
  REQUIRE(set.find(count) == compact_index::none);
  CHECK(set.size() == count);
}

}  // namespace

TEST_CASE("an index finds what was put into it, at every size") {
  word_set set(scattered);
  fill(set, 300'000);
}

TEST_CASE("an index takes less than six bytes for each entry") {
  word_set set(scattered);
  for (std::uint32_t i = 0; i < 1'000'000; ++i) set.intern(i);
  CHECK(set.memory() < 6 * set.size());
}

TEST_CASE("hashes of which some bits are always the same") {
  SUBCASE("the lowest") {
    word_set set([](std::uint32_t word) { return scattered(word) << 8; });
    fill(set, 50'000);
  }
  SUBCASE("the highest, as far as that can be helped") {
    word_set set([](std::uint32_t word) { return scattered(word) >> 4; });
    fill(set, 50'000);
  }
  SUBCASE("all but a few") {
    word_set set([](std::uint32_t word) { return (scattered(word) % 16) << 28; });
    fill(set, 10'000);
  }
  SUBCASE("none, but they are in order") {
    word_set set([](std::uint32_t word) { return word * 50'000; });
    fill(set, 80'000);
  }
}

TEST_CASE("one hash for all: an error, and what was there is still there") {
  word_set set([](std::uint32_t) { return 0x12345678U; });
  const auto fill_it = [&] {
    for (std::uint32_t i = 0; i < 10'000; ++i) set.intern(i);
  };
  CHECK_THROWS_AS(fill_it(), std::length_error);
  CHECK(set.size() > 5'000);
  for (std::uint32_t i = 0; i < set.size(); ++i) REQUIRE(set.find(i) == i);
}

TEST_CASE("an index is as before if the row cannot be made") {
  std::vector<std::uint32_t> rows;
  compact_index index({}, [&](std::uint32_t row) { return scattered(rows[row]); });
  std::mt19937 random(5);
  for (std::uint32_t i = 0; i < 20'000; ++i) {
    const auto matches = [&](std::uint32_t row) { return row < rows.size() && rows[row] == i; };
    const bool fails = random() % 4 == 0;
    const auto append = [&]() -> std::uint32_t {
      if (fails) throw std::bad_alloc();
      rows.push_back(i);
      return static_cast<std::uint32_t>(rows.size() - 1);
    };
    if (fails) {
      REQUIRE_THROWS_AS(index.intern(index.locate(scattered(i)), matches, append), std::bad_alloc);
      REQUIRE(index.find(index.locate(scattered(i)), matches) == compact_index::none);
    } else {
      REQUIRE(index.intern(index.locate(scattered(i)), matches, append).is_new);
    }
  }
}
