// Loads a subject's shared object, and reads its blocks, their successors and its globals.
#include "sim/subject/subject.hpp"

#include <algorithm>
#include <cstdio>
#include <mutex>
#include <set>
#include <stdexcept>
#include <unordered_map>

#include <dlfcn.h>
#include <fcntl.h>
#include <link.h>
#include <unistd.h>

#include "sim/subject/elf_image.hpp"
#include "sim/subject/registration.hpp"

namespace simt {
namespace {

using block_numbers = std::unordered_map<std::uint64_t, std::uint32_t>;

// Blocks that the code generator removed as unreachable have this number in place of an address.
constexpr std::uintptr_t removed_block = 1;

block_numbers list_blocks(const detail::registration& seen, subject_library& library) {
  // A block that the code generator found dead may have the address behind its function instead,
  // where the next one begins. No other two blocks share an address: each calls its guard.
  std::set<std::uintptr_t> entries;
  for (const std::uintptr_t* pair = seen.blocks_begin; pair < seen.blocks_end; pair += 2) {
    if ((pair[1] & 1) != 0) entries.insert(pair[0]);
  }
  block_numbers numbers;
  std::uint32_t entry = 0;
  for (const std::uintptr_t* pair = seen.blocks_begin; pair < seen.blocks_end; pair += 2) {
    const auto number = static_cast<std::uint32_t>(library.blocks.size());
    const bool is_entry = (pair[1] & 1) != 0;
    const bool is_removed = pair[0] <= removed_block || (!is_entry && entries.contains(pair[0]));
    if (is_entry) entry = number;
    basic_block block;
    block.address = is_removed ? removed_block : pair[0];
    block.function = entry;
    library.blocks.push_back(std::move(block));
    if (!is_removed) numbers.emplace(pair[0], number);
  }
  return numbers;
}

void add_successor(basic_block& block, std::uint32_t successor) {
  auto& all = block.successors;
  // A switch may name one target for several cases.
  if (std::find(all.begin(), all.end(), successor) == all.end()) all.push_back(successor);
}

void connect_blocks(const detail::registration& seen, const block_numbers& numbers,
                    subject_library& library) {
  const auto exit_hook = reinterpret_cast<std::uint64_t>(&simt_hook_exit);
  const std::uintptr_t* word = seen.flow_begin;
  while (word < seen.flow_end) {
    const auto self = numbers.find(*word++);
    // A block that consists of `unreachable` alone has no guard: lanes never enter it.
    basic_block* block = self != numbers.end() ? &library.blocks[self->second] : nullptr;
    for (; *word != 0; ++word) {
      const auto successor = numbers.find(*word);
      if (block != nullptr && successor != numbers.end()) add_successor(*block, successor->second);
    }
    ++word;
    for (; *word != 0; ++word) {
      if (block == nullptr) continue;
      block->callees.push_back(*word);
      if (*word == exit_hook) block->ends_body = true;
    }
    ++word;
  }
}

void capture_images(std::vector<device_global>& globals) {
  for (device_global& global : globals) {
    const auto* bytes = reinterpret_cast<const std::uint8_t*>(global.address);
    global.image.assign(bytes, bytes + global.size);
  }
}

std::uint64_t load_address(void* handle) {
  const link_map* map = nullptr;
  if (dlinfo(handle, RTLD_DI_LINKMAP, &map) != 0 || map == nullptr) {
    throw std::runtime_error(std::string("dlinfo: ") + dlerror());
  }
  return map->l_addr;
}

// The loader says no more than "…/x.so: undefined symbol: _ZN3foo3barEv".
std::string explain_load_failure(const std::filesystem::path& file, const std::string& message) {
  const std::string mark = "undefined symbol: ";
  const std::size_t at = message.find(mark);
  if (at == std::string::npos) return "cannot load " + file.string() + ": " + message;
  const std::string symbol = message.substr(at + mark.size());
  return "cannot load " + file.string() + ": it calls \"" + detail::demangle(symbol.c_str()) +
         "\", which is defined nowhere: define it in a header that the subject includes";
}

// Runs the static constructors in a worker, and fails as they do.
void try_to_load(const std::filesystem::path& file, const std::string& subject,
                 const patience& waiting) {
  host_worker worker(may::read_files, [&](std::string_view) {
    detail::registration seen;
    const detail::registration_scope scope(seen);
    dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);  // where that fails, load_new says why
    return std::string();
  });
  worker.ask("a static constructor of subject \"" + subject + '"', {}, waiting);
}

/// While such an object lives, nothing comes to the standard output. What static constructors print
/// is no part of a report, and try_to_load() has shown it already.
class silent_output {
 public:
  silent_output() {
    std::fflush(stdout);
    const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nowhere < 0) return;
    kept_ = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    if (kept_ >= 0) dup2(nowhere, STDOUT_FILENO);
    close(nowhere);
  }
  ~silent_output() {
    if (kept_ < 0) return;
    std::fflush(stdout);
    dup2(kept_, STDOUT_FILENO);
    close(kept_);
  }
  silent_output(const silent_output&) = delete;
  silent_output& operator=(const silent_output&) = delete;

