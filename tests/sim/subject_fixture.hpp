// Small subjects for tests, written against the boundary itself rather than the API.
#pragma once

#include <filesystem>
#include <fstream>
#include <string>

#include <stdlib.h>
#include <unistd.h>

#include "sim/compile/compile.hpp"
#include "sim/subject/subject.hpp"

namespace simt::test {

/// A folder for sources and for the cache of compiled subjects, which goes away at the end.
class subject_folder {
 public:
  subject_folder() {
    std::string name = (std::filesystem::temp_directory_path() / "warpcheck-test-XXXXXX").string();
    path_ = ::mkdtemp(name.data());
    ::setenv("WARPCHECK_CACHE", (path_ / "cache").c_str(), 1);
  }
  ~subject_folder() {
    ::unsetenv("WARPCHECK_CACHE");
    std::filesystem::remove_all(path_);
  }
  subject_folder(const subject_folder&) = delete;
  subject_folder& operator=(const subject_folder&) = delete;

  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  std::filesystem::path write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / name) << text;
    return path_ / name;
  }

  std::shared_ptr<const subject_library> load(const std::string& text) const {
    return subject_library::load(compile_subject(write("subject.hpp", text)));
  }

 private:
  std::filesystem::path path_;
};

/// Starts every source. `mark_0` to `mark_3` are functions of the test, to find blocks by.
inline const std::string preamble = R"(#pragma once
#include <new>
#include <simt/detail/hooks.hpp>
#define DEVICE [[gnu::always_inline]] inline
extern "C" [[noreturn]] void __assert_fail(const char*, const char*, unsigned, const char*);
extern "C" void mark_0();
extern "C" void mark_1();
extern "C" void mark_2();
extern "C" void mark_3();
// One atomic operation, whose result is the lane's own affair.
DEVICE bool try_lock(void* where) { return simt_hook_memory(0, where, 1, 0) == 0; }
)";

/// Ends every source: registers `type`, which has a call operator that takes a count.
inline std::string registered(const std::string& type) {
  return R"(
namespace {
void construct(void* object) { ::new (object) )" +
         type + R"(; }
void body(void* object, std::uint32_t repeat) {
  (*static_cast<)" +
         type + R"(*>(object))(repeat);
  simt_hook_exit();
}
constexpr simt::detail::subject_entry entry{")" +
         type + R"(", "kernel", ")" + type + "\", sizeof(" + type + "), alignof(" + type +
         R"(), construct, nullptr, body, nullptr};
[[maybe_unused]] const bool is_registered = (simt_register_subject(&entry), true);
}
)";
}

/// A source whose body is `statements`, with `held` to lock and `repeat` to count.
inline std::string kernel(const std::string& statements) {
  return preamble +
         "struct kernel {\n  int held = 0;\n  DEVICE void operator()(unsigned repeat) {\n" +
         statements + "\n  }\n};\n" + registered("kernel");
}

}  // namespace simt::test
