// Writes states, steps and the automata of lanes as a digraph.
#include "checker/report/graph/graph_picture.hpp"

#include <map>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "checker/report/describe.hpp"
#include "checker/report/moment/moment.hpp"
#include "checker/report/moment/next_move.hpp"
#include "checker/run/ending.hpp"

namespace warpcheck {
namespace {

std::string dot_text(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    if (c == '\n') {
      quoted += "\\n";
    } else {
      quoted += c;
    }
  }
  return quoted + '"';
}

class picture {
 public:
  picture(session& run, names& named, const state_graph& graph)
      : run_(run), named_(named), graph_(graph) {
    for (const graph_node& node : graph.nodes) {
      trace here;
      here.last = node.state;
      here.last_positions = positions_in(run, named, node.state);
      for (const graph_edge& edge : node.edges) {
        trace_step step;
        if (edge.by.is_step()) step.actions = next_actions(run, named, here, edge.by);
        accesses_.steps.push_back(std::move(step));
      }
      at_.push_back(std::move(here));
    }
    locations_ = watched_in(run, accesses_);
    for (const trace& here : at_) {
      moments_.push_back(moment_of(run, named, here.last, here.last_positions, locations_));
    }
  }

  std::string text(const std::string& title) {
    std::string dot = fmt::format(
        "digraph {{\n  label={};\n  labelloc=t;\n  fontname=sans;\n"
        "  node [shape=box, style=rounded, fontname=monospace, fontsize=10];\n"
        "  edge [fontname=monospace, fontsize=9];\n",
        dot_text(title));
    dot += "  subgraph cluster_states {\n    label=\"states\";\n";
    for (std::size_t i = 0; i < graph_.nodes.size(); ++i) dot += node(i);
    for (std::size_t i = 0; i < graph_.nodes.size(); ++i) dot += edges(i);
    return dot + "  }\n" + lanes() + "}\n";
  }

 private:
  session& run_;
  names& named_;
  const state_graph& graph_;
  trace accesses_;         // all steps of the graph, one after the other
  std::vector<trace> at_;  // by node: an execution that ends there
  std::vector<moment> moments_;
  std::vector<watched_location> locations_;

  static std::string text_of(const moment::standing& one) {
    switch (one.what) {
      case lane_position::kind::exited: return "exited";
      case lane_position::kind::absent: return "not resident";
      case lane_position::kind::parked: return "parked " + one.at.text();
      case lane_position::kind::other_side: return "its side later, " + one.at.text();
      case lane_position::kind::running: break;
    }
    return one.at.known() ? fmt::format("{} {}", one.at.text(), one.operation) : one.operation;
  }

  std::string node(std::size_t number) {
    const moment& now = moments_[number];
    std::map<std::string, std::vector<std::uint32_t>> standing;
    for (std::uint32_t lane = 0; lane < now.lanes.size(); ++lane) {
      standing[text_of(now.lanes[lane])].push_back(lane);
    }
    std::string label = fmt::format("{}", number);
    for (std::size_t i = 0; i < locations_.size(); ++i) {
      label += fmt::format("{}{} = {}", i == 0 ? "\n" : ", ", locations_[i].name, now.memory[i]);
    }
    const graph_node& of = graph_.nodes[number];
    if (!of.complete) {
      for (const auto& [where, lanes] : standing) {
        label += fmt::format("\n{} {}", named_.lane_range(lanes), where);
      }
    }
    std::string look;
    if (of.complete) {
      label += of.fails ? "\nthe final check fails" : "\nall have exited";
      look = of.fails ? ", color=red, peripheries=2" : ", color=darkgreen, peripheries=2";
    } else if (of.diverges) {
      label += "\nbarrier divergence";
      look = ", color=red, peripheries=2";
    } else if (of.is_void) {
      label += "\na store that is visible early never comes";
      look = ", color=gray, fontcolor=gray";
    } else if (graph_.whole && !of.can_end) {
      look = ", color=red, style=\"rounded,filled\", fillcolor=mistyrose";
      if (of.edges.empty()) label += "\nnothing can happen";
    }
    return fmt::format("    s{} [label={}{}];\n", number, dot_text(label), look);
  }

  std::string edges(std::size_t number) {
    std::string text;
    std::size_t ends = 0;
    for (const graph_edge& edge : graph_.nodes[number].edges) {
      const next_move move = next_move_of(run_, named_, at_[number], edge.by);
      const std::string label = dot_text(fmt::format("{}\n{}", move.who, move.text));
      if (edge.ends == simt::ending::none) {
        text += fmt::format("    s{} -> s{} [label={}];\n", number, edge.to, label);
        continue;
      }
      const std::string end = fmt::format("end_{}_{}", number, ends++);
      text +=
          fmt::format("    {} [label={}, color=red, peripheries=2];\n    s{} -> {} [label={}];\n",
                      end, dot_text(name(verdict_of(edge.ends))), number, end, label);
    }
    return text;
  }

  /// Draws what lanes do, from place to place. Lanes that do the same share one automaton.
  std::string lanes() {
    std::vector<std::set<std::pair<std::string, std::string>>> ways(moments_.front().lanes.size());
    for (std::size_t i = 0; i < graph_.nodes.size(); ++i) {
      for (const graph_edge& edge : graph_.nodes[i].edges) {
        if (edge.ends != simt::ending::none || !edge.by.is_step()) continue;
        run_.machine().for_each_lane(edge.by, graph_.nodes[i].state, [&](std::uint32_t lane) {
          ways[lane].emplace(text_of(moments_[i].lanes[lane]),
                             text_of(moments_[edge.to].lanes[lane]));
        });
      }
    }
    std::map<std::set<std::pair<std::string, std::string>>, std::vector<std::uint32_t>> alike;
    for (std::uint32_t lane = 0; lane < ways.size(); ++lane) {
      if (!ways[lane].empty()) alike[ways[lane]].push_back(lane);
    }
    std::string text;
    std::size_t number = 0;
    for (const auto& [all, of] : alike) {
      text += fmt::format("  subgraph cluster_lane_{} {{\n    label={};\n", number,
                          dot_text(named_.lane_range(of)));
      std::map<std::string, std::string> places;
      const auto place = [&](const std::string& where) {
        const auto [at, is_new] = places.try_emplace(where);
        if (!is_new) return at->second;
        at->second = fmt::format("l{}_{}", number, places.size());
        text += fmt::format("    {} [label={}];\n", at->second, dot_text(where));
        return at->second;
      };
      for (const auto& [from, to] : all) {
        const std::string first = place(from);
        const std::string second = place(to);
        text += fmt::format("    {} -> {};\n", first, second);
      }
      text += "  }\n";
      ++number;
    }
    return text;
  }
};

}  // namespace

std::string dot_of(session& run, names& named, const state_graph& graph, const std::string& title) {
  return picture(run, named, graph).text(title);
}

}  // namespace warpcheck
