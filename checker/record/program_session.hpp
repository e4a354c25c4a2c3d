// Serves one process of the program: its device memory, its modules, its launches.
#pragma once

#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "checker/record/program_run.hpp"
#include "exec/wire/wire.hpp"
#include "sim/ptx/module.hpp"

namespace warpcheck {

/// A module of the program, whose PTX is in a file.
struct loaded_module {
  std::filesystem::path file;
  simt::ptx::module content;
};

/// A launch that the driver is asked for.
struct launch_request {
  const loaded_module* module = nullptr;
  const simt::ptx::kernel* kernel = nullptr;
  std::array<std::uint32_t, 3> grid{}, block{};
  std::uint32_t shared = 0;
  bool cooperative = false;
  std::vector<std::uint8_t> arguments;               // at their parameters' offsets
  std::map<std::uint64_t, std::uint64_t> allocated;  // from address to size
  std::map<std::string, std::uint64_t> variables;    // of the module: from name to address
};

/// The program's device memory as this process sees it.
class seen_memory {
 public:
  /// Takes over the file. Throws std::runtime_error.
  explicit seen_memory(int file);
  ~seen_memory();
  seen_memory(const seen_memory&) = delete;
  seen_memory& operator=(const seen_memory&) = delete;

  [[nodiscard]] const std::uint8_t* at(std::uint64_t address) const {
    return begin_ + (address - wire::memory_begin);
  }
  [[nodiscard]] int file() const { return file_; }

 private:
  int file_;
  const std::uint8_t* begin_;
};

/// State that all processes of the program share.
struct program_record {
  const record_options& options;
  program_run result;
  std::map<std::string, std::unique_ptr<loaded_module>> modules;  // by their text
  std::set<std::string> seen;                                     // hashes of recorded launches
};

class program_session {
 public:
  program_session(int socket, program_record& all) : socket_(socket), all_(all) {}
  ~program_session();
  program_session(const program_session&) = delete;
  program_session& operator=(const program_session&) = delete;

  [[nodiscard]] int socket() const { return socket_; }
  /// Answers one request. False: the process is gone.
  bool serve();

 private:
  int socket_;
  program_record& all_;
  std::unique_ptr<seen_memory> memory_;
  std::vector<const loaded_module*> modules_;  // by their number in this process

  bool answer(wire::reader request, int file);
  bool reply(int code, const wire::writer& rest = {});
  bool load_module(const std::string& text);
  bool launch(wire::reader& request);
};

/// Writes the launch as a scenario, with its buffers, into the folder. Throws usage_error if it
/// cannot be checked.
std::filesystem::path write_launch(const launch_request& what, const seen_memory& memory,
                                   const record_options& options, std::uint64_t number);

/// Returns a hash of all that the launch depends on.
std::string launch_hash(const launch_request& what, const seen_memory& memory);

/// Carries the launch out in the program's memory. Returns an error code of CUDA; `why` says what
/// is wrong.
int carry_out(const launch_request& what, const seen_memory& memory, const record_options& options,
              std::string& why);

}  // namespace warpcheck
