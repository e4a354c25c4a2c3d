// Tests which subjects share a runner on the GPU, and which header a subject's runner includes.
#include "checker/hardware/build.hpp"

#include <doctest/doctest.h>

using namespace warpcheck;

namespace {

scenario shipped(const std::string& subject) {
  scenario what;
  what.file = "x.toml";
  what.subject = subject;
  return what;
}

scenario own(const std::string& subject) {
  scenario what = shipped(subject);
  what.source = "/somewhere/" + subject + ".hpp";
  return what;
}

using groups = std::vector<std::vector<std::size_t>>;

}  // namespace

TEST_CASE("shipped subjects share a runner, a user's has its own") {
  CHECK(runner_groups({shipped("locks/tas"), own("my_lock"), shipped("locks/ticket"),
                       shipped("locks/tas"), own("my_lock")}) == groups{{0, 2, 3}, {1}, {4}});
  CHECK(runner_groups({own("my_lock"), shipped("locks/tas")}) == groups{{0}, {1}});
  CHECK(runner_groups({}).empty());
}

TEST_CASE("subjects of one name cannot share a runner") {
  CHECK(runner_groups({shipped("stacks/naive"), shipped("queues/naive"), shipped("locks/tas"),
                       shipped("queues/naive"), shipped("stacks/naive")}) ==
        groups{{0, 2, 4}, {1, 3}});
}

TEST_CASE("the header of a subject") {
  CHECK(subject_header(own("my_lock")) == "/somewhere/my_lock.hpp");
  CHECK(subject_header(shipped("locks/tas")).filename() == "tas.hpp");
  CHECK_THROWS_WITH_AS(subject_header(shipped("locks/gone")),
                       "x.toml: there is no subject \"locks/gone\"; warpcheck list shows them",
                       usage_error);
}
