// The axioms: which completions of an execution a memory model allows.
//
// Models: PTX ISA 6.0 (with the proxies of 7.5, and the clusters of 7.8): Coherence, Fence-SC,
// Atomicity, SC-per-location, Causality. No-thin-air holds by how executions are made
// (unfolding.hpp). Also sequential consistency, with the same instructions and barriers. Does not
// model: coherence with more pairs than follow from the axioms. Each further pair would only forbid
// more, so it shows no further outcome.
#pragma once

#include <functional>
#include <string_view>

#include "litmus/clauses.hpp"
#include "litmus/execution.hpp"
#include "litmus/relations.hpp"

namespace litmus {

enum class memory_model : std::uint8_t { ptx, sc };

std::string_view name(memory_model m);

/// Whether an unfinished execution could still become an allowed one: no axiom is violated so far.
/// Events may be added later; relations between the present events stay.
bool may_be_allowed(const execution& x, memory_model model, const clauses& rules);

/// A function that is called now and then. True: stop the search.
using stop_request = std::function<bool()>;

/// Calls `use` with each completion that the model allows, until `use` returns false or `stop`
/// returns true. Every load that is present has its source. `blocked`: barriers where a thread
/// waits for ever.
void for_each_allowed(const execution& x, event_set blocked, memory_model model,
                      const clauses& rules, const std::function<bool(const completion&)>& use,
                      const stop_request& stop = {});

enum class axiom : std::uint8_t {
  coherence,
  fence_sc,
  atomicity,
  sc_per_location,
  causality,
  no_thin_air
};

std::string_view name(axiom a);

/// Reads-from and dependencies on data and branches have no cycle.
bool has_no_thin_air(const execution& x, const clauses& rules);

/// The first axiom of the PTX model that the completion violates, if any.
std::optional<axiom> violated(const execution& x, const completion& with);

}  // namespace litmus
