// What answers say of proxies: races within a thread, remedies, and which fences are missing.
#include <doctest/doctest.h>

#include <string>

#include "litmus/answer.hpp"
#include "litmus/read/parser.hpp"
#include "litmus/report/explain.hpp"

using namespace litmus;

namespace {

constexpr const char* names =
    "PTX t { y @ generic aliases x; s @ surface aliases x; u @ surface aliases y; "
    "t @ texture aliases x; } ";

program with_names(const std::string& rest) { return parse(names + rest, "t.litmus"); }

/// Of one thread whose condition is that r0 is 0.
std::string lacks(const std::string& rows) {
  const program p = with_names("P0@cta 0,gpu 0; " + rows + " exists (P0:r0 == 0)");
  const answer found = evaluate(p, {});
  if (!found.satisfying) return "forbidden";
  std::string all;
  for (const std::string& line : what_proxies_lack(*found.satisfying)) all += line + "\n";
  return all;
}

std::string without(const std::string& first, const std::string& second,
                    const std::string& fences) {
  return "P0: " + first + " comes before P0: " + second +
         " in base causality order, but that does not count without " + fences + "\n";
}

std::string remedies(const std::string& rest) {
  const program p = with_names(rest + " exists (0 == 0)");
  std::string all;
  for (const race& one : evaluate(p, {}).races) all += remedy(p, one) + "\n";
  return all;
}

}  // namespace

TEST_CASE("the fences that are missing") {
  CHECK(lacks("sust.weak s, 1; suld.weak r0, s;") == "forbidden");
  CHECK(lacks("sust.weak s, 1; ld.weak r0, x;") ==
        without("sust.weak s, 1", "ld.weak r0, x", "fence.proxy.surface"));
  CHECK(lacks("sust.weak s, 1; fence.proxy.texture; tld.weak r0, t;") ==
        without("sust.weak s, 1", "tld.weak r0, t", "fence.proxy.surface"));
  CHECK(lacks("sust.weak s, 1; ld.weak r0, y;") ==
        without("sust.weak s, 1", "ld.weak r0, y", "fence.proxy.surface and fence.proxy.alias"));
  CHECK(lacks("sust.weak s, 1; fence.proxy.texture; fence.proxy.surface; tld.weak r0, t;") ==
        without("sust.weak s, 1", "tld.weak r0, t",
                "fence.proxy.surface, then fence.proxy.texture, in this order"));
  CHECK(lacks("sust.weak s, 1; fence.proxy.alias; fence.proxy.surface; suld.weak r0, u;") ==
        without("sust.weak s, 1", "suld.weak r0, u",
                "fence.proxy.surface, then fence.proxy.alias, then fence.proxy.surface, in this "
                "order"));
  CHECK(lacks("sust.weak s, 1; fence.proxy.surface; fence.proxy.alias; fence.proxy.surface;"
              "suld.weak r0, u;") == "forbidden");
}

TEST_CASE("races and their remedies") {
  CHECK(remedies("P0@cta 0,gpu 0; sust.weak s, 1; suld.weak r0, s;") == "");
  CHECK(remedies("P0@cta 0,gpu 0; suld.weak r0, s; ld.weak r0, x;") == "");
  CHECK(remedies("P0@cta 0,gpu 0; sust.weak s, 1; tld.weak r0, t;") ==
        "put fence.proxy.surface, then fence.proxy.texture between them\n");
  CHECK(remedies("P0@cta 0,gpu 0; st.weak y, 1; st.weak x, 2;") ==
        "put fence.proxy.alias between them\n");
  CHECK(remedies("P0@cta 0,gpu 0 | P1@cta 0,gpu 0; sust.weak s, 1 | suld.weak r0, s;") ==
        "order them by release and acquire\n");
  CHECK(remedies("P0@cta 0,gpu 0 | P1@cta 1,gpu 0; sust.weak s, 1 | suld.weak r0, s;") ==
        "order them by release and acquire, with fence.proxy.surface in the CTA of P0 and "
        "fence.proxy.surface in the CTA of P1 between them\n");
  CHECK(remedies("P0@cta 0,gpu 0 | P1@cta 1,gpu 0; st.relaxed.gpu x, 1 | ld.relaxed.gpu r0, y;") ==
        "order them by release and acquire, with fence.proxy.alias between them\n");
}

TEST_CASE("one instruction after the other knows no proxies") {
  const program p =
      with_names("P0@cta 0,gpu 0; sust.weak s, 1; ld.weak r0, y; forall (P0:r0 == 1)");
  candidate_options options;
  options.model = memory_model::sc;
  CHECK(evaluate(p, options).holds == true);
  CHECK(evaluate(p, {}).holds == false);
}

// A store through another proxy is not known to come last, so both may.
TEST_CASE("stores that nothing orders are both last") {
  const auto last = [](const std::string& between, const std::string& value) {
    return evaluate(with_names("P0@cta 0,gpu 0; st.weak x, 1; " + between +
                               "sust.weak s, 2; exists (x == " + value + ")"),
                    {})
        .holds.value();
  };
  CHECK(last("", "1"));
  CHECK(last("", "2"));
  CHECK(!last("fence.proxy.surface; ", "1"));
}

// Rounds of a loop that others may see by another proxy are no rounds that change nothing.
TEST_CASE("loops with proxies") {
  const program p = with_names(
      "P0@cta 0,gpu 0 | P1@cta 0,gpu 0; sust.weak s, 1 | LC00:; fence.proxy.surface | "
      "ld.acquire.gpu r0, flag; st.release.gpu flag, 1 | beq r0, 0, LC00; | ld.weak r1, x;"
      "forall (P1:r1 == 1)");
  const answer found = evaluate(p, {});
  CHECK(found.holds == true);
  CHECK(found.terminates == true);
  CHECK(found.races.empty());
}
