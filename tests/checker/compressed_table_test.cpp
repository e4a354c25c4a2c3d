// Compares the compressed table of states with a plain map: growth, threads, files, a full disk,
// damage.
#include "checker/states/compressed_table.hpp"

#include <sys/resource.h>

#include <atomic>
#include <csignal>
#include <cstdint>
#include <filesystem>
#include <random>
#include <sstream>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <unordered_map>
#include <vector>

#include <doctest/doctest.h>
#include <fmt/format.h>

namespace {

using warpcheck::compressed_table;
using warpcheck::state_id;
using warpcheck::state_shape;
using warpcheck::storage_options;
using words = std::vector<std::uint32_t>;

struct words_hash {
  std::size_t operator()(const words& state) const {
    std::size_t hash = 0;
    for (const std::uint32_t w : state) hash = (hash ^ w) * 0x100000001b3;
    return hash;
  }
};
using oracle = std::unordered_map<words, state_id, words_hash>;

state_shape shape_of(std::size_t count) {
  // As a machine has it: lanes, memory, status.
  return count < 4 ? state_shape{count, 0, 0} : state_shape{count, count - 2, 2};
}

/// A sequence of states, each made of one before.
class walk {
 public:
  enum class kind { one_word, few_values, same_prefix, all_different };

  walk(std::size_t count, kind how, unsigned seed) : how_(how), random_(seed), state_(count) {}

  const words& next() {
    const std::size_t at = random_() % state_.size();
    switch (how_) {
      case kind::one_word: state_[at] = random_() % 64; break;
      case kind::few_values:
        for (auto& w : state_) w = random_() % 2;
        break;
      case kind::same_prefix: state_.back() = ++count_; break;
      case kind::all_different:
        for (auto& w : state_) w = static_cast<std::uint32_t>(random_());
        break;
    }
    return state_;
  }

