// Clients that `generate` stands for: which there are, and in what order.
#include <doctest/doctest.h>

#include <set>
#include <string>

#include "checker/run/generate_clients.hpp"

namespace {

warpcheck::scenario of(const std::string& subject, std::uint32_t threads,
                       std::uint32_t operations) {
  warpcheck::scenario what;
  what.file = "test.toml";
  what.subject = subject;
  what.generate = {threads, operations};
  what.grid.lanes = {threads};
  return what;
}

std::string text(const warpcheck::client_lists& clients) {
  std::string all;
  for (const auto& list : clients) {
    all += all.empty() ? "" : " | ";
    for (std::size_t i = 0; i < list.size(); ++i) all += (i == 0 ? "" : ", ") + list[i].text();
  }
  return all;
}

}  // namespace

TEST_CASE("every combination once, the smallest first") {
  const auto all = generate_clients(of("queues/michael_scott", 2, 2));
  // 6 lists of one or two of two operations; one, or two in any order.
  REQUIRE(all.size() == 6 + 21);
  CHECK(text(all[0]) == "enqueue 1");
  CHECK(text(all[1]) == "dequeue");
  CHECK(text(all[2]) == "enqueue 1, enqueue 2");
  CHECK(text(all.back()) == "dequeue, dequeue | dequeue, dequeue");
  std::set<std::string> texts;
  std::size_t before = 0;
  for (const auto& clients : all) {
    texts.insert(text(clients));
    std::size_t size = 0;
    for (const auto& list : clients) size += list.size();
    CHECK(size >= before);
    before = size;
  }
  CHECK(texts.size() == all.size());
  CHECK(generate_clients(of("queues/michael_scott", 3, 2)).size() == 6 + 21 + 56);
}

TEST_CASE("numbers that are calculated with take examples, values are new") {
  for (const auto& clients : generate_clients(of("queues/michael_scott", 3, 2))) {
    std::set<std::int64_t> values;
    std::size_t arguments = 0;
    for (const auto& list : clients) {
      for (const auto& operation : list) {
        values.insert(operation.arguments.begin(), operation.arguments.end());
        arguments += operation.arguments.size();
      }
    }
    CHECK(values.size() == arguments);
  }
}

TEST_CASE("what has no operations, and what has too many") {
  CHECK_THROWS_AS(generate_clients(of("locks/tas", 2, 2)), warpcheck::usage_error);
  CHECK_THROWS_AS(generate_clients(of("queues/michael_scott", 8, 8)), warpcheck::usage_error);
}
