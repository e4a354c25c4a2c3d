// Sentences about an answer: a witness, why an outcome is forbidden, why a test need not end, what
// races.
#pragma once

#include <string>
#include <vector>

#include "litmus/answer.hpp"

namespace litmus {

using sentences = std::vector<std::string>;

/// "P0: st.weak x, 1"; "the initial value of x"
std::string described(const execution& x, event_id e);

/// The events of the execution, what each load reads, and the orders that matter.
sentences describe(const witness& w);

/// What comes before what, but by other proxies or addresses, so that it does not count here; and
/// the fences with which it would.
sentences what_proxies_lack(const witness& w);

/// Why no complete execution makes the condition's formula true (false, for forall): the axiom
/// without which one would, that one, and the edges of it that the axiom forbids. Under sequential
/// consistency the axioms are one order of all instructions, and atomicity.
sentences why_forbidden(const program& p, const candidate_options& options, bool formula_is);

/// Who waits for ever, and for what.
sentences why_endless(const witness& w);

/// What would make them no race.
std::string remedy(const program& p, const race& one);

/// The accesses, and the remedy.
std::string describe(const program& p, const race& one);

}  // namespace litmus
