// Reports as one HTML file that needs nothing else: no network, no build, no server.
//
// page.html, page.css and the scripts are files here; the build embeds them (cmake/embed.cmake).
// What a page shows is one JSON document in it, which the scripts turn into what is seen. A
// document has a `kind`, "run", "history" or "litmus", a `title`, and what the script of its kind
// reads: run_page.hpp, history_page.hpp; of litmus tests, litmus::to_json and commands/litmus.cpp.
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

namespace warpcheck {

/// The page that shows `document`, with all of its style, script and data. Whatever strings the
/// document has, none of them becomes markup.
std::string html_page(const nlohmann::ordered_json& document);

}  // namespace warpcheck
