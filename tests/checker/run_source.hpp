// Checks a subject given as source text, under one model.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include <fmt/format.h>

#include "checker/check/check.hpp"
#include "sim/compile/cache.hpp"
#include "sim/compile/compile.hpp"

namespace test {

struct grid {
  std::uint32_t blocks = 1;
  std::vector<std::uint32_t> lanes{2};
};

class source_run {
 public:
  /// `code` follows `#include <simt/simt.hpp>` and registers one subject named `subject`.
  source_run(const std::string& code, grid shape = {},
             simt::reconvergence reconvergence = simt::reconvergence::its) {
    what.source = written("#include <simt/simt.hpp>\n" + code);
    what.file = "test.toml";
    what.subject = "subject";
    what.grid.blocks = shape.blocks;
    what.grid.lanes = shape.lanes;
    how.machine.reconvergence = reconvergence;
  }

  warpcheck::run_result check(const warpcheck::reductions& reduce = {}) {
    warpcheck::session run(what, how);
    return warpcheck::check(run, bounds, reduce);
  }
  /// The violations found, as names.
  std::string found() { return names(check()); }
  /// The message of the error that compiling or checking throws; empty if it throws none.
  std::string error() {
    try {
      check();
    } catch (const warpcheck::usage_error& e) {
      return e.what();
    } catch (const simt::compile_error& e) {
      return e.what();
    }
    return {};
  }

  static std::string names(const warpcheck::run_result& result) {
    std::string text;
    for (const warpcheck::violation& v : result.violations) {
      text += (text.empty() ? "" : " ") + std::string(name(v.kind));
    }
    return text.empty() ? std::string(name(result.gravest)) : text;
  }

  warpcheck::scenario what;
  warpcheck::run_settings how;
  warpcheck::limits bounds;

 private:
  /// A file of this content. The next test that has the same finds it where it was, and so
  /// compiled: the cache tells apart where sources are. It is never half written, since others may
  /// read it.
  static std::filesystem::path written(const std::string& text) {
    namespace fs = std::filesystem;
    const fs::path folder = fs::temp_directory_path() /
                            fmt::format("warpcheck-tests-{}", geteuid()) /
                            simt::detail::content_hash(text);
    fs::create_directories(folder);
    const fs::path unfinished = folder / fmt::format("{}.unfinished", getpid());
    std::ofstream(unfinished) << text;
    fs::rename(unfinished, folder / "subject.hpp");
    return folder / "subject.hpp";
  }
};

/// A subject without a workload; `check` is the body of its final check, if it has one.
inline std::string kernel(const std::string& members, const std::string& body,
                          const std::string& check = "") {
  const std::string last = check.empty() ? "" : fmt::format("bool check() const {{ {} }}\n", check);
  return fmt::format(
      "struct subject {{\n{}\nSIMT_FN void operator()() {{\n{}\n}}\n{}}};\n"
      "SIMT_SUBJECT(subject);\n",
      members, body, last);
}

}  // namespace test
