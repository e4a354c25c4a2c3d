// Phases of mbarriers where memory is weak (docs/reductions.md): generated programs of threads that
// meet at mbarriers must have the same violations where messages of one phase are joined, and
// arrivals run ahead, as where each arrival is a message of its own (without reductions).
//
// WARPCHECK_COMPARE_SEED, _FIRST and _COUNT choose other programs and more of them.
#include <doctest/doctest.h>

#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <map>
#include <random>
#include <string>

#include <fmt/format.h>

#include "checker/check/check.hpp"
#include "tests/checker/objection.hpp"
#include "tests/naive/session_of.hpp"
#include "tests/setting.hpp"
#include "tests/tier.hpp"

namespace {

constexpr unsigned programs_in_a_header = 40;
constexpr std::size_t max_states = 20'000;
constexpr double max_seconds = 3;

/// A program of one block: what each thread does with data, mbarriers and flags, one behind the
/// other. Most use mbarriers as they are meant to be used; faults are counts that do not fit,
/// relaxed orders, waits that are left out, tests without a loop.
class generator {
 public:
  explicit generator(std::uint64_t seed) : random_(seed) {}

  struct made {
    std::string text;
    std::vector<std::uint32_t> lanes;
  };

  made program(const std::string& name) {
    threads_ = 2 + below(2);
    const unsigned mbarriers = 1 + below(2);
    has_fault_ = below(2) == 0;
    std::string text = fmt::format("struct {} {{\n", name);
    text +=
        "  struct cells { simt::mbarrier b[2]; int data[4]; };\n"
        "  simt::atomic<int, simt::thread_scope_device> flag{0};\n"
        "  SIMT_FN void operator()() {\n"
        "    cells& c = simt::block_shared<cells>();\n"
        "    const unsigned me = simt::thread_rank();\n"
        "    if (me == 0) {\n";
    for (unsigned b = 0; b < mbarriers; ++b) {
      arriving_[b] = 1 + below(threads_);
      const unsigned fits = arriving_[b];
      const unsigned count = fault(4) ? fits + (below(2) == 0 ? 1 : fits > 1 ? -1 : 1) : fits;
      text += fmt::format("      simt::mbarrier_init(c.b[{}], {}u);\n", b, count);
    }
    text += "    }\n";
    if (!fault(20)) text += "    simt::syncthreads();\n";
    const unsigned rounds = 1 + (below(3) == 0 ? 1 : 0);
    for (unsigned thread = 0; thread < threads_; ++thread) {
      text += fmt::format("    if (me == {}) {{\n", thread);
      for (unsigned round = 0; round < rounds; ++round) text += actions(thread, mbarriers, round);
      text += "    }\n";
    }
    text += fmt::format("  }}\n}};\nSIMT_SUBJECT({});\n", name);
    made result{text, {}};
    if (below(2) == 0) {
      result.lanes = {threads_};
    } else {
      result.lanes.assign(threads_, 1);
    }
    return result;
  }

 private:
  std::mt19937_64 random_;
  unsigned threads_ = 2;
  bool has_fault_ = false;
  std::array<unsigned, 2> arriving_{};

  unsigned below(unsigned n) { return static_cast<unsigned>(random_() % n); }
  bool fault(unsigned one_of) {
    if (!has_fault_ || below(one_of) != 0) return false;
    has_fault_ = false;
    return true;
  }

  std::string actions(unsigned thread, unsigned mbarriers, unsigned round) {
    std::string text;
    for (unsigned b = 0; b < mbarriers; ++b) {
      const bool arrives = (thread + b) % threads_ < arriving_[b];
      const unsigned parity = round % 2;
      if (below(3) != 0) text += fmt::format("      c.data[{}] = {};\n", thread, 1 + round);
      if (below(6) == 0) text += flag(thread);
      if (arrives && !fault(8)) {
        const char* const order = fault(8) ? ", 1, simt::memory_order_relaxed" : "";
        const bool drops = order[0] == 0 && below(12) == 0;
        text += fmt::format("      simt::mbarrier_arrive{}(c.b[{}]{});\n", drops ? "_drop" : "", b,
                            order);
      }
      if (below(8) == 0) text += "      simt::syncwarp(simt::activemask());\n";
      if (below(5) != 0 && !fault(6)) {
        const char* const order = fault(8) ? ", simt::memory_order_relaxed" : "";
        const unsigned which = fault(8) ? 1 - parity : parity;
        text += below(6) == 0
                    ? fmt::format("      if (simt::mbarrier_test_wait_parity(c.b[{}], {}u{})) ", b,
                                  which, order)
                    : fmt::format(
                          "      while (!simt::mbarrier_try_wait_parity(c.b[{}], {}u{})) "
                          "{{}}\n      ",
                          b, which, order);
        text += fmt::format("simt::check(c.data[{}] != {}, \"data\");\n", below(threads_),
                            below(4) == 0 ? below(3) : 9);
      }
    }
    return text;
  }

