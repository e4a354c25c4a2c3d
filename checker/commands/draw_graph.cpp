// Explores a run state by state, and lets Graphviz draw the result.
#include "checker/commands/draw_graph.hpp"

#include <fmt/format.h>

#include <fstream>
#include <iterator>

#include "checker/check/check.hpp"
#include "checker/console/interrupt.hpp"
#include "checker/console/open_session.hpp"
#include "checker/console/read_all.hpp"
#include "checker/console/write_whole.hpp"
#include "checker/graph/state_graph.hpp"
#include "checker/report/formats/terminal_report.hpp"
#include "checker/report/graph/graph_picture.hpp"
#include "checker/text/plain_text.hpp"
#include "sim/compile/process.hpp"
#include "sim/files/scratch_folder.hpp"

namespace warpcheck {
namespace {

constexpr std::size_t most_drawn = 400;
// States of a first look, from which the machine learns.
constexpr std::uint64_t most_looked_at = 100'000;

std::string svg_of(const std::string& dot) {
  const auto program = simt::detail::find_program("dot");
  if (program.empty()) {
    throw usage_error(
        "--graph: Graphviz is not installed, which draws the picture; install the package "
        "graphviz, or name a file that ends in .dot to get its input");
  }
  const simt::detail::temporary_folder folder(std::filesystem::temp_directory_path());
  const auto source = folder.path() / "graph.dot", drawn = folder.path() / "graph.svg";
  std::ofstream(source) << dot;
  const auto result =
      simt::detail::run_process({program.string(), "-Tsvg", "-o", drawn.string(), source.string()});
  if (result.status != 0) {
    throw usage_error(fmt::format("--graph: Graphviz failed: {}", result.output));
  }
  std::ifstream in(drawn, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

state_graph whole_graph(session& run) {
  for (;;) {  // repeat with what was learnt
    run.machine().begin_again();
    state_graph graph = graph_from(run, run.machine().initial(), most_drawn + 1);
    if (!run.machine().has_news()) return graph;
  }
}

}  // namespace

void draw_graph(const scenario& what, const run_settings& how, const std::filesystem::path& file) {
  if (file.extension() != ".svg" && file.extension() != ".dot") {
    throw usage_error(fmt::format(
        "--graph: {} is neither a .svg nor a .dot; name it so, as no other picture is drawn",
        file.string()));
  }
  const auto ready = open_session(what, how);
  limits bounds;
  bounds.max_states = most_looked_at;
  bounds.stop = &stop_requested;
  (void)check(*ready, bounds);
  const state_graph graph = whole_graph(*ready);
  const std::string label = run_label(readable_path(what.file), how);
  if (!graph.whole || graph.nodes.size() > most_drawn) {
    throw usage_error(fmt::format(
        "--graph: {} has more than {} states, too many for a picture; use fewer lanes, or a "
        "smaller repeat",
        label, most_drawn));
  }
  names named(*ready);
  const std::string dot = dot_of(*ready, named, graph, label);
  write_whole(file, file.extension() == ".dot" ? dot : svg_of(dot), "--graph");
  fmt::print("{}  {} in {}\n", label, counted(graph.nodes.size(), "state", "states"),
             file.string());
}

}  // namespace warpcheck
