// Reads a scenario's text, and checks that its keys, grid and questions fit together.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>

#include "checker/scenario/parse_kernel.hpp"
#include "checker/scenario/parse_object.hpp"
#include "checker/scenario/parse_run.hpp"
#include "checker/scenario/scenario.hpp"
#include "checker/scenario/scenario_limits.hpp"
#include "checker/scenario/toml_reader.hpp"
#include "sim/files/kind_of_file.hpp"
#include "sim/files/standard_input.hpp"

namespace warpcheck {

namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 20> top_keys{
    "title",     "subject",  "source", "workload", "clients", "threads",    "initial",
    "placement", "generate", "spec",   "repeat",   "claims",  "step_bound", "arrays",
    "grid",      "run",      "kernel", "launch",   "buffers", "variables"};
constexpr std::array<std::string_view, 5> grid_keys{"blocks", "warps", "lanes", "cluster",
                                                    "cooperative"};

template <class Names>
bool has(const Names& names, std::string_view key) {
  return std::find(names.begin(), names.end(), key) != names.end();
}

std::optional<std::string> outside_top(std::string_view key) {
  if (has(run_keys(), key)) return fmt::format("{} belongs below a [[run]] line", key);
  if (has(grid_keys, key)) return fmt::format("{} belongs below the [grid] line", key);
  return std::nullopt;
}

std::optional<std::string> outside_grid(std::string_view key) {
  if (has(top_keys, key))
    return fmt::format("{} belongs to the top of the file, before the first [...] line", key);
  if (has(run_keys(), key)) return fmt::format("{} belongs below a [[run]] line", key);
  return std::nullopt;
}

std::vector<std::uint32_t> parse_lanes(const toml_reader& reader, const toml::table& grid) {
  const auto warps = reader.integer(grid, "warps", 1, max_warps);
  const toml::node* lanes = grid.get("lanes");
  if (lanes == nullptr || !lanes->is_array()) {
    const auto each = lanes == nullptr ? 1 : reader.integer_in(*lanes, "lanes", 1, max_lanes);
    return std::vector<std::uint32_t>(warps.value_or(1), static_cast<std::uint32_t>(each));
  }
  const toml::array& list = *lanes->as_array();
  if (warps && list.size() != *warps) {
    reader.fail(
        *lanes,
        fmt::format(
            "\"lanes\" has {} numbers, but there are {} warps; give one number for each warp, "
            "or one for all",
            list.size(), *warps));
  }
  if (list.empty() || list.size() > max_warps) {
    reader.fail(*lanes, fmt::format("\"lanes\" has {} numbers; give one for each warp, 1 to {}",
                                    list.size(), max_warps));
  }
  std::vector<std::uint32_t> result;
  for (const toml::node& element : list) {
    result.push_back(static_cast<std::uint32_t>(reader.integer_in(element, "lanes", 1, max_lanes)));
  }
  return result;
}

simt::grid_shape parse_grid(const toml_reader& reader, const toml::table& root) {
  simt::grid_shape shape;
  const toml::table* grid = reader.table(root, "grid");
  if (grid == nullptr) return shape;
  reader.known_keys(*grid, grid_keys, outside_grid);
  shape.blocks =
      static_cast<std::uint32_t>(reader.integer(*grid, "blocks", 1, max_threads).value_or(1));
  shape.lanes = parse_lanes(reader, *grid);
  shape.cluster =
      static_cast<std::uint32_t>(reader.integer(*grid, "cluster", 1, max_cluster).value_or(1));
  if (shape.blocks % shape.cluster != 0) {
    reader.fail(*grid->get("cluster"),
                fmt::format("{} blocks are no whole number of clusters of {}; give \"blocks\" as a "
                            "multiple of \"cluster\"",
                            shape.blocks, shape.cluster));
  }
  if (const toml::node* node = grid->get("cooperative")) {
    if (!node->is_boolean()) reader.fail(*node, "\"cooperative\" is true or false");
    shape.cooperative = node->as_boolean()->get();
  }
  if (shape.threads() > max_threads) {
    reader.fail(*grid, fmt::format("the grid has {} threads; make it {} at most", shape.threads(),
                                   max_threads));
  }
  return shape;
}

/// Refuses a limit on resident blocks if all blocks must be resident together, or the launch fails.
void check_residence(const toml_reader& reader, const scenario& what) {
  const simt::grid_shape& grid = what.grid;
  for (const run_settings& run : what.runs) {
    const bool all = run.machine.resident == 0 || run.machine.resident >= grid.blocks;
    if (all || (grid.cluster == 1 && !grid.cooperative)) continue;
    reader.fail(
        toml::source_position{static_cast<toml::source_index>(run.line), 1},
        fmt::format("\"resident\" is {} of {} blocks, but {}; leave \"resident\" out",
                    run.machine.resident, grid.blocks,
                    grid.cooperative ? "a cooperative launch fails unless all fit"
                                     : "in grids of clusters all blocks are resident here"));
  }
}

std::vector<std::int64_t> parse_values(const toml_reader& reader, const toml::array& list,
                                       std::string_view key) {
  if (list.empty() || list.size() > max_elements) {
    reader.fail(list, fmt::format("{} has {} values; give it 1 to {}", in_quotes(key), list.size(),
                                  max_elements));
  }
  std::vector<std::int64_t> values;
  for (const toml::node& element : list) {
    if (!element.is_integer()) {
      reader.fail(element, fmt::format("{} has {} in it; write only integers, as in {} = [1, 0]",
                                       in_quotes(key), type_name(element), key));
    }
    values.push_back(element.as_integer()->get());
  }
  return values;
}

simt::array_setups parse_arrays(const toml_reader& reader, const toml::table& root) {
  simt::array_setups arrays;
  const toml::table* table = reader.table(root, "arrays");
  if (table == nullptr) return arrays;
  for (const auto& [key, node] : *table) {
    simt::array_setup array;
    if (node.is_array()) {
      array.values = parse_values(reader, *node.as_array(), key.str());
      array.elements = array.values.size();
    } else {
      array.elements = reader.integer_in(node, key.str(), 1, max_elements);
    }
    arrays.emplace(key.str(), std::move(array));
  }
  return arrays;
}

simt::clients parse_clients(const toml_reader& reader, const toml::table& root) {
  constexpr std::array<std::string_view, 3> names{"lane", "warp", "block"};
  const auto text = reader.string(root, "clients");
  if (!text) return simt::clients::lane;
  const auto found = std::find(names.begin(), names.end(), text->text);
  if (found == names.end()) reader.not_one_of(*text, "clients", names);
  return static_cast<simt::clients>(found - names.begin());
}

std::uint32_t parse_repeat(const toml_reader& reader, const toml::table& root) {
  const toml::node* node = root.get("repeat");
  if (node != nullptr && node->is_string()) {
    if (node->as_string()->get() == "forever") return simt::detail::for_ever;
    reader.fail(*node, fmt::format("{} is no number of times; give it a value from 1 to {}, or "
                                   "\"forever\"",
                                   in_quotes(node->as_string()->get()), max_repeat));
  }
  return static_cast<std::uint32_t>(reader.integer(root, "repeat", 1, max_repeat).value_or(1));
}

std::optional<guarantee> parse_claims(const toml_reader& reader, const toml::table& root) {
  const auto text = reader.string(root, "claims");
  if (!text) return std::nullopt;
  const auto found = std::find(guarantee_names.begin(), guarantee_names.end(), text->text);
  if (found == guarantee_names.end()) reader.not_one_of(*text, "claims", guarantee_names);
  return static_cast<guarantee>(found - guarantee_names.begin());
}

/// Reads `step_bound`. To be called when the operations are known.
step_bounds parse_step_bound(const toml_reader& reader, const toml::table& root,
                             const scenario& what) {
  constexpr std::string_view key = "step_bound";
  const toml::node* node = root.get(key);
  if (node == nullptr) return {};
  if (!node->is_table()) {
    return {static_cast<std::uint32_t>(reader.integer_in(*node, key, 1, max_step_bound)), {}};
  }
  const toml::table& table = *node->as_table();
  if (what.threads.empty()) {
    reader.fail(*node,
                fmt::format("\"step_bound\" names operations, and \"threads\" has none; give "
                            "one number for all operations, as in step_bound = 12"));
  }
  std::vector<std::string_view> called;
  for (const auto& thread : what.threads) {
    for (const written_operation& one : thread) {
      if (!has(called, one.name)) called.push_back(one.name);
    }
  }
  if (table.empty()) {
    reader.fail(*node,
                fmt::format("\"step_bound\" names no operation; write for example step_bound "
                            "= {{ {} = 12 }}",
                            called.empty() ? "contains" : called.front()));
  }
  step_bounds bounds;
  for (const auto& [name, bound] : table) {
    if (!has(called, name.str())) {
      reader.not_one_of({std::string(name.str()), name.source().begin}, key, called);
    }
    bounds.named.emplace(name.str(), static_cast<std::uint32_t>(
                                         reader.integer_in(bound, name.str(), 1, max_step_bound)));
  }
  return bounds;
}

/// Whether a `[[run]]` table stands for two runs.
bool takes_both_memories(const toml::table& run) { return !run.contains("memory"); }

/// Refuses questions that cannot be asked of a scenario of this kind.
void check_questions(const toml_reader& reader, const toml::table& root, const scenario& what) {
  auto next = what.runs.begin();
  for (const toml::node& node : *root.get("run")->as_array()) {
    const toml::table& table = *node.as_table();
    const run_settings& run = *next;
    next += takes_both_memories(table) ? 2 : 1;
    const verdict_set asked = static_cast<verdict_set>(
        (table.contains("check") ? run.check : verdict_set{0}) |
        (run.expect ? bit(*run.expect) : verdict_set{0}) | run.expect_violations.value_or(0));
    if (!what.claims_progress() && (asked & bit(verdict::progress_violated)) != 0) {
      reader.fail(table,
                  "\"progress-violated\" is asked for, but nothing is claimed; add for example "
                  "claims = \"lock-free\" at the top of the file");
    }
    constexpr verdict_set collecting = of_operations & ~bit(verdict::not_linearizable);
    if (what.never_ends() && (run.check & collecting) != 0) {
      reader.fail(table,
                  "of clients that never end only linearizability can be judged; leave the other "
                  "kinds of consistency out of \"check\", or \"repeat\"");
    }
  }
}

void parse_subject(const toml_reader& reader, const toml::table& root, scenario& result) {
  const auto subject = reader.string(root, "subject");
  if (!subject) {
    reader.fail(root,
                "there is no \"subject\"; add one, for example subject = \"locks/tas\" "
                "(`warpcheck list` shows them), or the type in your \"source\"; or a [kernel]");
  }
  if (subject->text.empty()) {
    reader.fail(subject->place,
                "\"subject\" is empty; name one that `warpcheck list` shows, or the type in your "
                "\"source\"");
  }
  result.subject = subject->text;
  if (const auto source = reader.string(root, "source")) {
    if (source->text.empty()) {
      reader.fail(source->place,
                  "\"source\" is empty; name the header that has the subject, or leave the key out "
                  "for a shipped one");
    }
    if (source->text.find('\0') != std::string::npos) {
      reader.fail(source->place,
                  fmt::format("{} cannot be a file's name; correct it", in_quotes(source->text)));
    }
    const fs::path path = fs::absolute(result.file.parent_path() / source->text).lexically_normal();
    std::error_code error;
    if (fs::exists(path, error) && !fs::is_regular_file(path, error)) {
      reader.fail(source->place,
                  fmt::format("{} {}; \"source\" names a header", in_quotes(source->text),
                              simt::in_place_of_file(path)));
    }
    if (!fs::is_regular_file(path, error)) {
      reader.fail(
          source->place,
          fmt::format("there is no file {}; \"source\" is relative to the scenario's folder",
                      in_quotes(source->text)));
    }
    result.source = path;
  }
}

std::vector<run_settings> parse_runs(const toml_reader& reader, const toml::table& root) {
  const toml::node* node = root.get("run");
  if (node == nullptr) {
    reader.fail(root,
                "there is no [[run]]; add at least one, with the model to check under, "
                "for example reconvergence = \"its\"");
  }
  if (!node->is_array_of_tables()) {
    reader.fail(*node,
                fmt::format("\"run\" is {}; write [[run]], with two brackets, on a line of its own",
                            node->is_array() ? "an array of other things" : type_name(*node)));
  }
  std::vector<run_settings> runs;
  for (const toml::node& run : *node->as_array()) {
    const toml::table& table = *run.as_table();
    runs.push_back(parse_run(reader, table));
    runs.back().line = run.source().begin.line;
    if (!takes_both_memories(table)) continue;
    // Run both memory models, the one with the simplest counterexamples first.
    runs.push_back(runs.back());
    runs.back().machine.memory = simt::memory_model::ptx;
  }
  return runs;
}

// Refuses deep nesting, on which toml++ 3.3 overflows the stack, or worse. No scenario needs any,
// so a rough scan is enough: it knows comments and strings of one line.
void refuse_deep_nesting(const toml_reader& reader, std::string_view text) {
  constexpr int deepest = 32;
  int brackets = 0;
  int dots = 0;  // number of dots in the present dotted key
  char quote = 0;
  toml::source_position place{1, 0};
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    ++place.column;
    if (c == '\n') {
      place = {place.line + 1, 0};
      quote = 0;
      dots = 0;
    } else if (quote != 0) {
      const bool escape = c == '\\' && quote == '"' && i + 1 < text.size() && text[i + 1] != '\n';
      if (escape) {
        ++i;
        ++place.column;
      }
      if (c == quote && quote != '#') quote = 0;
    } else if (c == '"' || c == '\'' || c == '#') {
      quote = c;
    } else if (c == '[' || c == '{') {
      ++brackets;
    } else if (c == ']' || c == '}') {
      brackets = std::max(brackets - 1, 0);
    } else if (c == '.') {
      ++dots;
    } else if (c == '=' || c == ',') {
      dots = 0;
    }
    if (brackets > deepest || dots > deepest) {
      reader.fail(place, "nested too deeply; a scenario has tables and lists of one level");
    }
  }
}

