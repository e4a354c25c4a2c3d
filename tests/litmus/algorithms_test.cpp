// Shipped subjects as litmus tests, one for each scenario of the same name: what the axioms say of
// a lock, a queue, a deque or an idiom, where fences are missing or scopes too narrow, and of its
// repaired twin. Conditions name the outcome that must not be, where there is one.
#include <doctest/doctest.h>

#include <array>
#include <filesystem>
#include <set>
#include <string>

#include "litmus/answer.hpp"
#include "litmus/read/parser.hpp"

using namespace litmus;

namespace {

/// What is wrong with the algorithm.
enum class fault : std::uint8_t {
  nothing,
  races,          // accesses to plain data, or to its own words
  wrong_outcome,  // the one that must not be, without a race
  hangs           // a thread may wait for ever, without a race
};

struct subject {
  const char* scenario;  // tests/litmus/algorithms/SCENARIO.litmus
  fault expected;
};

using enum fault;

constexpr std::array<subject, 80> subjects{{
    {"cederman_tsigas_again", wrong_outcome},
    {"cederman_tsigas_asplos_again", wrong_outcome},
    {"cederman_tsigas_asplos_last", wrong_outcome},
    {"cederman_tsigas_asplos_push", nothing},
    {"cederman_tsigas_blocking", races},
    {"cederman_tsigas_blocking_fenced", nothing},
    {"cederman_tsigas_blocking_no_fences", races},
    {"cederman_tsigas_fenced_again", nothing},
    {"cederman_tsigas_fenced_last", nothing},
    {"cederman_tsigas_fenced_push", nothing},
    {"cederman_tsigas_fenced_thieves", nothing},
    {"cederman_tsigas_last", wrong_outcome},
    {"cederman_tsigas_lb_again", wrong_outcome},
    {"cederman_tsigas_mp_push", wrong_outcome},
    {"cederman_tsigas_plain_again", races},
    {"cederman_tsigas_plain_push", races},
    {"cederman_tsigas_push", wrong_outcome},
    {"dekker", nothing},
    {"dekker_no_fence", races},
    {"double_checked", nothing},
    {"double_checked_plain", races},
    {"double_checked_relaxed", races},
    {"fetch_and_add_blocks", nothing},
    {"fetch_and_add_printed_blocks", races},
    {"he_yu", races},
    {"he_yu_fenced", nothing},
    {"he_yu_volatile", races},
    {"interwarp_blkatom", nothing},
    {"interwarp_blkfence_raw", races},
    {"interwarp_blklock_no_stf_waw", races},
    {"interwarp_blklock_no_tf_waw", races},
    {"interwarp_blklock_waw", nothing},
    {"interwarp_dev_blkatom", nothing},
    {"interwarp_dev_blklock_no_stf_waw", races},
    {"interwarp_dev_blklock_no_tf_waw", races},
    {"interwarp_dev_blklock_waw", nothing},
    {"interwarp_fence_raw", races},
    {"interwarp_none_atom_waw", races},
    {"interwarp_none_blkatom_waw", races},
    {"interwarp_none_blklock_waw", races},
    {"interwarp_none_lock_waw", races},
    {"mcs", nothing},
    {"mcs_cas", hangs},
    {"mcs_cas_fenced", nothing},
    {"mcs_printed", races},
    {"mcs_volatile_spin", hangs},
    {"mcs_weak_spin", races},
    {"message", nothing},
    {"message_block_scope", nothing},
    {"message_block_scope_blocks", races},
    {"message_fences", nothing},
    {"message_one_fence", races},
    {"message_plain", races},
    {"message_relaxed", races},
    {"message_relaxed_value", wrong_outcome},
    {"peterson", nothing},
    {"peterson_exchange", nothing},
    {"peterson_no_fence", races},
    {"peterson_one_fence", races},
    {"ring_cleared_blocks", races},
    {"seqlock", nothing},
    {"seqlock_no_reader_fence", wrong_outcome},
    {"seqlock_no_writer_fence", wrong_outcome},
    {"seqlock_plain", races},
    {"seqlock_relaxed", wrong_outcome},
    {"spin_blocks", nothing},
    {"spin_exchange", races},
    {"spin_exchange_fenced", nothing},
    {"spin_printed_blocks", races},
    {"tas_block_fences", nothing},
    {"tas_block_fences_blocks", races},
    {"tas_block_scope", nothing},
    {"tas_block_scope_blocks", races},
    {"tas_blocks", nothing},
    {"tas_no_fences", races},
    {"ticket", nothing},
    {"ticket_printed", races},
    {"ticket_syncwarp", nothing},
    {"ttas", nothing},
    {"ttas_printed", races},
}};

const std::filesystem::path folder = "tests/litmus/algorithms";

}  // namespace

TEST_CASE("algorithms with too few fences are found, and their repairs are right") {
  for (const subject& one : subjects) {
    CAPTURE(std::string(one.scenario));
    const program p = read_program((folder / one.scenario).string() + ".litmus");
    const answer found = evaluate(p, {});
    CHECK(found.holds == true);
    CHECK(found.races.empty() == (one.expected != races));
    if (one.expected == nothing) {
      CHECK(found.covered.all);
      CHECK(found.races_covered);
    }
    if (one.expected == nothing || one.expected == wrong_outcome) CHECK(found.terminates == true);
    if (one.expected == hangs) CHECK(found.terminates == false);
  }
}

TEST_CASE("each algorithm is in the table, and has a scenario") {
  std::set<std::string> listed, files, scenarios;
  for (const subject& one : subjects) listed.insert(one.scenario);
  for (const auto& file : std::filesystem::directory_iterator(folder)) {
    files.insert(file.path().stem().string());
  }
  for (const auto& file : std::filesystem::recursive_directory_iterator("scenarios")) {
    scenarios.insert(file.path().stem().string());
  }
  CHECK(listed == files);
  for (const std::string& name : listed) CHECK_MESSAGE(scenarios.contains(name), name);
}
