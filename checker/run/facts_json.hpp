// Turns what is known of a program under weak memory into JSON, for counterexample files and saved
// searches. Choices and states of an execution mean the same only with the same facts.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "sim/memory/ptx_memory.hpp"

namespace warpcheck {

nlohmann::json to_json(const simt::memory_facts& facts);

/// Throws std::runtime_error that names the member that is missing or wrong.
simt::memory_facts memory_facts_in(const nlohmann::json& from);

}  // namespace warpcheck
