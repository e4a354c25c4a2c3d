// Where lanes meet again, for the shapes of code that people write.
#include <algorithm>
#include <random>
#include <set>

#include <doctest/doctest.h>

#include "tests/sim/subject_fixture.hpp"

using namespace simt;
using namespace simt::test;

extern "C" {
void mark_1();
void mark_2();
void mark_3();
void mark_1() {}
void mark_2() {}
void mark_3() {}
}

namespace {

using mark = void (*)();

/// The control flow of one compiled kernel, asked about by the functions that its blocks call.
class flow {
 public:
  flow(const subject_folder& folder, const std::string& statements)
      : library_(folder.load(kernel(statements))) {}

  [[nodiscard]] std::uint32_t at(mark callee) const {
    return calling(reinterpret_cast<std::uint64_t>(callee));
  }
  /// The block with the only atomic operation.
  [[nodiscard]] std::uint32_t attempt() const {
    return calling(reinterpret_cast<std::uint64_t>(&simt_hook_memory));
  }
  [[nodiscard]] const block_role& role(std::uint32_t block) const { return library_->roles[block]; }

  /// The block that marks the place where lanes that part in `block` meet: the immediate
  /// post-dominator, or what surely follows it without a mark in between.
  [[nodiscard]] std::uint32_t meeting(std::uint32_t block) const {
    // The condition may be computed in a block of its own, behind the call.
    while (library_->blocks[block].successors.size() == 1) {
      block = library_->blocks[block].successors[0];
    }
    REQUIRE(library_->blocks[block].successors.size() > 1);
    CHECK(role(block).branches);
    std::uint32_t meet = role(block).immediate_post_dominator;
    if (meet == no_block) return no_block;
    CHECK(role(meet).is_reconvergence);
    while (library_->blocks[meet].callees.empty() &&
           library_->blocks[meet].successors.size() == 1) {
      meet = library_->blocks[meet].successors[0];
    }
    return meet;
  }

  [[nodiscard]] std::size_t loops() const {
    const std::uint32_t body = library_->blocks[exit()].function;
    std::size_t count = 0;
    for (std::uint32_t block = 0; block < library_->blocks.size(); ++block) {
      if (library_->blocks[block].function == body) count += role(block).back_edges.size();
    }
    return count;
  }
  [[nodiscard]] std::uint32_t exit() const {
    return calling(reinterpret_cast<std::uint64_t>(&simt_hook_exit));
  }

 private:
  [[nodiscard]] std::uint32_t calling(std::uint64_t callee) const {
    std::uint32_t found = no_block;
    for (std::uint32_t block = 0; block < library_->blocks.size(); ++block) {
      const auto& callees = library_->blocks[block].callees;
      if (std::find(callees.begin(), callees.end(), callee) == callees.end()) continue;
      REQUIRE(found == no_block);
      found = block;
    }
    REQUIRE(found != no_block);
    return found;
  }

  std::shared_ptr<const subject_library> library_;
};

}  // namespace

TEST_CASE("lock loops") {
  const subject_folder folder;

  SUBCASE("spinning: those who have the lock wait behind the loop for all others") {
    const flow code(folder, "while (!try_lock(&held)) { mark_1(); } mark_2();");
    CHECK(code.meeting(code.attempt()) == code.at(mark_2));
    CHECK(code.loops() == 1);
  }
  SUBCASE("a bool that ends the loop: the critical section comes before the meeting") {
    const flow code(folder, R"(
      bool done = false;
      while (!done) {
        if (try_lock(&held)) { mark_1(); done = true; }
        mark_3();
      }
      mark_2();)");
    CHECK(code.meeting(code.attempt()) == code.at(mark_3));
    CHECK(code.meeting(code.at(mark_3)) == code.at(mark_2));
    CHECK(code.loops() == 1);
  }
  SUBCASE("an int that ends the loop") {
    const flow code(folder, R"(
      for (int done = 0; done == 0;) {
        if (try_lock(&held)) { mark_1(); done = 1; }
        mark_3();
      }
      mark_2();)");
    CHECK(code.meeting(code.attempt()) == code.at(mark_3));
    CHECK(code.meeting(code.at(mark_3)) == code.at(mark_2));
  }
  SUBCASE("a counter of what is left to do") {
    const flow code(folder, R"(
      for (unsigned left = repeat; left > 0;) {
        if (try_lock(&held)) { mark_1(); --left; }
        mark_3();
      }
      mark_2();)");
    CHECK(code.meeting(code.attempt()) == code.at(mark_3));
    CHECK(code.meeting(code.at(mark_3)) == code.at(mark_2));
  }
  SUBCASE("do-while") {
    const flow code(folder, R"(
      bool done = false;
      do {
        if (try_lock(&held)) { mark_1(); done = true; }
        mark_3();
      } while (!done);
      mark_2();)");
    CHECK(code.meeting(code.attempt()) == code.at(mark_3));
    CHECK(code.meeting(code.at(mark_3)) == code.at(mark_2));
  }
  SUBCASE("break: the only way out leads through the critical section, so lanes meet before it") {
    const flow code(folder, R"(
      while (true) {
        if (try_lock(&held)) { mark_1(); break; }
        mark_3();
      }
      mark_2();)");
    CHECK(code.meeting(code.attempt()) == code.at(mark_1));
    CHECK(code.loops() == 1);
  }
  SUBCASE("break out of a scope with a local object") {
    const flow code(folder, R"(
      while (true) {
        int pair[2] = {held, 1};
        if (try_lock(&pair)) break;
        if (pair[0] == 7) continue;
        mark_3();
      }
      mark_2();)");
    CHECK(code.meeting(code.attempt()) == code.at(mark_2));
  }
}

