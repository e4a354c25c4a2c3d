// Translates the instructions of PTX functions to C++ text.
//
// Each block of PTX is one block of C++: labels stay labels, branches become gotos, and nothing
// else branches. Registers are local variables, unsigned integers of their size.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "sim/ptx/emit/layout.hpp"
#include "sim/ptx/emit/names.hpp"
#include "sim/ptx/emit/opaque.hpp"
#include "sim/ptx/module.hpp"

namespace simt::ptx {

/// An instruction has no translation. `opaque`: it only computes a value that is not known exactly,
/// which does no harm if nothing depends on it.
struct not_translated {
  std::string reason;
  bool opaque = false;
  bool is_time = false;  // a clock: where something depends on it, time is assumed to stand still
};

class emitter {
 public:
  emitter(const layout& memory, const function& f, bool is_kernel);

  /// The statements of an instruction, with its guard. Throws not_translated.
  std::string statement(const instruction& i);
  /// The statements of an instruction whose value is not known.
  std::string opaque_statement(const instruction& i);
  /// The statements of an approximation, computed by the host's functions (emit_approximate.cpp).
  /// Throws not_translated.
  std::string approximate_statement(const instruction& i);
  /// The statements of a comparison of values that are not known: the environment chooses its
  /// result.
  std::string chosen_statement(const instruction& i);
  /// The parts of the function's text: its parameters; its variables and instructions.
  std::string parameter_list() const;
  std::string body(const opaque_values& opaque);
  /// The function's name in C++.
  static std::string function_name(const module& m, const function& f);
  /// Whether a strong vector's elements are read or written as one access.
  [[nodiscard]] static bool accesses_as_one(const instruction& i);
  /// Whether a warp moves matrices between memory and its registers (emit_matrix.cpp).
  [[nodiscard]] static bool moves_matrix(const instruction& i);

 private:
  // --- translations by kind of instruction; nothing: it is of another kind ---
  std::optional<std::string> integer(const instruction& i);     // emit_integer.cpp
  std::optional<std::string> bits(const instruction& i);        // emit_integer.cpp
  std::optional<std::string> comparison(const instruction& i);  // emit_integer.cpp
  std::optional<std::string> floating(const instruction& i);    // emit_float.cpp
  std::optional<std::string> conversion(const instruction& i);  // emit_float.cpp
  std::optional<std::string> move(const instruction& i);        // emit_memory.cpp
  std::optional<std::string> memory(const instruction& i);      // emit_memory.cpp
  std::optional<std::string> atomic(const instruction& i);      // emit_memory.cpp
  std::optional<std::string> warp(const instruction& i);        // emit_warp.cpp
  std::optional<std::string> block(const instruction& i);       // emit_warp.cpp
  std::optional<std::string> mbarrier(const instruction& i);    // emit_mbarrier.cpp
  std::optional<std::string> async_copy(const instruction& i);  // emit_async_copy.cpp
  std::optional<std::string> bulk_copy(const instruction& i);   // emit_bulk_copy.cpp
  std::optional<std::string> matrix(const instruction& i);      // emit_matrix.cpp
  std::optional<std::string> control(const instruction& i);     // emit_control.cpp
  std::string call(const instruction& i);
  /// The accesses of wmma.load and wmma.store, whose values are not known.
  std::string wmma_accesses(const instruction& i);
  /// The text with what stands around an instruction that is no move between registers.
  std::string whole_statement(const instruction& i, std::string text);

  // --- operands (emit_operand.cpp) ---
  /// The bits of a value of that type.
  std::string in(const operand& o, type t);
  std::string in(const instruction& i, std::size_t k, type t);
  std::string predicate(const operand& o);
  /// `to = value;`, where the value has the bits of a `t`: wider registers are extended.
  std::string set(const operand& to, type t, const std::string& value);
  std::string set(const instruction& i, const std::string& value);  // operand 0, of its type
  std::string set_predicate(const operand& to, const std::string& value);
  /// The real address of the place that an address operand names, as an integer.
  std::string address(const operand& o, space where);
  std::string symbol_address(const std::string& name, std::int64_t offset, space* where = nullptr);
  std::string special(const std::string& name, type t);
  std::string literal(const operand& o, type t) const;
  const register_declaration* find(const std::string& name) const;
  std::string name_of_register(const std::string& name) const;
  const variable* local_variable(const std::string& name) const;
  [[nodiscard]] bool is_parameter(const std::string& name) const;
  std::string parameter_value(const operand& o, type t);
  /// Where the place in a kernel's parameter lies, when the parameters lie one behind the other.
  std::uint64_t parameter_place(const operand& o) const;
  std::string label_name(const std::string& label);

