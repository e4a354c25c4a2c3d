// Updates whose results nobody uses (docs/reductions.md, "Results that nobody uses"): generated
// programs must have the same violations with reductions as without. Updates of several values, in
// loops and in branches, say that their results are unused, as translated kernels do. Others read
// what they have made, behind barriers or without any.
//
// WARPCHECK_COMPARE_SEED, _FIRST and _COUNT choose other programs and more of them.
#include <doctest/doctest.h>

#include <unistd.h>

#include <array>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include <fmt/format.h>

#include "checker/check/check.hpp"
#include "tests/checker/objection.hpp"
#include "tests/naive/emit.hpp"
#include "tests/naive/random.hpp"
#include "tests/naive/session_of.hpp"
#include "tests/setting.hpp"
#include "tests/tier.hpp"

namespace {

constexpr unsigned programs_in_a_header = 100;
constexpr std::size_t max_states = 3'000;
constexpr double max_weak_seconds = 0.3;
constexpr int cells = 3;

/// One program, as the text of a subject.
class summing {
 public:
  summing(naive::random_source& random, naive::configuration c)
      : r_(random), config_(std::move(c)) {
    for (const int lanes : config_.lanes) lanes_ += lanes;
    all_ = lanes_ * config_.blocks;
    has_own_ = config_.blocks > 1 && r_.percent(60);
    kind_ = r_.percent(60) ? "add" : r_.one_of<const char*>({"bit_or", "bit_xor", "max_unsigned"});
  }

  std::string text(const std::string& name) {
    std::string body;
    const int parts = 1 + r_.below(3);
    for (int p = 0; p < parts; ++p) {
      body += update();
      if (r_.percent(35)) body += other();
      if (p + 1 < parts && r_.percent(40)) body += barrier();
    }
    if (r_.percent(70)) body += (r_.percent(75) ? barrier() : "") + read();
    std::string check;
    if (r_.percent(40)) {
      check = fmt::format("  bool check() const {{ return cells[{}] != {}; }}\n", r_.below(cells),
                          r_.below(all_ * all_));
    }
    return fmt::format(
        "struct {0}_own {{ int cells[{1}]; }};\n"
        "struct {0} {{\n  int cells[{1}] = {{}};\n  int last = 0;\n"
        "  SIMT_FN void operator()() {{\n"
        "    [[maybe_unused]] auto& own = simt::block_shared<{0}_own>();\n"
        "    [[maybe_unused]] const int t = int(simt::thread_rank());\n{2}  }}\n{3}}};\n"
        "SIMT_SUBJECT({0});\n\n",
        name, cells, body, check);
  }

 private:
  naive::random_source& r_;
  naive::configuration config_;
  int lanes_ = 0, all_ = 0;
  bool has_own_ = false;  // some updates are of cells of the block
  std::string kind_;

