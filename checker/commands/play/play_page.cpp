// Explores the graph of a small run, and describes each state and choice.
#include "checker/commands/play/play_page.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "checker/commands/play/played_run.hpp"
#include "checker/graph/state_graph.hpp"
#include "checker/report/html/run_page.hpp"
#include "checker/report/moment/next_move.hpp"
#include "checker/report/report.hpp"
#include "checker/run/counterexample_file.hpp"
#include "checker/run/ending.hpp"
#include "checker/text/plain_text.hpp"
#include "checker/text/usage_error.hpp"
#include "warpcheck_paths.hpp"

namespace warpcheck {
namespace {

using json = nlohmann::ordered_json;

constexpr std::size_t most_states = 2'000;

json names_of(verdict_set set) {
  json all = json::array();
  for (std::size_t i = 0; i < verdict_names.size(); ++i) {
    if ((set & bit(static_cast<verdict>(i))) != 0) all.push_back(verdict_names[i]);
  }
  return all;
}

class page_of_graph {
 public:
  page_of_graph(session& run, state_graph graph)
      : run_(run), named_(run), graph_(std::move(graph)), ways_(graph_.nodes.size()) {
    find_ways();
  }

  /// Nothing, if the machine has learnt something on the way, so that the graph is void.
  std::optional<json> document(const std::string& label) {
    std::vector<trace> traces;
    for (std::size_t n = 0; n < graph_.nodes.size(); ++n) {
      traces.push_back(follow(run_, named_, {ways_[n], {}}));
      if (traces.back().last != graph_.nodes[n].state) return std::nullopt;
      add_locations(traces.back());
    }
    for (std::size_t n = 0; n < graph_.nodes.size(); ++n) add_last_steps(n, traces[n]);
    json nodes = json::array();
    for (std::size_t n = 0; n < graph_.nodes.size(); ++n) nodes.push_back(node(n, traces[n]));
    json lanes = json::array(), locations = json::array(), notes = json::array();
    const simt::grid_shape& grid = run_.setup().grid;
    for (std::uint32_t lane = 0; lane < grid.threads(); ++lane) {
      lanes.push_back(simt::lane_name(lane, grid));
    }
    for (const watched_location& one : locations_) locations.push_back(one.name);
    notes.push_back(run_.subject().title);
    const scenario& what = run_.subject();
    std::string name = counterexample_name(what, run_.settings(), verdict::race);
    name.resize(name.size() - std::string_view(warpcheck::name(verdict::race)).size());
    return json{{"kind", "play"},
                {"title", label},
                {"name", std::move(name)},
                {"counterexample", counterexample_document(run_, {}, readable_path(what.file),
                                                           warpcheck_paths::version)},
                {"notes", std::move(notes)},
                {"sources", parts_.sources()},
                {"lanes", std::move(lanes)},
                {"locations", std::move(locations)},
                {"nodes", std::move(nodes)}};
  }

 private:
  session& run_;
  names named_;
  state_graph graph_;
  std::vector<std::vector<simt::choice>> ways_;  // to each node, one of the shortest
  std::vector<bool> enters_;  // by node: a state from which some schedule ends leads there
  std::vector<watched_location> locations_;
  run_page parts_;

  [[nodiscard]] bool is_left_out(const graph_edge& edge) const {
    return edge.ends == simt::ending::none && graph_.nodes[edge.to].is_void;
  }

  /// The nodes are in the order of a breadth-first search, so the first edge to a node ends one of
  /// the shortest ways.
  void find_ways() {
    std::vector<bool> found(graph_.nodes.size());
    enters_.resize(graph_.nodes.size());
    found[0] = enters_[0] = true;
    for (std::size_t n = 0; n < graph_.nodes.size(); ++n) {
      for (const graph_edge& edge : graph_.nodes[n].edges) {
        if (edge.ends != simt::ending::none) continue;
        if (graph_.nodes[n].can_end) enters_[edge.to] = true;
        if (found[edge.to]) continue;
        found[edge.to] = true;
        ways_[edge.to] = ways_[n];
        ways_[edge.to].push_back(edge.by);
      }
    }
  }

  void add_locations(const trace& t) {
    for (watched_location& one : watched_in(run_, t)) {
      const bool is_known = std::ranges::any_of(locations_, [&](const watched_location& known) {
        return known.address == one.address && known.size == one.size;
      });
      if (!is_known) locations_.push_back(std::move(one));
    }
  }

  /// Adds what steps access that lead to a node that is known already.
  void add_last_steps(std::size_t n, const trace& so_far) {
    for (const graph_edge& edge : graph_.nodes[n].edges) {
      if (!edge.by.is_step()) continue;
      trace one;
      one.steps.emplace_back();
      one.steps.back().actions = next_actions(run_, named_, so_far, edge.by);
      add_locations(one);
    }
  }