TEST_CASE("structured code") {
  const subject_folder folder;

  SUBCASE("nested loops") {
    const flow code(folder, R"(
      for (unsigned i = 0; i < repeat; ++i) {
        while (!try_lock(&held)) { mark_1(); }
        mark_2();
      }
      mark_3();)");
    CHECK(code.meeting(code.attempt()) == code.at(mark_2));
    CHECK(code.meeting(code.at(mark_2)) == code.at(mark_3));
    CHECK(code.loops() == 2);
  }
  SUBCASE("switch") {
    const flow code(folder, R"(
      switch (simt_hook_memory(0, &held, 1, 0)) {
        case 0: mark_1(); break;
        case 1: mark_2();  // falls through
        case 2:
        case 3: held = 2; break;
        default: break;
      }
      mark_3();)");
    CHECK(code.meeting(code.attempt()) == code.at(mark_3));
  }
  SUBCASE("early return from the body") {
    const flow code(folder, "if (try_lock(&held)) { mark_1(); return; } mark_2();");
    CHECK(code.meeting(code.attempt()) == code.exit());
  }
  SUBCASE("early return from an inlined function") {
    const flow code(folder, R"(
      const auto attempt = [this](unsigned n) __attribute__((always_inline)) {
        while (n != 0) {
          if (try_lock(&held)) { mark_1(); return 1; }
          --n;
        }
        return 0;
      };
      attempt(repeat);
      mark_2();)");
    CHECK(code.meeting(code.attempt()) == code.at(mark_2));
  }
  SUBCASE("an arm that loops for ever is left out") {
    const flow code(folder, R"(
      if (try_lock(&held)) { for (;;) { mark_1(); } }
      mark_2();)");
    CHECK(code.meeting(code.attempt()) == code.at(mark_2));
    CHECK(code.role(code.at(mark_1)).immediate_post_dominator == no_block);
  }
  SUBCASE("a failing assertion is left out") {
    const flow code(folder, R"(
      if (!try_lock(&held)) __assert_fail("held", "here", 1, "kernel");
      mark_2();)");
    CHECK(code.meeting(code.attempt()) == code.at(mark_2));
  }
  SUBCASE("a loop with its end in the middle") {
    const flow code(folder, R"(
      for (;;) {
        if (try_lock(&held)) mark_1();
        mark_2();
        if (repeat == 9) break;
      })");
    CHECK(code.meeting(code.attempt()) == code.at(mark_2));
  }
}

namespace {

std::vector<basic_block> graph(const std::vector<std::vector<std::uint32_t>>& successors,
                               const std::set<std::uint32_t>& ends = {}) {
  std::vector<basic_block> blocks(successors.size());
  for (std::uint32_t block = 0; block < blocks.size(); ++block) {
    blocks[block].successors = successors[block];
    blocks[block].ends_body = ends.count(block) != 0;
  }
  return blocks;
}

/// By the definition: the sets of blocks on all ways to the end, by iteration from "all".
class naive_post_dominators {
 public:
  explicit naive_post_dominators(const std::vector<basic_block>& blocks) : blocks_(blocks) {
    const auto size = static_cast<std::uint32_t>(blocks.size());
    for (const basic_block& block : blocks) has_end_ |= block.ends_body;
    std::set<std::uint32_t> all;
    for (std::uint32_t block = 0; block < size; ++block) {
      if (reaches_end(block)) all.insert(block);
    }
    sets_.assign(size, {});
    for (const std::uint32_t block : all) sets_[block] = all;
    for (bool changed = true; changed;) {
      changed = false;
      for (const std::uint32_t block : all) {
        std::set<std::uint32_t> next = is_end(block) ? std::set<std::uint32_t>{} : all;
        if (!is_end(block)) {
          for (const std::uint32_t successor : blocks[block].successors) {
            if (all.count(successor) == 0) continue;
            std::set<std::uint32_t> both;
            std::set_intersection(next.begin(), next.end(), sets_[successor].begin(),
                                  sets_[successor].end(), std::inserter(both, both.end()));
            next = both;
          }
        }
        next.insert(block);
        if (next != sets_[block]) {
          sets_[block] = next;
          changed = true;
        }
      }
    }
  }

