// A PTX module as its text says it: variables, functions, kernels and their instructions.
//
// Members have no meaning beyond syntax. Only names are changed: each register, label and variable
// of an inner scope `{ }` has a name of its own. If the text uses one name in several scopes, the
// later ones get a suffix (`%p@2`).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace simt::ptx {

/// The fundamental types. Packed ones (f16x2, bf16x2) count as b32 where registers are declared.
enum class type : std::uint8_t {
  none,
  b8,
  b16,
  b32,
  b64,
  b128,
  u8,
  u16,
  u32,
  u64,
  s8,
  s16,
  s32,
  s64,
  f16,
  f16x2,
  bf16,
  bf16x2,
  f32,
  f64,
  pred,
  other,  // opaque types: .texref, .samplerref, .surfref, fp8 and smaller
};

/// Bytes of a value. 1 for a predicate, 0 for `none` and `other`.
[[nodiscard]] std::uint32_t size_of(type t);
[[nodiscard]] bool has_sign(type t);
[[nodiscard]] bool is_float(type t);
/// The name without a dot: "u32".
[[nodiscard]] const char* name_of(type t);
/// The type of that name. `none`: there is no such type.
[[nodiscard]] type type_named(std::string_view name);

enum class space : std::uint8_t { generic, reg, global, shared, constant, local, param };
[[nodiscard]] const char* name_of(space s);

/// A place in the user's source. If its function was inlined, `inlined_at` is the index of the
/// place of the call.
struct source_place {
  std::uint32_t file = 0;  // the number of a .file directive
  std::uint32_t line = 0;
  std::uint32_t column = 0;
  std::optional<std::uint32_t> inlined_at;
  std::string function;  // of the inlined function; empty where the text does not say
  auto operator<=>(const source_place&) const = default;
};

struct operand {
  enum class kind : std::uint8_t {
    reg,        // name; also special registers, with their part: "%tid.x"
    immediate,  // bits (an integer in two's complement, or a floating-point number)
    symbol,     // name + offset: the address of a variable, a function, a label
    address,    // [name + offset] or [bits]: base is a register, a symbol, or nothing
    vector,     // {parts}
    pair,       // parts[0] | parts[1]: destination and predicate
    sink,       // _
    list,       // (parts): arguments or results of a call
  };
  kind what = kind::reg;
  std::string name;
  bool negated = false;           // !p; or -r, which a few instructions allow
  bool base_is_register = false;  // of an address
  bool is_float = false;          // the immediate was written as a floating-point number
  bool is_f32 = false;            // ... as 0fXXXXXXXX: bits are those of an f32, else of an f64
  std::int64_t offset = 0;
  std::uint64_t bits = 0;
  std::vector<operand> parts;
  /// The vector component of a register or address: `.x`, `.y`, `.z`, `.w`; or 0.
  char component = 0;
};

struct instruction {
  std::string opcode;                  // "ld", "atom", "bar": up to the first dot
  std::vector<std::string> modifiers;  // "acquire", "gpu", "global", "u32": without the dots
  std::string guard;                   // the register of `@p`; empty: none
  bool guard_negated = false;
  std::vector<operand> operands;
  std::uint32_t line = 0;              // of the PTX text
  std::optional<std::uint32_t> place;  // index in module::places
  std::string text;                    // as it stands, on one line

  [[nodiscard]] bool has(std::string_view modifier) const;
  /// The k-th modifier from the end that names a type, k from 0.
  [[nodiscard]] type type_from_end(std::size_t k = 0) const;
};

/// An initial value that is an address. `bytes` of the variable hold zeros there.
struct address_value {
  std::uint64_t at = 0;  // in the variable
  std::uint32_t size = 8;
  std::string symbol;
  std::int64_t offset = 0;
  bool generic = false;  // generic(symbol)
};

struct variable {
  std::string name;
  space where = space::global;
  type element = type::b8;
  std::uint32_t vector = 1;  // of .v2, .v4
  std::uint32_t align = 1;
  std::optional<std::uint64_t> size;  // bytes; none: an extern array without a size
  std::vector<std::uint8_t> bytes;    // initial; shorter than the variable: the rest is 0
  std::vector<address_value> addresses;
  bool is_extern = false;
  bool is_array = false;
  std::uint32_t line = 0;
};

struct parameter {
  std::string name;
  type element = type::b64;
  std::uint32_t align = 1;
  std::uint32_t size = 8;   // bytes
  bool is_array = false;    // a struct by value: .b8 name[N]
  bool is_pointer = false;  // .ptr
  space pointer_space = space::generic;
  bool in_register = false;  // of a .func: .reg
  std::uint32_t line = 0;
};

struct register_declaration {
  std::string name;  // with its `%`, where it has one
  type kind = type::b32;
  std::uint32_t vector = 1;
};

/// A label stands before an instruction. Several may stand before one, and some at the end.
struct label {
  std::string name;
  std::size_t at = 0;  // index of the instruction
  std::uint32_t line = 0;
};

/// `name: .branchtargets L0, L1;`
struct branch_targets {
  std::string name;
  std::vector<std::string> labels;
};

/// The text of a .callprototype, .calltargets, .alias or an unknown directive.
struct directive {
  std::string name;
  std::string text;
  std::uint32_t line = 0;
};

/// A .func, or the parts of an .entry that a .func has, too.
struct function {
  std::string name;
  std::vector<parameter> parameters;
  std::vector<parameter> results;
  bool has_body = false;
  bool is_extern = false;
  std::uint32_t line = 0;

  std::vector<register_declaration> registers;
  std::vector<variable> variables;  // of the function: .local depots, .shared, .param
  std::vector<instruction> instructions;
  std::vector<label> labels;
  std::vector<branch_targets> targets;
  std::vector<directive> directives;  // what else stands in it
};

struct kernel : function {
  std::optional<std::uint32_t> max_threads[3];       // .maxntid
  std::optional<std::uint32_t> required_threads[3];  // .reqntid
  std::optional<std::uint32_t> cluster[3];           // .reqnctapercluster
};

struct source_file {
  std::uint32_t number = 0;
  std::string name;
};

struct module {
  std::string file = "kernel.ptx";  // what reports call the text; whoever read it may set it
  std::uint32_t version_major = 0, version_minor = 0;
  std::string target;    // "sm_80"
  std::uint32_t sm = 0;  // 80
  std::uint32_t address_size = 64;
  std::vector<source_file> files;
  std::vector<source_place> places;
  std::vector<variable> variables;
  std::vector<function> functions;
  std::vector<kernel> kernels;
  std::vector<directive> directives;  // .alias and what is not known

  [[nodiscard]] const kernel* find_kernel(std::string_view name) const;
  [[nodiscard]] const function* find_function(std::string_view name) const;
  [[nodiscard]] const variable* find_variable(std::string_view name) const;
  /// The file and line of the innermost place. Empty: the module does not say.
  [[nodiscard]] std::string file_of(const instruction& i) const;
  [[nodiscard]] std::uint32_t line_of(const instruction& i) const;
};

/// The offset of each parameter, when the arguments of a launch lie one behind the other.
[[nodiscard]] std::vector<std::uint64_t> parameter_offsets(const function& kernel);

}  // namespace simt::ptx
