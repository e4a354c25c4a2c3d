// Starts the command, and turns errors into a message and an exit status (docs/scenarios.md lists
// them).
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <exception>
#include <filesystem>
#include <new>
#include <string>
#include <system_error>

#include "checker/console/standard_output.hpp"
#include "checker/options/command_line.hpp"
#include "checker/scenario/scenario.hpp"
#include "sim/compile/cache.hpp"
#include "sim/compile/compile.hpp"
#include "sim/files/whole_file.hpp"
#include "sim/worker/host_worker.hpp"

namespace {

// Returns the command as a shell would have to be given it.
std::string repeatable(int argc, char** argv) {
  constexpr std::string_view harmless =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=:,+@%";
  std::string line = "warpcheck";
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (!word.empty() && word.find_first_not_of(harmless) == std::string::npos) {
      line += ' ' + word;
      continue;
    }
    line += " '";
    for (const char c : word) line += c == '\'' ? std::string("'\\''") : std::string(1, c);
    line += '\'';
  }
  return line;
}

int status(warpcheck::exit_status value) { return static_cast<int>(value); }

// Writes a message. If standard error cannot be written, the exit status says all that can be said.
int said(const std::string& message, warpcheck::exit_status how) {
  std::fputs((message + "\n").c_str(), stderr);
  return status(how);
}

int carry_out(int argc, char** argv) {
  try {
    warpcheck::prepare_standard_files();
    const warpcheck::exit_status result = warpcheck::command_line(argc, argv);
    warpcheck::flush_output();
    return status(result);
  } catch (const warpcheck::usage_error& error) {
    return said(error.what(), warpcheck::exit_status::wrong_use);
  } catch (const simt::compile_error& error) {
    return said(error.what(), warpcheck::exit_status::wrong_use);
  } catch (const simt::host_code_error& error) {
    return said(error.what(), warpcheck::exit_status::wrong_use);
  } catch (const simt::host_code_stopped& error) {
    return said(error.what(), warpcheck::exit_status::inconclusive);
  } catch (const warpcheck::output_error& error) {
    return said(error.what(), warpcheck::exit_status::wrong_use);
  } catch (const simt::file_error& error) {
    return said(error.what(), warpcheck::exit_status::wrong_use);
  } catch (const std::filesystem::filesystem_error& error) {
    return said(fmt::format("{}: {}", error.path1().string(), error.code().message()),
                warpcheck::exit_status::wrong_use);
  } catch (const std::bad_alloc&) {
    return said(
        "there is no more memory: the machine, its control group or ulimit -v gives no more; "
        "try --max-memory, --spill, or a smaller scenario",
        warpcheck::exit_status::inconclusive);
  } catch (const std::exception& error) {
    // fmt throws this if it cannot print.
    if (const auto* system = dynamic_cast<const std::system_error*>(&error);
        system != nullptr && std::ferror(stdout) != 0) {
      return said(warpcheck::output_error(system->code()).what(),
                  warpcheck::exit_status::wrong_use);
    }
    return said(fmt::format("internal defect: {}\nrepeat it with: {}", error.what(),
                            repeatable(argc, argv)),
                warpcheck::exit_status::internal_defect);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const int result = carry_out(argc, argv);
  // Code that a subject has registered for the end of the process could change its status, or wait
  // for ever.
  simt::detail::remove_cache_of_process();
  std::fflush(nullptr);
  _exit(result);
}
