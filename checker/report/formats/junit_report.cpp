// Makes cases of runs, and writes and reads JUnit XML.
#include "checker/report/formats/junit_report.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <filesystem>
#include <pugixml.hpp>
#include <sstream>
#include <string_view>

#include "checker/report/formats/terminal_report.hpp"
#include "checker/text/xml_text.hpp"

namespace warpcheck {

namespace {

struct ending_name {
  const char* name;
  junit_case::kind what;
};
constexpr std::array<ending_name, 3> names_of_endings{{{"failure", junit_case::kind::failed},
                                                       {"error", junit_case::kind::error},
                                                       {"skipped", junit_case::kind::skipped}}};

struct sum {
  std::size_t tests = 0, failures = 0, errors = 0, skipped = 0;
  double seconds = 0;

  void add(const junit_case& one) {
    ++tests;
    failures += one.what == junit_case::kind::failed ? 1 : 0;
    errors += one.what == junit_case::kind::error ? 1 : 0;
    skipped += one.what == junit_case::kind::skipped ? 1 : 0;
    seconds += one.seconds;
  }
};

void set(pugi::xml_node node, const char* name, const std::string& value) {
  node.append_attribute(name).set_value(xml_text(value).c_str());
}

void set_sum(pugi::xml_node node, const sum& count) {
  set(node, "tests", std::to_string(count.tests));
  set(node, "failures", std::to_string(count.failures));
  set(node, "errors", std::to_string(count.errors));
  set(node, "time", fmt::format("{:.3f}", count.seconds));
}

void add_text(pugi::xml_node parent, const char* name, const std::string& text) {
  parent.append_child(name).text().set(xml_text(text).c_str());
}

// Turns "scenarios/locks/tas.toml" into "scenarios.locks.tas": viewers take dots for folders.
std::string class_name(const std::string& file) {
  std::string name;
  for (const auto& part : std::filesystem::path(file).replace_extension().lexically_normal()) {
    std::string word = part.string();
    if (word == "/" || word == ".." || word == "." || word.empty()) continue;
    for (char& c : word) c = c == '.' ? '_' : c;
    name += (name.empty() ? "" : ".") + word;
  }
  return name;
}

void add_case(pugi::xml_node suite, const std::string& file, const junit_case& one) {
  pugi::xml_node node = suite.append_child("testcase");
  set(node, "name", one.name);
  set(node, "classname", class_name(file));
  set(node, "file", file);
  set(node, "time", fmt::format("{:.3f}", one.seconds));
  if (one.what == junit_case::kind::passed) {
    if (!one.text.empty()) add_text(node, "system-out", one.text);
    return;
  }
  const auto ending = std::ranges::find(names_of_endings, one.what, &ending_name::what);
  pugi::xml_node why = node.append_child(ending->name);
  set(why, "type", one.type);
  set(why, "message", one.message);
  if (!one.text.empty()) why.text().set(xml_text(one.text).c_str());
}

void add_property(pugi::xml_node properties, const std::string& name, const std::string& value) {
  pugi::xml_node node = properties.append_child("property");
  set(node, "name", name);
  set(node, "value", value);
}

void add_suite(pugi::xml_node root, const junit_suite& one, const std::string& began) {
  sum count;
  for (const junit_case& c : one.cases) count.add(c);
  pugi::xml_node node = root.append_child("testsuite");
  set(node, "name", one.file);
  set_sum(node, count);
  set(node, "skipped", std::to_string(count.skipped));
  set(node, "timestamp", began);
  set(node, "file", one.file);
  if (!one.subject.empty()) {
    pugi::xml_node properties = node.append_child("properties");
    add_property(properties, "title", one.title);
    add_property(properties, "subject", one.subject);
  }
  for (const junit_case& c : one.cases) add_case(node, one.file, c);
}

}  // namespace

std::string unexpected_ending(const run_report& report) {
  const verdict expected = report.settings.expect.value_or(verdict::ok);
  const verdict found = report.result.gravest;
  if (found != expected) return fmt::format("{}, expected {}", name(found), name(expected));
  return fmt::format("{}, but not the expected set of violations", name(found));
}

junit_case to_junit(const run_report& report) {
  junit_case one;
  one.name = report.settings.name;
  one.seconds = report.result.seconds;
  const text_style plain;
  if (report.as_expected) {
    one.what = junit_case::kind::passed;
    one.text = headline(report, plain);
    return one;
  }
  one.what = report.inconclusive ? junit_case::kind::error : junit_case::kind::failed;
  one.type = name(report.inconclusive ? verdict::inconclusive : report.result.gravest);
  one.message = unexpected_ending(report);
  if (report.inconclusive && !report.result.stopped.empty())
    one.message += ": " + report.result.stopped.text;
  one.text = headline(report, plain) + story(report, plain);
  return one;
}

std::optional<junit_case> case_in(const std::string& document) {
  pugi::xml_document parsed;
  if (!parsed.load_string(document.c_str())) return std::nullopt;
  const pugi::xml_node node = parsed.child("testsuites").child("testsuite").child("testcase");
  if (!node || node.next_sibling("testcase") || node.parent().next_sibling("testsuite"))
    return std::nullopt;
  junit_case one;
  one.name = node.attribute("name").as_string();
  one.seconds = node.attribute("time").as_double();
  one.what = junit_case::kind::passed;
  one.text = node.child("system-out").text().as_string();
  for (const auto& [name, what] : names_of_endings) {
    const pugi::xml_node why = node.child(name);
    if (!why) continue;
    one.what = what;
    one.type = why.attribute("type").as_string();
    one.message = why.attribute("message").as_string();
    one.text = why.text().as_string();
  }
  return one;
}

std::string junit_time_now() {
  return fmt::format("{:%Y-%m-%dT%H:%M:%S}", fmt::gmtime(std::time(nullptr)));
}

std::string to_junit(const std::vector<junit_suite>& suites, const std::string& began) {
  pugi::xml_document document;
  pugi::xml_node declaration = document.append_child(pugi::node_declaration);
  set(declaration, "version", "1.0");
  set(declaration, "encoding", "UTF-8");
  sum count;
  for (const junit_suite& suite : suites) {
    for (const junit_case& one : suite.cases) count.add(one);
  }
  pugi::xml_node root = document.append_child("testsuites");
  set(root, "name", "warpcheck");
  set_sum(root, count);
  for (const junit_suite& suite : suites) add_suite(root, suite, began);
  std::ostringstream text;
  document.save(text, "  ", pugi::format_default, pugi::encoding_utf8);
  return text.str();
}

}  // namespace warpcheck
