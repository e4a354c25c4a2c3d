// Writes the combinations that are done as JSON, and reads them back if they fit the run.
#include "checker/commands/generated_progress.hpp"

#include <algorithm>
#include <fstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "checker/console/write_whole.hpp"
#include "checker/text/json_text.hpp"
#include "sim/compile/compile.hpp"
#include "warpcheck_paths.hpp"

namespace warpcheck {
namespace {

using json = nlohmann::ordered_json;

constexpr const char* format = "warpcheck generated clients 1";

}  // namespace

void generated_progress::add(std::size_t combination, const run_result& result) {
  done[combination] = true;
  states += result.states;
  transitions += result.transitions;
  depth = std::max(depth, result.depth);
  rounds += result.rounds;
  device_runs += result.device_runs;
  peak_bytes = std::max(peak_bytes, result.peak_bytes);
  seconds += result.seconds;
}

std::string generated_identity(const scenario& what, const run_settings& how,
                               const std::vector<client_lists>& all, const std::string& reduce) {
  std::string text = fmt::format("{} {} {} {} {:#x} {} {}", warpcheck_paths::version, what.subject,
                                 simt::object_fingerprint(subject_file(what)), how.name, how.check,
                                 what.spec, reduce);
  if (!how.machine.promises) text += " without load buffering";
  for (const written_operation& o : what.initial) text += ", " + o.text();
  text += fmt::format("; {} blocks of", what.grid.blocks);
  for (const std::uint32_t lanes : what.grid.lanes) text += fmt::format(" {}", lanes);
  text += fmt::format("; {} combinations of {} threads, {} operations", all.size(),
                      what.generate->threads, what.generate->operations);
  return text;
}

void save_generated(const std::filesystem::path& file, const std::string& identity,
                    const generated_progress& made) {
  json done = json::array();
  for (std::size_t i = 0; i < made.done.size(); ++i) {
    if (made.done[i]) done.push_back(i);
  }
  const json document{{"format", format},
                      {"of", identity},
                      {"done", std::move(done)},
                      {"states", made.states},
                      {"transitions", made.transitions},
                      {"depth", made.depth},
                      {"rounds", made.rounds},
                      {"device_runs", made.device_runs},
                      {"peak_bytes", made.peak_bytes},
                      {"seconds", made.seconds}};
  write_whole(file, json_text(document) + "\n", "--save");
}

generated_progress read_generated(const std::filesystem::path& file, const std::string& identity,
                                  std::size_t combinations) {
  generated_progress made;
  made.done.assign(combinations, false);
  std::ifstream in(file);
  if (!in) return made;
  const auto refuse = [&](std::string_view why) {
    return usage_error(
        fmt::format("--resume: {}: {}; remove it, and the runs begin anew", file.string(), why));
  };
  try {
    const json document = json::parse(in);
    if (document.at("format") != format) throw refuse("it is of another version of warpcheck");
    if (document.at("of") != identity) {
      throw refuse("it is of another scenario, source, reductions or version of warpcheck");
    }
    for (const json& i : document.at("done")) made.done.at(i.get<std::size_t>()) = true;
    document.at("states").get_to(made.states);
    document.at("transitions").get_to(made.transitions);
    document.at("depth").get_to(made.depth);
    document.at("rounds").get_to(made.rounds);
    document.at("device_runs").get_to(made.device_runs);
    document.at("peak_bytes").get_to(made.peak_bytes);
    document.at("seconds").get_to(made.seconds);
  } catch (const json::exception&) {
    throw refuse("it is damaged");
  } catch (const std::out_of_range&) {
    throw refuse("it is damaged");
  }
  return made;
}

}  // namespace warpcheck
