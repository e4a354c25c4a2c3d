// Reads a subject's member functions from its debug information, and picks near misses of the API's
// names.
#include "checker/report/uncalled.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <numeric>
#include <span>
#include <string_view>

#include <fmt/format.h>

#include "checker/run/session.hpp"

namespace warpcheck {
namespace {

struct wanted_member {
  std::string_view name;
  std::string_view form;
  std::string_view workload;  // the workload that calls it; empty: all do
  std::span<const std::string_view> synonyms;
  std::string_view beside;  // looked for only in subjects with this member; empty: always
};

// The following names are in lower case, without underscores.
constexpr std::array<std::string_view, 14> for_check{
    "verify", "validate",  "valid",      "isvalid",    "iscorrect", "correct",     "holds",
    "isok",   "invariant", "invariants", "finalcheck", "checkall",  "checkresult", "postcondition"};
constexpr std::array<std::string_view, 9> for_init{"initialize", "initialise", "initializer",
                                                   "setup",      "initdevice", "deviceinit",
                                                   "doinit",     "oninit",     "prepare"};
constexpr std::array<std::string_view, 7> for_parties{"party",       "partycount", "participants",
                                                      "participant", "numparties", "countparties",
                                                      "partiescount"};

constexpr std::array<std::string_view, 3> for_next_launch{"launchnext", "launchagain", "relaunch"};
constexpr std::array<std::string_view, 5> for_lock{"acquire", "enter", "take", "locks", "dolock"};
constexpr std::array<std::string_view, 6> for_unlock{"release", "leave",    "free",
                                                     "unlocks", "dounlock", "relock"};
constexpr std::array<std::string_view, 5> for_acquire{"lock", "enter", "take", "wait", "down"};
constexpr std::array<std::string_view, 7> for_release{"unlock", "leave", "signal",  "post",
                                                      "up",     "free",  "giveback"};
constexpr std::array<std::string_view, 4> for_arrive_and_wait{"arrivewait", "arriveandsync",
                                                              "arrivethenwait", "waitandarrive"};

constexpr std::array<wanted_member, 11> wanted{{
    {"check", "the final check of a kernel is bool check() const", {}, for_check, {}},
    {"init", "what runs once before the grid is SIMT_FN void init()", {}, for_init, {}},
    {"parties",
     "how many threads take part is said by SIMT_FN unsigned parties()",
     "phases",
     for_parties,
     {}},
    {"next_launch",
     "the host's step between launches is bool next_launch(std::uint32_t launch)",
     "kernel",
     for_next_launch,
     {}},
    {"lock", "the other half of unlock() is SIMT_FN void lock()", {}, for_lock, "unlock"},
    {"unlock", "the other half of lock() is SIMT_FN void unlock()", {}, for_unlock, "lock"},
    {"acquire",
     "the other half of release() is SIMT_FN void acquire()",
     {},
     for_acquire,
     "release"},
    {"release",
     "the other half of acquire() is SIMT_FN void release()",
     {},
     for_release,
     "acquire"},
    {"doorway", "the other half of wait_turn() is SIMT_FN int doorway()", {}, {}, "wait_turn"},
    {"wait_turn", "the other half of doorway() is SIMT_FN void wait_turn(int)", {}, {}, "doorway"},
    {"arrive_and_wait",
     "what a barrier is waited at with is SIMT_FN void arrive_and_wait()",
     {},
     for_arrive_and_wait,
     {}},
}};

std::string plain(std::string_view name) {
  std::string result;
  for (const char letter : name) {
    if (letter != '_')
      result += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  }
  return result;
}

/// Returns the number of letters to insert, remove, replace or exchange with a neighbour to turn
/// one name into the other.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> rows(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) rows[i][0] = i;
  std::iota(rows[0].begin(), rows[0].end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = rows[i - 1][j - 1] + (a[i - 1] == b[j - 1] ? 0U : 1U);
      rows[i][j] = std::min({rows[i - 1][j] + 1, rows[i][j - 1] + 1, replaced});
      const bool exchanged = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (exchanged) rows[i][j] = std::min(rows[i][j], rows[i - 2][j - 2] + 1);
    }
  }
  return rows.back().back();
}

/// Whether a name is a near miss. Longer names have more room for mistakes: "partys",
/// "next_lanuhc".
bool is_near(std::string_view name, const wanted_member& to) {
  constexpr std::size_t long_name = 7;
  const std::string letters = plain(name), wanted = plain(to.name);
  const std::size_t mistakes = wanted.size() >= long_name ? 2 : 1;
  return distance(letters, wanted) <= mistakes ||
         std::ranges::find(to.synonyms, letters) != to.synonyms.end();
}

}  // namespace

std::vector<uncalled_member> uncalled_members(const session& run) {
  const simt::detail::subject_entry& entry = *run.setup().entry;
  const simt::debug_info info(run.setup().library->file);
  const auto functions = info.functions_of_first_member(simt::workload_type(entry));
  std::vector<uncalled_member> all;
  const auto add = [&](const simt::member_function& f, std::string why) {
    const std::string file = std::filesystem::path(f.file).filename().string();
    all.push_back({{file, f.line, f.name, f.file}, f.name, std::move(why)});
  };
  for (const wanted_member& each : wanted) {
    if (!each.workload.empty() && each.workload != entry.workload) continue;
    const auto has = [&](std::string_view name) {
      return std::ranges::any_of(functions, [&](const auto& f) { return f.name == name; });
    };
    if (has(each.name) || (!each.beside.empty() && !has(each.beside))) continue;
    for (const simt::member_function& f : functions) {
      if (f.is_used || !is_near(f.name, each)) continue;
      add(f, fmt::format("{}() is never called: {}", f.name, each.form));
    }
  }
  const bool is_of_kernel =
      std::string_view(entry.workload) == "operations" &&
      std::ranges::any_of(run.setup().library->entries, [&](const auto* other) {
        return std::string_view(other->name) == entry.name &&
               std::string_view(other->workload) == "kernel";
      });
  if (entry.checks_itself && (is_of_kernel || run.subject().never_ends())) {
    for (const simt::member_function& f : functions) {
      if (f.name != "check") continue;
      add(f, is_of_kernel
                 ? "check() is not called: it is that of the kernel; the operations of this object "
                   "are judged by its history alone"
                 : "check() is never called: with repeat = \"forever\" nothing comes to an end");
    }
  }
  return all;
}

}  // namespace warpcheck