  // --- pointers to local variables (emit_local.cpp) ---
  struct local_pointer {
    const variable* to = nullptr;
    std::int64_t offset = 0;
    bool is_only_address = false;  // nothing but accesses uses it: it needs no register
  };
  void find_local_pointers();
  std::optional<local_pointer> pointed_by(const instruction& i) const;
  /// The local variable that an access certainly goes to, and the offset in it.
  std::optional<local_pointer> local_target(const operand& place, std::uint64_t size) const;
  [[nodiscard]] bool is_needless(const instruction& i) const;

  // --- memory ---
  space space_of(const instruction& i) const;
  std::string load(const instruction& i, space where, const std::string& at, type t);
  std::string memory_scope(const instruction& i) const;
  void find_unread_results();
  std::string memory_order_of(const instruction& i, const char* otherwise) const;

  // --- asynchronous copies (emit_async_copy.cpp): empty text in kernels without copies ---
  /// The text in front of an instruction that orders memory.
  [[nodiscard]] std::string carried_out_copies() const;
  /// The text in front of the end of a lane. Empty in functions.
  [[nodiscard]] std::string end_of_lane() const;
  /// What is told of writes by cp.async, as an argument.
  [[nodiscard]] std::string told_of_copies() const;
  /// The text in front of an access of the lane to memory that others see.
  [[nodiscard]] std::string compared_with_copies(space where, const std::string& at,
                                                 std::uint64_t size, bool writes) const;
  [[nodiscard]] bool orders_memory(const instruction& i) const;
  /// Whether the lane may learn of writes of others by the instruction (emit_bulk_copy.cpp).
  [[nodiscard]] static bool acquires(const instruction& i);

  // --- undefined values (emit_undefined.cpp) ---
  /// Whether a shuffle of the kernel may read from a lane that takes no part.
  [[nodiscard]] static bool shuffles_may_miss(const layout& memory);
  void find_origins();
  [[nodiscard]] bool is_result(const std::string& name) const;
  /// Whether operands behind the first, or the guard, may be undefined.
  [[nodiscard]] bool reads_undefined(const instruction& i) const;
  /// The origin of what is made of these registers: "0u" if none can be undefined.
  [[nodiscard]] std::string origin(const operand& o) const;
  [[nodiscard]] std::string origin(const std::vector<std::string>& registers) const;
  std::string computed_origin(const instruction& i);
  /// The text in front of an instruction: uses of undefined values, the origins of what it sets.
  std::string followed(const instruction& i);
  /// Sets what a shuffle has told, `moved`, and its origin.
  std::string set_shuffled(const instruction& i, const operand& to);
  [[nodiscard]] std::string declared_origins() const;

  // --- checks ---
  static void want(const instruction& i, std::size_t least, std::size_t most);
  void only(const instruction& i, std::initializer_list<std::string_view> known) const;
  /// The type of the instruction. Throws if it is none of these.
  type typed(const instruction& i, std::initializer_list<type> known) const;

  const layout& memory_;
  const function& function_;
  bool is_kernel_;
  std::map<std::string, const register_declaration*, std::less<>> registers_;
  std::map<std::string, std::string, std::less<>> register_names_;
  std::map<std::string, std::string, std::less<>> variable_names_;  // .local and .param
  std::map<std::string, std::string, std::less<>> label_names_;
  std::map<std::string, local_pointer, std::less<>> local_pointers_;
  bool follows_undefined_ = false;
  std::map<std::string, std::string, std::less<>> origins_;  // of registers that may be undefined
  std::set<std::string, std::less<>> read_registers_;        // those that more than `atom` names
  name_pool names_;
  std::string guard_;  // a condition under which registers are set; empty: always
  // The addresses of the instruction may be those of other blocks of the cluster.
  bool spans_cluster_ = false;
  bool chooses_ = false;  // the comparison that is translated has either result
  bool uses_carry_ = false;
  bool uses_parameters_ = false;  // the kernel's, as an array
};

/// The C++ type of values of a type: "ptx::s32".
std::string cpp_type(type t);
/// The unsigned C++ type of that size: "ptx::u32".
std::string cpp_bits(type t);
std::string cpp_bits(std::uint32_t size);

}  // namespace simt::ptx
