// One exploration by all ranks: the first one goes through its rounds as if it were alone, and the
// others do what it tells them.
//
// Class numbers of the lane automaton mean the same on all ranks, because these put the same
// questions to it in the same order. What the first rank asks by itself, between two explorations,
// it tells the others before they do anything else together.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>

#include "checker/distributed/exploration_part.hpp"
#include "checker/distributed/ranks.hpp"
#include "checker/explore/explorer.hpp"
#include "checker/explore/reduced_machine.hpp"
#include "checker/run/knowledge.hpp"
#include "checker/run/result.hpp"

namespace warpcheck {

class distributed_search {
 public:
  /// All together, with sessions of the same run, and `lanes` that were asked nothing yet. Throws
  /// usage_error where the subject of another rank is not the same.
  distributed_search(ranks& all, const session& run, reduced_machine& reduced,
                     simt::lane_automaton& lanes);

  // Of the first rank. The others carry it out, too, in follow().

  /// A round begins with what is known; the machine has been renewed with it.
  void begin_round(const knowledge& known);
  /// Explores what can be reached from `root`. Where there is something to show, or something was
  /// found before it was stopped, `target` has all states then, and what is known of them;
  /// otherwise, what was found. Throws usage_error where device code does what it must not.
  void explore(explorer& target, simt::state_view root, const limits& bounds);
  /// Some rank has news: what was explored is void.
  [[nodiscard]] bool is_void() const { return part_ && part_->is_void(); }
  /// Whether some rank may touch more than was known. `here`: the first one.
  bool has_learnt(bool here);
  /// Whether renamings hold on all ranks. `here`: on the first one.
  bool names_hold(bool here);
  /// What all ranks know.
  knowledge known();
  /// Lets the others go.
  void end();
  /// Of the last exploration, by all ranks.
  [[nodiscard]] std::uint64_t states() const { return part_ ? part_->states() : 0; }
  [[nodiscard]] std::uint64_t transitions() const { return part_ ? part_->transitions() : 0; }
  /// Of the rank that takes most.
  [[nodiscard]] std::uint64_t peak_bytes() const { return part_ ? part_->peak_bytes() : 0; }
  [[nodiscard]] rank_figures figures() const;

  /// Of another rank: does what the first one says, until it says that there is no more.
  void follow(const limits& bounds, const std::function<explore_options()>& options);

 private:
  enum class order : std::uint8_t {
    end,
    begin_round,
    learn_names,
    explore,
    learn,
    check_names,
    tell_knowledge
  };

  ranks& all_;
  const session& run_;
  reduced_machine& reduced_;
  simt::lane_automaton& lanes_;
  common_addresses addresses_;
  state_codec codec_;
  std::size_t shared_questions_ = 0;  // that all ranks have asked
  std::unique_ptr<exploration_part> part_;

  void say(order what, const byte_list& more = {});
  void take_questions(message_reader& in);
  void check_classes();
  template <class Part>
  void ask_until_done(Part part);
  void explore_part(explorer* target, simt::state_view root, const explore_options& options,
                    const limits& bounds);
  bool learns();
  bool misses_names();
  bool anywhere(bool here);
};

}  // namespace warpcheck
