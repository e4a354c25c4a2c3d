// Makes reports as one HTML file that needs nothing else: no network, no build, no server.
//
// page.html, page.css and the scripts are files here; the build embeds them (cmake/embed.cmake). A
// page contains one JSON document, which the scripts show. A document has a `kind` ("run",
// "history", "litmus" or "play"), a `title`, and what the script of its kind reads. run_page.hpp,
// history_page.hpp and commands/play/play_page.hpp make such documents. For litmus tests,
// litmus::to_json and commands/litmus.cpp do.
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

namespace warpcheck {

/// Returns the page that shows `document`, with all of its style, script and data. No string of the
/// document becomes markup.
std::string html_page(const nlohmann::ordered_json& document);

}  // namespace warpcheck
