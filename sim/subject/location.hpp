// Names addresses: source lines of code, variables of data. Reads DWARF, only for reports.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace simt {

namespace detail {
struct subject_entry;
}

struct source_frame {
  std::string function;  // "my_lock::lock"
  std::string file;      // as compiled, absolute
  std::uint32_t line = 0;
  std::uint32_t column = 0;
};

/// A member function of a class or of its bases, but no template.
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

/// How the values of a type are written.
struct value_type {
  enum class kind : std::uint8_t { signed_integer, unsigned_integer, boolean, real, mbarrier };
  kind what = kind::signed_integer;
  std::map<std::int64_t, std::string> enumerators;  // of an enumeration
};

/// The name and type of the data at an address.
struct named_data {
  std::string name;  // "nodes[2].next"; "+12" where nothing is known
  value_type type;
};

/// A class of the subject. Compilers write template arguments in more than one way. So the class is
/// first looked for as the type argument of the class that `function` is a member of.
struct class_name {
  std::string text;            // may lack its outermost namespaces
  std::uint64_t function = 0;  // address; 0: none

  class_name(std::string name,
             std::uint64_t of_function = 0)  // NOLINT(google-explicit-constructor)
      : text(std::move(name)), function(of_function) {}
  class_name(const char* name) : text(name) {}  // NOLINT(google-explicit-constructor)
};

/// The class of the entry's object.
class_name workload_type(const detail::subject_entry& entry);

class debug_info {
 public:
  /// The debug information of a shared object that is mapped into this process.
  explicit debug_info(const std::filesystem::path& file);
  ~debug_info();
  debug_info(const debug_info&) = delete;
  debug_info& operator=(const debug_info&) = delete;

  /// The call that returns to `return_address`: innermost inlined frame first. Empty: unknown.
  [[nodiscard]] std::vector<source_frame> frames(std::uint64_t return_address) const;

  /// The member of `type` at `offset`, for example "lock.held" or "nodes[2].next". The inner
  /// workings of simt's own types are left out.
  [[nodiscard]] named_data member(const class_name& type, std::uint64_t offset) const;

  /// "[2].next": what lies at `offset` of the array whose address is in the pointer at offset
  /// `pointer` of `type`. A device array has such a pointer, in the object that owns it.
  [[nodiscard]] named_data element(const class_name& type, std::uint64_t pointer,
                                   std::uint64_t offset) const;

  /// A global variable, by its demangled name, and its member there: "table[1].next".
  [[nodiscard]] named_data variable(const std::string& name, std::uint64_t offset) const;

  /// What lies at `offset` of a block-shared variable: "tile[3]". `slots`: the number of such
  /// variables.
  [[nodiscard]] named_data shared(std::uint32_t slot, std::uint32_t slots,
                                  std::uint64_t offset) const;

  /// The calls in the function that begins at the address, without those that were inlined.
  [[nodiscard]] std::vector<function_call> calls_in(std::uint64_t function) const;

  /// The functions of the class of the first member of `type`. A workload's first member is the
  /// subject.
  [[nodiscard]] std::vector<member_function> functions_of_first_member(
      const class_name& type) const;

 private:
  struct implementation;
  std::unique_ptr<implementation> self_;
};

}  // namespace simt