  std::string value() {
    return r_.one_of<const char*>({"1", "t", "t", "t + 1", "2 * t", "1 << t", "1 << t", "t % 2"});
  }
  std::string cell() { return r_.percent(80) ? "0" : r_.one_of<const char*>({"1", "t % 2"}); }
  std::string scope(bool is_own) {
    if (is_own) return r_.percent(85) ? "block" : r_.one_of<const char*>({"device", "thread"});
    return r_.percent(93) ? "device" : r_.one_of<const char*>({"block", "block", "thread"});
  }
  std::string one(const std::string& at, const std::string& v) {
    // The results of some are not said to be unused.
    const std::string flags = r_.percent(85) ? ", simt::detail::result_unused" : "";
    const std::string kind = r_.percent(95) ? kind_ : "add";
    const bool is_own = has_own_ && r_.percent(60);
    return fmt::format(
        "(void)simt::detail::access<simt::thread_scope_{}{}>(simt::detail::memory_kind::{}, "
        "&{}cells[{}], gen::update_order, unsigned({}));\n",
        scope(is_own), flags, kind, is_own ? "own." : "", at, v);
  }
  std::string update() {
    switch (r_.weighted({4, 2, 2, 1})) {
      case 1: return "    " + one(cell(), value()) + "    " + one(cell(), value());
      case 2: return "    for (int i = 0; i < 2; ++i) " + one("i % 2", value() + " + i");
      case 3: return fmt::format("    if (t < {}) ", 1 + r_.below(all_)) + one(cell(), value());
      default: return "    " + one(cell(), value());
    }
  }
  std::string other() {
    const std::string who = fmt::format("    if (t == {}) ", r_.below(all_));
    switch (r_.weighted({3, 2, 2, 2})) {
      case 1:
        return who + "gen::store<simt::thread_scope_device>(cells[0], " +
               (r_.percent(50) ? "0" : "gen::load<simt::thread_scope_device>(cells[1])") + ");\n";
      case 2:
        return who + fmt::format(
                         "simt::check(gen::add<simt::thread_scope_device>(cells[0], 1) "
                         "!= {}, \"got\");\n",
                         r_.below(all_ * all_));
      case 3: return who + "gen::exchange<simt::thread_scope_device>(cells[0], 0);\n";
      default: return who + read();
    }
  }
  std::string read() {
    const bool is_own = has_own_ && r_.percent(60);
    const std::string load = fmt::format("gen::{}({}cells[0])",
                                         r_.percent(40) ? "plain_load"
                                         : is_own       ? "load<simt::thread_scope_block>"
                                                        : "load<simt::thread_scope_device>",
                                         is_own ? "own." : "");
    if (r_.percent(40)) return fmt::format("    last = {};\n", load);
    return fmt::format("    simt::check({} != {}, \"sum\");\n", load, r_.below(all_ * all_));
  }
  std::string barrier() {
    return config_.blocks == 1 || has_own_ ? "    simt::syncthreads();\n" : "    gen::value(0);\n";
  }
};

naive::configuration some_grid(naive::random_source& r) {
  naive::configuration c;
  switch (r.below(5)) {
    case 0: c.lanes = {2}; break;
    case 1: c.lanes = {3}; break;
    case 2: c.lanes = {2, 1}; break;
    case 3: c.lanes = {2, 2}; break;
    default: c.blocks = 2, c.lanes = {2}; break;
  }
  return c;
}

struct summary {
  unsigned compared = 0, skipped = 0;
  unsigned decided = 0;  // runs with fewer states than without reductions
  std::uint64_t plain_states = 0, states = 0;
  std::map<std::string, unsigned> with;
};

void compare(warpcheck::session& plain, const warpcheck::run_settings& how, bool is_weak,
             summary& all) {
  warpcheck::limits bounds;
  bounds.max_states = max_states;
  if (is_weak) bounds.time = max_weak_seconds;
  warpcheck::session first(plain.subject(), how);
  const warpcheck::run_result wanted = check(first, bounds, warpcheck::reductions::none());
  if (!wanted.stopped.empty()) {
    ++all.skipped;
    return;
  }
  ++all.compared;
  ++all.with[(is_weak ? "ptx: " : "sc: ") + test::list_of(wanted.found())];
  constexpr std::array others{"all", "merge,order", "symmetry,order"};
  const std::array lists{"order", others[all.compared % others.size()]};
  for (const char* const list : lists) {
    CAPTURE(list);
    warpcheck::session run(plain.subject(), how);
    const warpcheck::run_result got = check(run, {}, warpcheck::reductions_from(list));
    CHECK(got.stopped == "");
    CHECK(test::list_of(got.found()) == test::list_of(wanted.found()));
    for (const warpcheck::violation& v : got.violations) {
      CAPTURE(warpcheck::name(v.kind));
      CHECK(test::objection(run, v) == "");
    }
    if (list != lists.front()) continue;
    all.plain_states += wanted.states;
    all.states += got.states;
    all.decided += got.states < wanted.states ? 1 : 0;
  }
}

}  // namespace

TEST_CASE("updates whose results nobody uses: reductions keep the violations") {
  const unsigned long seed = test::setting("WARPCHECK_COMPARE_SEED", 71);
  const auto [begin, end] =
      test::due_programs(300, "WARPCHECK_COMPARE_COUNT", "WARPCHECK_COMPARE_FIRST");
  const auto folder =
      std::filesystem::temp_directory_path() / fmt::format("warpcheck-unused-{}", getpid());
  std::filesystem::create_directories(folder);
  summary all;
  for (unsigned first = begin; first < end; first += programs_in_a_header) {
    const unsigned here = std::min(programs_in_a_header, end - first);
    std::vector<naive::sample> samples(here);
    std::string text = naive::emit_prologue();
    for (unsigned i = 0; i < here; ++i) {
      naive::random_source random(seed * 1'000'003 + first + i);
      samples[i].config = some_grid(random);
      samples[i].code.name = fmt::format("summing_{}", first + i);
      text += summing(random, samples[i].config).text(samples[i].code.name);
    }
    const auto header = folder / fmt::format("unused_{}.hpp", first);
    std::ofstream(header) << text;
    for (unsigned i = 0; i < here; ++i) {
      for (const naive::reconvergence way :
           {naive::reconvergence::its, naive::reconvergence::stack}) {
        naive::configuration c = samples[i].config;
        c.reconvergence = way;
        INFO("seed ", seed, ", program ", first + i, ", ", test::model_of(c));
        warpcheck::session made = test::session_of(header, samples[i], c);
        warpcheck::run_settings how = made.settings();
        compare(made, how, false, all);
        how.machine.memory = simt::memory_model::ptx;
        compare(made, how, true, all);
      }
    }
  }
  std::filesystem::remove_all(folder);
  std::string counts;
  for (const auto& [found, n] : all.with) counts += fmt::format("; {}: {}", found, n);
  MESSAGE("seed ", seed, ": ", all.compared, " runs compared, ", all.skipped, " too large", counts);
  MESSAGE("states: ", all.plain_states, " without reductions, ", all.states,
          " with order (fewer in ", all.decided, " runs)");
  CHECK(all.decided * 4 > all.compared);
}
