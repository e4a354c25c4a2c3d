// Implements warpcheck lesson: goes through the shipped lessons.
#include <fmt/format.h>

#include <algorithm>
#include <iostream>
#include <iterator>
#include <sstream>

#include "checker/commands/commands.hpp"
#include "checker/commands/lesson/lesson_progress.hpp"
#include "checker/commands/lesson/lessons.hpp"
#include "checker/commands/lesson/litmus_lesson.hpp"
#include "checker/console/read_all.hpp"
#include "checker/console/standard_output.hpp"
#include "checker/console/terminal.hpp"
#include "checker/console/write_whole.hpp"
#include "checker/text/plain_text.hpp"
#include "checker/text/wrapped.hpp"
#include "sim/files/scratch_folder.hpp"
#include "sim/files/standard_input.hpp"
#include "sim/files/whole_file.hpp"

namespace warpcheck {

namespace {

namespace fs = std::filesystem;

std::string bold(const std::string& text, const text_style& style) {
  return style.colour ? fmt::format("\033[1m{}\033[0m", text) : text;
}

/// Shows Markdown on a terminal: headings, and paragraphs in its width.
std::string shown(const std::string& markdown, const text_style& style) {
  const std::size_t width = std::min<std::size_t>(style.width, 100);
  std::string out;
  std::string paragraph;
  const auto end_paragraph = [&] {
    if (!paragraph.empty()) out += wrapped(paragraph, 0, 0, width);
    paragraph.clear();
  };
  std::istringstream lines(markdown);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t marks = line.find_first_not_of('#');
    if (marks != 0 && marks != std::string::npos && line[marks] == ' ') {
      end_paragraph();
      out += bold(line.substr(marks + 1), style) + "\n";
    } else if (line.empty()) {
      end_paragraph();
      out += "\n";
    } else {
      paragraph += (paragraph.empty() ? "" : " ") + line;
    }
  }
  end_paragraph();
  return out;
}

const lesson& lesson_of(const std::vector<lesson>& all, std::uint64_t number) {
  for (const lesson& one : all) {
    if (one.number == number) return one;
  }
  throw usage_error(fmt::format("there is no lesson {}; there are 1 to {}", number, all.size()));
}

exit_status show_all(const std::vector<lesson>& all) {
  const std::set<unsigned> done = lessons_done();
  const lesson* next = nullptr;
  for (const lesson& one : all) {
    const bool is_done = done.contains(one.number);
    fmt::print("{} {:>2}  {}\n", is_done ? "✓" : " ", one.number, one.title);
    if (!is_done && next == nullptr) next = &one;
  }
  if (next == nullptr) {
    fmt::print("\nAll lessons are done. Begin again with: warpcheck lesson --reset\n");
  } else {
    fmt::print("\nNext: warpcheck lesson {}\n", next->number);
  }
  return exit_status::as_expected;
}

exit_status show_one(const lesson& one, const text_style& style) {
  fmt::print("{}", shown(one.text, style));
  const std::string shown_by = one.is_litmus
                                   ? fmt::format("litmus {} --explain", readable_path(one.kernel()))
                                   : "run " + readable_path(one.folder / "lesson.toml");
  const std::string file = "FILE" + one.kernel().extension().string();
  fmt::print("{}\n", bold("How to go on", style));
  fmt::print("  warpcheck {}  # shows what goes wrong\n", shown_by);
  fmt::print("  warpcheck lesson {} --copy {}  # what is broken, for you to edit\n", one.number,
             file);
  fmt::print("  warpcheck lesson {} --check {}  # is it right now?\n", one.number, file);
  fmt::print("  warpcheck lesson {} --answer  # the answer, and a solution\n", one.number);
  return exit_status::as_expected;
}

exit_status show_answer(const lesson& one, const text_style& style) {
  fmt::print("{}\nA solution: {}\n", shown(one.answer, style), readable_path(one.solution()));
  return exit_status::as_expected;
}

exit_status copy(const lesson& one, const fs::path& file) {
  std::error_code error;
  if (fs::exists(file, error)) {
    throw usage_error(fmt::format("--copy: {} is there already; choose another name, or remove it",
                                  file.string()));
  }
  if (file.has_parent_path()) make_folder(file.parent_path(), "--copy");
  if (!fs::copy_file(one.kernel(), file, error)) {
    throw usage_error(
        fmt::format("--copy: {} cannot be written: {}", file.string(), error.message()));
  }
  fmt::print("Edit {0}, then: warpcheck lesson {1} --check {0}\n", file.string(), one.number);
  return exit_status::as_expected;
}

void remember(const lesson& one) {
  std::set<unsigned> done = lessons_done();
  done.insert(one.number);
  try {
    keep_lessons_done(done);
  } catch (const simt::file_error& error) {
    fmt::print(stderr, "The lesson is done, but this is not remembered: {}\n", error.what());
  }
}

/// Checks the reader's file, and prints the report.
exit_status report_on(const lesson& one, const fs::path& file, double seconds) {
  if (one.is_litmus) {
    need_same_test(one.kernel(), file);
    litmus_options options;
    options.tests = {file};
    options.explain = true;
    options.time = seconds;
    return litmus_tests(options);
  }
  const simt::detail::temporary_folder scratch(fs::temp_directory_path());
  run_options options;
  options.time = seconds;
  return run_scenarios(options, {{with_kernel(one, file, scratch.path())}, {}});
}

/// Keeps what standard input has in a file of this name, because it is read more than once.
fs::path kept_input(const fs::path& file) {
  simt::write_whole(file, std::string(std::istreambuf_iterator<char>(std::cin), {}));
  return file;
}

exit_status check(const std::vector<lesson>& all, const lesson& one, const lesson_options& options,
                  const text_style& style) {
  const simt::detail::temporary_folder scratch(fs::temp_directory_path());
  fs::path file = *options.check;
  if (simt::is_standard_input(file)) {
    file = kept_input(scratch.path() / ("stdin" + one.kernel().extension().string()));
  }
  std::error_code error;
  if (!fs::is_regular_file(file, error)) {
    throw usage_error(
        fmt::format("--check: {} is no file; make one with: warpcheck lesson {} --copy {}",
                    file.string(), one.number, file.string()));
  }
  const exit_status status = report_on(one, file, options.time);
  if (status == exit_status::not_expected) {
    fmt::print("\nNot yet: {}.\n",
               one.is_litmus ? "the last line should hold" : "all runs should be ok");
    return status;
  }
  if (status != exit_status::as_expected) return status;
  remember(one);
  fmt::print("\nLesson {} is done: every {} is right.\n\n{}", one.number,
             one.is_litmus ? "execution of this test" : "schedule of these runs",
             shown(one.answer, style));
  const auto next = std::ranges::find(all, one.number + 1, &lesson::number);
  if (next != all.end()) fmt::print("\nNext: warpcheck lesson {}\n", next->number);
  return status;
}

}  // namespace

exit_status take_lesson(const lesson_options& options) {
  if (options.reset) {
    keep_lessons_done({});
    fmt::print("No lesson is done any more.\n");
    flush_output();
    return exit_status::as_expected;
  }
  const std::vector<lesson> all = shipped_lessons();
  if (!options.number) {
    for (const auto& [is_given, name] :
         {std::pair(options.copy.has_value(), "--copy"),
          std::pair(options.check.has_value(), "--check"), std::pair(options.answer, "--answer")}) {
      if (!is_given) continue;
      throw usage_error(fmt::format("{}: of which lesson? For example: warpcheck lesson 1 {}{}",
                                    name, name, options.answer ? "" : " mine.hpp"));
    }
    return show_all(all);
  }
  const lesson& one = lesson_of(all, *options.number);
  const text_style style = style_for(standard_output());
  if (options.copy) return copy(one, *options.copy);
  if (options.check) return check(all, one, options, style);
  return options.answer ? show_answer(one, style) : show_one(one, style);
}

}  // namespace warpcheck
