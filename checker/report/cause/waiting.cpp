// Writes sentences for violations in which lanes wait: deadlocks, livelocks, barrier divergence.
#include <algorithm>
#include <functional>
#include <map>

#include <fmt/format.h>

#include "checker/explore/ends/independent_end.hpp"
#include "checker/report/cause/cause.hpp"
#include "checker/report/cause/parts.hpp"
#include "checker/report/cause/waits.hpp"
#include "checker/scenario/model_names.hpp"
#include "checker/text/plain_text.hpp"

namespace warpcheck {
namespace {

using kind = lane_wait::kind;

/// Lanes that wait for the same, in the same way.
struct group {
  std::vector<std::uint32_t> lanes;
  const lane_wait* wait;
};

constexpr std::size_t most_groups = 8;

class sentences {
 public:
  sentences(session& run, names& named, const violation& v, const trace& t)
      : run_(run), named_(named), v_(v), t_(t), waits_(waits_of(run, named, t)) {
    std::map<std::string, std::size_t> known;
    for (std::uint32_t lane = 0; lane < waits_.size(); ++lane) {
      const lane_wait& w = waits_[lane];
      if (w.what == kind::finished) continue;
      std::vector<std::uint32_t> others = w.waits_for;
      std::string key = fmt::format("{}|{}|{}|{}|{}", static_cast<int>(w.what), w.at.text(),
                                    w.until, w.operation + w.arrivals, w.writer_at.text());
      // Lanes at one barrier wait for the same others. A lane never waits for itself.
      for (const std::uint32_t other : others) key += fmt::format(",{}", other);
      const auto [at, is_new] = known.try_emplace(key, groups_.size());
      if (is_new) groups_.push_back({{}, &w});
      groups_[at->second].lanes.push_back(lane);
    }
  }

  std::vector<std::string> all() {
    std::vector<std::string> why;
    why.push_back(headline());
    // First come lanes that go round alone, then spinning lanes. The other lanes explain what these
    // wait for.
    std::ranges::stable_sort(groups_, {}, [](const group& g) { return rank(g.wait->what); });
    std::size_t shown = 0;
    for (const group& g : groups_) {
      if (shown++ == most_groups) {
        std::size_t rest = 0;
        for (std::size_t i = most_groups; i < groups_.size(); ++i) rest += groups_[i].lanes.size();
        why.push_back(fmt::format("{} more wait likewise.", counted(rest, "lane", "lanes")));
        break;
      }
      add(why, g);
    }
    add_exited(why);
    if (std::ranges::any_of(waits_, is_endless)) {
      why.emplace_back(
          "If that loop waits for another lane: a compiler may keep a plain variable in a register "
          "and never read it again; make the variable atomic or volatile.");
    }
    if (v_.kind == verdict::deadlock || v_.kind == verdict::simt_deadlock) {
      if (std::string circle = circular_wait(); !circle.empty()) why.push_back(std::move(circle));
    }
    if (v_.kind == verdict::simt_deadlock) {
      why.push_back(without_reconvergence());
      why.emplace_back(
          "Warps run in lockstep on NVIDIA GPUs before Volta, AMD GPUs and several mobile GPUs.");
    }
    return why;
  }

 private:
  session& run_;
  names& named_;
  const violation& v_;
  const trace& t_;
  std::vector<lane_wait> waits_;
  std::vector<group> groups_;

  // The execution goes on from the deadlock to where lanes only go round. By then, the deadlock may
  // no longer have to do with reconvergence.
  std::string without_reconvergence() {
    constexpr std::string_view alone = "the deadlock comes from reconvergence alone.";
    using answer = end_search::answer;
    independent_end judge(run_);
    const answer last = judge.of(t_.last);
    if (last == answer::ends) {
      return fmt::format("With independent thread scheduling this state can finish: {}", alone);
    }
    for (auto step = t_.steps.rbegin(); last == answer::never_ends && step != t_.steps.rend();
         ++step) {
      if (judge.of(step->before) != answer::ends) continue;
      std::uint32_t steps = 0;
      for (auto before = step + 1; before != t_.steps.rend(); ++before) {
        steps = std::max(steps, before->number);
      }
      const std::string where = steps == 0 ? std::string("the first state")
                                           : fmt::format("the state after step {}", steps);
      return fmt::format(
          "With independent thread scheduling {} can still finish: there {} What follows is one "
          "way on from there, to a state that no scheduling finishes.",
          where, alone);
    }
    return fmt::format("With independent thread scheduling a state on the way here can finish: {}",
                       alone);
  }

  static bool is_endless(const lane_wait& w) { return w.what == kind::endless; }

  static int rank(kind what) {
    switch (what) {
      case kind::endless: return 0;
      case kind::spins: return 1;
      case kind::absent: return 3;
      default: return 2;
    }
  }