 private:
  int kept_ = -1;
};

struct loaded_libraries {
  std::mutex mutex;
  std::map<std::filesystem::path, std::shared_ptr<const subject_library>> by_file;
};

loaded_libraries& loaded() {
  static loaded_libraries all;
  return all;
}

bool is_loaded(const std::filesystem::path& canonical) {
  const std::lock_guard<std::mutex> lock(loaded().mutex);
  return loaded().by_file.contains(canonical);
}

std::shared_ptr<const subject_library> load_new(const std::filesystem::path& file) {
  detail::registration seen;
  void* handle = nullptr;
  {
    const detail::registration_scope scope(seen);
    const silent_output silent;
    handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  }
  if (handle == nullptr) throw std::runtime_error(explain_load_failure(file, dlerror()));
  if (seen.entries.empty()) {
    throw std::runtime_error(file.string() +
                             " holds no subject: its source has no SIMT_SUBJECT(type); line");
  }
  if (seen.guards_begin == nullptr || seen.blocks_begin == nullptr || seen.flow_begin == nullptr) {
    throw std::runtime_error(file.string() + " is not instrumented: warpcheck did not compile it");
  }

  auto library = std::make_shared<subject_library>();
  library->file = file;
  library->entries = std::move(seen.entries);
  library->shared = std::move(seen.shared);
  library->makes_copies = seen.makes_copies;
  library->guards = seen.guards_begin;

  const block_numbers numbers = list_blocks(seen, *library);
  if (static_cast<std::ptrdiff_t>(library->blocks.size()) != seen.guards_end - seen.guards_begin) {
    throw std::runtime_error(file.string() + ": guards and block table differ in length");
  }
  connect_blocks(seen, numbers, *library);
  library->roles = analyze_control_flow(library->blocks);

  detail::elf_image image = detail::read_elf_image(file, load_address(handle));
  library->code_begin = image.begin;
  library->code_end = image.end;
  library->constants = std::move(image.constants);
  library->globals = std::move(image.globals);
  library->thread_variables = std::move(image.thread_variables);
  library->handle = handle;
  capture_images(library->globals);
  return library;
}

}  // namespace

std::shared_ptr<const subject_library> subject_library::load(const std::filesystem::path& file) {
  if (!std::filesystem::exists(file)) {
    throw std::runtime_error(file.string() + ": no such file");
  }
  const std::filesystem::path canonical = std::filesystem::canonical(file);
  const std::lock_guard<std::mutex> lock(loaded().mutex);
  auto& library = loaded().by_file[canonical];
  if (library == nullptr) library = load_new(canonical);
  return library;
}

std::shared_ptr<const subject_library> subject_library::load(const std::filesystem::path& file,
                                                             const std::string& subject,
                                                             const patience& waiting) {
  std::error_code error;
  const auto canonical = std::filesystem::canonical(file, error);
  if (!error && !is_loaded(canonical)) try_to_load(canonical, subject, waiting);
  return load(file);
}

bool subject_library::is_constant(std::uint64_t address, std::uint64_t size) const {
  return std::any_of(constants.begin(), constants.end(), [&](const auto& range) {
    return address >= range.first && address < range.second && size <= range.second - address;
  });
}

const thread_variable* subject_library::thread_variable_at(std::uint64_t address) const {
  void* own = nullptr;
  if (thread_variables.empty() || dlinfo(handle, RTLD_DI_TLS_DATA, static_cast<void*>(&own)) != 0)
    return nullptr;
  if (own == nullptr) return nullptr;  // the thread has used none yet
  const std::uint64_t offset = address - reinterpret_cast<std::uint64_t>(own);
  const auto found = std::ranges::find_if(thread_variables, [&](const thread_variable& each) {
    return offset >= each.offset && offset - each.offset < each.size;
  });
  return found == thread_variables.end() ? nullptr : &*found;
}

}  // namespace simt
