// Makes one exploration by all ranks. The first rank goes through its rounds as if it were alone,
// and the others do what it tells them.
//
// Class numbers of the lane automaton mean the same on all ranks, because all put the same
// questions to it in the same order. Between two explorations, the first rank asks questions alone.
// It tells them to the others before all do anything else together.
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
  /// usage_error if another rank has another subject.
  distributed_search(ranks& all, const session& run, reduced_machine& reduced,
                     simt::lane_automaton& lanes);

  // For the first rank. The others carry these functions out in follow().

  /// Begins a round with what is known. The machine must have been renewed with that.
  void begin_round(const knowledge& known);
  /// Explores what can be reached from `root`. Afterwards `target` has what was found. If there is
  /// something to show, or something was found before the search stopped, it also has all states,
  /// with what is known of them. Throws usage_error if device code does what it must not do.
  void explore(explorer& target, simt::state_view root, const limits& bounds);
  /// Whether some rank has news. Then what was explored is void.
  [[nodiscard]] bool is_void() const { return part_ && part_->is_void(); }
  /// Whether some rank may touch more than was known. `here`: whether the first one may.
  bool has_learnt(bool here);
  /// Whether renamings hold on all ranks. `here`: whether they hold on the first one.
  bool names_hold(bool here);
  /// Returns what all ranks know.
  knowledge known();
  /// Ends the work of the others.
  void end();
  /// Returns the states of the last exploration, on all ranks.
  [[nodiscard]] std::uint64_t states() const { return part_ ? part_->states() : 0; }
  [[nodiscard]] std::uint64_t transitions() const { return part_ ? part_->transitions() : 0; }
  /// Returns the bytes of the rank that takes most.
  [[nodiscard]] std::uint64_t peak_bytes() const { return part_ ? part_->peak_bytes() : 0; }
  [[nodiscard]] rank_figures figures() const;

  /// For another rank: does what the first one says, until that says that there is no more.
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
  std::size_t shared_questions_ = 0;  // number of questions that all ranks have asked
  std::optional<knowledge::memory> facts_of_first_;  // what the first rank knows of weak memory
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
