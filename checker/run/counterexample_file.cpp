// Writes a counterexample's scenario, run and choices as JSON, and reads them back with checks.
#include "checker/run/counterexample_file.hpp"

#include <fstream>
#include <span>
#include <sstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "checker/run/facts_json.hpp"
#include "checker/scenario/model_names.hpp"
#include "checker/scenario/scenario_limits.hpp"
#include "checker/text/json_text.hpp"
#include "sim/compile/compile.hpp"
#include "sim/files/kind_of_file.hpp"
#include "sim/files/standard_input.hpp"
#include "sim/files/whole_file.hpp"

namespace warpcheck {

using json = nlohmann::ordered_json;

namespace {

// Files of version 1 have numbers for choices under weak memory, and the facts that give these
// numbers their meaning.
constexpr int file_version = 2, numbered_version = 1;

constexpr std::string_view clients_name(simt::clients c) {
  return c == simt::clients::lane ? "lane" : c == simt::clients::warp ? "warp" : "block";
}

json texts(const std::vector<simt::choice_name>& choices, const simt::grid_shape& grid) {
  json list = json::array();
  for (const simt::choice_name& c : choices) list.push_back(to_text(c, grid));
  return list;
}

json operations(const std::vector<written_operation>& written) {
  json list = json::array();
  for (const written_operation& one : written) list.push_back(one.text());
  return list;
}

/// Reads members of a JSON object. Every complaint names the member.
class reader {
 public:
  reader(const json& value, std::string file, std::string path)
      : value_(value), file_(std::move(file)), path_(std::move(path)) {
    if (!value.is_object()) fail("", "is not an object");
  }

  [[noreturn]] void fail(const std::string& key, const std::string& what) const {
    const std::string at = path_.empty() ? key : key.empty() ? path_ : path_ + "." + key;
    throw usage_error(
        fmt::format("{}: {} {}; `warpcheck run FILE --counterexamples DIR` writes "
                    "counterexamples",
                    file_, at.empty() ? "the document" : "\"" + at + "\"", what));
  }
  [[nodiscard]] bool has(const std::string& key) const { return value_.contains(key); }
  [[nodiscard]] const json& at(const std::string& key) const {
    if (!has(key)) fail(key, "is missing");
    return value_[key];
  }
  [[nodiscard]] std::string text(const std::string& key) const {
    if (!at(key).is_string()) fail(key, "is not a string");
    return at(key).get<std::string>();
  }
  [[nodiscard]] std::uint32_t number(const std::string& key, std::uint64_t least,
                                     std::uint64_t most) const {
    return number(key, at(key), least, most);
  }
  [[nodiscard]] std::uint32_t number(const std::string& key, const json& value, std::uint64_t least,
                                     std::uint64_t most) const {
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() < least ||
        value.get<std::uint64_t>() > most) {
      fail(key, fmt::format("is not a number from {} to {}", least, most));
    }
    return value.get<std::uint32_t>();
  }
  [[nodiscard]] const json& array(const std::string& key) const {
    if (!at(key).is_array()) fail(key, "is not an array");
    return at(key);
  }
  [[nodiscard]] reader object(const std::string& key) const {
    return {at(key), file_, path_.empty() ? key : path_ + "." + key};
  }
  [[nodiscard]] std::size_t one_of(const std::string& key,
                                   std::initializer_list<std::string_view> names) const {
    return one_of(key, std::span(names.begin(), names.size()));
  }
  /// Returns the index of the member's text in `names`.
  [[nodiscard]] std::size_t one_of(const std::string& key,
                                   std::span<const std::string_view> names) const {
    const std::string given = text(key);
    std::size_t i = 0;
    for (const std::string_view name : names) {
      if (name == given) return i;
      ++i;
    }
    fail(key, fmt::format("is \"{}\", which is not known", given));
  }

