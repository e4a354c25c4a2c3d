// Where threads of litmus tests go on GPUs, and which barriers the hardware carries out.
#include <doctest/doctest.h>

#include <string>

#include "litmus/gpu/placement.hpp"
#include "litmus/read/parser.hpp"

using namespace litmus;
using litmus::gpu::cta;
using litmus::gpu::machine;
using litmus::gpu::place;
using litmus::gpu::placement_plan;
using litmus::gpu::why_not_compiled;
using litmus::gpu::why_not_run;

namespace {

using numbers = std::vector<std::uint32_t>;

/// A test whose threads have these places and these instructions, one column each.
program test_of(const std::vector<std::string>& places, const std::vector<std::string>& rows) {
  std::string text = "PTX t\n{\n}\n";
  for (std::size_t t = 0; t < places.size(); ++t) {
    text += (t == 0 ? " P" : " | P") + std::to_string(t) + "@" + places[t];
  }
  text += " ;\n";
  for (const std::string& row : rows) text += row + " ;\n";
  return parse(text + "exists (0 == 0)\n", "t.litmus");
}

program stores(const std::vector<std::string>& places) {
  std::string row = "st.weak x, 1";
  for (std::size_t t = 1; t < places.size(); ++t) row += " | st.weak x, 1";
  return test_of(places, {row});
}

program barriers(const std::string& first, const std::string& second) {
  return test_of({"cta 0,gpu 0", "cta 0,gpu 0"},
                 {"st.weak x, 1 | st.weak y, 1", first + " | " + second});
}

}  // namespace

TEST_CASE("one CTA is one block, two are two") {
  const placement_plan one = place(stores({"cta 3,gpu 0", "cta 3,gpu 0"}), true);
  CHECK(one.ctas == std::vector<cta>{{0, 0, 0, {0, 1}}});
  CHECK(one.threads_of_cta == 2);
  CHECK(one.cluster_size == 1);
  const placement_plan two = place(stores({"cta 1,gpu 0", "cta 0,gpu 0", "cta 1,gpu 0"}), true);
  CHECK(two.ctas == std::vector<cta>{{0, 0, 0, {0, 2}}, {0, 1, 0, {1}}});
  CHECK(two.cta_of == numbers{0, 1, 0});
  CHECK(two.clusters == numbers{2});
}

TEST_CASE("CTAs of one cluster are blocks of one cluster; others are by themselves") {
  const placement_plan plan = place(stores({"cta 0,cluster 0,gpu 0", "cta 1,cluster 0,gpu 0",
                                            "cta 2,gpu 0", "cta 0,cluster 1,gpu 0"}),
                                    true);
  CHECK(plan.ctas ==
        std::vector<cta>{{0, 0, 0, {0}}, {0, 0, 1, {1}}, {0, 1, 0, {2}}, {0, 2, 0, {3}}});
  CHECK(plan.cluster_size == 2);
  CHECK(plan.clusters == numbers{3});
}

TEST_CASE("CTAs are told by GPU, and GPUs go by their numbers") {
  const placement_plan plan = place(stores({"cta 0,gpu 7", "cta 0,gpu 2", "cta 1,gpu 7"}), true);
  CHECK(plan.gpus == 2);
  CHECK(plan.ctas == std::vector<cta>{{1, 0, 0, {0}}, {0, 0, 0, {1}}, {1, 1, 0, {2}}});
  CHECK(plan.clusters == numbers{1, 2});
}

TEST_CASE("what cannot be run, and why") {
  const program two_gpus = stores({"cta 0,gpu 0", "cta 0,gpu 1"});
  CHECK(why_not_run(two_gpus, machine{90, 1}) == "needs 2 GPUs; here is 1");
  CHECK(why_not_run(two_gpus, machine{90, 2}).empty());
  CHECK(why_not_compiled(two_gpus, 90).empty());

  const program one = stores({"cta 0,gpu 0"});
  CHECK(why_not_compiled(one, 70).empty());
  CHECK(why_not_compiled(one, 60).find("sm_70 is the first") != std::string::npos);

  const program scope = test_of({"cta 0,gpu 0"}, {"fence.sc.cluster"});
  CHECK(why_not_compiled(scope, 90).empty());
  CHECK(why_not_compiled(scope, 80).find("sm_80 has no clusters") != std::string::npos);
  const program cluster = stores({"cta 0,cluster 0,gpu 0", "cta 1,cluster 0,gpu 0"});
  CHECK(why_not_run(cluster, machine{86, 1}).find("no clusters") != std::string::npos);
  // A cluster of one CTA needs no launch of clusters.
  CHECK(why_not_compiled(stores({"cta 0,cluster 0,gpu 0"}), 75).empty());

  std::vector<std::string> nine;
  for (int i = 0; i < 9; ++i) nine.push_back("cta " + std::to_string(i) + ",cluster 0,gpu 0");
  CHECK(why_not_compiled(stores(nine), 90).find("a cluster of 9 CTAs") != std::string::npos);

  const program loop = test_of({"cta 0,gpu 0"}, {"LC00:", "bar.cta.sync 0", "beq r0, 0, LC00"});
  CHECK(why_not_compiled(loop, 90) == "a barrier in a loop");
}

TEST_CASE("barriers that the hardware has") {
  const placement_plan plain = place(barriers("bar.cta.sync 0", "bar.cta.sync 0"), true);
  CHECK(plain.native_barriers == 1);
  CHECK(plain.slots == 0);
  CHECK(plain.barriers[1][1].native);
  CHECK(plain.barriers[1][1].count == 2);
  CHECK(place(barriers("bar.cta.sync 0, 1, 2", "bar.cta.arrive 0, 1, 2"), true).native_barriers ==
        1);
  // Other resources are other barriers.
  const placement_plan two = place(barriers("bar.cta.sync 0, 1", "bar.cta.sync 0, 2"), true);
  CHECK(two.native_barriers == 2);
  CHECK(two.barriers[0][1].count == 1);
  CHECK(two.barriers[0][1].number != two.barriers[1][1].number);
}

TEST_CASE("barriers that memory stands in for") {
  const auto emulated = [](const program& p, bool terminates = true) {
    const placement_plan plan = place(p, terminates);
    CHECK(plan.native_barriers == 0);
    return plan.slots;
  };
  // The hardware's cannot be left when nobody comes.
  CHECK(emulated(barriers("bar.cta.sync 0", "bar.cta.sync 0"), false) == 2);
  // A quorum is a threshold; the hardware's count begins anew.
  CHECK(emulated(barriers("bar.cta.sync 0, 0, 1", "bar.cta.sync 0, 0, 1")) == 2);
  CHECK(emulated(barriers("bar.cta.sync 0, r1", "bar.cta.sync 0, 0")) == 2);
  CHECK(emulated(barriers("beq r0, 0, LC00 | ;\n bar.cta.sync 0", "bar.cta.sync 0 ;\n LC00:")) ==
        2);
}
