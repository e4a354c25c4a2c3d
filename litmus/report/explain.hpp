// Sentences about an answer: a witness, why an outcome is forbidden, why a test need not end, and
// which accesses race.
#pragma once

#include <string>
#include <vector>

#include "litmus/answer.hpp"

namespace litmus {

using sentences = std::vector<std::string>;

/// "P0: st.weak x, 1"; "the initial value of x"
std::string described(const execution& x, event_id e);

/// The events of the execution, the source of each load, and the orders that matter.
sentences describe(const witness& w);

/// Accesses that are ordered, but by other proxies or addresses, so that the order does not count;
/// and the fences that would make it count.
sentences what_proxies_lack(const witness& w);

/// Why no complete execution makes the condition's formula true (for forall: false). Names an axiom
/// without which one would, shows that execution, and its edges that the axiom forbids. Under
/// sequential consistency the axioms are one order of all instructions, and atomicity.
sentences why_forbidden(const program& p, const candidate_options& options, bool formula_is);

/// The threads that wait for ever, and what they wait for.
sentences why_endless(const witness& w);

/// The change that would make the accesses no race.
std::string remedy(const program& p, const race& one);

/// The accesses, and the remedy.
std::string describe(const program& p, const race& one);

}  // namespace litmus
