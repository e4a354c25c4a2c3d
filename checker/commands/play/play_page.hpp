// Makes the page in which a reader plays the scheduler.
//
// The document has "nodes", the states that can be reached, of which the first is the beginning. A
// node has its "state" and its "edges": who goes next, in the words of the terminal, and the number
// of the node where that leads "to". A violation is the "verdict" of a node, or of an edge that
// ends the run. "can" of an edge lists what can be met behind it, and "never" says that no schedule
// finishes there. "races" of a node are pairs of its edges.
//
// "counterexample" is the file of a counterexample without its choices. An edge has its "choice",
// and a node with a verdict has what follows its choices: "more", and those that repeat, "cycle".
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "checker/run/session.hpp"

namespace warpcheck {

/// The run must have had a first look, from which its machine has learnt. Throws usage_error if
/// there are too many states for a page.
nlohmann::ordered_json play_document(session& run, const std::string& label);

}  // namespace warpcheck