 private:
  const json& value_;
  std::string file_;
  std::string path_;
};

std::vector<simt::choice_name> choices_in(const reader& from, const std::string& key,
                                          const simt::grid_shape& grid) {
  std::vector<simt::choice_name> choices;
  std::size_t i = 0;
  for (const json& text : from.array(key)) {
    const std::string place = fmt::format("{}[{}]", key, i++);
    if (!text.is_string()) from.fail(place, "is not a string");
    try {
      choices.push_back(simt::choice_name_from(text.get<std::string>(), grid));
    } catch (const std::invalid_argument& error) {
      from.fail(place, fmt::format("is wrong: {}", error.what()));
    }
  }
  return choices;
}

std::vector<written_operation> operations_in(const reader& from, const std::string& key,
                                             const json& list, const std::string& file) {
  if (!list.is_array()) from.fail(key, "is not an array");
  if (list.size() > max_operations) {
    from.fail(key, fmt::format("has more than {} operations in a list", max_operations));
  }
  std::vector<written_operation> all;
  for (const json& text : list) {
    auto one = text.is_string() ? operation_from(text.get<std::string>()) : std::nullopt;
    if (!one) from.fail(key, "has something in it that is no operation");
    one->where = file;
    all.push_back(std::move(*one));
  }
  return all;
}

/// Finds the source on this machine, where the folders that the file names may not exist. A source
/// in the folder of the counterexample comes first.
std::filesystem::path find_source(const std::filesystem::path& file,
                                  const std::string& scenario_file, const std::string& source,
                                  trusted_sources trusted) {
  const auto beside_scenario = std::filesystem::path(scenario_file).parent_path() / source;
  const auto folder = file.parent_path();
  std::filesystem::path elsewhere;
  for (const auto& candidate : {folder / std::filesystem::path(source).filename(), folder / source,
                                folder / beside_scenario, beside_scenario}) {
    std::error_code error;
    if (!std::filesystem::is_regular_file(candidate, error)) continue;
    if (is_below_folder_of(candidate, file)) {
      return std::filesystem::absolute(candidate).lexically_normal();
    }
    elsewhere = std::filesystem::absolute(candidate).lexically_normal();
  }
  if (!elsewhere.empty() && trusted == trusted_sources::all) return elsewhere;
  if (!elsewhere.empty() && simt::is_standard_input(file)) {
    throw usage_error(fmt::format(
        "standard input: the source {} of this counterexample would run with your rights; if you "
        "trust it, add --trust (docs/trust.md)",
        elsewhere.string()));
  }
  if (!elsewhere.empty()) {
    throw usage_error(fmt::format(
        "{}: its source {} is outside of this file's folder, and would run with your rights; if "
        "you trust it, add --trust, or put a copy beside this file (docs/trust.md)",
        file.string(), elsewhere.string()));
  }
  throw usage_error(
      fmt::format("{}: its source {} is not here; run in the folder where it was written, "
                  "or put {} beside the counterexample",
                  file.string(), beside_scenario.string(), source));
}

std::array<std::uint32_t, 3> extent_in(const reader& from, const std::string& key) {
  const json& list = from.array(key);
  if (list.size() != 3) from.fail(key, "has not three numbers");
  std::array<std::uint32_t, 3> extent{};
  for (std::size_t i = 0; i < 3; ++i) extent[i] = from.number(key, list[i], 1, max_threads);
  return extent;
}

std::vector<std::string> texts_in(const reader& from, const std::string& key) {
  std::vector<std::string> all;
  for (const json& text : from.array(key)) {
    if (!text.is_string()) from.fail(key, "has something in it that is no string");
    all.push_back(text.get<std::string>());
  }
  return all;
}

json bounds_json(const step_bounds& bounds) {
  if (bounds.each) return *bounds.each;
  json named = json::object();
  for (const auto& [operation, most] : bounds.named) named[operation] = most;
  return named;
}

step_bounds bounds_in(const reader& from) {
  const json& given = from.at("step_bound");
  if (!given.is_object()) return {from.number("step_bound", 1, max_step_bound), {}};
  step_bounds bounds;
  for (const auto& [operation, most] : given.items()) {
    bounds.named[operation] = from.number("step_bound." + operation, most, 1, max_step_bound);
  }
  return bounds;
}

kernel_launch kernel_in(const reader& from, const std::filesystem::path& file,
                        const std::string& scenario_file, trusted_sources trusted) {
  kernel_launch launch;
  launch.file = find_source(file, scenario_file, from.text("file"), trusted);
  launch.name = from.text("name");
  launch.flags = texts_in(from, "flags");
  launch.grid = extent_in(from, "grid");
  launch.block = extent_in(from, "block");
  check_extents(launch, file.string());
  launch.shared = from.number("shared", 0, most_shared_bytes);
  if (!from.at("cooperative").is_boolean()) from.fail("cooperative", "is not true or false");
  launch.cooperative = from.at("cooperative").get<bool>();
  if (from.has("cluster")) launch.cluster = from.number("cluster", 1, max_cluster);
  if (from.has("zero_shared")) launch.zero_shared = from.at("zero_shared") == json(true);
  const auto contents = [&](const char* key, std::vector<written_buffer>& to) {
    const reader given = from.object(key);
    for (const auto& entry : from.at(key).items()) {
      to.push_back(buffer_from(entry.key(), given.text(entry.key()), file.string()));
      written_buffer& last = to.back();
      if (last.filled == written_buffer::fill::file)
        last.file = find_source(file, scenario_file, last.file.string(), trusted);
    }
  };
  contents("buffers", launch.buffers);
  if (from.has("variables")) contents("variables", launch.variables);
  if (from.has("pointers")) {
    for (const std::string& text : texts_in(from, "pointers"))
      launch.pointers.push_back(pointer_from(text, file.string()));
  }
  for (const std::string& text : texts_in(from, "arguments"))
    launch.arguments.push_back(argument_from(text, file.string()));
  return launch;
}

}  // namespace

