// Puts style, scripts and data into the frame of a page.
#include "checker/report/html/page.hpp"

#include <string_view>
#include <utility>

#include <nlohmann/json.hpp>

#include "checker/report/html/embedded.hpp"

namespace warpcheck {
namespace {

/// JSON that may stand in a script element: without "<", nothing in it ends the element or begins a
/// comment. In JSON, "<" only occurs in strings.
std::string json_in_script(const nlohmann::ordered_json& document) {
  const std::string text =
      document.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  std::string safe;
  safe.reserve(text.size());
  for (const char c : text) {
    if (c == '<') {
      safe += "\\u003c";
    } else {
      safe += c;
    }
  }
  return safe;
}

}  // namespace

std::string html_page(const nlohmann::ordered_json& document) {
  std::string text;
  std::string_view rest = embedded::page_html;
  const std::pair<std::string_view, std::string> parts[] = {
      {"@style@", std::string(embedded::page_css)},
      {"@data@", json_in_script(document)},
      {"@script@", std::string(embedded::elements_js) + std::string(embedded::history_js) +
                       std::string(embedded::litmus_js) + std::string(embedded::state_js) +
                       std::string(embedded::run_js) + std::string(embedded::play_js) +
                       std::string(embedded::page_js)}};
  for (const auto& [mark, part] : parts) {  // in the order of page.html
    const auto at = rest.find(mark);
    text.append(rest.substr(0, at)).append(part);
    rest = rest.substr(at + mark.size());
  }
  return text.append(rest);
}

}  // namespace warpcheck