  /// Of the strict post-dominators, the one that all others post-dominate.
  [[nodiscard]] std::uint32_t immediate(std::uint32_t block) const {
    for (const std::uint32_t candidate : sets_[block]) {
      if (candidate != block && sets_[candidate].size() + 1 == sets_[block].size()) {
        return candidate;
      }
    }
    return no_block;
  }

 private:
  [[nodiscard]] bool is_end(std::uint32_t block) const {
    return has_end_ ? blocks_[block].ends_body : blocks_[block].successors.empty();
  }
  [[nodiscard]] bool reaches_end(std::uint32_t from) const {
    std::set<std::uint32_t> seen{from};
    std::vector<std::uint32_t> pending{from};
    while (!pending.empty()) {
      const std::uint32_t block = pending.back();
      pending.pop_back();
      if (is_end(block)) return true;
      for (const std::uint32_t successor : blocks_[block].successors) {
        if (seen.insert(successor).second) pending.push_back(successor);
      }
    }
    return false;
  }

  const std::vector<basic_block>& blocks_;
  std::vector<std::set<std::uint32_t>> sets_;
  bool has_end_ = false;
};

std::vector<basic_block> random_graph(std::mt19937& random) {
  const auto below = [&](std::uint32_t limit) {
    return static_cast<std::uint32_t>(random() % limit);
  };
  const std::uint32_t size = 1 + below(12);
  std::vector<std::vector<std::uint32_t>> successors(size);
  for (auto& targets : successors) {
    const std::uint32_t degree = below(4);
    std::set<std::uint32_t> distinct;
    for (std::uint32_t edge = 0; edge < degree; ++edge) distinct.insert(below(size));
    targets.assign(distinct.begin(), distinct.end());
  }
  std::set<std::uint32_t> ends;
  for (std::uint32_t end = below(3); end > 0; --end) ends.insert(below(size));
  return graph(successors, ends);
}

}  // namespace

TEST_CASE("graphs made by hand") {
  SUBCASE("a diamond") {
    const auto roles = analyze_control_flow(graph({{1, 2}, {3}, {3}, {}}));
    CHECK(roles[0].branches);
    CHECK(roles[0].immediate_post_dominator == 3);
    CHECK(roles[3].is_reconvergence);
    CHECK(roles[3].immediate_post_dominator == no_block);
    CHECK_FALSE(roles[1].is_reconvergence);
  }
  SUBCASE("a loop and its back edge") {
    const auto roles = analyze_control_flow(graph({{1}, {2, 3}, {1}, {}}));
    CHECK(roles[1].immediate_post_dominator == 3);
    CHECK(roles[2].back_edges == std::vector<std::uint32_t>{1});
    CHECK(roles[1].back_edges.empty());
  }
  SUBCASE("a block that only loops on itself") {
    const auto roles = analyze_control_flow(graph({{0}}));
    CHECK(roles[0].immediate_post_dominator == no_block);
    CHECK(roles[0].back_edges == std::vector<std::uint32_t>{0});
  }
  SUBCASE("two ends: no meeting") {
    const auto roles = analyze_control_flow(graph({{1, 2}, {}, {}}, {1, 2}));
    CHECK(roles[0].branches);
    CHECK(roles[0].immediate_post_dominator == no_block);
  }
  SUBCASE("two functions do not mix") {
    auto blocks = graph({{1}, {}, {3, 4}, {4}, {}}, {1});
    for (std::uint32_t block = 2; block < 5; ++block) blocks[block].function = 2;
    const auto roles = analyze_control_flow(blocks);
    CHECK(roles[0].immediate_post_dominator == 1);
    CHECK(roles[2].immediate_post_dominator == 4);
  }
}

TEST_CASE("random graphs agree with the definition") {
  std::mt19937 random(20240229);
  for (int round = 0; round < 5000; ++round) {
    const std::vector<basic_block> blocks = random_graph(random);
    const std::vector<block_role> roles = analyze_control_flow(blocks);
    const naive_post_dominators expected(blocks);
    for (std::uint32_t block = 0; block < blocks.size(); ++block) {
      REQUIRE(roles[block].immediate_post_dominator == expected.immediate(block));
    }
  }
}