bool is_below_folder_of(const std::filesystem::path& source, const std::filesystem::path& file) {
  if (simt::is_standard_input(file)) return false;  // it has no folder
  std::error_code error;
  const auto folder =
      std::filesystem::weakly_canonical(std::filesystem::absolute(file), error).parent_path();
  const auto path = std::filesystem::weakly_canonical(std::filesystem::absolute(source), error);
  if (error) return false;
  const auto relative = path.lexically_relative(folder);
  return !relative.empty() && *relative.begin() != "..";
}

std::string subject_fingerprint(const session& run) {
  return run.subject().source ? simt::source_fingerprint(*run.subject().source)
                              : simt::object_fingerprint(run.setup().library->file);
}

std::string counterexample_name(const scenario& what, const run_settings& how, verdict kind) {
  return fmt::format("{}-{}-{}", simt::stem_of(what.file).string(), how.name, name(kind));
}

namespace {

/// Returns a file's path relative to the folder of the scenario.
std::string seen_from(const std::filesystem::path& scenario_file,
                      const std::filesystem::path& file) {
  return file.lexically_relative(std::filesystem::absolute(scenario_file).parent_path()).string();
}

json kernel_json(const kernel_launch& launch, const std::filesystem::path& scenario_file) {
  json buffers = json::object();
  for (const written_buffer& buffer : launch.buffers) buffers[buffer.name] = buffer.text;
  json variables = json::object();
  for (const written_buffer& variable : launch.variables) variables[variable.name] = variable.text;
  json pointers = json::array();
  for (const written_pointer& pointer : launch.pointers) pointers.push_back(pointer.text);
  json arguments = json::array();
  for (const written_argument& argument : launch.arguments) arguments.push_back(argument.text);
  json all{{"file", seen_from(scenario_file, launch.file)},
           {"name", launch.name},
           {"flags", launch.flags},
           {"grid", launch.grid},
           {"block", launch.block},
           {"shared", launch.shared},
           {"cooperative", launch.cooperative},
           {"buffers", std::move(buffers)},
           {"arguments", std::move(arguments)}};
  if (!variables.empty()) all["variables"] = std::move(variables);
  if (!pointers.empty()) all["pointers"] = std::move(pointers);
  if (launch.zero_shared) all["zero_shared"] = true;
  if (launch.cluster != 0) all["cluster"] = launch.cluster;
  return all;
}

}  // namespace

nlohmann::ordered_json run_document(const session& run, const std::string& scenario_file) {
  const scenario& s = run.subject();
  const run_settings& how = run.settings();
  json what{{"file", scenario_file}, {"title", s.title}, {"subject", s.subject}};
  if (s.kernel) {
    what["kernel"] = kernel_json(*s.kernel, s.file);
  } else if (s.source) {
    what["source"] = seen_from(s.file, *s.source);
  }
  what["workload"] = run.setup().entry->workload;
  what["clients"] = clients_name(s.clients);
  what["repeat"] = s.never_ends() ? json("forever") : json(s.repeat);
  if (s.claims) what["claims"] = name(*s.claims);
  if (!s.bounds.empty()) what["step_bound"] = bounds_json(s.bounds);
  if (!s.threads.empty()) {
    what["threads"] = json::array();
    for (const auto& thread : s.threads) what["threads"].push_back(operations(thread));
    what["initial"] = operations(s.initial);
    what["spec"] = s.spec;
  }
  what["arrays"] = json::object();
  for (const auto& [name, array] : s.arrays) {
    what["arrays"][name] = array.values.empty() ? json(array.elements) : json(array.values);
  }
  what["grid"] = {{"blocks", s.grid.blocks}, {"lanes", s.grid.lanes}};
  if (s.grid.cluster > 1) what["grid"]["cluster"] = s.grid.cluster;
  if (s.grid.cooperative) what["grid"]["cooperative"] = true;
  if (s.grid.copies) what["grid"]["copies"] = true;
  json settings{{"reconvergence", reconvergence_name(how)},
                {"memory", memory_name(how)},
                {"progress", progress_name(how)},
                {"fairness", fairness_name(how)},
                {"resident", how.machine.resident},
                {"block_order", how.machine.order == simt::block_order::index ? "index" : "any"}};
  if (how.deterministic) settings["deterministic"] = *how.deterministic;
  return {{"scenario", std::move(what)},
          {"run", std::move(settings)},
          {"fingerprint", subject_fingerprint(run)}};
}

