// Packs knowledge as CBOR, and hands facts of weak memory from one rank's run to another's.
#include "checker/distributed/packed_knowledge.hpp"

#include <nlohmann/json.hpp>

namespace warpcheck {

byte_list pack_knowledge(const knowledge& known) {
  return nlohmann::json::to_cbor(known.to_json());
}

knowledge knowledge_in(std::span<const std::uint8_t> packed) {
  return knowledge::from_json(nlohmann::json::from_cbor(packed));
}

std::optional<knowledge::memory> facts_of(const session& run) {
  if (!run.traits_of_memory().learns_facts) return std::nullopt;
  return knowledge::memory{run.facts().now(), run.facts().uses()};
}

void take_over_facts(const session& run, const std::optional<knowledge::memory>& from) {
  if (!from) return;
  simt::shared_facts& facts = run.facts();
  facts.forget_uses();
  facts.learn(from->facts);
  for (const auto& [key, use] : from->uses) facts.use(key, use);
}

}  // namespace warpcheck
