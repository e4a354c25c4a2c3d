// What is known of a program whose memory is weak, as JSON: in counterexample files and saved
// searches. The choices and the states of an execution mean the same only with the same facts.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "sim/memory/ptx_memory.hpp"

namespace warpcheck {

nlohmann::json to_json(const simt::memory_facts& facts);

/// Throws std::runtime_error: which member is missing or wrong.
simt::memory_facts memory_facts_in(const nlohmann::json& from);

}  // namespace warpcheck
