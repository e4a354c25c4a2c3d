// Turns what is known of a program under weak memory into JSON, for saved searches and for
// counterexample files. Numbers of choices, and states, mean the same only with the same facts.
#pragma once

#include <map>

#include <nlohmann/json_fwd.hpp>

#include "sim/memory/ptx_memory.hpp"

namespace warpcheck {

nlohmann::json to_json(const simt::memory_facts& facts);

nlohmann::json to_json(const std::map<simt::vote, simt::vote_answers>& votes);

/// Throws std::runtime_error that names the member that is missing or wrong.
simt::memory_facts memory_facts_in(const nlohmann::json& from);
std::map<simt::vote, simt::vote_answers> votes_in(const nlohmann::json& list);

}  // namespace warpcheck
