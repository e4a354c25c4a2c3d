// Reads from a shared object's file what its mapping contains: extent, read-only data, device
// globals.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "sim/subject/subject.hpp"

namespace simt::detail {

/// The parts of an object mapped with load address `bias`. Addresses are those of the process.
struct elf_image {
  std::uint64_t begin = 0, end = 0;                                // the whole mapping
  std::vector<std::pair<std::uint64_t, std::uint64_t>> constants;  // [begin, end) of read-only data
  std::vector<device_global> globals;                              // images left empty
  std::vector<thread_variable> thread_variables;
};

/// Reads program headers and symbols. Throws std::runtime_error if the file is no such object.
elf_image read_elf_image(const std::filesystem::path& file, std::uint64_t bias);

/// The functions in a file's symbol table, exported or not, as the linker names them, by address.
/// `begin`: the address at which the file is mapped.
std::map<std::uint64_t, std::string> read_functions(const std::filesystem::path& file,
                                                    std::uint64_t begin);

/// The name, as people write it, of the object of data at an address of a shared object in this
/// process. Empty: there is none.
std::string object_at(std::uint64_t address);

/// The names, as the linker has them, that a shared object needs and that no library it was linked
/// with defines. The program that loads the object must define them.
std::vector<std::string> names_left_open(const std::filesystem::path& file);

/// All names that a shared object needs from elsewhere, as the linker has them.
std::vector<std::string> names_needed(const std::filesystem::path& file);

/// The static local variables that are initialized when control first reaches them.
std::vector<std::string> guarded_variables(const std::filesystem::path& file);

/// The build id in hexadecimal digits. Empty: the file has none.
std::string read_build_id(const std::filesystem::path& file);

/// A C++ name as people write it. Any other name stays as it is.
std::string demangle(const char* name);

}  // namespace simt::detail