toml::table parse_toml(const toml_reader& reader, std::string_view text, const fs::path& file) {
  try {
    return toml::parse(text, std::string_view(file.native()));
  } catch (const toml::parse_error& error) {
    const std::string_view what = error.description();
    if (what.find("cannot redefine") != std::string_view::npos) {
      const std::size_t from = std::min(what.find('\''), what.size() - 1) + 1;
      const std::string_view key = what.substr(from, what.find('\'', from) - from);
      reader.fail(error.source().begin,
                  fmt::format("{} is given twice; remove one", in_quotes(key)));
    }
    reader.fail(error.source().begin,
                fmt::format("not TOML ({}); correct it, see https://toml.io", what));
  }
}

std::map<std::string, std::string, std::less<>> places_in(const toml_reader& reader,
                                                          const toml::table& root) {
  std::map<std::string, std::string, std::less<>> places;
  for (const auto& [key, node] : root) {
    places.emplace(key.str(), reader.text_of(node.source().begin));
  }
  if (const toml::table* arrays = reader.table(root, "arrays")) {
    for (const auto& [key, node] : *arrays) {
      places.emplace(fmt::format("arrays.{}", key.str()), reader.text_of(node.source().begin));
    }
  }
  return places;
}

}  // namespace

std::string scenario::place_of(std::string_view key) const {
  const auto found = places.find(key);
  return found == places.end() ? file.string() : found->second;
}

