// Renaming where memory is weak: generated programs whose lanes tell each other by number must have
// the same violations with lanes that change names as without any reduction, and counterexamples
// that the machine can carry out.
//
// WARPCHECK_NAMES_SEED and _COUNT choose other programs and more of them.
#include <doctest/doctest.h>

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include <fmt/format.h>

#include "checker/check/check.hpp"
#include "tests/checker/objection.hpp"
#include "tests/naive/random.hpp"
#include "tests/naive/session_of.hpp"
#include "tests/setting.hpp"
#include "tests/tier.hpp"

namespace {

constexpr std::size_t max_states = 4'000;  // without reductions
constexpr double max_seconds = 2;

std::string order(naive::random_source& mix, bool loads, bool stores) {
  const bool synchronizes = mix.percent(40);
  const char* name = "relaxed";
  if (synchronizes) name = loads && stores ? "acq_rel" : loads ? "acquire" : "release";
  return fmt::format("simt::memory_order_{}", name);
}

std::string statement(naive::random_source& mix) {
  const auto load = [&] { return order(mix, true, false); };
  const auto store = [&] { return order(mix, false, true); };
  const auto both = [&] { return order(mix, true, true); };
  const char* const name = mix.one_of({"me", "a", "0"});
  switch (mix.weighted({4, 3, 3, 3, 4, 3, 3, 2, 2, 2, 1, 2, 1})) {
    case 0: return fmt::format("a = owner.exchange(me, {});", both());
    case 1: return fmt::format("a = owner.load({});", load());
    case 2: return fmt::format("owner.store({}, {});", name, store());
    case 3: return fmt::format("slots[me].store({}, {});", name, store());
    case 4: return fmt::format("if (a != 0) slots[a].store(me, {});", store());
    case 5: return fmt::format("b = slots[me].load({});", load());
    case 6: return fmt::format("if (a != 0) b = slots[a].load({});", load());
    case 7: return fmt::format("if (b != 0) a = slots[b].exchange(me, {});", both());
    case 8:
      return fmt::format(
          "{{ int expected = me; owner.compare_exchange_strong(expected, 0, {}, "
          "simt::memory_order_relaxed); }}",
          both());
    case 9: return fmt::format("while (slots[me].load({}) == 0) {{\n}}", load());
    case 10: return "if (a == 0) data = data + 1;";
    case 11: return "simt::check(b == 0 || a != b, \"told twice\");";
    default: return "simt::atomic_thread_fence(simt::memory_order_acq_rel);";
  }
}

std::string program(naive::random_source& mix, const std::string& name, bool blocks) {
  std::string body = fmt::format("  const int me = int({}) + 1;\n  int a = 0, b = 0;\n",
                                 blocks ? "simt::block_index()" : "simt::thread_rank()");
  const int length = 2 + mix.below(4);
  for (int i = 0; i < length; ++i) body += "  " + statement(mix) + "\n";
  return fmt::format(
      "struct {0} {{\n"
      "  simt::atomic<int, simt::thread_scope_device> owner{{0}}, slots[4]{{}};\n  int data = 0;\n"
      "  SIMT_FN void operator()() {{\n{1}  (void)a;\n  (void)b;\n  }}\n}};\nSIMT_SUBJECT({0});\n",
      name, body);
}

}  // namespace

TEST_CASE("under ptx, lanes that tell each other by number") {
  const bool all_of_them = test::is_thorough();
  const auto seed = test::setting("WARPCHECK_NAMES_SEED", all_of_them ? 1 : 1 + test::tenth());
  const auto count =
      static_cast<unsigned>(test::setting("WARPCHECK_NAMES_COUNT", all_of_them ? 120 : 12));
  const auto folder =
      std::filesystem::temp_directory_path() / fmt::format("warpcheck-names-{}", getpid());
  std::filesystem::create_directories(folder);
  naive::random_source mix(seed);
  const auto header = folder / "named.hpp";
  {
    std::ofstream out(header);
    out << "#include <simt/simt.hpp>\n";
    for (unsigned i = 0; i < count; ++i) {
      out << program(mix, fmt::format("named_{}", i), i % 2 == 0);
    }
  }
  const auto every = warpcheck::reductions_from("merge,symmetry,order");
  const auto symmetry = warpcheck::reductions_from("symmetry");
  unsigned compared = 0, renamed = 0, wrong = 0;
  std::uint64_t plain_states = 0, states = 0;
  for (unsigned i = 0; i < count; ++i) {
    for (const auto progress : {simt::progress::fair, simt::progress::unfair}) {
      INFO("seed ", seed, ", program ", i, ", ",
           warpcheck::progress_names[static_cast<std::size_t>(progress)]);
      warpcheck::scenario what;
      what.file = "generated.toml";
      what.subject = fmt::format("named_{}", i);
      what.source = header;
      what.grid.blocks = i % 2 == 0 ? 3 : 1;
      what.grid.lanes = {i % 2 == 0 ? 1U : 3U};
      warpcheck::run_settings how;
      how.machine.memory = simt::memory_model::ptx;
      how.progress = progress;
      warpcheck::limits bounds;
      bounds.max_states = max_states;
      bounds.time = max_seconds;
      warpcheck::session plain(what, how);
      const warpcheck::run_result wanted = check(plain, bounds, warpcheck::reductions::none());
      if (!wanted.stopped.empty()) continue;
      ++compared;
      plain_states += wanted.states;
      for (const bool all : {false, true}) {
        const warpcheck::reductions& reduce = all ? every : symmetry;
        CAPTURE(to_text(reduce));
        warpcheck::session run(what, how);
        const warpcheck::run_result got = check(run, {}, reduce);
        CHECK(got.stopped == "");
        CHECK(test::list_of(got.found()) == test::list_of(wanted.found()));
        for (const warpcheck::violation& v : got.violations) {
          CAPTURE(warpcheck::name(v.kind));
          CHECK(test::objection(run, v) == "");
        }
        if (!all) continue;
        renamed += got.renamings > 0 ? 1 : 0;
        wrong += got.found() != 0 ? 1 : 0;
        states += got.states;
      }
    }
  }
  std::filesystem::remove_all(folder);
  MESSAGE("seed ", seed, ": ", compared, " runs compared, ", wrong,
          " with violations; lanes change names in ", renamed, "; states: ", plain_states,
          " without reductions, ", states, " with all");
  if (!all_of_them) return;  // what a tenth of them shows varies
  CHECK(2 * renamed > compared);
  CHECK(10 * wrong > compared);
}