  std::vector<std::uint32_t> unfinished() const {
    std::vector<std::uint32_t> lanes;
    for (std::uint32_t lane = 0; lane < waits_.size(); ++lane) {
      if (waits_[lane].what != kind::finished) lanes.push_back(lane);
    }
    return lanes;
  }

  std::string headline() {
    switch (v_.kind) {
      case verdict::livelock:
        switch (run_.settings().progress) {
          case simt::progress::fair:
            return "Completion stays possible, but this cycle, fair to all, completes nothing.";
          case simt::progress::unfair:
            return "Completion stays possible, but an unfair scheduler may repeat this cycle for "
                   "ever.";
          default:
            return fmt::format(
                "Completion stays possible, but this cycle, {} as {} has it, completes nothing: "
                "{}.",
                run_.settings().fairness == simt::fairness::strong ? "strongly fair" : "fair",
                progress_name(run_.settings()), owed_blocks());
        }
      case verdict::barrier_divergence: {
        const std::string detail = !v_.detail.empty() ? v_.detail : t_.why;
        return detail.empty() ? "A shfl reads from a lane that does not take part in it."
                              : detail + (detail.ends_with('.') ? "" : ".");
      }
      default: break;
    }
    if (!v_.detail.empty()) return v_.detail + ".";  // for clients that never end
    const simt::grid_shape& grid = run_.setup().grid;
    const std::size_t lanes = waits_.size() - std::size_t{grid.blocks} * grid.agents();
    const bool all = unfinished().size() == lanes && lanes > 1;
    const std::string who = !all         ? named_.lanes(unfinished())
                            : lanes == 2 ? std::string("Both lanes")
                                         : fmt::format("All {} lanes", lanes);
    return t_.has_cycle() || t_.stuck
               ? fmt::format("{} can never finish.", who)
               : fmt::format("{} can never finish, whatever happens from here on.", who);
  }

  /// Returns "progress is owed to block 1 alone".
  std::string owed_blocks() const {
    simt::machine& machine = run_.machine();
    std::vector<char> owed;
    machine.list_owed(t_.last, owed);
    std::vector<std::uint32_t> blocks;
    for (std::uint32_t unit = 0; unit < owed.size(); ++unit) {
      const std::uint32_t block = machine.block_of_unit(unit);
      if (owed[unit] != 0 && (blocks.empty() || blocks.back() != block)) blocks.push_back(block);
    }
    if (blocks.empty()) return "progress is owed to nobody";
    std::string text = fmt::format("progress is owed to block{} {}", blocks.size() == 1 ? "" : "s",
                                   blocks.front());
    if (blocks.size() == 1) return text + " alone";
    for (std::size_t i = 1; i < blocks.size(); ++i) {
      text += fmt::format("{}{}", i + 1 == blocks.size() ? " and " : ", ", blocks[i]);
    }
    return text;
  }

  /// Adds "w0.l3 has exited (last step: x.cu:12), and is not waited for."
  void add_exited(std::vector<std::string>& why) {
    std::map<std::vector<std::uint32_t>, bool> told;  // whether a barrier needs their arrivals
    for (const group& g : groups_) {
      if (!g.wait->exited.empty()) told[g.wait->exited] |= g.wait->counts_exited;
    }
    for (const auto& [lanes, counts] : told) {
      std::map<std::string, std::vector<std::uint32_t>> by_place;
      for (const std::uint32_t lane : lanes) by_place[last_place(lane)].push_back(lane);
      constexpr std::size_t most_places = 3;
      if (by_place.size() > most_places) by_place = {{std::string(), lanes}};
      for (const auto& [place, some] : by_place) {
        const bool one = some.size() == 1;
        why.push_back(fmt::format("{} {} exited{}, and {}.", named_.lanes(some),
                                  one ? "has" : "have", place,
                                  counts ? "can arrive no more"
                                  : one  ? "is not waited for"
                                         : "are not waited for"));
      }
    }
  }

  /// Returns " (last step: x.cu:12)".
  std::string last_place(std::uint32_t lane) const {
    for (auto step = t_.steps.rbegin(); step != t_.steps.rend(); ++step) {
      for (const lane_action& a : step->actions) {
        if (a.lane == lane) return fmt::format(" (last step: {})", a.at.text());
      }
    }
    return " before its first operation";
  }

  static std::string verb(const group& g, std::string_view one, std::string_view many) {
    return std::string(g.lanes.size() == 1 ? one : many);
  }