  /// Returns the verdict of the state itself.
  std::optional<verdict> verdict_of_node(std::size_t n) {
    const graph_node& node = graph_.nodes[n];
    if (node.diverges) return verdict::barrier_divergence;
    const verdict_set broken = verdicts_of(run_.machine().broken(node.state));
    for (std::size_t i = 0; i < verdict_names.size(); ++i) {
      if ((broken & bit(static_cast<verdict>(i))) != 0) return static_cast<verdict>(i);
    }
    if (node.complete) return node.fails ? std::optional(verdict::assertion) : std::nullopt;
    if (!node.can_end && !node.is_void) return kind_of_deadlock(run_, node.state);
    return std::nullopt;
  }

  [[nodiscard]] json texts(std::span<const simt::choice_name> choices) const {
    json all = json::array();
    for (const simt::choice_name& by : choices) all.push_back(to_text(by, run_.setup().grid));
    return all;
  }

  json why(const trace& so_far, const std::vector<simt::choice>& made, verdict kind) {
    try {
      return show(run_, named_, violation_of(run_, so_far, made, kind)).why;
    } catch (const not_a_violation&) {  // then only the verdict is shown
      return json::array();
    }
  }

  json edge(std::size_t n, const graph_edge& of, const trace& so_far) {
    const next_move move = next_move_of(run_, named_, so_far, of.by);
    json lanes = json::array();
    if (of.by.is_step()) {
      for (const lane_action& a : next_actions(run_, named_, so_far, of.by))
        lanes.push_back(a.lane);
    }
    json one{{"choice",
              to_text(name_of(run_.machine(), graph_.nodes[n].state, of.by), run_.setup().grid)},
             {"who", move.who},
             {"does", move.text},
             {"memory", move.memory},
             {"source", move.source},
             {"lanes", std::move(lanes)}};
    if (of.ends != simt::ending::none) {
      const verdict kind = told_as(verdict_of(of.ends));
      std::vector<simt::choice> made = ways_[n];
      made.push_back(of.by);
      one["verdict"] = name(kind);
      one["why"] = why(follow(run_, named_, {made, {}}), made, kind);
      return one;
    }
    const graph_node& next = graph_.nodes[of.to];
    one["to"] = of.to;
    if (next.found != 0) one["can"] = names_of(next.found);
    if (next.found != 0 && !next.can_end) one["never"] = true;
    return one;
  }

  json node(std::size_t n, const trace& so_far) {
    const graph_node& of = graph_.nodes[n];
    const auto positions = positions_in(run_, named_, of.state);
    json one{
        {"state", parts_.state_in_full(moment_of(run_, named_, of.state, positions, locations_))},
        {"edges", json::array()}};
    if (of.complete && !of.fails) one["finished"] = true;
    if (const auto kind = verdict_of_node(n)) {
      one["verdict"] = name(*kind);
      const violation found = violation_of(run_, so_far, ways_[n], *kind, ways_[n].size());
      const named_execution how = names_of_choices(run_, found.how);
      one["detail"] = found.detail;
      one["more"] = texts(std::span(how.prefix).subspan(ways_[n].size()));
      one["cycle"] = texts(how.cycle);
      // Of states that can never end, the first ones on a way explain why.
      if (enters_[n]) one["why"] = why(so_far, ways_[n], *kind);
    }
    std::vector<const graph_edge*> shown;
    for (const graph_edge& each : of.edges) {
      if (is_left_out(each)) continue;
      shown.push_back(&each);
      one["edges"].push_back(edge(n, each, so_far));
    }
    if (json pairs = races(of, shown); !pairs.empty()) one["races"] = std::move(pairs);
    return one;
  }

  /// Returns pairs of edges whose accesses wait side by side and conflict.
  json races(const graph_node& of, const std::vector<const graph_edge*>& shown) {
    json pairs = json::array();
    simt::machine& machine = run_.machine();
    if (!machine.may_race() || machine.traits_of_memory().ends_at_races) return pairs;
    const auto is_of_lane = [](const graph_edge& e) {
      return e.by.what == simt::choice::kind::lane;
    };
    for (std::size_t a = 0; a < shown.size(); ++a) {
      for (std::size_t b = a + 1; b < shown.size(); ++b) {
        if (!is_of_lane(*shown[a]) || !is_of_lane(*shown[b])) continue;
        const std::uint32_t one = shown[a]->by.unit, other = shown[b]->by.unit;
        if (one == other) continue;
        if (machine.conflict(one, of.state[one], other, of.state[other])) pairs.push_back({a, b});
      }
    }
    return pairs;
  }
};

}  // namespace

json play_document(session& run, const std::string& label) {
  constexpr int most_rounds = 20;
  for (int round = 0; round < most_rounds; ++round) {  // repeat with what was learnt
    run.machine().begin_again();
    state_graph graph = graph_from(run, run.machine().initial(), most_states + 1);
    if (run.machine().has_news()) continue;
    if (!graph.whole || graph.nodes.size() > most_states) {
      throw usage_error(fmt::format(
          "--html: {} has more than {} states, too many for a page; use fewer lanes or a smaller "
          "repeat, choose another run with --only, or play in the terminal, without --html",
          label, most_states));
    }
    if (auto document = page_of_graph(run, std::move(graph)).document(label)) return *document;
  }
  throw std::logic_error("the graph of a run changes each time it is followed");
}

}  // namespace warpcheck
