// Checks each line of a test file, and turns it into a program with labels.
#include "checker/progress/test_file.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <span>

#include "checker/text/closest_name.hpp"
#include "checker/text/in_quotes.hpp"
#include "checker/text/usage_error.hpp"
#include "sim/files/standard_input.hpp"

namespace warpcheck {
namespace {

constexpr std::size_t longest_line = 1U << 20;  // bytes
constexpr std::size_t longest_id = 200;         // bytes
constexpr int deepest = 8;                      // levels of JSON; a test has 3

constexpr std::array<std::string_view, 5> keys{"id", "threads", "weak", "strong", "hw"};

/// Reads one line of a file.
class line_reader {
 public:
  line_reader(const std::string& file, std::uint32_t line) : file_(file), line_(line) {}

  [[nodiscard]] progress_test read(const std::string& text) const {
    const nlohmann::json document = parse(text);
    if (!document.is_object()) fail("", "is not an object; write {\"id\": …, \"threads\": …}");
    known_keys(document, keys, "");
    progress_test test;
    test.line = line_;
    test.id = id_of(document);
    test.program = program_of(document);
    for (const fairness_notion notion : fairness_notions) {
      test.labels[static_cast<std::size_t>(notion)] = labels_of(document, name(notion));
    }
    // Results of hardware do not matter here, and their shape is not prescribed.
    if (const auto hw = document.find("hw"); hw != document.end() && !hw->is_object()) {
      fail("hw", "is not an object; write \"hw\": {…}, or leave it out");
    }
    return test;
  }

  /// `where` is a path like threads[0][1]; empty: the line as a whole.
  [[noreturn]] void fail(const std::string& where, const std::string& what_and_remedy) const {
    throw usage_error(fmt::format("{}:{}: {}{}{}", file_, line_, where,
                                  where.empty() || what_and_remedy.starts_with("is ") ? "" : ":",
                                  where.empty() ? what_and_remedy : " " + what_and_remedy));
  }

 private:
  const std::string& file_;
  std::uint32_t line_;

  [[nodiscard]] nlohmann::json parse(const std::string& text) const {
    std::vector<std::set<std::string>> open;  // keys of the objects that are open
    const auto look = [&](int depth, nlohmann::json::parse_event_t event, nlohmann::json& parsed) {
      using enum nlohmann::json::parse_event_t;
      if (depth > deepest) fail("", "is nested too deeply; a test has lists of lists of strings");
      if (event == object_start) open.emplace_back();
      if (event == object_end) open.pop_back();
      if (event == key && !open.back().insert(parsed.get<std::string>()).second) {
        fail("", fmt::format("{} is given twice; remove one",
                             in_quotes(parsed.get_ref<const std::string&>())));
      }
      return true;
    };
    try {
      return nlohmann::json::parse(text, look);
    } catch (const nlohmann::json::exception& error) {
      const auto* at = dynamic_cast<const nlohmann::json::parse_error*>(&error);
      throw usage_error(fmt::format(
          "{}:{}:{}: not JSON; each line is one object, {{\"id\": …, \"threads\": [[…], …]}}",
          file_, line_, at == nullptr ? 1 : std::max<std::size_t>(at->byte, 1)));
    }
  }

  void known_keys(const nlohmann::json& object, std::span<const std::string_view> known,
                  const std::string& where) const {
    for (const auto& [key, value] : object.items()) {
      if (std::ranges::find(known, key) != known.end()) continue;
      const auto near = closest_name(key, known);
      fail(where, fmt::format("unknown key {}; {}", in_quotes(key),
                              near ? fmt::format("did you mean {}?", in_quotes(*near))
                                   : fmt::format("it can be {}", fmt::join(known, ", "))));
    }
  }

  [[nodiscard]] std::string id_of(const nlohmann::json& document) const {
    const auto id = document.find("id");
    if (id == document.end()) fail("", "has no \"id\"; give the test a name: \"id\": \"…\"");
    if (!id->is_string()) fail("id", "is not a string; write \"id\": \"…\"");
    const auto& text = id->get_ref<const std::string&>();
    if (text.empty()) fail("id", "is empty; give the test a name");
    if (text.size() > longest_id) {
      fail("id", fmt::format("is longer than {} bytes; give the test a shorter name", longest_id));
    }
    return text;
  }

