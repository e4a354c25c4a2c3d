// Compiling, caching and loading subjects.
#include "sim/subject/subject.hpp"

#include <algorithm>
#include <chrono>
#include <fstream>
#include <sstream>

#include <doctest/doctest.h>

#include "tests/sim/subject_fixture.hpp"

using namespace simt;
using namespace simt::test;
namespace fs = std::filesystem;

namespace {

const device_global* find_global(const subject_library& library, const std::string& name) {
  for (const device_global& global : library.globals) {
    if (global.name == name) return &global;
  }
  return nullptr;
}

template <typename Action>
std::string message_of(Action action) {
  try {
    action();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "no error";
}

std::string content(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

}  // namespace

TEST_CASE("a subject's entry, globals, shared variables and constants") {
  const subject_folder folder;
  const auto library = folder.load(preamble + R"(
int counter = 7;
static long long zero[2];
extern const int table[4];
const int table[4] = {1, 2, 3, 4};
inline const std::uint32_t slot_a = simt_register_shared(12, 4, false);
inline const std::uint32_t slot_b = simt_register_shared(8, 8, false);
struct kernel {
  int value = 5;
  DEVICE void operator()(unsigned repeat) {
    counter += table[repeat & 3];
    zero[1] = reinterpret_cast<long long>(simt_hook_shared(slot_b));
  }
};
)" + registered("kernel"));

  REQUIRE(library->entries.size() == 1);
  CHECK(std::string(library->entries[0]->name) == "kernel");
  int value = 0;
  library->entries[0]->construct(&value);
  CHECK(value == 5);

  const device_global* counter = find_global(*library, "counter");
  REQUIRE(counter != nullptr);
  CHECK(counter->size == 4);
  CHECK(counter->image == std::vector<std::uint8_t>{7, 0, 0, 0});
  const device_global* zero = find_global(*library, "zero");
  REQUIRE(zero != nullptr);
  CHECK(zero->size == 16);
  CHECK(find_global(*library, "table") == nullptr);
  CHECK_FALSE(library->is_constant(counter->address, 4));
  CHECK(counter->address >= library->code_begin);
  CHECK(counter->address + counter->size <= library->code_end);

  REQUIRE(library->shared.size() == 2);
  CHECK(library->shared[0].size == 12);
  CHECK(library->shared[1].align == 8);

  const auto name = reinterpret_cast<std::uint64_t>(library->entries[0]->name);
  CHECK(library->is_constant(name, 6));
  CHECK(library->is_constant(reinterpret_cast<std::uint64_t>(library->entries[0]), 8));
  CHECK_FALSE(library->is_constant(library->code_end, 1));

  CHECK(calls_not_inlined(*library, *library->entries[0]).empty());
  for (std::uint32_t block = 0; block < library->blocks.size(); ++block) {
    CHECK(library->guards[block] == block + 1);
  }
  CHECK(std::count_if(library->blocks.begin(), library->blocks.end(),
                      [](const basic_block& block) { return block.ends_body; }) == 1);
}

TEST_CASE("the same file is loaded once") {
  const subject_folder folder;
  const auto first = folder.load(kernel("mark_0();"));
  CHECK(subject_library::load(first->file) == first);
  CHECK(first->entries.size() == 1);
}

TEST_CASE("calls that were not inlined are named") {
  const subject_folder folder;
  const auto library = folder.load(preamble + R"(
namespace tools {
template <typename T> [[gnu::noinline]] T helper(T x) { return x + 1; }
}
void (*pointer)() = mark_0;
struct kernel {
  int value = 0;
  DEVICE void operator()(unsigned) {
    value = tools::helper(value);
    mark_1();
    pointer();
  }
};
)" + registered("kernel"));
  const std::vector<std::string> calls = calls_not_inlined(*library, *library->entries[0]);
  CHECK(calls == std::vector<std::string>{"a function called through a pointer",
                                          "int tools::helper<int>(int)", "mark_1"});
}

TEST_CASE("what cannot be loaded is explained") {
  const subject_folder folder;
  const fs::path text = folder.write("text.so", "no shared object");
  CHECK(message_of([&] { subject_library::load(text); }).find("cannot load") == 0);
  CHECK(message_of([&] {
          subject_library::load(folder.path() / "none.so");
        }).find("no such file") != std::string::npos);
  CHECK(message_of([&] { folder.load("#pragma once\nint counter;\n"); }).find("SIMT_SUBJECT") !=
        std::string::npos);
  const std::string undefined = message_of([&] {
    folder.load("namespace other { int missing(int); }\n" + kernel("held = other::missing(1);"));
  });
  CHECK(undefined.find("\"other::missing(int)\"") != std::string::npos);
}

TEST_CASE("compile errors are the compiler's own") {
  const subject_folder folder;
  const fs::path source = folder.write("wrong.hpp", "#pragma once\nint f() { return nothing; }\n");
  CHECK_THROWS_AS(compile_subject(source), compile_error);
  const std::string message = message_of([&] { compile_subject(source); });
  CHECK(message.find("wrong.hpp:2:18: error:") != std::string::npos);
  CHECK(message.find("cache") == std::string::npos);
  CHECK_THROWS_AS(compile_subject(folder.path() / "none.hpp"), compile_error);
}

TEST_CASE("the cache follows the content of everything included") {
  const subject_folder folder;
  const std::string text = "#include \"part.hpp\"\n" + kernel("held = part;");
  const fs::path part = folder.write("part.hpp", "inline constexpr int part = 1;\n");
  const fs::path source = folder.write("a source.hpp", text);

  const fs::path first = compile_subject(source);
  const auto written = fs::last_write_time(first);
  CHECK(compile_subject(source) == first);
  CHECK(fs::last_write_time(first) == written);
  const std::string fingerprint = source_fingerprint(source);
  CHECK(fingerprint.size() == 32);
  CHECK(object_fingerprint(first) == fingerprint);

  folder.write("part.hpp", "inline constexpr int part = 2;\n");
  const fs::path second = compile_subject(source);
  CHECK(second != first);
  CHECK(source_fingerprint(source) != fingerprint);

  folder.write("part.hpp", "inline constexpr int part = 1;\n");
  CHECK(compile_subject(source) == first);
  CHECK(source_fingerprint(source) == fingerprint);

  const subject_folder elsewhere;
  elsewhere.write("part.hpp", "inline constexpr int part = 1;\n");
  CHECK(source_fingerprint(elsewhere.write("a source.hpp", text)) == fingerprint);
}

TEST_CASE("a cache that cannot be written is replaced") {
  const subject_folder folder;
  const fs::path source = folder.write("subject.hpp", kernel("mark_0();"));
  ::setenv("WARPCHECK_CACHE", "/dev/null/cache", 1);
  const fs::path object = compile_subject(source);
  CHECK(fs::exists(object));
  CHECK(compile_subject(source) == object);
}

TEST_CASE("compile_subject_to writes the object and its dependencies") {
  const subject_folder folder;
  const fs::path source = folder.write("subject.hpp", kernel("mark_0();"));
  const fs::path object = folder.path() / "out" / "subject.so";
  const fs::path depfile = folder.path() / "subject.d";
  compile_subject_to(source, object, depfile);
  CHECK(subject_library::load(object)->entries.size() == 1);
  const std::string rule = content(depfile);
  CHECK(rule.find(object.string() + ":") == 0);
  CHECK(rule.find("simt/detail/hooks.hpp") != std::string::npos);
  CHECK(object_fingerprint(object) == source_fingerprint(source));
  const auto files = std::distance(fs::directory_iterator(object.parent_path()), {});
  CHECK(files == 1);
}

TEST_CASE("an object is current until a file that it includes changes") {
  const subject_folder folder;
  const fs::path header = folder.write("part.hpp", "// a part\n");
  const fs::path source =
      folder.write("subject.hpp", "#include \"part.hpp\"\n" + kernel("mark_0();"));
  const fs::path object = folder.path() / "subject.so";
  CHECK(simt::is_current(object));  // there is no list
  compile_subject_to(source, object, folder.path() / "subject.d");
  CHECK(simt::is_current(object));
  fs::last_write_time(header, fs::last_write_time(object) + std::chrono::seconds(1));
  CHECK_FALSE(simt::is_current(object));
  compile_subject_to(source, object, folder.path() / "subject.d");
  fs::remove(header);
  CHECK_FALSE(simt::is_current(object));
}

TEST_CASE("names of shipped subjects do not lead out of their folder") {
  CHECK(shipped_subject("").empty());
  CHECK(shipped_subject("no/such").empty());
  CHECK(shipped_subject("../subjects/locks/tas").empty());
  CHECK(shipped_subject("/etc/passwd").empty());
}

TEST_CASE("shipped subjects are those headers of algorithms that name one") {
  const std::vector<std::string> names = shipped_subjects();
  CHECK(std::ranges::is_sorted(names));
  CHECK(std::ranges::count(names, "locks/tas") == 1);
  CHECK(std::ranges::count(names, "nodes") == 0);
  CHECK(shipped_subject("nodes").empty());  // algorithms/nodes.hpp is for others to include
}