  std::string flag(unsigned thread) {
    if (thread == 0) return "      flag.store(1, simt::memory_order_relaxed);\n";
    return "      if (flag.load(simt::memory_order_relaxed) == 1) c.data[3] = 1;\n";
  }
};

struct summary {
  unsigned compared = 0, skipped = 0, fewer = 0;
  std::uint64_t plain_states = 0, states = 0;
  std::map<std::string, unsigned> with;
};

void compare(const std::filesystem::path& header, const std::string& name,
             const std::vector<std::uint32_t>& lanes, simt::reconvergence model, unsigned index,
             summary& all) {
  warpcheck::scenario what;
  what.file = "generated.toml";
  what.subject = name;
  what.source = header;
  what.grid.lanes = lanes;
  warpcheck::run_settings how;
  how.machine.reconvergence = model;
  how.machine.memory = simt::memory_model::ptx;
  warpcheck::limits bounds;
  bounds.max_states = max_states;
  bounds.time = max_seconds;
  warpcheck::session plain(what, how);
  const warpcheck::run_result wanted = check(plain, bounds, warpcheck::reductions::none());
  if (!wanted.stopped.empty()) {
    ++all.skipped;
    return;
  }
  ++all.compared;
  ++all.with[test::list_of(wanted.found())];
  constexpr std::array lists{"order", "all", "merge,order", "symmetry,order"};
  warpcheck::reductions reduce = warpcheck::reductions_from(lists[index % lists.size()]);
  reduce.asks_in_small_grids = index % 8 < 4;
  CAPTURE(to_text(reduce));
  warpcheck::session run(what, how);
  const warpcheck::run_result got = check(run, {}, reduce);
  CHECK(got.stopped == "");
  // (A race hides what comes behind it: who tests an mbarrier may learn of arrivals in the next
  // phase, and is in no race then. Where phases are joined, nobody learns of them, and the race
  // comes first.)
  constexpr auto race = warpcheck::verdict_set{1}
                        << static_cast<unsigned>(warpcheck::verdict::race);
  const bool hides = (wanted.found() & race) != 0 && (got.found() & race) != 0;
  const warpcheck::verdict_set more = hides ? wanted.found() : 0;
  CHECK(test::list_of(got.found() | more) == test::list_of(wanted.found()));
  for (const warpcheck::violation& v : got.violations) {
    CAPTURE(warpcheck::name(v.kind));
    CHECK(test::objection(run, v) == "");
  }
  all.plain_states += wanted.states;
  all.states += got.states;
  if (got.states < wanted.states) ++all.fewer;
}

}  // namespace

TEST_CASE("under ptx, threads that meet at mbarriers: joined phases keep the violations") {
  const auto [begin, end] =
      test::due_programs(400, "WARPCHECK_COMPARE_COUNT", "WARPCHECK_COMPARE_FIRST");
  const auto seed = static_cast<unsigned long>(test::setting("WARPCHECK_COMPARE_SEED", 80));
  const auto folder =
      std::filesystem::temp_directory_path() / fmt::format("warpcheck-phases-{}", getpid());
  std::filesystem::create_directories(folder);
  summary all;
  for (unsigned first = begin; first < end; first += programs_in_a_header) {
    const unsigned last = std::min(first + programs_in_a_header, end);
    std::map<unsigned, generator::made> programs;
    const auto header = folder / fmt::format("phases_{}.hpp", first);
    std::ofstream out(header);
    out << "#include <simt/simt.hpp>\n#include <simt/mbarrier.hpp>\n";
    for (unsigned index = first; index < last; ++index) {
      programs[index] = generator(seed * 1'000'003 + index).program(fmt::format("p{}", index));
      out << programs[index].text;
    }
    out.close();
    for (const auto& [index, made] : programs) {
      for (const auto model : {simt::reconvergence::its, simt::reconvergence::stack}) {
        INFO("seed ", seed, ", program ", index,
             model == simt::reconvergence::its ? ", its\n" : ", stack\n", made.text);
        compare(header, fmt::format("p{}", index), made.lanes, model, index, all);
      }
    }
  }
  std::filesystem::remove_all(folder);
  std::string counts;
  for (const auto& [found, n] : all.with) counts += fmt::format("; {}: {}", found, n);
  MESSAGE("seed ", seed, ": ", all.compared, " runs compared, ", all.skipped, " too large", counts);
  MESSAGE("states: ", all.plain_states, " without reductions, ", all.states, " with (fewer in ",
          all.fewer, " runs)");
  if (all.compared >= 40) CHECK(all.fewer * 2 > all.compared);
}
