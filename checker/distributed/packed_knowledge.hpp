// Knowledge as a message between ranks.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "checker/distributed/message.hpp"
#include "checker/run/knowledge.hpp"
#include "checker/run/session.hpp"

namespace warpcheck {

byte_list pack_knowledge(const knowledge& known);
knowledge knowledge_in(std::span<const std::uint8_t> packed);
/// What a run knows of weak memory. Nothing: its memory is not weak.
std::optional<knowledge::memory> facts_of(const session& run);
/// Makes a run know what another rank's run knows, and forget what else it knows of locations.
void take_over_facts(const session& run, const std::optional<knowledge::memory>& from);

}  // namespace warpcheck
