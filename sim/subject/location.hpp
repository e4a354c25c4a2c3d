// Names for addresses: source lines of code, variables of data. Reads DWARF, only for reports.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace simt {

struct source_frame {
  std::string function;  // "my_lock::lock"
  std::string file;      // as compiled, absolute
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

/// A member function of a class or of its bases; no template.
struct member_function {
  std::string name;  // "check"
  std::string file;  // where it is declared
  std::uint32_t line = 0;
  bool is_public = true;
  bool is_used = false;  // it is compiled, which an inline function is only where it is called
};

struct function_call {
  std::string name;                  // as the linker has it; empty: through a pointer
  std::uint64_t return_address = 0;  // for frames()
};

class debug_info {
 public:
  /// Of a shared object mapped into this process.
  explicit debug_info(const std::filesystem::path& file);
  ~debug_info();
  debug_info(const debug_info&) = delete;
  debug_info& operator=(const debug_info&) = delete;

  /// The call that returns to `return_address`: innermost inlined frame first. Empty: unknown.
  [[nodiscard]] std::vector<source_frame> frames(std::uint64_t return_address) const;

  /// The member of C++ type `type` at `offset`, for example "lock.held" or "nodes[2].next". The
  /// inner workings of simt's own types are left out. "+12" style text where nothing is known.
  /// `type` may lack its outermost namespaces.
  [[nodiscard]] std::string member(const std::string& type, std::uint64_t offset) const;

  /// "[2].next": what lies at `offset` of the array whose address is in the pointer at offset
  /// `pointer` of `type` (a device array's, in the object that owns it).
  [[nodiscard]] std::string element(const std::string& type, std::uint64_t pointer,
                                    std::uint64_t offset) const;

  /// A global variable, by its demangled name, and its member there: "table[1].next".
  [[nodiscard]] std::string variable(const std::string& name, std::uint64_t offset) const;

  /// The calls in the function that begins at the address, but for those that were inlined.
  [[nodiscard]] std::vector<function_call> calls_in(std::uint64_t function) const;

  /// The functions of the class that the first member of `type` has (a workload's subject).
  [[nodiscard]] std::vector<member_function> functions_of_first_member(
      const std::string& type) const;

 private:
  struct implementation;
  std::unique_ptr<implementation> self_;
};

}  // namespace simt