json counterexample_document(session& run, const violation& found, const std::string& scenario_file,
                             std::string_view version) {
  json document{{"version", file_version}, {"warpcheck", version}};
  document.update(run_document(run, scenario_file));
  const named_execution how = names_of_choices(run, found.how);
  document.update({{"verdict", name(found.kind)},
                   {"detail", found.detail},
                   {"choices", texts(how.prefix, run.subject().grid)},
                   {"cycle", texts(how.cycle, run.subject().grid)}});
  if (!how.votes.empty()) document["votes"] = to_json(how.votes);
  return document;
}

void write_counterexample(const std::filesystem::path& file, session& run, const violation& found,
                          const std::string& scenario_file, std::string_view version) {
  simt::write_whole(file,
                    json_text(counterexample_document(run, found, scenario_file, version)) + '\n');
}

saved_counterexample read_counterexample(const std::filesystem::path& file,
                                         trusted_sources trusted) {
  const auto why = simt::is_standard_input(file) ? std::string() : simt::objection_to_file(file);
  if (!why.empty()) {
    throw usage_error(file.string() + ": " + why +
                      "; `warpcheck run FILE --counterexamples DIR` writes counterexamples");
  }
  constexpr std::uintmax_t largest = std::uintmax_t{256} << 20;
  std::error_code error;
  if (std::filesystem::file_size(file, error) > largest && !error) {
    throw usage_error(file.string() + ": is larger than 256 MiB; no counterexample is");
  }
  std::ifstream in(simt::file_to_open(file));
  std::stringstream text;
  text << in.rdbuf();
  if (!in) throw usage_error(file.string() + ": cannot be read");
  json document;
  try {
    document = json::parse(text.str());
  } catch (const json::parse_error& error) {
    const std::string_view message = error.what();
    const auto at = message.find("parse error");
    throw usage_error(fmt::format("{}: this is no counterexample: {}", file.string(),
                                  at == std::string_view::npos ? message : message.substr(at)));
  }
  const reader top(document, file.string(), "");
  const bool is_numbered = top.at("version") == numbered_version;
  if (!is_numbered && top.at("version") != file_version) {
    top.fail("version", fmt::format("is neither {} nor {}: another warpcheck wrote this file",
                                    numbered_version, file_version));
  }
  saved_counterexample saved;
  saved.written_by = top.text("warpcheck");
  saved.fingerprint = top.text("fingerprint");

  const reader what = top.object("scenario");
  scenario& s = saved.what;
  s.file = what.text("file");
  for (const char* key : {"subject", "workload", "repeat", "threads", "spec"}) {
    s.places[key] = fmt::format("{}: scenario.{}", file.string(), key);
  }
  s.title = what.text("title");
  s.subject = what.text("subject");
  if (what.has("kernel"))
    s.kernel = kernel_in(what.object("kernel"), file, what.text("file"), trusted);
  if (what.has("source"))
    s.source = find_source(file, what.text("file"), what.text("source"), trusted);
  s.workload = what.text("workload");
  s.clients = static_cast<simt::clients>(what.one_of("clients", {"lane", "warp", "block"}));
  const bool never_ends = what.at("repeat").is_string();
  if (never_ends) (void)what.one_of("repeat", {"forever"});
  s.repeat = never_ends ? simt::detail::for_ever : what.number("repeat", 1, max_repeat);
  if (what.has("claims")) {
    s.claims =
        static_cast<guarantee>(what.one_of("claims", {guarantee_names[0], guarantee_names[1],
                                                      guarantee_names[2], guarantee_names[3]}));
  }
  if (what.has("step_bound")) s.bounds = bounds_in(what);
  const reader grid = what.object("grid");
  s.grid.blocks = grid.number("blocks", 1, max_threads);
  if (grid.has("cluster")) s.grid.cluster = grid.number("cluster", 1, max_cluster);
  if (s.grid.blocks % s.grid.cluster != 0) {
    grid.fail("cluster", fmt::format("is no divisor of {} blocks", s.grid.blocks));
  }
  if (grid.has("copies")) s.grid.copies = grid.at("copies") == json(true);
  if (grid.has("cooperative")) s.grid.cooperative = grid.at("cooperative") == json(true);
  s.grid.lanes.clear();
  for (const json& lanes : grid.array("lanes"))
    s.grid.lanes.push_back(grid.number("lanes", lanes, 1, max_lanes));
  if (s.grid.lanes.empty() || s.grid.lanes.size() > max_warps) {
    grid.fail("lanes", fmt::format("is not a list of 1 to {} warps", max_warps));
  }
  if (s.grid.threads() > max_threads) {
    top.fail("scenario.grid",
             fmt::format("has {} threads, more than {}", s.grid.threads(), max_threads));
  }
  const json& arrays = what.at("arrays");
  if (!arrays.is_object()) what.fail("arrays", "is not an object");
  for (const auto& [name, array] : arrays.items()) {
    const std::string key = "arrays." + name;
    if (!array.is_array()) {
      s.arrays[name].elements = what.number(key, array, 1, max_elements);
      continue;
    }
    if (array.empty() || array.size() > max_elements) {
      what.fail(key, fmt::format("has not 1 to {} elements", max_elements));
    }
    for (const json& value : array) {
      if (!value.is_number_integer()) what.fail(key, "has something in it that is no integer");
      s.arrays[name].values.push_back(value.get<std::int64_t>());
    }
    s.arrays[name].elements = array.size();
  }

  if (what.has("threads")) {
    if (what.array("threads").size() > max_threads) {
      what.fail("threads", fmt::format("has more than {} clients", max_threads));
    }
    for (const json& thread : what.array("threads")) {
      s.threads.push_back(operations_in(what, "threads", thread, file.string()));
    }
    s.initial = operations_in(what, "initial", what.at("initial"), file.string());
    s.spec = what.text("spec");
  }

  const reader how = top.object("run");
  run_settings settings;
  settings.machine.reconvergence =
      static_cast<simt::reconvergence>(how.one_of("reconvergence", {"stack", "its"}));
  settings.machine.memory = static_cast<simt::memory_model>(how.one_of("memory", {"sc", "ptx"}));
  if (is_numbered && settings.machine.memory == simt::memory_model::ptx) {
    const json& facts = top.at("memory_facts");
    try {
      saved.facts = memory_facts_in(facts);
    } catch (const std::runtime_error& error) {
      top.fail("memory_facts", fmt::format("cannot be read: {}", error.what()));
    }
  }
  settings.progress = static_cast<simt::progress>(how.one_of("progress", progress_names));
  if (how.has("fairness")) {  // not in files of 0.1
    settings.fairness = static_cast<simt::fairness>(how.one_of("fairness", fairness_names));
  }
  settings.machine.resident = how.number("resident", 0, max_threads);
  settings.machine.order =
      static_cast<simt::block_order>(how.one_of("block_order", {"any", "index"}));
  if (how.has("deterministic")) settings.deterministic = texts_in(how, "deterministic");
  s.runs = {settings};

  const auto kind = verdict_named(top.text("verdict"));
  if (!kind || !is_violation(*kind)) top.fail("verdict", "is not a violation");
  // The kind of violation decides whether histories are looked at.
  s.runs.front().check = bit(*kind);
  saved.found = {*kind, {}, top.text("detail")};
  saved.how = {choices_in(top, "choices", s.grid), choices_in(top, "cycle", s.grid), {}};
  try {
    if (top.has("votes")) saved.how.votes = votes_in(top.array("votes"));
  } catch (const std::runtime_error& error) {
    top.fail("votes", fmt::format("cannot be read: {}", error.what()));
  }
  return saved;
}

std::string find_choices(session& run, saved_counterexample& saved, const later_questions& ask) {
  if (run.traits_of_memory().learns_facts && !saved.facts) {
    found_execution found = find_choices(run, saved.how, ask);
    saved.found.how = std::move(found.how);
    return found.lost;
  }
  // Numbers have their meaning with the facts of the file. Without weak memory they need none.
  if (saved.facts) run.facts().learn(*saved.facts);
  run.facts().settle(true);
  saved.found.how = {};
  for (const simt::choice_name& one : saved.how.prefix) saved.found.how.prefix.push_back(one.by);
  for (const simt::choice_name& one : saved.how.cycle) saved.found.how.cycle.push_back(one.by);
  return {};
}

}  // namespace warpcheck
