// Joins knowledge, makes digests of it, and writes and reads it as JSON.
#include "checker/run/knowledge.hpp"

#include <map>
#include <set>
#include <span>
#include <stdexcept>
#include <utility>

#define XXH_INLINE_ALL
#include <xxhash.h>
#include <nlohmann/json.hpp>

#include "checker/run/facts_json.hpp"
#include "checker/run/packed_numbers.hpp"

namespace warpcheck {
namespace {

using json_value = nlohmann::json;

template <class Number>
json_value packed_json(const std::vector<Number>& numbers) {
  return json_value::binary(packed(std::span<const Number>(numbers)));
}

template <class Number>
std::vector<Number> numbers_in(const json_value& value) {
  return unpacked<Number>(value.get_binary());
}

json_value packed_places(const kept_places& kept) {
  return {{"warps", kept.warps},
          {"lanes", kept.lanes},
          {"blocks", kept.blocks},
          {"roles", packed_json(kept.roles)}};
}

kept_places places_in(const json_value& from) {
  return {from.at("warps").get<bool>(), from.at("lanes").get<bool>(), from.at("blocks").get<bool>(),
          numbers_in<std::uint32_t>(from.at("roles"))};
}

json_value packed_uses(const simt::shared_facts::location_uses& uses) {
  json_value all = json_value::array();
  for (const auto& [key, use] : uses)
    all.push_back(
        {key, use.lane, use.stores, use.suspicious, use.ordinary, use.arrives, use.loses_phases});
  return all;
}

simt::shared_facts::location_uses uses_in(const json_value& from) {
  simt::shared_facts::location_uses uses;
  for (const json_value& one : from) {
    uses[one.at(0).get<std::uint32_t>()] = {one.at(1).get<std::uint32_t>(), one.at(2).get<bool>(),
                                            one.at(3).get<bool>(),          one.at(4).get<bool>(),
                                            one.at(5).get<bool>(),          one.at(6).get<bool>()};
  }
  return uses;
}

json_value packed_footprints(const simt::footprints::knowledge& all) {
  std::vector<std::uint32_t> cells;
  for (const simt::footprints::cell& one : all.cells) {
    cells.push_back(one.begin);
    cells.push_back(one.end);
  }
  return {{"cells", packed_json(cells)},
          {"sets", packed_json(all.sets)},
          {"races", packed_json(all.races)},
          {"flags", packed_json(all.flags)},
          {"continuations", all.continuations}};
}

simt::footprints::knowledge footprints_in(const json_value& from, bool meets_divergence) {
  simt::footprints::knowledge all;
  const auto cells = numbers_in<std::uint32_t>(from.at("cells"));
  for (std::size_t i = 0; i + 1 < cells.size(); i += 2) {
    all.cells.push_back({cells[i], cells[i + 1]});
  }
  all.sets = numbers_in<std::uint64_t>(from.at("sets"));
  all.races = numbers_in<std::uint64_t>(from.at("races"));
  all.flags = numbers_in<std::uint8_t>(from.at("flags"));
  all.continuations = from.at("continuations").get<std::size_t>();
  all.meets_divergence = meets_divergence;
  return all;
}

json_value packed_assumed(const simt::assumed_answers& all) {
  std::vector<std::uint32_t> never, no_other(all.no_other.begin(), all.no_other.end());
  std::vector<std::uint64_t> answers;
  for (const auto& [of, answer] : all.never) {
    never.push_back(of);
    answers.push_back(answer);
  }
  return {{"never", packed_json(never)},
          {"answers", packed_json(answers)},
          {"no_other", packed_json(no_other)}};
}

simt::assumed_answers assumed_in(const json_value& from) {
  simt::assumed_answers all;
  const auto never = numbers_in<std::uint32_t>(from.at("never"));
  const auto answers = numbers_in<std::uint64_t>(from.at("answers"));
  if (never.size() != answers.size()) throw std::runtime_error("there are answers of nobody");
  for (std::size_t i = 0; i < never.size(); ++i) all.never.insert({never[i], answers[i]});
  for (const auto c : numbers_in<std::uint32_t>(from.at("no_other"))) all.no_other.insert(c);
  return all;
}

json_value packed_classes(const knowledge::classes& lanes) {
  std::vector<std::uint32_t> of;
  std::vector<std::uint64_t> answers;
  for (const simt::lane_automaton::question& q : lanes.questions) {
    of.push_back(q.of);
    answers.push_back(q.answer);
  }
  json_value all = {{"of", packed_json(of)},
                    {"answers", packed_json(answers)},
                    {"digest", lanes.digest},
                    {"renamings", lanes.renamings},
                    {"assumed", packed_assumed(lanes.assumed)}};
  if (lanes.footprints) all["footprints"] = packed_footprints(*lanes.footprints);
  return all;
}

knowledge::classes classes_in(const json_value& from, bool meets_divergence) {
  knowledge::classes lanes;
  const auto of = numbers_in<std::uint32_t>(from.at("of"));
  const auto answers = numbers_in<std::uint64_t>(from.at("answers"));
  if (of.size() != answers.size()) throw std::runtime_error("there are questions without answers");
  for (std::size_t i = 0; i < of.size(); ++i) lanes.questions.push_back({of[i], answers[i]});
  lanes.digest = from.at("digest").get<std::uint64_t>();
  lanes.renamings = from.at("renamings").get<std::uint64_t>();
  lanes.assumed = assumed_in(from.at("assumed"));
  if (const auto reaches = from.find("footprints"); reaches != from.end()) {
    lanes.footprints = footprints_in(*reaches, meets_divergence);
  }
  return lanes;
}

/// Packs what states rest on. Left out are how often lanes were asked, and which lanes use a
/// location: the facts that follow from that count.
json_value packed_assumptions(const knowledge& all) {
  json_value what = {
      {"without_lockstep", all.off.lockstep},     {"without_names", all.off.names},
      {"without_moves", all.off.moves},           {"without_proofs", all.off.proofs},
      {"moves", packed_places(all.moves)},        {"its_moves", packed_places(all.its_moves)},
      {"meets_divergence", all.meets_divergence}, {"not_worth", all.not_worth}};
  if (all.weak) {
    what["memory_facts"] = to_json(all.weak->facts);
    // Only reductions rest on this fact, so counterexamples do not need it.
    what["wavering"] = all.weak->facts.wavering;
  }
  return what;
}

}  // namespace

void kept_places::join(const kept_places& more) {
  warps = warps || more.warps;
  lanes = lanes || more.lanes;
  blocks = blocks || more.blocks;
  if (more.roles.empty()) return;
  if (roles.empty()) roles.assign(more.roles.size(), 0);
  if (roles.size() != more.roles.size()) throw std::runtime_error("there were other lanes");
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> numbers;
  for (std::size_t i = 0; i < roles.size(); ++i) {
    const auto next = static_cast<std::uint32_t>(numbers.size());
    roles[i] = numbers.try_emplace({roles[i], more.roles[i]}, next).first->second;
  }
}

kept_places known_of(const simt::symmetry& moves) {
  return {moves.keeps_warps(),
          moves.fixes_lanes(),
          moves.fixes_blocks(),
          {moves.roles().begin(), moves.roles().end()}};
}

void teach(simt::symmetry& moves, const kept_places& known) {
  if (known.warps) moves.keep_warps();
  if (known.lanes) moves.fix_lanes();
  if (known.blocks) moves.fix_blocks();
  if (known.roles.empty()) return;
  if (known.roles.size() != moves.roles().size())
    throw std::runtime_error("there were other lanes");
  moves.tell_apart(known.roles);
}

void without::join(const without& more) {
  lockstep = lockstep || more.lockstep;
  names = names || more.names;
  moves = moves || more.moves;
  proofs = proofs || more.proofs;
}

void knowledge::memory::join(const memory& more) {
  simt::shared_facts all;
  all.learn(facts);
  all.learn(more.facts);
  facts = all.now();
  for (const auto& [key, use] : more.uses) {
    const auto [at, is_new] = uses.try_emplace(key, use);
    if (!is_new) at->second.join(use);
  }
}

void knowledge::join(const knowledge& more) {
  off.join(more.off);
  moves.join(more.moves);
  its_moves.join(more.its_moves);
  meets_divergence = meets_divergence || more.meets_divergence;
  not_worth.insert(more.not_worth.begin(), more.not_worth.end());
  if (more.weak) {
    if (!weak) weak.emplace();
    weak->join(*more.weak);
  }
  if (more.lanes && (!lanes || lanes->questions.size() < more.lanes->questions.size())) {
    lanes = more.lanes;
  }
}

std::uint64_t knowledge::digest() const {
  std::vector<std::uint8_t> all = json_value::to_cbor(packed_assumptions(*this));
  const std::uint64_t seed = lanes ? lanes->renamings : 0;
  return XXH3_64bits_withSeed(all.data(), all.size(), seed);
}

json_value knowledge::to_json() const {
  json_value all = packed_assumptions(*this);
  if (weak) all["memory_uses"] = packed_uses(weak->uses);
  if (lanes) all["classes"] = packed_classes(*lanes);
  return all;
}

knowledge knowledge::from_json(const json_value& from) {
  knowledge all;
  all.off = {from.at("without_lockstep").get<bool>(), from.at("without_names").get<bool>(),
             from.at("without_moves").get<bool>(), from.at("without_proofs").get<bool>()};
  all.moves = places_in(from.at("moves"));
  all.its_moves = places_in(from.at("its_moves"));
  all.meets_divergence = from.at("meets_divergence").get<bool>();
  all.not_worth = from.at("not_worth").get<std::set<std::uint64_t>>();
  if (const auto facts = from.find("memory_facts"); facts != from.end()) {
    memory& weak = all.weak.emplace();
    weak.facts = memory_facts_in(*facts);
    weak.facts.wavering = from.at("wavering").get<std::set<std::uint32_t>>();
    weak.uses = uses_in(from.at("memory_uses"));
  }
  if (const auto lanes = from.find("classes"); lanes != from.end()) {
    all.lanes = classes_in(*lanes, all.meets_divergence);
  }
  return all;
}

}  // namespace warpcheck
