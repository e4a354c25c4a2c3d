// Reads the counts that the runner printed, and compares them with the outcomes of the model.
#include "litmus/gpu/judge.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

namespace litmus::gpu {

namespace {

using json = nlohmann::json;

std::optional<ending> ending_named(const std::string& text) {
  const auto at = std::ranges::find(ending_names, text);
  if (at == ending_names.end()) return std::nullopt;
  return static_cast<ending>(at - ending_names.begin());
}

observation parse(const json& line, ending end) {
  observation seen;
  seen.end = end;
  seen.message = line.value("message", "");
  seen.launches = line.at("launches").get<std::uint64_t>();
  seen.instances = line.at("instances").get<std::uint64_t>();
  seen.incomplete = line.at("incomplete").get<std::uint64_t>();
  seen.seconds = line.at("seconds").get<double>();
  for (const json& each : line.at("outcomes")) {
    seen.outcomes.push_back(
        {each.at("values").get<std::vector<value>>(), each.at("count").get<std::uint64_t>()});
  }
  return seen;
}

bool knows_all(const answer& a) { return a.covered.all && !a.undefined; }

bool satisfies(const program& p, const answer& model, const std::vector<value>& values) {
  return p.final.formula.holds([&](const variable& v) {
    const auto at = std::ranges::find(model.observed, v) - model.observed.begin();
    return values.at(static_cast<std::size_t>(at));
  });
}

conclusion conclude(const answer& model, const observation& seen, bool forbidden) {
  if (forbidden) return knows_all(model) ? conclusion::contradicts : conclusion::no_prediction;
  if (seen.end == ending::hang && model.terminates == true) return conclusion::contradicts;
  if (seen.end != ending::finished || seen.instances == 0) return conclusion::no_result;
  return conclusion::agrees;
}

}  // namespace

observation read_observation(const std::string& printed, int status) {
  const json line = json::parse(printed, nullptr, false);
  if (status == 0 && line.is_object() && line.contains("outcome") && line["outcome"].is_string()) {
    const auto end = ending_named(line["outcome"].get<std::string>());
    try {
      if (end) return parse(line, *end);
    } catch (const json::exception&) {
      // The text is not what the runner writes.
    }
  }
  observation none;
  none.message = printed.empty()
                     ? fmt::format("the runner ended with status {} and said nothing", status)
                     : printed;
  while (none.message.ends_with('\n')) none.message.pop_back();
  return none;
}

judgement judge(const program& p, const answer& model, const answer& sequential,
                const observation& seen) {
  std::map<std::vector<value>, judged_outcome> all;
  for (const outcome& o : model.outcomes) {
    all[o.values] = {o.values, 0, true, o.satisfies, std::nullopt};
  }
  bool forbidden = false;
  for (const counted_outcome& o : seen.outcomes) {
    if (o.values.size() != model.observed.size() || o.count == 0) continue;
    const auto [found, is_new] = all.try_emplace(o.values);
    if (is_new) {
      found->second = {o.values, 0, false, satisfies(p, model, o.values), std::nullopt};
    }
    found->second.seen += o.count;
    forbidden = forbidden || !found->second.allowed;
  }
  judgement result;
  for (auto& [values, one] : all) {
    const bool found = std::ranges::any_of(
        sequential.outcomes, [&](const outcome& o) { return o.values == one.values; });
    if (found || knows_all(sequential)) one.sequential = found;
    result.outcomes.push_back(std::move(one));
  }
  result.end = conclude(model, seen, forbidden);
  return result;
}

}  // namespace litmus::gpu