 private:
  kind how_;
  std::mt19937 random_;
  words state_;
  std::uint32_t count_ = 0;
};
constexpr walk::kind all_kinds[] = {walk::kind::one_word, walk::kind::few_values,
                                    walk::kind::same_prefix, walk::kind::all_different};

words read(const compressed_table& table, state_id id) {
  words state(table.words());
  table.read(id, state);
  return state;
}

void check_all(const compressed_table& table, const oracle& expected) {
  REQUIRE(table.size() == expected.size());
  compressed_table::cursor cursor;
  for (const auto& [state, id] : expected) {
    REQUIRE(read(table, id) == state);
    table.read(id, cursor);
    REQUIRE(words(cursor.words().begin(), cursor.words().end()) == state);
    REQUIRE(table.find(state) == id);
    REQUIRE(table.mark(id) == id * 3 + 1);
  }
}

/// Interns a walk of so many steps: plainly, from a state nearby, or announced.
void take(compressed_table& table, oracle& expected, walk steps, std::size_t count) {
  compressed_table::cursor near;
  for (std::size_t i = 0; i < count; ++i) {
    const words& state = steps.next();
    const auto [at, is_new] = expected.try_emplace(state, table.size());
    compressed_table::interned result{};
    if (i % 3 == 0 || table.size() == 0) {
      REQUIRE(table.find(state) == (is_new ? compressed_table::none : at->second));
      result = table.intern(state);
    } else {
      if (i % 3 == 1) table.read(static_cast<state_id>(i * 7919 % table.size()), near);
      if (near.words().empty()) table.read(0, near);
      auto key = table.key_of(state, near);
      table.prefetch_slot(key);
      if (i % 2 == 0) table.prefetch_record(key);
      result = table.intern(key);
    }
    REQUIRE(result.id == at->second);
    REQUIRE(result.is_new == is_new);
    if (is_new) {
      REQUIRE(table.mark(result.id) == 0);
      table.mark(result.id) = result.id * 3 + 1;
    }
  }
}

std::string saved(const compressed_table& table) {
  std::ostringstream out;
  table.save(out);
  return out.str();
}

/// A folder that is gone afterwards.
class folder {
 public:
  folder() {
    std::string name = (std::filesystem::temp_directory_path() / "warpcheck-XXXXXX").string();
    path_ = mkdtemp(name.data());
  }
  ~folder() { std::filesystem::remove_all(path_); }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace

TEST_CASE("a compressed table is a set of states with numbers in order") {
  for (const std::size_t count : {1, 2, 3, 5, 7, 8, 9, 16, 17, 18, 21, 34, 67, 258, 1027}) {
    CAPTURE(count);
    for (const walk::kind how : all_kinds) {
      CAPTURE(static_cast<int>(how));
      compressed_table table(shape_of(count));
      oracle expected;
      take(table, expected, walk(count, how, 1), count < 100 ? 4000 : 400);
      take(table, expected, walk(count, walk::kind::one_word, 2), 500);
      check_all(table, expected);
    }
  }
}

TEST_CASE("hot words may be anywhere") {
  for (const std::size_t first : {0, 1, 14, 19}) {
    compressed_table table({23, first, 4});
    oracle expected;
    take(table, expected, walk(23, walk::kind::one_word, 3), 3000);
    check_all(table, expected);
  }
  CHECK_THROWS_AS(compressed_table({0, 0, 0}), std::invalid_argument);
  CHECK_THROWS_AS(compressed_table({23, 20, 4}), std::invalid_argument);
  CHECK_THROWS_AS(compressed_table({23, 0, 5}), std::invalid_argument);
}

TEST_CASE("a compressed table through several growths") {
  compressed_table table({3, 0, 0});
  oracle expected;
  take(table, expected, walk(3, walk::kind::one_word, 4), 400'000);
  take(table, expected, walk(3, walk::kind::all_different, 5), 100'000);
  check_all(table, expected);
}

TEST_CASE(
    "states like those of a search take less than 17 bytes, and what they share takes little") {
  // Counters of which one goes on: nothing here is random.
  compressed_table table({9, 7, 2});
  words state(9);
  for (std::uint32_t i = 0; i < 600'000; ++i) {
    std::uint32_t rest = i;
    for (std::size_t k = 0; k < 7; ++k, rest /= 7) state[k] = rest % 7;
    state[7] = i % 11;
    table.intern(state);
  }
  REQUIRE(table.size() == 600'000);
  const auto used = table.used();
  CHECK(used.states + used.index < 17 * std::size_t{table.size()});
  CHECK(used.shared < std::size_t{table.size()});
  CHECK(used.memory == used.states + used.index + used.shared);
  CHECK(used.on_disk == 0);
}

// 17 million parts, 0.5 GB: by hand, with --no-skip.
TEST_CASE("numbers of parts that need more than 24 bits" * doctest::skip()) {
  constexpr std::uint32_t count = 17'000'000;
  compressed_table table({2, 0, 0});
  for (std::uint32_t i = 0; i < count; ++i) table.intern(words{i * 7, i * 5});
  for (std::uint32_t i = 0; i < count; ++i) {
    const words state{i * 7, i * 5};
    REQUIRE(table.find(state) == i);
    REQUIRE(read(table, i) == state);
    REQUIRE(!table.intern(words{i * 7, i * 5}).is_new);
  }
  std::stringstream file;
  table.save(file);
  const compressed_table again(file);
  CHECK(again.size() == count);
  for (std::uint32_t i = 0; i < count; i += 1000) CHECK(read(again, i) == words{i * 7, i * 5});
}

TEST_CASE("threads share a compressed table") {
  constexpr unsigned threads = 4;
  for (const std::size_t count : {2, 7, 34}) {
    CAPTURE(count);
    for (const walk::kind how : {walk::kind::one_word, walk::kind::all_different}) {
      // All take the same steps, and then their own.
      compressed_table table(shape_of(count));
      std::vector<std::vector<std::pair<words, compressed_table::interned>>> results(threads);
      std::atomic<unsigned> ready = 0;
      std::vector<std::thread> team;
      for (unsigned t = 0; t < threads; ++t) {
        team.emplace_back([&, t] {
          compressed_table::cursor near;
          ++ready;
          while (ready < threads) std::this_thread::yield();
          for (const unsigned seed : {1U, 100 + t}) {
            walk steps(count, how, seed);
            for (int i = 0; i < 20'000; ++i) {
              const words& state = steps.next();
              const auto result = near.words().empty() || i % 5 == 0 ? table.intern(state)
                                                                     : table.intern(state, near);
              results[t].emplace_back(state, result);
              std::atomic_ref(table.mark(result.id)).fetch_add(1);
              table.read(result.id, near);
              if (!std::equal(state.begin(), state.end(), near.words().begin())) {
                throw std::logic_error("read something else");
              }
            }
          }
        });
      }
      for (std::thread& t : team) t.join();

      oracle expected;
      std::vector<int> seen(table.size());
      std::vector<int> made(table.size());
      bool agree = true;
      for (const auto& all : results) {
        for (const auto& [state, result] : all) {
          agree = agree && expected.try_emplace(state, result.id).first->second == result.id;
          ++seen[result.id];
          made[result.id] += result.is_new ? 1 : 0;
        }
      }
      CHECK(agree);
      CHECK(expected.size() == table.size());
      for (state_id id = 0; id < table.size(); ++id) {
        REQUIRE(made[id] == 1);
        REQUIRE(table.mark(id) == static_cast<std::uint32_t>(seen[id]));
      }
      for (const auto& [state, id] : expected) {
        REQUIRE(read(table, id) == state);
        REQUIRE(table.find(state) == id);
      }
    }
  }
}

TEST_CASE("a compressed table in files") {
  const folder there;
  const storage_options options{there.path()};
  compressed_table table({7, 5, 2}, options);
  oracle expected;
  take(table, expected, walk(7, walk::kind::one_word, 6), 100'000);
  check_all(table, expected);
  const auto used = table.used();
  CHECK(used.on_disk > 15 * expected.size());
  CHECK(used.memory < used.on_disk / 10);
  CHECK(table.resident() <= used.memory + used.on_disk);
  CHECK(table.resident() > used.memory);
  CHECK(std::filesystem::is_empty(there.path()));  // they have no names

  const std::filesystem::path missing = there.path() / "missing";
  std::string message;
  try {
    const compressed_table none({7, 5, 2}, {missing});
  } catch (const std::system_error& error) {
    message = error.what();
  }
  CHECK(message == fmt::format("cannot make a file for states in {}: No such file or directory",
                               missing.string()));
}

TEST_CASE("a full disk is an error, and the table is as before") {
  const folder there;
  compressed_table table({3, 0, 0}, {there.path()});
  oracle expected;
  take(table, expected, walk(3, walk::kind::all_different, 7), 1000);

  // Files may not become larger, which looks much like a disk that is full.
  const auto old_handler = std::signal(SIGXFSZ, SIG_IGN);
  rlimit old_limit{};
  getrlimit(RLIMIT_FSIZE, &old_limit);
  const rlimit small{std::size_t{1} << 20, old_limit.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  walk steps(3, walk::kind::all_different, 8);
  bool failed = false;
  while (!failed) {
    const words state = steps.next();
    try {
      const auto [id, is_new] = table.intern(state);
      table.mark(id) = id * 3 + 1;
      expected.emplace(state, id);
    } catch (const std::system_error& error) {
      failed = true;
      CHECK(std::string(error.what()).find(there.path().string()) != std::string::npos);
    }
  }
  check_all(table, expected);
  setrlimit(RLIMIT_FSIZE, &old_limit);
  std::signal(SIGXFSZ, old_handler);
  take(table, expected, walk(3, walk::kind::all_different, 9), 100'000);
  check_all(table, expected);
}

TEST_CASE("saved states come back") {
  for (const std::size_t count : {1, 2, 7, 34, 300}) {
    CAPTURE(count);
    compressed_table table(shape_of(count));
    oracle expected;
    std::stringstream none;
    table.save(none);
    CHECK(compressed_table(none).size() == 0);
    take(table, expected, walk(count, walk::kind::one_word, 10), 3000);

    std::stringstream file(saved(table));
    compressed_table again(file);
    CHECK(again.words() == count);
    check_all(again, expected);
    take(again, expected, walk(count, walk::kind::one_word, 11), 3000);
    check_all(again, expected);
  }
}

TEST_CASE("damaged files of states are refused") {
  compressed_table table({21, 19, 2});
  oracle expected;
  take(table, expected, walk(21, walk::kind::one_word, 12), 300);
  const std::string whole = saved(table);

  std::mt19937 random(13);
  const auto refused = [](const std::string& bytes) {
    std::istringstream file(bytes);
    try {
      const compressed_table read(file);
    } catch (const std::runtime_error&) {
      return true;
    }
    return false;
  };
  CHECK(!refused(whole));
  for (std::size_t length = 0; length < whole.size(); length += 1 + random() % 500) {
    REQUIRE(refused(whole.substr(0, length)));
  }
  for (int i = 0; i < 3000; ++i) {
    std::string damaged = whole;
    const std::size_t at = i < 400 ? static_cast<std::size_t>(i) / 4 : random() % whole.size();
    const auto changed = static_cast<char>(1 + random() % 255);
    damaged[at] = static_cast<char>(damaged[at] ^ changed);
    CAPTURE(at);
    REQUIRE(refused(damaged));
  }
  CHECK(refused("something else"));
}