scenario parse_scenario(std::string_view text, const fs::path& file) {
  const toml_reader reader(file);
  refuse_deep_nesting(reader, text);
  const toml::table root = parse_toml(reader, text, file);
  reader.known_keys(root, top_keys, outside_top);
  scenario result;
  result.file = file;
  result.places = places_in(reader, root);
  const auto title = reader.string(root, "title");
  result.title = title ? title->text : simt::stem_of(file).string();
  result.kernel = parse_kernel(reader, root, file.parent_path());
  if (!result.kernel) parse_subject(reader, root, result);
  if (const auto workload = reader.string(root, "workload")) result.workload = workload->text;
  result.clients = parse_clients(reader, root);
  result.repeat = parse_repeat(reader, root);
  result.claims = parse_claims(reader, root);
  result.arrays = parse_arrays(reader, root);
  result.grid = parse_grid(reader, root);
  parse_object(reader, root, result);
  result.bounds = parse_step_bound(reader, root, result);
  result.runs = parse_runs(reader, root);
  check_residence(reader, result);
  check_questions(reader, root, result);
  return result;
}

scenario read_scenario(const fs::path& file) {
  std::error_code error;
  if (fs::is_directory(file, error)) {
    throw usage_error(file.string() + ": is a folder; name a scenario file");
  }
  std::ifstream stream(simt::file_to_open(file), std::ios::binary);
  if (!stream)
    throw usage_error(file.string() + ": cannot be read; check that it exists and who may read it");
  std::string text(max_file_size + 1, '\0');
  stream.read(text.data(), static_cast<std::streamsize>(text.size()));
  text.resize(static_cast<std::size_t>(stream.gcount()));
  if (text.size() > max_file_size) {
    throw usage_error(file.string() + ": is larger than 1 MiB; a scenario is a few lines of TOML");
  }
  return parse_scenario(text, file);
}

}  // namespace warpcheck
