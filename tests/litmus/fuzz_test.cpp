// Mutated litmus tests: whatever a file holds, reading it gives a program or a syntax_error with a
// place; and what is read can be answered.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <exception>
#include <random>
#include <string>
#include <string_view>

#include "litmus/answer.hpp"
#include "litmus/read/parser.hpp"

using namespace litmus;

namespace {

constexpr std::array<std::string_view, 4> originals{
    R"(PTX title
"text" (* comment *)
{
x=0; y=1; P1:r0=2;
}
 P0@cta 0,gpu 0       | P1@cta 1, cluster 0, gpu 0   ;
 st.weak x, 1         | LC00:                        ;
 fence.acq_rel.gpu    | ld.acquire.gpu r0, [y]       ;
 st.release.sys y, r1 | bne r0, 1, LC00              ;
                      | atom.acq_rel.gpu.cas r2, x, 1, r0 ;
exists (P1:r0 == 1 /\ (x != 1 \/ ~ 1:r2 = 0))
)",
    R"(PTX b
{}
P0@cta 0,gpu 0 | P1@cta 0,gpu 0 | P2@cta 0,gpu 1;
bar.cta.sync 1, r0, 2 | bar.cta.arrive 1, 0 | red.relaxed.gpu.add x, -1;
ld r1, 3 | mul r1, r1, 2 | div r1, 4, r2;
ld.relaxed.cta r2, x | goto LC07 | ;
| LC07: |;
~exists x >= 1
)",
    R"(PTX c {x=9;} P0@cta 0,gpu 0; atom.relaxed.gpu.exch r0, x, 1; beq r0,1,L; fence.sc.sys; L:; forall 0==0)",
    R"(PTX d
{ x=1; y @ generic aliases x; s @ surface aliases y; c @ constant aliases x; }
P0@cta 0,cluster 0,gpu 0 | P1@cta 1,cluster 0,gpu 0;
sust.weak s, 1 | bar.cta.red.popc.u32 r0, 1, 2, r1;
fence.proxy.surface | barrier.cluster.arrive.relaxed 3;
barrier.cluster.wait | membar.gl;
atom.relaxed.gpu.inc.u32 r0, z, 3 | fence.acquire.sys;
ld.volatile.s64 r1, y | suatom.acq_rel.gpu.max r2, s, -1;
fence.proxy.alias | cold.weak r3, c;
exists (P1:r3 == 0 /\ y == 1)
)"};

class mutator {
 public:
  explicit mutator(std::uint32_t seed) : random_(seed) {}

  std::string operator()(std::string text) {
    for (std::size_t i = 1 + below(3); i > 0 && !text.empty(); --i) mutate(text);
    return text;
  }

 private:
  // Not a distribution of the library's: those differ between libraries.
  std::size_t below(std::size_t bound) { return random_() % bound; }

  void mutate(std::string& text) {
    constexpr std::string_view signs = "{}()[]|;:,@=!<>~/\\\".*-09rPLxe \n\t\0\xff";
    constexpr std::array<std::string_view, 13> words{
        "exists", "forall", "LC00:", "(*",   "P0:r0",   "st.weak",     "r999",
        "cta",    ".u32",   ".b8",   "suld", "aliases", "fence.proxy."};
    const std::size_t at = below(text.size());
    switch (below(7)) {
      case 0: text[at] = static_cast<char>(text[at] ^ (1 << below(8))); break;
      case 1: text[at] = signs[below(signs.size())]; break;
      case 2: text.insert(at, 1, signs[below(signs.size())]); break;
      case 3: text.erase(at, 1 + below(20)); break;
      case 4: text.resize(at); break;
      case 5: text.insert(at, words[below(words.size())]); break;
      default: {
        const std::string part = text.substr(at, below(60));
        text.insert(below(text.size() + 1), part);
      }
    }
  }

  std::mt19937 random_;
};

/// Empty: a program, or a syntax_error that starts with a place and has a remedy.
std::string complaint(const std::string& text, bool answer_it) {
  try {
    const program p = parse(text, "x.litmus");
    if (!answer_it) return {};
    candidate_options options;
    options.rounds = 2;
    options.most_steps = 200;
    evaluate(p, options);
  } catch (const syntax_error& error) {
    const std::string_view message = error.what();
    if (!message.starts_with("x.litmus:")) return "no place: " + std::string(message);
    if (message.find("; ") == std::string_view::npos &&
        message.find('?') == std::string_view::npos) {
      return "no remedy: " + std::string(message);
    }
  } catch (const std::exception& error) {
    return std::string("not a syntax_error: ") + error.what();
  }
  return {};
}

}  // namespace

TEST_CASE("thousands of mutated tests are read or refused, and those read are answered") {
  mutator mutate(20251121);
  for (int i = 0; i < 30000; ++i) {
    const std::string text =
        mutate(std::string(originals[static_cast<std::size_t>(i) % originals.size()]));
    const std::string wrong = complaint(text, true);
    if (wrong.empty()) continue;
    CAPTURE(text);
    FAIL_CHECK(wrong);
  }
}

TEST_CASE("every prefix of a test is read or refused") {
  for (const std::string_view original : originals) {
    for (std::size_t size = 0; size <= original.size(); ++size) {
      CHECK(complaint(std::string(original.substr(0, size)), false) == "");
    }
  }
}

TEST_CASE("deep and long ones are refused") {
  const std::string head = "PTX t {} P0@cta 0,gpu 0; exists ";
  CHECK(complaint(head + std::string(100000, '(') + "0==0", false) == "");
  CHECK(complaint(head + std::string(100000, '~') + "0==0", false) == "");
  std::string long_one = "PTX t {} P0@cta 0,gpu 0; ";
  for (int i = 0; i < 1000; ++i) long_one += "st.weak x, 1;";
  CHECK(complaint(long_one + "exists x==0", true) == "");
  std::string wide = "PTX t {} ";
  for (int i = 0; i < 100; ++i) wide += "|";
  CHECK(complaint(wide, false) == "");
}