  [[nodiscard]] progress_program program_of(const nlohmann::json& document) const {
    const auto threads = document.find("threads");
    if (threads == document.end()) {
      fail("", "has no \"threads\"; write for example \"threads\": [[\"store m0 1\"]]");
    }
    if (!threads->is_array()) fail("threads", "is not an array; write [[…], …]");
    if (threads->empty() || threads->size() > most_progress_threads) {
      fail("threads", fmt::format("is a list of {}; give it 1 to {} threads", threads->size(),
                                  most_progress_threads));
    }
    progress_program program;
    for (std::size_t t = 0; t < threads->size(); ++t) {
      program.threads.push_back(thread_of((*threads)[t], fmt::format("threads[{}]", t)));
    }
    return program;
  }

  [[nodiscard]] std::vector<progress_instruction> thread_of(const nlohmann::json& list,
                                                            const std::string& where) const {
    if (!list.is_array()) fail(where, "is not an array; write [\"…\", …]");
    if (list.size() > most_progress_instructions) {
      fail(where, fmt::format("is a list of {} instructions; give it {} at most", list.size(),
                              most_progress_instructions));
    }
    std::vector<progress_instruction> thread;
    for (std::size_t i = 0; i < list.size(); ++i) {
      const std::string place = fmt::format("{}[{}]", where, i);
      if (!list[i].is_string()) fail(place, "is not a string; write for example \"store m0 1\"");
      try {
        thread.push_back(parse_instruction(list[i].get_ref<const std::string&>(), list.size()));
      } catch (const instruction_error& error) {
        fail(place, error.what());
      }
    }
    return thread;
  }

  [[nodiscard]] std::array<std::optional<bool>, progress_models.size()> labels_of(
      const nlohmann::json& document, std::string_view notion) const {
    std::array<std::optional<bool>, progress_models.size()> labels;
    const std::string where(notion);
    const auto found = document.find(where);
    if (found == document.end()) return labels;
    if (!found->is_object()) fail(where, "is not an object; write {\"FAIR\": true, …}");
    known_keys(*found, progress_model_names, where);
    for (const progress_model model : progress_models) {
      const auto label = found->find(std::string(name(model)));
      if (label == found->end()) continue;
      if (!label->is_boolean()) {
        fail(fmt::format("{}.{}", where, name(model)), "is not true or false; write one of these");
      }
      labels[static_cast<std::size_t>(model)] = label->get<bool>();
    }
    return labels;
  }
};

}  // namespace

std::vector<progress_test> read_progress_tests(std::istream& stream, const std::string& file) {
  std::vector<progress_test> tests;
  std::map<std::string, std::uint32_t> line_of;
  std::string text;
  for (std::uint32_t line = 1; std::getline(stream, text); ++line) {
    if (text.find_first_not_of(" \t\r") == std::string::npos) continue;
    const line_reader reader(file, line);
    if (text.size() > longest_line) {
      reader.fail("", "the line is longer than 1 MiB; each line is one test");
    }
    progress_test test = reader.read(text);
    if (const auto [other, is_new] = line_of.emplace(test.id, line); !is_new) {
      reader.fail("id",
                  fmt::format("is that of line {} too; give each test its own", other->second));
    }
    tests.push_back(std::move(test));
  }
  if (tests.empty()) {
    throw usage_error(file + ": has no tests; each line is one, as docs/progress.md says");
  }
  return tests;
}

std::vector<progress_test> read_progress_tests(const std::filesystem::path& file) {
  std::error_code error;
  if (std::filesystem::is_directory(file, error)) {
    throw usage_error(file.string() + ": is a folder; name a file of tests");
  }
  std::ifstream stream(simt::file_to_open(file), std::ios::binary);
  if (!stream) {
    throw usage_error(file.string() + ": cannot be read; check that it exists and who may read it");
  }
  return read_progress_tests(stream, file.string());
}

}  // namespace warpcheck