  void add(std::vector<std::string>& why, const group& g) {
    const lane_wait& w = *g.wait;
    const std::string who = named_.lanes(g.lanes);
    const std::string others = named_.lanes(w.waits_for);
    const bool one_other = w.waits_for.size() == 1;
    switch (w.what) {
      case kind::finished: break;
      case kind::spins: {
        if (w.until.empty()) {
          why.push_back(fmt::format("{} {} steps at {} and around it.", who,
                                    verb(g, "takes", "take"), w.at.text_with_function()));
          break;
        }
        why.push_back(fmt::format("{} {} at {} until {}.", who, verb(g, "spins", "spin"),
                                  w.at.text_with_function(), w.until));
        if (!w.waits_for.empty()) {
          why.push_back(fmt::format("{} would {} {}.", one_other ? "Only " + others : others,
                                    w.change, w.writer_at.aside()));
        } else if (!w.change.empty()) {
          why.push_back(fmt::format("No lane that is left would {}{}.", w.change,
                                    w.last_writer.empty() ? "" : "; " + w.last_writer));
        }
        break;
      }
      case kind::parked:
        why.push_back(fmt::format("{} {} parked at the reconvergence point {} until {} {} there.",
                                  who, verb(g, "is", "are"), w.at.text_with_function(), others,
                                  one_other ? "arrives" : "arrive"));
        break;
      case kind::other_side:
        why.push_back(
            fmt::format("{} {} for {} to reconverge: the other side of the branch runs first.", who,
                        verb(g, "waits", "wait"), others));
        break;
      case kind::absent: {
        const std::uint32_t resident = run_.settings().machine.resident;
        why.push_back(
            fmt::format("{} {} not started: at most {} may be resident at a time, and {} {} "
                        "not finished.",
                        who, verb(g, "has", "have"), counted(resident, "block", "blocks"), others,
                        one_other ? "has" : "have"));
        break;
      }
      case kind::collective:
      case kind::barrier:
        why.push_back(fmt::format("{} {} at {}, {}{}{}.", who, verb(g, "waits", "wait"),
                                  w.operation, w.at.text_with_function(),
                                  w.waits_for.empty() ? "" : ", for " + others,
                                  w.arrivals.empty() ? "" : ": " + w.arrivals));
        if (!w.completed.empty()) why.push_back(w.completed + ".");
        break;
      case kind::endless:
        why.push_back(fmt::format("{} {} round for ever at {}, without any visible operation.", who,
                                  verb(g, "goes", "go"), w.at.text_with_function()));
        break;
      case kind::lockstep:
        why.push_back(fmt::format("{} {} at {} for {}, in lockstep with {}.", who,
                                  verb(g, "waits", "wait"), w.at.text_with_function(), others,
                                  g.lanes.size() == 1 ? "it" : "them"));
        break;
      case kind::ready:
        why.push_back(v_.kind == verdict::livelock
                          ? fmt::format("{} could go on at {}, but {} never given a turn.", who,
                                        w.at.text_with_function(), verb(g, "is", "are"))
                          : fmt::format("{} {} at {}.", who, verb(g, "stands", "stand"),
                                        w.at.text_with_function()));
        break;
    }
  }

  /// Returns "w0.l1 waits for w0.l0, and w0.l0 waits for w0.l1."
  std::string circular_wait() const {
    std::vector<std::size_t> group_of(waits_.size(), groups_.size());
    for (std::size_t g = 0; g < groups_.size(); ++g) {
      for (const std::uint32_t lane : groups_[g].lanes) group_of[lane] = g;
    }
    std::vector<std::size_t> path;
    std::vector<bool> seen(groups_.size(), false);
    std::vector<std::size_t> circle;
    const std::function<bool(std::size_t)> visit = [&](std::size_t g) {
      if (const auto at = std::ranges::find(path, g); at != path.end()) {
        circle.assign(at, path.end());
        return true;
      }
      if (seen[g]) return false;
      seen[g] = true;
      path.push_back(g);
      for (const std::uint32_t other : groups_[g].wait->waits_for) {
        if (group_of[other] < groups_.size() && visit(group_of[other])) return true;
      }
      path.pop_back();
      return false;
    };
    for (std::size_t g = 0; g < groups_.size() && circle.empty(); ++g) visit(g);
    constexpr std::size_t longest = 4;
    if (circle.size() < 2 || circle.size() > longest) return {};
    std::string text;
    for (std::size_t i = 0; i < circle.size(); ++i) {
      const group& g = groups_[circle[i]];
      const group& next = groups_[circle[(i + 1) % circle.size()]];
      if (i != 0) text += i + 1 == circle.size() ? ", and " : ", ";
      text += fmt::format("{} {} for {}", named_.lanes(g.lanes), verb(g, "waits", "wait"),
                          named_.lanes(next.lanes));
    }
    return text + ".";
  }
};

}  // namespace

std::vector<std::string> why_lanes_wait(session& run, names& named, const violation& v,
                                        const trace& t) {
  return sentences(run, named, v, t).all();
}

}  // namespace warpcheck
